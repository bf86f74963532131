"""What an archive is: a folder with the counts of one closed survey, and its design.

docs/administrators/archives.md describes both files.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError

from candor.files.table import FileError
from candor.mechanisms.parameters import shown
from respondents.imports.archives.signature import Signature, sign, verify
from surveys.design import Design, parse_design
from surveys.files.definition import SURVEY_FIELDS, write_definition
from surveys.files.values import parse_json
from surveys.frozen import compute_digest
from surveys.models import Survey
from surveys.version import get_software_version

FORMAT = 1
"""Raised when an archive of today would be read in another way tomorrow."""

PATTERNS, DESIGN = "patterns.parquet", "design.json"

MAX_BYTES = 50_000_000
"""Of a design: tables of 200 questions with 255 reports each come to less."""

NO_DESIGN = "design: this is no design of a survey"

OF_ONE_SITE = set(SURVEY_FIELDS) - {
    *(*Survey.DEFINED, *Survey.DEFINED_IF_WRITTEN, *Survey.PINNED, "draws"),
}
"""What each server plans for itself: its dates and numbers are in no archive, unless
respondents were promised them."""

INSTALL = ".venv/bin/pip install --require-hashes --requirement requirements-{}.txt"


def optional(name: str, extra: str = "archives") -> Any:
    """Return a library that only archives need.

    Raises
    ------
    FileError
        With the line that installs it, where it is not there.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        message = f"This needs {error.name}: {INSTALL.format(extra)}"
        raise FileError([message]) from error


@dataclass(frozen=True, kw_only=True)
class Archive:
    """What `design.json` says."""

    format: int = FORMAT
    software: str
    design_digest: str
    counts_digest: str
    """`rows.CountsDigest` of the rows."""
    respondents: int
    is_simulated: bool
    is_imported: bool
    """Whether patterns may have gaps that no draw explains."""
    design: Mapping[str, Any]
    """What the design's digest is of, with every table."""
    survey: Mapping[str, Any]
    """The same as the file of a survey, from which it can be made again."""
    signature: Signature | None = None
    """Of all of the above; older archives have none."""

    @property
    def statement(self) -> dict[str, Any]:
        """What is signed: every other field."""
        return {name: getattr(self, name) for name in KINDS}

    @cached_property
    def frozen(self) -> Design:
        """The design; its survey need not be in the database at hand."""
        return parse_design(
            self.design, survey_id=0, digest=self.design_digest, is_rehearsal=False
        )

    def to_json(self) -> str:
        signed = {"signature": self.signature.to_dict()} if self.signature else {}
        written = {**self.statement, **signed}
        return json.dumps(written, indent=2, ensure_ascii=False) + "\n"


def make_archive(survey: Survey, *, counts_digest: str, respondents: int) -> Archive:
    """Return what is written beside the counts of a closed survey."""
    file = json.loads(write_definition(survey))
    archive = Archive(
        software=get_software_version(),
        design_digest=survey.design_digest,
        counts_digest=counts_digest,
        respondents=respondents,
        is_simulated=survey.is_simulated,
        is_imported=survey.is_imported,
        design=survey.definition(),
        survey={
            name: file[name]
            for name in file
            if name not in OF_ONE_SITE or name in survey.group_sizes()
        },
    )
    return replace(archive, signature=sign(archive.statement))


def read_archive(folder: Path) -> Archive:
    """Return what an archive says of itself; its rows are another thing.

    Raises
    ------
    FileError
        Where the folder is no archive, or `design.json` is not what its digest names.
    """
    file = folder / DESIGN
    try:
        if file.stat().st_size > MAX_BYTES:
            raise FileError([f"{file} must have at most {MAX_BYTES} bytes"])
        archive = parsed(file.read_text("utf-8"))
        if archive.format != FORMAT:
            raise FileError([f"format: must be {FORMAT}; got {archive.format}"])
        if make_digest(archive.design) != archive.design_digest:
            raise FileError(["design_digest: must be the digest of the design"])
        check_design(archive)
        if archive.signature:
            verify(archive.statement, archive.signature)
    except OSError as error:
        raise FileError([f"{file} cannot be read: {error.strerror}"]) from error
    except UnicodeDecodeError as error:
        message = f"{file} must be UTF-8; byte {error.start} is not"
        raise FileError([message]) from error
    except FileError as error:
        raise FileError([f"{file}: {each}" for each in error.problems]) from error
    return archive


def parsed(text: str) -> Archive:
    """Return what the text says, each value of its kind."""
    found = parse_json(text)
    if not isinstance(found, dict) or set(found) - {"signature"} != set(KINDS):
        got = sorted(found) if isinstance(found, dict) else found
        raise FileError([f"must be an object of {', '.join(KINDS)}; got {shown(got)}"])
    for name, kind in KINDS.items():
        if type(found[name]) is not kind:
            message = f"{name}: must be {IN_WORDS[kind]}; got {shown(found[name])}"
            raise FileError([message])
    signed = found.pop("signature", None)
    return Archive(**found, signature=Signature.read(signed) if signed else None)


KINDS: dict[str, type] = {
    "format": int,
    "software": str,
    "design_digest": str,
    "counts_digest": str,
    "respondents": int,
    "is_simulated": bool,
    "is_imported": bool,
    "design": dict,
    "survey": dict,
}

IN_WORDS = {
    int: "a whole number",
    str: "a text",
    bool: "true or false",
    dict: "an object",
}


def make_digest(design: Mapping[str, Any]) -> str:
    try:
        return compute_digest(design)
    except (TypeError, UnicodeEncodeError, RecursionError) as error:
        # A decimal, half of a pair of surrogates, a bottomless list: no design has any.
        raise FileError([f"design: {error}"]) from error


def check_design(archive: Archive) -> None:
    """Raise `FileError` where the design is none, although the digest is its own."""
    try:
        is_sound = is_design(archive.frozen)
        check_plan(archive.design.get("analysis"))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FileError([f"{NO_DESIGN} ({error})"]) from error
    if not is_sound:
        raise FileError([NO_DESIGN])


def check_plan(analysis: Mapping[str, Any] | None) -> None:
    """Raise `ValueError` for a planned analysis that no survey could have."""
    if analysis is None:
        return
    is_whole = set(analysis) == set(Survey.PINNED)
    if not is_whole or not all(type(each) is str for each in analysis.values()):
        raise ValueError(f"analysis: must have texts {', '.join(Survey.PINNED)}")
    others = {field.name for field in Survey._meta.fields} - set(Survey.PINNED)
    try:
        Survey(**analysis).clean_fields(exclude=others)
    except ValidationError as error:
        raise ValueError(f"analysis: {error.messages[0]}") from error


def is_design(design: Design) -> bool:
    """Whether a survey could have this design; its tables have been checked."""
    texts = [
        getattr(design, name) for name in (*Survey.DEFINED, *Survey.DEFINED_IF_WRITTEN)
    ]
    for question in design.questions:
        texts += [question.text, question.innocuous_question, *question.choices]
        texts += [question.hint, question.helpline]
    for section in design.sections:
        texts += [section.title, section.text]
    drawn = [number for group in design.groups for number in group.questions]
    return (
        len(design.questions) > 0
        and all(type(text) is str for text in texts)
        and all(
            len(question.choices) == len(question.mechanism.answers)
            for question in design.questions
        )
        and all(type(number) is int for number in drawn)
        and set(drawn) <= set(range(1, len(design.questions) + 1))
    )
