"""Regress the reports to a question of a survey on other questions."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.core.management.base import CommandError, CommandParser

from candor.cli import regress as printed
from candor.cli.options import add_format
from candor.cli.regress import (
    add_outcome,
    coefficients_as_csv,
    describe,
    find_answer,
    serialize,
)
from candor.cli.rows import format_json
from candor.mechanisms.draws import NOT_ASKED
from candor.regression.formula import Formula, read_formula
from candor.regression.regress import Answered, Regression, Rows, regress
from estimation import libraries
from estimation.files.estimates import ABOUT_PLAN, analysis_cells
from estimation.management.options import (
    add_language,
    add_planned_level,
    choose_interval,
    choose_language,
)
from estimation.management.tables import exploratory
from estimation.rows.counts import Tallies, read_tallies
from estimation.rows.planned import Analysis, unplanned
from respondents.least_responses import TooFewResponsesError
from respondents.storage.declared_tables import UndeclaredTableError
from surveys.commands import PlainCommand, find_survey


class Command(PlainCommand):
    help = (
        "Logistic regression of an answer that was scrambled, on other questions of an "
        "opened survey. A CSV needs no server: `candor regress`."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", metavar="SURVEY")
        add_outcome(parser)
        add_planned_level(parser)
        add_language(parser)
        add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found, about = regress_survey(options)
        except (ValueError, TooFewResponsesError, UndeclaredTableError) as error:
            # Of the formula or the maths: all say what is wrong.
            raise CommandError(str(error)) from error
        if options["format"] == "json":
            self.stdout.write(format_json(serialize(found, about)))
        elif options["format"] == "csv":
            planned = {name: about[name] for name in ABOUT_PLAN if name in about}
            self.stdout.write(coefficients_as_csv(found, planned).rstrip())
        else:
            self.stdout.write(format_table(found, about))


def regress_survey(options: Mapping[str, Any]) -> tuple[Regression, dict[str, Any]]:
    survey = find_survey(options["source"])
    if survey.is_draft:
        raise CommandError(f"{survey.slug!r} is a draft: it has no reports yet")
    names = [f"q{number + 1}" for number in range(survey.questions.count())]
    formula = make_formula(names, options)
    # Every other question would multiply the patterns that are read.
    wanted = (options["outcome"], *formula.columns)
    tallies = read_tallies(survey, [names.index(name) + 1 for name in wanted])
    tallies = tallies.translate(choose_language(options, tallies.design))
    return regress_tallies(tallies, formula, options)


def make_formula(names: Sequence[str], options: Mapping[str, Any]) -> Formula:
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
    if not asked.tells_shares:
        raise CommandError(f"{outcome} is a scale of which only the mean is estimated")
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
    analysis = Analysis(about.get("analysis", Analysis.NO_PLAN))
    return "\n".join([printed.format_table(found), *exploratory(analysis)])
