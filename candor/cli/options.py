"""Options that several commands share, and their parsing."""

import argparse
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from candor.files.table import FileError
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.mechanisms import Mechanism, build
from candor.mechanisms.parameters import exact, shown
from candor.validation import CONFIDENCE_LEVEL, MAX_RESPONDENTS, spell_out_ranges


class UsageError(ValueError):
    """Options that are incompatible or cannot be read."""


def add_mechanism(parser: argparse.ArgumentParser, **options: Any) -> None:
    parser.add_argument(
        "--family", **{"help": "the mechanism's family, such as coin", **options}
    )
    add_pairs(
        parser,
        "--set",
        "the family's parameters, such as forced_yes=1/6 forced_no=1/6",
        dest="parameters",
    )


def add_pairs(
    parser: argparse.ArgumentParser,
    option: str,
    text: str,
    *,
    metavar: str = "NAME=VALUE",
    **options: Any,
) -> None:
    """Add an option for `read_pairs` or `read_counts`."""
    parser.add_argument(
        option, nargs="+", default=[], metavar=metavar, help=text, **options
    )


def read_mechanism(options: Mapping[str, Any]) -> Mechanism:
    return build(options["family"], **read_pairs("--set", options["parameters"]))


def add_confidence_level(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--confidence-level",
        type=confidence_level,
        default=DEFAULT_CONFIDENCE_LEVEL,
        help=f"above 0 and below 1 (default {DEFAULT_CONFIDENCE_LEVEL})",
    )


def add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", default="table", choices=["json", "csv", "table"])


def read_pairs(option: str, texts: Iterable[str]) -> dict[str, str]:
    """Return {name: value} from arguments such as yes=40."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UsageError(f"{option} takes NAME=VALUE; got {text!r}")
        if name in found:
            raise UsageError(f"{option} names {name!r} twice")
        found[name] = value
    return found


def read_counts(
    option: str, texts: Iterable[str], names: Iterable[str]
) -> dict[str, int]:
    """Return {name: count}; each name must be given exactly once."""
    counts, wanted = read_pairs(option, texts), tuple(names)
    for name in counts:
        if name not in wanted:
            raise UsageError(f"{option} must name {', '.join(wanted)}; got {name!r}")
    found = {}
    for name in wanted:
        count = counts.get(name, "")
        if not re.fullmatch(r"[0-9]{1,10}", count) or int(count) > MAX_RESPONDENTS:
            raise UsageError(
                f"{option}: {name} must be a whole number in [0, {MAX_RESPONDENTS}]; "
                f"got {shown(count)}"
            )
        found[name] = int(count)
    return found


def read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileError([f"{path} cannot be read: {error.strerror}"]) from error


def number(text: str) -> float:
    found = exact(text)
    if found is None:
        raise argparse.ArgumentTypeError(
            f"must be a number, such as 0.1 or 1/3; got {shown(text)}"
        )
    # Return numbers too large for a float as they are: the range check rejects them.
    try:
        return float(found)
    except OverflowError:
        return int(found)


def whole_number(text: str) -> int:
    found = exact(text)
    if found is None or found.denominator != 1:
        raise argparse.ArgumentTypeError(
            f"must be a whole number, such as 1000; got {shown(text)}"
        )
    return int(found)


def confidence_level(text: str) -> float:
    try:
        return CONFIDENCE_LEVEL.check("confidence_level", number(text))
    except (ValueError, argparse.ArgumentTypeError) as error:
        raise argparse.ArgumentTypeError(
            f"must be {spell_out_ranges(CONFIDENCE_LEVEL.allowed)}; got {text!r}"
        ) from error
