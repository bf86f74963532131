"""Draw reports for given answers, exactly as the browsers of respondents do."""

import argparse
from collections.abc import Mapping
from typing import Any

import numpy as np

from candor.cli.options import (
    UsageError,
    add_format,
    add_mechanism,
    add_pairs,
    read_counts,
    read_mechanism,
)
from candor.cli.rows import format_as, format_columns
from candor.mechanisms.sampling import randomise_many

HELP = "Draw reports for given answers of respondents, to try an analysis."

MAX_ANSWERS = 10_000_000
"""Drawing this many answers takes less than a second."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_mechanism(parser, required=True)
    add_pairs(
        parser,
        "--answers",
        "how many respondents have each answer, such as yes=30 no=70",
        metavar="ANSWER=COUNT",
        required=True,
    )
    add_format(parser)


def run(options: Mapping[str, Any]) -> str:
    mechanism = read_mechanism(options)
    answers = read_counts("--answers", options["answers"], mechanism.answers)
    total = sum(answers.values())
    if total > MAX_ANSWERS:
        raise UsageError(f"--answers must be at most {MAX_ANSWERS}; got {total}")
    places = np.repeat(np.arange(len(answers)), list(answers.values()))
    drawn = randomise_many(mechanism.weights, places)
    counts = np.bincount(drawn, minlength=len(mechanism.reports)).tolist()
    reports = dict(zip(mechanism.reports, counts, strict=True))
    found = mechanism.to_dict() | {"answers": answers, "reports": reports}
    rows = [{"report": name, "count": count} for name, count in reports.items()]
    return format_as(options, found, rows, "\n".join(format_columns(rows)))
