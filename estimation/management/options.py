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

DOUBTFUL_PLAN = (
    "The planned analysis was left out: not every archive is signed with a trusted key "
    "by the server that collected its reports (--trusted-key)."
)

KEY_DIGITS = 64


def add_archives(parser: argparse.ArgumentParser) -> None:
    """Take folders of archives, and what to accept of them."""
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--may-be-alike",
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
        may_be_alike=options["may_be_alike"],
        trusted_keys=options["trusted_key"],
    )


def public_key(text: str) -> str:
    if not re.fullmatch(rf"[0-9a-f]{{{KEY_DIGITS}}}", text):
        told = f"must be {KEY_DIGITS} hexadecimal digits; got {text!r}"
        raise argparse.ArgumentTypeError(told)
    return text


def add_planned_level(parser: argparse.ArgumentParser) -> None:
    """Take the confidence level of a survey's analysis: see `choose_interval`."""
    parser.add_argument(
        "--confidence-level",
        type=confidence_level,
        help="above 0 and below 1 (default: as planned for the survey, else "
        f"{DEFAULT_CONFIDENCE_LEVEL})",
    )


def add_planned_interval(parser: argparse.ArgumentParser) -> None:
    """Take level and method of a survey's analysis: see `choose_interval`."""
    parser.add_argument(
        "--method",
        choices=list(METHODS),
        help="kind of interval (default: as planned for the survey, else "
        f"{DEFAULT_METHOD})",
    )
    add_planned_level(parser)


def choose_interval(
    options: Mapping[str, Any], survey: Survey | None = None
) -> dict[str, Any]:
    """Return level and method: as given, else as planned, else the usual ones."""
    planned = planned_interval(survey or Survey())
    return {
        name: usual if options.get(name) is None else options[name]
        for name, usual in planned.items()
    }
