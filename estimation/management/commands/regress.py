"""Regress a scrambled answer on predictors: of a CSV, or of a survey."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError, CommandParser

from estimation import libraries
from estimation.exports.cells import finite_or_none
from estimation.management.commands.estimate import confidence_level
from estimation.maths.intervals import DEFAULT_CONFIDENCE_LEVEL
from estimation.maths.regression.fit import HELD_AT_LEAST
from estimation.regression.files import COLUMNS, coefficients_as_csv
from estimation.regression.formula import Formula, read_formula
from estimation.regression.regress import Rows, regress
from estimation.regression.result import Regression
from estimation.regression.rows import read_header
from estimation.regression.table import answered, rows_of
from estimation.results.tallies import Tallies, read_tallies
from respondents.arriving.studies.table import read_table
from surveys.management.arguments import find_survey, read_bytes, read_pairs
from surveys.mechanisms import Mechanism, build
from surveys.mechanisms.draw import NOT_ASKED

LITTLE = (
    "n min(pi, 1 - pi) (a - b)^2 is {:.1f} for each coefficient; below 10 coefficients "
    "and intervals are rough."
)


class Command(BaseCommand):
    """`manage.py regress DATA.csv --outcome COLUMN --family NAME --formula TEXT`."""

    help = (
        "Logistic regression of an answer that was scrambled: from a CSV with one row "
        "a respondent and the family that made its reports, or from an opened survey."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", metavar="DATA.csv|SURVEY")
        parser.add_argument(
            "--outcome",
            required=True,
            help="the column of the reports; of a survey a question, such as q1",
        )
        parser.add_argument(
            "--formula",
            required=True,
            help="the predictors, such as 'assets + age + I(age**2)'; of a survey q2",
        )
        parser.add_argument("--answer", help="which answer, where there are several")
        parser.add_argument("--family", help="of a CSV: the mechanism's family")
        parser.add_argument(
            "--set", nargs="+", default=[], metavar="NAME=VALUE", dest="parameters"
        )
        parser.add_argument("--weights", help="of a CSV: a column of weights")
        parser.add_argument(
            "--scrambled", help="a predictor of the formula that was scrambled too"
        )
        parser.add_argument(
            "--scrambled-family", help="its family, where it is not that of the outcome"
        )
        parser.add_argument(
            "--scrambled-set", nargs="+", default=[], metavar="NAME=VALUE"
        )
        parser.add_argument(
            "--confidence-level",
            type=confidence_level,
            default=DEFAULT_CONFIDENCE_LEVEL,
            help=f"in (0, 1) (default {DEFAULT_CONFIDENCE_LEVEL})",
        )
        parser.add_argument(
            "--format", default="table", choices=["json", "csv", "table"]
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["family"] is None:
                found, about = self.regress_survey(options)
            else:
                found, about = self.regress_file(options)
        except ValueError as error:
            # Of the file, the formula, the mechanism's parameters or the maths: all say
            # what is wrong.
            raise CommandError(str(error)) from error
        if options["format"] == "json":
            self.stdout.write(as_json(found, about))
        elif options["format"] == "csv":
            self.stdout.write(coefficients_as_csv(found).rstrip())
        else:
            self.stdout.write(as_table(found, about))

    def regress_file(
        self, options: Mapping[str, Any]
    ) -> tuple[Regression, dict[str, Any]]:
        mechanism = built(options["family"], "--set", options["parameters"])
        table = read_table(read_bytes(Path(options["source"])))
        formula = read_formula(options["formula"], read_header(table))
        hidden, scrambled = options["scrambled"], None
        if hidden:
            predictor = mechanism
            if options["scrambled_family"]:
                predictor = built(
                    options["scrambled_family"],
                    "--scrambled-set",
                    options["scrambled_set"],
                )
            place_of(hidden, predictor, None)
            scrambled = hidden, predictor
        rows = rows_of(
            table,
            formula,
            outcome=options["outcome"],
            mechanism=mechanism,
            place=place_of(options["outcome"], mechanism, options["answer"]),
            scrambled=scrambled,
            weights=options["weights"] or "",
        )
        return run(rows, formula, mechanism, options)

    def regress_survey(
        self, options: Mapping[str, Any]
    ) -> tuple[Regression, dict[str, Any]]:
        if Path(options["source"]).is_file():
            raise CommandError("--family must name the family that made the reports")
        for name in ("parameters", "weights", "scrambled_family", "scrambled_set"):
            if options[name]:
                raise CommandError(
                    f"--{name.replace('_', '-').replace('parameters', 'set')} belongs "
                    "to a CSV: a survey knows its own tables"
                )
        survey = find_survey(options["source"])
        if survey.is_draft:
            raise CommandError(f"{survey.slug!r} is a draft: it has no reports yet")
        names = [f"q{number + 1}" for number in range(survey.questions.count())]
        formula = formula_of(names, options)
        # Every other question would multiply the patterns that are read.
        wanted = (options["outcome"], *formula.columns)
        tallies = read_tallies(survey, [names.index(name) + 1 for name in wanted])
        return regress_tallies(tallies, formula, options)


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
    """Return the regression on questions of a survey, and what was asked for."""
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
    return run(rows, formula, asked.mechanism, options)


def run(
    rows: Rows, formula: Formula, mechanism: Mechanism, options: Mapping[str, Any]
) -> tuple[Regression, dict[str, Any]]:
    """Return the regression, and what was asked for."""
    found = regress(rows, formula, confidence_level=options["confidence_level"])
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


def built(family: str, option: str, pairs: list[str]) -> Mechanism:
    """Return the mechanism of options."""
    return build(family, **read_pairs(option, pairs))


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
    return json.dumps(
        as_object(found, about), indent=2, allow_nan=False, ensure_ascii=False
    )


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
    return "\n".join([*lines, *(f"! {told}" for told in cautions(found))])


def label_of(name: str, against: str) -> str:
    """Return what an effect compares with what."""
    return f"{name}, not {against}" if against else f"{name}, per unit"
