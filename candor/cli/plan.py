"""Plan a question: precision, respondents, power, and what a report reveals."""

import argparse
import math
from collections.abc import Mapping
from typing import Any

from candor.cli.options import (
    UsageError,
    add_confidence_level,
    add_format,
    add_mechanism,
    mechanism_of,
    number,
    whole_number,
)
from candor.cli.plan_lines import as_table
from candor.cli.rows import Cell, as_csv, as_json
from candor.intervals import DEFAULT_METHOD
from candor.intervals.one_sided import ONE_SIDED_METHODS
from candor.mechanisms import load_families
from candor.planning.assumptions import DEFAULT_SHARE
from candor.planning.plan import plan
from candor.planning.posterior import DEFAULT_PRIOR
from candor.planning.power import DEFAULT_POWER, ONE_SIDED
from candor.planning.results import Figure, Plan

HELP = (
    "Plan a question before a survey: its precision, the respondents it needs, the "
    "cost of protection, and what one report reveals."
)

OF_EVERY_PLAN = (
    "confidence_level", "respondents", "margin", "prior", "questions", "asked",
    "forged", "design_effect", "response_rate",
)  # fmt: skip
OF_TESTS = ("ratio", "power", "alpha")
OF_SHARES = ("share", "against", "other_share", "method")
"""What a mean is not planned with."""
OF_MEANS = ("difference", "mean", "sd")
"""What a share is not planned with."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a plan."""
    add_mechanism(parser, required=True)
    parser.add_argument(
        "--share",
        type=number,
        help=f"assumed share of the first answer (default {DEFAULT_SHARE})",
    )
    parser.add_argument("--respondents", type=whole_number, help="the planned number")
    parser.add_argument(
        "--margin",
        type=number,
        help="the wanted margin of error, half the interval, such as 0.05; of a "
        "scale in its points, such as 0.5",
    )
    parser.add_argument(
        "--against",
        type=number,
        help="a share that the survey shall refute: the true one lies beyond",
    )
    parser.add_argument(
        "--other-share",
        type=number,
        help="assumed share of a second group, to be told from the first",
    )
    parser.add_argument(
        "--difference",
        type=number,
        help="of a scale, how far the means of two groups are apart, in its points",
    )
    parser.add_argument(
        "--mean",
        type=number,
        help="the mean that you expect, in points; two means lie around it "
        "(default: the middle of the scale)",
    )
    parser.add_argument(
        "--sd",
        type=number,
        help="standard deviation of the answers, in each group, in points "
        "(default: that of all points equally common, as far as the mean allows)",
    )
    parser.add_argument(
        "--ratio",
        type=number,
        help="people in the second group for each in the first (default 1)",
    )
    parser.add_argument(
        "--power",
        type=number,
        help=f"chance of showing either (default {DEFAULT_POWER})",
    )
    parser.add_argument(
        "--alpha",
        type=number,
        help="plan the exact test of one tail at this level instead: the chance of "
        "refuting what is true, such as 0.05",
    )
    parser.add_argument(
        "--method",
        choices=tuple(ONE_SIDED_METHODS),
        help="the interval of the results that has to leave the share out "
        f"(default {DEFAULT_METHOD})",
    )
    add_confidence_level(parser)
    parser.add_argument(
        "--prior",
        type=number,
        default=DEFAULT_PRIOR,
        help="what somebody suspects of a respondent, as a probability "
        f"(default {DEFAULT_PRIOR})",
    )
    parser.add_argument(
        "--questions",
        type=whole_number,
        default=1,
        help="how many such questions there are (default 1)",
    )
    parser.add_argument(
        "--asked",
        type=whole_number,
        help="how many of them, drawn by chance, each respondent is asked "
        "(default all)",
    )
    parser.add_argument(
        "--forged",
        type=whole_number,
        default=1,
        help="forged reports to reckon with (default 1)",
    )
    parser.add_argument(
        "--design-effect",
        type=number,
        default=1.0,
        help="of weights: so many times the respondents are needed (default 1)",
    )
    parser.add_argument(
        "--response-rate",
        type=number,
        default=1.0,
        help="which part of those invited will answer, such as 0.4 (default 1)",
    )
    add_format(parser, "json", "csv")


def run(options: Mapping[str, Any]) -> str:
    """Return the plan as it is printed."""
    found = planned(options)
    if options["format"] == "json":
        return as_json(found.to_dict())
    if options["format"] == "csv":
        return as_csv([figure_cells(each) for each in found.figures()])
    return as_table(found)


def figure_cells(figure: Figure) -> dict[str, Cell]:
    """Return a figure as a row of CSV; an empty cell where it has no bound."""
    value = math.nan if figure.value is None else figure.value
    return {"figure": figure.name, "value": value, "unit": figure.unit}


def planned(options: Mapping[str, Any]) -> Plan:
    """Return the plan of a share, or of the mean of a scale."""
    mechanism = mechanism_of(options)
    is_scale = load_families()[mechanism.family].is_scale
    given = {name: options[name] for name in OF_EVERY_PLAN}
    own, foreign = (OF_MEANS, OF_SHARES) if is_scale else (OF_SHARES, OF_MEANS)
    for name in foreign:
        if options[name] is not None:
            message = (
                "is about the share of an answer: of a scale the mean is planned"
                if is_scale
                else "is about the mean of a scale: of answers a share is planned"
            )
            raise UsageError(f"--{name.replace('_', '-')} {message}")
    given |= {
        name: options[name] for name in (*OF_TESTS, *own) if options[name] is not None
    }
    if options["alpha"] is not None:
        given["method"] = ONE_SIDED
    return plan(mechanism, **given)
