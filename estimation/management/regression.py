"""Regressions as commands ask for them and write them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.core.management.base import CommandError

from candor.cli import rows as printed
from candor.cli.rows import finite_or_none
from candor.mechanisms import Mechanism
from candor.mechanisms.draws import NOT_ASKED
from candor.regression.fit import HELD_AT_LEAST
from estimation import libraries
from estimation.exports.estimates import analysis_cells
from estimation.management import formats
from estimation.management.options import interval_of
from estimation.regression.files import COLUMNS
from estimation.regression.formula import Formula, read_formula
from estimation.regression.regress import Rows, regress
from estimation.regression.result import Regression
from estimation.regression.table import answered
from estimation.results.planned.analysis import Analysis, unplanned
from estimation.results.tallies import Tallies

LITTLE = (
    "n min(pi, 1 - pi) (a - b)^2 is {:.1f} for each coefficient; below 10 coefficients "
    "and intervals are rough."
)


def formula_of(names: Sequence[str], options: Mapping[str, Any]) -> Formula:
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
            first = place_of(name, question.mechanism, None)
            scrambled = answered(name, question.mechanism, reports, place=first)
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
        outcome=answered(
            outcome,
            asked.mechanism,
            [pattern[places[0]] for pattern, _ in patterns],
            place=place_of(
                outcome, asked.mechanism, options["answer"], labels=asked.choices
            ),
        ),
        scrambled=scrambled,
        counts=counts,
        left_out=tallies.respondents - int(counts.sum()),
    )
    level = interval_of(options, tallies.survey)["confidence_level"]
    found, about = run(rows, formula, asked.mechanism, options, level=level)
    return found, about | analysis_cells(tallies.survey, unplanned(tallies.survey))


def run(
    rows: Rows,
    formula: Formula,
    mechanism: Mechanism,
    options: Mapping[str, Any],
    *,
    level: float,
) -> tuple[Regression, dict[str, Any]]:
    """Return the regression, and what was asked for."""
    found = regress(rows, formula, confidence_level=level)
    return found, {
        "outcome": options["outcome"],
        "answer": options["answer"] or mechanism.answers[0],
        "formula": options["formula"],
        "scrambled": options["scrambled"],
        "family": mechanism.family,
        "parameters": dict(mechanism.parameters),
        "weights": [list(row) for row in mechanism.weights],
        "epsilon": finite_or_none(mechanism.epsilon),
    }


def place_of(
    name: str, mechanism: Mechanism, answer: str | None, labels: tuple[str, ...] = ()
) -> int:
    """Return which answer is meant; the first where there are two."""
    if not mechanism.tells_shares:
        raise CommandError(
            f"{name} tells the mean of a scale and no share of an answer"
        )
    if answer is None and len(mechanism.answers) > 2:
        allowed = ", ".join(labels or mechanism.answers)
        raise CommandError(f"--answer must say which answer to {name}: {allowed}")
    known = [*mechanism.answers, *labels]
    if answer is not None and answer not in known:
        raise CommandError(
            f"--answer must be one of {', '.join(labels or mechanism.answers)}; "
            f"got {answer!r}"
        )
    return 0 if answer is None else known.index(answer) % len(mechanism.answers)


def as_object(found: Regression, about: Mapping[str, Any]) -> dict[str, Any]:
    """Return plain JSON, null where an interval has no end."""
    return {
        **about,
        "respondents": found.respondents,
        "left_out": found.left_out,
        "patterns": found.patterns,
        "coefficients": [
            {
                "name": row.name,
                **{name: finite_or_none(getattr(row, name)) for name in COLUMNS},
            }
            for row in found.coefficients
        ],
        "effects": [
            {
                "name": row.name,
                "against": row.against or None,
                **{name: finite_or_none(getattr(row, name)) for name in COLUMNS[:4]},
            }
            for row in found.effects
        ],
        "log_likelihood": found.log_likelihood,
        "information": found.information,
        "interval": found.interval_name,
        "held_at_least": None if found.is_weighted else HELD_AT_LEAST,
        "confidence_level": found.confidence_level,
        "cautions": cautions(found),
    }


def cautions(found: Regression) -> list[str]:
    """Return what to know before relying on a number."""
    told = []
    if found.tells_little:
        told.append(LITTLE.format(found.information))
    unlimited = [
        row.name for row in found.coefficients if np.isinf([row.low, row.high]).any()
    ]
    if unlimited:
        told.append(f"Nothing limits the intervals of {', '.join(unlimited)}.")
    return told


def as_json(found: Regression, about: Mapping[str, Any]) -> str:
    """Return strict JSON, indented for people."""
    return printed.as_json(as_object(found, about))


def as_table(found: Regression, about: Mapping[str, Any]) -> str:
    """Return the numbers in columns, six decimals each."""
    names = [row.name for row in found.coefficients]
    names += [label_of(row.name, row.against) for row in found.effects]
    width = max(map(len, names)) + 2
    level = f"{found.confidence_level:.4g}"
    lines = [
        f"{found.respondents} respondents in {found.patterns} patterns, "
        f"{found.left_out} left out; log likelihood {found.log_likelihood:.6f}",
        f"Coefficients (log odds ratios), {level} intervals: {found.interval_name}",
        " " * width + "".join(f"{name:>16}" for name in COLUMNS),
    ]
    lines += [
        f"{row.name:<{width}}"
        + "".join(f"{getattr(row, name):>16.6f}" for name in COLUMNS)
        for row in found.coefficients
    ]
    if found.effects:
        lines.append("Average effects on the share")
    lines += [
        f"{label_of(row.name, row.against):<{width}}"
        + "".join(f"{getattr(row, name):>16.6f}" for name in COLUMNS[:4])
        for row in found.effects
    ]
    lines += [f"! {told}" for told in cautions(found)]
    analysis = Analysis(about.get("analysis", Analysis.NO_PLAN))
    return "\n".join([*lines, *formats.exploratory(analysis)])


def label_of(name: str, against: str) -> str:
    """Return what an effect compares with what."""
    return f"{name}, not {against}" if against else f"{name}, per unit"
