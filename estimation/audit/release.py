"""The files and the page that this release would serve."""

import re
from collections.abc import Mapping
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.exceptions import SuspiciousOperation

from respondents.collecting.pages import render_survey
from surveys.design import Design, parse_design
from surveys.frozen import compute_digest
from surveys.models import Survey

GAP = "candor-audit-gap"
"""Stands where a page has what this release cannot know: a day, the number of a form,
the neutral address of "Leave this page"."""

MAX_GAP = 200
IN_A_GAP = re.compile(r"[^<>\"\n]*")

EXCERPT = 70

FINGERPRINT = re.compile(r"\.[0-9a-f]{12}(?=\.\w+)")
"""Part of the name of a file as production serves it, of its contents."""

IN_AN_ADDRESS = re.compile(
    rf"((?:{re.escape(settings.STATIC_URL)}|url\()[^\s\"'<>()]*?){FINGERPRINT.pattern}"
)
"""The same where a page or style sheet names a file; anywhere else it is a change."""


def without_fingerprints(text: str) -> str:
    return IN_AN_ADDRESS.sub(r"\1", text)


class NoDesignError(Exception):
    """What was served as a design is none, in one sentence."""


def strip_fingerprint(address: str) -> str:
    path, static = urlsplit(address).path, settings.STATIC_URL
    if not path.startswith(static):
        return ""
    return FINGERPRINT.sub("", path.removeprefix(static))


def compute_sha256(address: str) -> str | None:
    name = strip_fingerprint(address)
    try:
        found = Path(str(finders.find(name) or "")) if name else None
    except (SuspiciousOperation, ValueError):  # out of the folder, or no name
        return None
    if found is None or not found.is_file():
        return None
    return fingerprint(address, found.read_bytes())


def fingerprint(address: str, contents: bytes) -> str:
    """Return SHA-256 of a file; of a style sheet, whatever it calls other files."""
    if urlsplit(address).path.endswith(".css"):
        contents = without_fingerprints(contents.decode("utf-8", "replace")).encode()
    return sha256(contents).hexdigest()


def read_served(definition: Mapping[str, Any]) -> Design:
    """Return the design that is served, with the digest that it has.

    Raises
    ------
    NoDesignError
        Where anything is missing in it, or a table breaks the rules of tables.
    """
    try:
        for language in (definition["language"], *definition.get("translations", {})):
            if language not in dict(settings.LANGUAGES):
                raise NoDesignError(f"no language is called {language!r}")
        design = parse_design(
            definition,
            survey_id=0,
            digest=compute_digest(definition),
            is_rehearsal=False,
        )
        # Raises `KeysError`, a ValueError, where it is no key.
        _ = design.holder
    except (
        *(KeyError, TypeError, ValueError, AttributeError),
        *(ArithmeticError, RecursionError),
    ) as error:
        raise NoDesignError(f"it is no design of a survey: {error!r}") from None
    return design


def name_first_page(design: Design) -> str:
    return "journey" if design.mode == Survey.Mode.BROWSER else "plain"


def difference_of_page(served: str, design: Design, name: str) -> str | None:
    """Return where the page `name` is another than this release makes of the design."""
    served = without_fingerprints(served)
    differences = []
    for is_simulated, last_day in product((False, True), ("", GAP)):
        ours = render_survey(
            f"collecting/{name}",
            design,
            is_simulated=is_simulated,
            last_day=last_day,
            leave_to=GAP,
            submission=GAP,
        )
        difference = first_difference(served, without_fingerprints(ours))
        if difference is None:
            return None
        differences.append(difference)
    return max(differences)[1]


def first_difference(served: str, ours: str) -> tuple[int, str] | None:
    """Return how far two pages are the same, and what follows; None to the end."""
    at = 0
    for number, part in enumerate(ours.split(GAP)):
        head = part[:EXCERPT]
        start = served.find(head, at, at + MAX_GAP + len(head)) if number else 0
        gap = served[at : max(start, at)]
        if start < 0 or not IN_A_GAP.fullmatch(gap):
            return parting(served, at, part)
        same = count_matching(served, start, part)
        if same < len(part):
            return parting(served, start + same, part[same:])
        at = start + len(part)
    return None if at == len(served) else parting(served, at, "")


def count_matching(served: str, start: int, part: str) -> int:
    if served.startswith(part, start):
        return len(part)
    pairs = zip(served[start:], part, strict=False)
    parted = (at for at, (one, other) in enumerate(pairs) if one != other)
    return next(parted, min(len(part), len(served) - start))


def parting(served: str, at: int, ours: str) -> tuple[int, str]:
    line = served.count("\n", 0, at) + 1
    theirs, due = served[at : at + EXCERPT], ours[:EXCERPT]
    return at, f"line {line} has {theirs!r} where this release has {due!r}"
