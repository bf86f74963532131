"""Respondents' pages as text: the same for everybody, so rendered once per survey."""

import gzip
import re
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache, partial
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from respondents.collecting import reading_time
from respondents.collecting.forms import PlainForm
from respondents.collecting.page_context import about, questions_of
from respondents.collecting.question_draws import new_draw, seal_draw
from surveys.design import CACHED_DESIGNS, Design, get_design, load_design
from surveys.models import Survey

SUBMISSION_BYTES = 16

NEVER_BACK_FROM_MEMORY = HTTPStatus.NON_AUTHORITATIVE_INFORMATION
"""Where no script may clear it, a form comes back with Back as it was filled in, even
with no-store. Chromium spares pages with a status other than 200 (measured, 156)."""

LONGEST_CODE = 64
"""Characters of a code that was typed wrong that are shown again: about two codes."""

INDENTATION = re.compile(r"\s*\n\s*")


@dataclass(frozen=True)
class Page:
    """What is sent, and the same compressed for browsers that take it so."""

    body: bytes
    compressed: bytes = b""
    status: HTTPStatus = HTTPStatus.OK


def of_survey(survey: Survey) -> Page:
    """Return the page of an open survey."""
    shown = (
        survey.pk, survey.design_digest, survey.is_simulated, survey.closes_on
    )  # fmt: skip
    if get_design(survey).mode == Survey.Mode.BROWSER:
        return journey(*shown)
    # A new id in every copy of the form: sent twice, it is stored once. And a new draw,
    # where only some of the questions are asked.
    before, after = plain_halves(*shown, asked=new_draw(get_design(survey)))
    return Page(
        before + new_submission().encode() + after, status=NEVER_BACK_FROM_MEMORY
    )


@lru_cache(maxsize=CACHED_DESIGNS)
def journey(
    survey_id: int, digest: str, is_simulated: bool, closes_on: date | None
) -> Page:
    """Return all screens of mode browser; a script turns the pages."""
    design = load_design(survey_id, digest)
    page = render_survey(
        "collecting/journey",
        design,
        is_simulated=is_simulated,
        closes_on=closes_on,
    ).encode()
    # The same for everybody and without a secret, so its length tells nothing.
    return Page(page, gzip.compress(page, mtime=0))


@lru_cache(maxsize=CACHED_DESIGNS)
def plain_halves(
    survey_id: int,
    digest: str,
    is_simulated: bool,
    closes_on: date | None,
    *,
    asked: tuple[bool, ...],
) -> tuple[bytes, bytes]:
    """Return the empty form of modes server and hand, before and after its id."""
    marker = new_submission()
    design = load_design(survey_id, digest)
    page = render_survey(
        "collecting/plain",
        design,
        is_simulated=is_simulated,
        closes_on=closes_on,
        asked=asked,
        submission=marker,
    )
    before, _marker, after = page.encode().partition(marker.encode())
    return before, after


def mistaken(
    survey: Survey, form: PlainForm, code: str, *, is_mistyped: bool = False
) -> str:
    """Return the form with what is missing named; no answer is ever shown again.

    The code of a one-time link is, as it was typed: it says nothing of an answer, and
    what may be one letter is not typed anew. So is what somebody got by hand: it is a
    report, and a second toss would tell more than one.
    """
    design = get_design(survey)
    is_by_hand = design.mode == Survey.Mode.HAND
    return render_survey(
        "collecting/plain",
        design,
        is_simulated=survey.is_simulated,
        closes_on=survey.closes_on,
        # What was drawn stays; only a draw that is not ours gives way to one that is.
        asked=form.asked or new_draw(design),
        submission=new_submission(),
        is_mistaken=True,
        missing=form.missing(),
        entered=form.entered() if is_by_hand else {},
        lacks_consent="consent" in form.errors,
        has_consent="consent" not in form.errors,
        is_mistyped=is_mistyped,
        invitation=code[:LONGEST_CODE],
    )


