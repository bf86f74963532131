"""Options that several commands take."""

import argparse
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from candor.cli.options import confidence_level
from candor.intervals import (
    DEFAULT_CONFIDENCE_LEVEL,
    DEFAULT_METHOD,
    METHODS,
)
from estimation.rows.planned import planned_interval
from respondents.imports.archives.merge import Sites, read_sites
from surveys.models import Survey
from surveys.versions import SameQuestion, VersionError, read_same

DOUBTFUL_PLAN = (
    "The planned analysis was left out: not every archive is signed with a trusted key "
    "by the server that collected its reports (--trusted-key)."
)

OTHER_PLAN = (
    "The planned analysis was left out: the two versions do not plan the same analysis."
)

KEY_DIGITS = 64


def add_archives(parser: argparse.ArgumentParser) -> None:
    """Take folders of archives, and what to accept of them."""
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--may-be-identical",
        action="store_true",
        help="two archives have the same counts, and this is chance",
    )
    parser.add_argument(
        "--trusted-key",
        action="append",
        default=[],
        type=public_key,
        metavar="KEY",
        help="public key of a server that you trust to say when the analysis was "
        "planned, as `archive` printed it there; may be repeated",
    )


def get_sites(options: Mapping[str, Any]) -> Sites:
    return read_sites(
        options["folders"],
        may_be_identical=options["may_be_identical"],
        trusted_keys=options["trusted_key"],
        same=options.get("same", ()),
    )


def add_same(parser: argparse.ArgumentParser, *, help_text: str) -> None:
    """Take questions of two versions that are the same."""
    parser.add_argument(
        "--same",
        nargs="+",
        action="extend",
        default=[],
        type=parse_same,
        metavar="NUMBER=NUMBER",
        help=f"{help_text}; 2=3:2,1 says that the answers 1 and 2 to the other's "
        "question 3 are the answers 2 and 1 to question 2",
    )


def parse_same(text: str) -> SameQuestion:
    try:
        return read_same(text)
    except VersionError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def public_key(text: str) -> str:
    if not re.fullmatch(rf"[0-9a-f]{{{KEY_DIGITS}}}", text):
        message = f"must be {KEY_DIGITS} hexadecimal digits; got {text!r}"
        raise argparse.ArgumentTypeError(message)
    return text


def add_planned_interval(parser: argparse.ArgumentParser) -> None:
    """Take level and method of a survey's analysis: see `choose_interval`."""
    parser.add_argument(
        "--method",
        choices=list(METHODS),
        help="kind of interval (default: as planned for the survey, else "
        f"{DEFAULT_METHOD})",
    )
    parser.add_argument(
        "--confidence-level",
        type=confidence_level,
        help="above 0 and below 1 (default: as planned for the survey, else "
        f"{DEFAULT_CONFIDENCE_LEVEL})",
    )


def choose_interval(
    options: Mapping[str, Any], survey: Survey | None = None
) -> dict[str, Any]:
    """Return level and method: as given, else as planned, else the usual ones."""
    planned = planned_interval(survey or Survey())
    return {
        name: usual if options.get(name) is None else options[name]
        for name, usual in planned.items()
    }
