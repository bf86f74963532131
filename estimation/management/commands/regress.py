"""Regress the reports to a question of a survey on other questions."""

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser

from candor.cli.options import add_format
from candor.cli.regress import add_outcome, coefficients_as_csv, serialize
from candor.cli.rows import format_json
from candor.regression.result import Regression
from estimation.files.estimates import ABOUT_PLAN
from estimation.management.options import add_planned_level
from estimation.management.regression import (
    format_table,
    make_formula,
    regress_tallies,
)
from estimation.rows.counts import read_tallies
from respondents.least_responses import TooFewResponsesError
from surveys.commands import PlainCommand, find_survey


class Command(PlainCommand):
    """`manage.py regress SURVEY --outcome QUESTION --formula TEXT`."""

    help = (
        "Logistic regression of an answer that was scrambled, on other questions of an "
        "opened survey. A CSV needs no server: `candor regress`."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", metavar="SURVEY")
        add_outcome(parser)
        add_planned_level(parser)
        add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found, about = regress_survey(options)
        except (ValueError, TooFewResponsesError) as error:
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
    """Return the regression on questions of a survey, and what was asked for."""
    survey = find_survey(options["source"])
    if survey.is_draft:
        raise CommandError(f"{survey.slug!r} is a draft: it has no reports yet")
    names = [f"q{number + 1}" for number in range(survey.questions.count())]
    formula = make_formula(names, options)
    # Every other question would multiply the patterns that are read.
    wanted = (options["outcome"], *formula.columns)
    tallies = read_tallies(survey, [names.index(name) + 1 for name in wanted])
    return regress_tallies(tallies, formula, options)
