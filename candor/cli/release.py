"""Release a count with noise: how many took part, without showing who."""

import argparse
from collections.abc import Mapping
from decimal import ROUND_CEILING, Context
from typing import Any

from candor.accounting import TotalEpsilon, total_epsilon
from candor.cli.options import add_confidence_level, add_format, whole_number
from candor.cli.rows import figures, format_as
from candor.planning.results import format_rounded_up
from candor.releases import Release, release
from candor.validation import check_whole

MAX_RELEASES = 1_000
"""More than daily releases for two years."""

HELP = (
    "Add noise to a count, drawn exactly, and say what its release reveals. "
    "Each release of the same count is one more: their epsilons add."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--count", required=True, type=whole_number, help="the true count"
    )
    parser.add_argument(
        "--epsilon",
        help="epsilon of this release with discrete Laplace noise, such as 0.5",
    )
    parser.add_argument(
        "--sensitivity",
        type=whole_number,
        default=1,
        help="by how much one person can change the count at most (default 1)",
    )
    parser.add_argument(
        "--sigma",
        help="use discrete Gaussian noise instead, with --delta or --epsilon",
    )
    parser.add_argument(
        "--delta", help="the probability that epsilon does not hold, such as 1e-6"
    )
    parser.add_argument(
        "--releases",
        type=whole_number,
        default=1,
        help="how many such releases are planned, to add them up (default 1)",
    )
    add_confidence_level(parser)
    add_format(parser)


def run(options: Mapping[str, Any]) -> str:
    level = options["confidence_level"]
    found = release(
        options["count"],
        epsilon=options["epsilon"],
        sensitivity=options["sensitivity"],
        sigma=options["sigma"],
        delta=options["delta"],
    )
    low, high = found.interval(level)
    number = check_whole("releases", options["releases"], low=1, high=MAX_RELEASES)
    total = None
    if number > 1:
        total = total_epsilon([found] * number, delta=found.delta or None)
    lines = describe_release(found, (low, high), level)
    written: dict[str, Any] = {
        **figures(found, ("released", "epsilon", "delta", "sensitivity")),
        "noise": found.noise.name,
        "standard_deviation": found.standard_deviation,
        "low": low,
        "high": high,
        "confidence_level": level,
    }
    if total:
        lines["released again"] = f"{number:,} times in all: {describe(total)}"
        added = ("epsilon", "basic", "concentrated")
        written |= {"releases": number}
        written |= figures(total, (f"total_{name}={name}" for name in added))
    width = max(map(len, lines)) + 2
    text = "\n".join(f"{name:<{width}}{lines[name]}" for name in lines)
    return format_as(options, written, [written], text)


def describe_release(
    found: Release, ends: tuple[int, int], level: float
) -> dict[str, str]:
    """Return the lines of the release, which do not contain the true count."""
    promise = f"at most {format_rounded_up(found.epsilon)}"
    if found.delta:
        promise += f", but for a chance of {format_chance(found.delta)} (delta)"
    low, high = ends
    changes = f"one person changes the count by {found.sensitivity} at most"
    return {
        "released": f"{found.released:,}",
        "true count": f"{low:,} to {high:,} ({level:g} confidence interval)",
        "noise": f"{found.noise.name}, standard deviation "
        f"{found.standard_deviation:.2f}",
        "epsilon": f"{promise}; {changes}",
        "released again": "epsilons add",
    }


def describe(total: TotalEpsilon) -> str:
    text = f"epsilon {format_rounded_up(total.epsilon)} at most"
    if total.delta:
        text += (
            f", delta {format_chance(total.delta)} in all (basic composition "
            f"{format_rounded_up(total.basic)}, zero-concentrated "
            f"{format_rounded_up(total.concentrated)})"
        )
    return text


def format_chance(chance: float) -> str:
    """Return a probability below 1 with two digits, rounded up but never to 1."""
    message = Context(prec=2, rounding=ROUND_CEILING).create_decimal(repr(chance))
    return repr(chance) if message >= 1 else f"{float(message):.2g}"
