"""Regressions on the questions of a survey, as commands ask for and write them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.core.management.base import CommandError

from candor.cli import regress as printed
from candor.cli.regress import describe, find_answer
from candor.mechanisms.draws import NOT_ASKED
from candor.regression.formula import Formula, read_formula
from candor.regression.regress import Answered, Regression, Rows, regress
from estimation import libraries
from estimation.files.estimates import analysis_cells
from estimation.management.options import choose_interval
from estimation.management.tables import exploratory
from estimation.rows.analysis import Analysis, unplanned
from estimation.rows.counts import Tallies


def make_formula(names: Sequence[str], options: Mapping[str, Any]) -> Formula:
    """Return the formula of options on questions that have these names."""
    formula = read_formula(options["formula"], names)
    outcome = options["outcome"]
    if outcome not in names:
        raise CommandError(
            f"--outcome must be one of {', '.join(names)}; got {outcome!r}"
        )
    if outcome in formula.columns:
        raise CommandError(f"--formula must not hold the outcome {outcome!r}")
    return formula


def regress_tallies(
    tallies: Tallies, formula: Formula, options: Mapping[str, Any]
) -> tuple[Regression, dict[str, Any]]:
    """Return the regression on questions of a survey, and what was asked for.

    At the planned level, unless the options have another.
    """
    names = [f"q{number}" for number in tallies.numbers]
    outcome, hidden = options["outcome"], options["scrambled"]
    places = [names.index(name) for name in (outcome, *formula.columns)]
    patterns = [
        (pattern, count)
        for pattern, count in tallies.counts.items()
        if all(pattern[place] != NOT_ASKED for place in places)
    ]
    counts = np.array([count for _, count in patterns], dtype=np.float64)
    if not patterns:
        raise CommandError("nothing is sealed of these questions together")
    columns, scrambled = {}, None
    for name, place in zip(formula.columns, places[1:], strict=True):
        question = tallies.questions[place]
        reports = [pattern[place] for pattern, _ in patterns]
        if name == hidden:
            first = find_answer(name, question.mechanism, None)
            scrambled = Answered.of(name, question.mechanism, reports, place=first)
            continue
        if question.mechanism.is_scrambled:
            raise CommandError(
                f"{name} is scrambled: one such predictor is taken, by --scrambled "
                f"{name}"
            )
        # Of two answers the second is the one that others are compared with.
        order = question.choices
        if len(order) == 2:
            order = order[::-1]
        columns[name] = libraries.pandas.Categorical(
            [question.choices[report] for report in reports], categories=order
        )
    asked = tallies.questions[places[0]]
    rows = Rows(
        frame=libraries.pandas.DataFrame(columns, index=range(len(patterns))),
        outcome=Answered.of(
            outcome,
            asked.mechanism,
            [pattern[places[0]] for pattern, _ in patterns],
            place=find_answer(
                outcome, asked.mechanism, options["answer"], labels=asked.choices
            ),
        ),
        scrambled=scrambled,
        counts=counts,
        left_out=tallies.respondents - int(counts.sum()),
    )
    level = choose_interval(options, tallies.survey)["confidence_level"]
    about = describe(asked.mechanism, options)
    about |= analysis_cells(tallies.survey, unplanned(tallies.survey))
    return regress(rows, formula, confidence_level=level), about


def format_table(found: Regression, about: Mapping[str, Any]) -> str:
    """Return the numbers in columns, and whether the analysis was planned."""
    analysis = Analysis(about.get("analysis", Analysis.NO_PLAN))
    return "\n".join([printed.format_table(found), *exploratory(analysis)])
