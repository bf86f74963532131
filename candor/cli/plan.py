"""Plan a question: precision, respondents, power, and what a report reveals."""

import argparse
import math
from collections.abc import Mapping, Sequence
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

NUMBERS = {
    "share": f"assumed share of the first answer (default {DEFAULT_SHARE})",
    "margin": "wanted margin of error, half the interval, such as 0.05; of a scale in "
    "its points, such as 0.5",
    "against": "a share that the survey is to reject, so that the true one lies beyond",
    "other_share": "assumed share of a second group, to be distinguished from the "
    "first",
    "difference": "between the means of two groups on a scale, in its points",
    "mean": "assumed mean, in points; two means lie around it (default: the middle of "
    "the scale)",
    "sd": "standard deviation of the answers, in each group, in points (default: that "
    "of all points equally common, as far as the mean allows)",
    "ratio": "respondents in the second group for each in the first (default 1)",
    "power": f"probability of detecting either (default {DEFAULT_POWER})",
    "alpha": "level of the exact one-sided test, such as 0.05, which is then planned "
    "in place of the interval",
    "prior": "prior probability of the first answer for an observer "
    f"(default {DEFAULT_PRIOR})",
    "design_effect": "of weights: so many times the respondents are needed (default 1)",
    "response_rate": "part of the people invited that will answer, such as 0.4 "
    "(default 1)",
}
WHOLE_NUMBERS = {
    "respondents": "the planned number",
    "questions": "how many such questions there are (default 1)",
    "asked": "how many of them, drawn at random, each respondent is asked (default "
    "all)",
    "forged": "forged reports to allow for (default 1)",
}
"""Options that are arguments of `candor.plan`."""

OF_SHARES = ("share", "against", "other_share", "method")
"""Options that a mean is not planned with."""
OF_MEANS = ("difference", "mean", "sd")
"""Options that a share is not planned with."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a plan."""
    add_mechanism(parser, required=True)
    for read, options in ((number, NUMBERS), (whole_number, WHOLE_NUMBERS)):
        for name, text in options.items():
            parser.add_argument(f"--{name.replace('_', '-')}", type=read, help=text)
    parser.add_argument(
        "--method",
        choices=tuple(ONE_SIDED_METHODS),
        help="the interval of the results that has to exclude the share "
        f"(default {DEFAULT_METHOD})",
    )
    add_confidence_level(parser)
    add_format(parser)


def run(options: Mapping[str, Any]) -> str:
    """Return the plan as it is printed."""
    found = planned(options)
    if options["format"] == "json":
        return as_json(found.to_dict())
    if options["format"] == "csv":
        return as_csv([figure_cells(each) for each in found.figures()])
    return found.summary()


def figure_cells(figure: Figure) -> dict[str, Cell]:
    """Return a figure as a row of CSV; an empty cell where it has no bound."""
    value = math.inf if figure.value is None else figure.value
    return {
        "section": figure.section,
        "figure": figure.name,
        "value": value if math.isfinite(value) else math.nan,
        "unit": figure.unit,
        "note": figure.note,
    }


def planned(options: Mapping[str, Any]) -> Plan:
    """Return the plan of a share, or of the mean of a scale."""
    mechanism = mechanism_of(options)
    names = (*NUMBERS, *WHOLE_NUMBERS, "method", "confidence_level")
    given = {name: options[name] for name in names if options[name] is not None}
    foreign: Sequence[str] = OF_MEANS
    message = "is about the mean of a scale: of answers a share is planned"
    if load_families()[mechanism.family].is_scale:
        foreign = OF_SHARES
        message = "is about the share of an answer: of a scale the mean is planned"
    for name in foreign:
        if name in given:
            raise UsageError(f"--{name.replace('_', '-')} {message}")
    if "alpha" in given:
        given["method"] = ONE_SIDED
    return plan(mechanism, **given)