@lru_cache(maxsize=CACHED_DESIGNS)
def minutes_for(design: Design) -> int:
    """Return how long the survey takes, worked out from its own page."""
    is_by_script = design.mode == Survey.Mode.BROWSER
    name = "collecting/journey" if is_by_script else "collecting/plain"
    # The first ones of each group, so that it is the same number whoever works it out.
    some = new_draw(design, lambda: 0)
    page = render_survey(name, design, is_simulated=False, minutes=1, asked=some)
    return reading_time.minutes_for(
        reading_time.words_on(page),
        questions=design.questions_asked,
        is_by_hand=design.mode == Survey.Mode.HAND,
    )


def thanks(survey: Survey) -> str | None:
    """Return what follows a plain form; mode browser has it in its page."""
    design = get_design(survey)
    if design.mode == Survey.Mode.BROWSER:
        return None
    return render_survey("collecting/thanks", design, is_simulated=survey.is_simulated)


def unknown_link(design: Design, *, is_simulated: bool) -> str:
    """Return what a wrong token gets; a used one gets `thanks`, of the same shape."""
    return render_survey("collecting/unknown_link", design, is_simulated=is_simulated)


def new_submission() -> str:
    return secrets.token_hex(SUBMISSION_BYTES)


def closed(survey: Survey) -> str:
    """Return what is shown once a survey has ended, in its minutes of grace too."""
    design = get_design(survey)
    with translation.override(design.language):
        return render(
            "collecting/closed",
            {
                "design": design,
                "day": in_words(survey.closed_on or survey.closes_on),
                "results": survey.results_address,
                # In the minutes of grace a message may still be on its way.
                "is_final": survey.is_closed,
            },
        )


def in_words(day: date | None) -> str:
    """Return a day as the language at hand writes it; nothing where there is none."""
    return date_format(day, _("j F Y")) if day else ""


def unknown() -> str:
    return notice(
        gettext_lazy("We cannot find this survey"),
        gettext_lazy("Please check the link. Perhaps a part of it is missing."),
    )


def busy(trouble: str = "") -> str:
    """Say that the database is away; `trouble` is where it is explained, if it is."""
    return notice(
        gettext_lazy("Please wait a moment"),
        gettext_lazy("Our database is busy. Reload this page in a while to try again."),
        gettext_lazy("What is stored stays stored, and nothing is stored twice."),
        trouble=trouble,
    )


def refused() -> str:
    return notice(
        gettext_lazy("This could not be stored"),
        gettext_lazy("Nothing was recorded. Go back to the survey and try again."),
    )


def notice(title: Promise, *lines: Promise, trouble: str = "") -> str:
    """Return a page of no survey, so in every language there is."""
    return render(
        "collecting/notice", {"title": title, "lines": lines, "trouble": trouble}
    )


def render_survey(
    name: str,
    design: Design,
    *,
    is_simulated: bool,
    closes_on: date | None = None,
    asked: tuple[bool, ...] = (),
    missing: Collection[int] = (),
    entered: Mapping[int, int] = MappingProxyType({}),
    **more: Any,
) -> str:
    """Return the page `name`, as "collecting/plain", in the language of the survey."""
    with translation.override(design.language):
        told = about(design)
        questions = questions_of(
            told["protection"], asked=asked, missing=missing, entered=entered
        )
        return render(
            name,
            {
                **told,
                "questions": questions,
                "sealed_draw": seal_draw(design, asked) if asked else "",
                "missing": missing,
                "is_simulated": is_simulated,
                "last_day": in_words(closes_on),
                # Worked out where a template asks for it.
                "minutes": partial(minutes_for, design),
                **more,
            },
        )


def render(name: str, context: dict[str, Any]) -> str:
    """Return the page without its indentation, a fifth of what a phone would load."""
    context = {"leave_to": settings.LEAVE_TO, **context}
    page = render_to_string(f"respondents/{name}.html", context)
    return INDENTATION.sub("\n", page)
