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
    number,
    read_mechanism,
    whole_number,
)
from candor.cli.rows import Cell, format_as
from candor.intervals import DEFAULT_METHOD
from candor.intervals.one_sided import ONE_SIDED_METHODS
from candor.mechanisms import load_families
from candor.planning.inputs import INPUTS
from candor.planning.plan import plan
from candor.planning.power import ONE_SIDED
from candor.planning.results import Figure, Plan

HELP = (
    "Plan a question before a survey: its precision, the respondents it needs, the "
    "cost of protection, and what one report reveals."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_mechanism(parser, required=True)
    for each in INPUTS.values():
        read = whole_number if each.is_whole else number
        parser.add_argument(each.option, type=read, help=each.help_with_default)
    parser.add_argument(
        "--method",
        choices=tuple(ONE_SIDED_METHODS),
        help="the interval of the results that has to exclude the share "
        f"(default {DEFAULT_METHOD})",
    )
    add_confidence_level(parser)
    add_format(parser)


def run(options: Mapping[str, Any]) -> str:
    found = make_plan(options)
    rows = [make_figure_cells(each) for each in found.figures()]
    return format_as(options, found.to_dict(), rows, found.summary())


def make_figure_cells(figure: Figure) -> dict[str, Cell]:
    value = math.inf if figure.value is None else figure.value
    return {
        "section": figure.section,
        "figure": figure.name,
        "value": value if math.isfinite(value) else math.nan,
        "unit": figure.unit,
        "note": figure.note,
    }


def make_plan(options: Mapping[str, Any]) -> Plan:
    mechanism = read_mechanism(options)
    names = (*INPUTS, "method", "confidence_level")
    given = {name: options[name] for name in names if options[name] is not None}
    planned, message = "share", "the mean of a scale: of answers a share is planned"
    if load_families()[mechanism.family].is_scale:
        planned, message = (
            "mean",
            "the share of an answer: of a scale the mean is planned",
        )
    estimands = {each.name: each.estimand for each in INPUTS.values()}
    for name, estimand in (estimands | {"method": "share"}).items():
        if name in given and estimand not in (None, planned):
            raise UsageError(f"--{name.replace('_', '-')} is about {message}")
    if "alpha" in given:
        given["method"] = ONE_SIDED
    return plan(mechanism, **given)
