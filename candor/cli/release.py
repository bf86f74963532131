"""Release a count with noise: how many took part, without showing who."""

import argparse
from collections.abc import Mapping
from decimal import ROUND_CEILING, Context
from typing import Any

from candor.cli.options import add_confidence_level, add_format, whole_number
from candor.cli.rows import format_csv, format_json
from candor.planning.results import rounded_up
from candor.releases import Release, release

HELP = (
    "Add noise to a count, drawn exactly, and say what its release reveals. "
    "Each release of the same count is one more: their epsilons add."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a release."""
    parser.add_argument(
        "--count", required=True, type=whole_number, help="the true count"
    )
    parser.add_argument(
        "--epsilon", help="of this release, such as 0.5: discrete Laplace noise"
    )
    parser.add_argument(
        "--sensitivity",
        type=whole_number,
        default=1,
        help="by how much one person can change the count at most (default 1)",
    )
    parser.add_argument(
        "--sigma",
        help="of discrete Gaussian noise instead, with --delta or --epsilon",
    )
    parser.add_argument(
        "--delta", help="the chance that epsilon does not hold, such as 1e-6"
    )
    add_confidence_level(parser)
    add_format(parser)


def run(options: Mapping[str, Any]) -> str:
    """Return the release as it is printed."""
    level = options["confidence_level"]
    found = release(
        options["count"],
        epsilon=options["epsilon"],
        sensitivity=options["sensitivity"],
        sigma=options["sigma"],
        delta=options["delta"],
    )
    low, high = found.interval(level)
    if options["format"] == "table":
        return format_table(found, (low, high), level)
    written = {
        "released": found.released,
        "epsilon": found.epsilon,
        "delta": found.delta,
        "sensitivity": found.sensitivity,
        "noise": found.noise.name,
        "standard_deviation": found.standard_deviation,
        "low": low,
        "high": high,
        "confidence_level": level,
    }
    return (
        format_json(written) if options["format"] == "json" else format_csv([written])
    )


def format_table(found: Release, ends: tuple[int, int], level: float) -> str:
    """Return the release as text; the true count is not in it."""
    promise = f"at most {rounded_up(found.epsilon)}"
    if found.delta:
        promise += f", but for a chance of {chance_rounded_up(found.delta)} (delta)"
    low, high = ends
    changes = f"one person changes the count by {found.sensitivity} at most"
    lines = {
        "released": f"{found.released:,}",
        "true count": f"{low:,} to {high:,} ({level:g} confidence interval)",
        "noise": f"{found.noise.name}, standard deviation "
        f"{found.standard_deviation:.2f}",
        "epsilon": f"{promise}; {changes}",
        "released again": "epsilons add",
    }
    width = max(map(len, lines)) + 2
    return "\n".join(f"{name:<{width}}{lines[name]}" for name in lines)


def chance_rounded_up(chance: float) -> str:
    """Return a chance below 1 with two digits, never less than it is, and never 1."""
    message = Context(prec=2, rounding=ROUND_CEILING).create_decimal(repr(chance))
    return repr(chance) if message >= 1 else f"{float(message):.2g}"
