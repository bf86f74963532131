"""Regress a scrambled answer on predictors: of a CSV, or of a survey."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from candor.cli.options import add_mechanism, mechanism_of, read_pairs
from candor.mechanisms import build
from estimation.exports.estimates import ABOUT_PLAN
from estimation.management.options import add_planned_level, interval_of
from estimation.management.regression import (
    as_json,
    as_table,
    formula_of,
    place_of,
    regress_tallies,
    run,
)
from estimation.regression.files import coefficients_as_csv
from estimation.regression.formula import read_formula
from estimation.regression.result import Regression
from estimation.regression.rows import read_header
from estimation.regression.table import rows_of
from estimation.results.tallies import read_tallies
from respondents.arriving.studies.table import read_table
from respondents.least_responses import TooFewResponsesError
from surveys.management.arguments import find_survey, read_bytes
from surveys.management.command import PlainCommand


class Command(PlainCommand):
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
        add_mechanism(parser, help="of a CSV: the mechanism's family")
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
        add_planned_level(parser)
        parser.add_argument(
            "--format", default="table", choices=["json", "csv", "table"]
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["family"] is None:
                found, about = self.regress_survey(options)
            else:
                found, about = self.regress_file(options)
        except (ValueError, TooFewResponsesError) as error:
            # Of the file, the formula, the mechanism's parameters or the maths: all say
            # what is wrong.
            raise CommandError(str(error)) from error
        if options["format"] == "json":
            self.stdout.write(as_json(found, about))
        elif options["format"] == "csv":
            planned = {name: about[name] for name in ABOUT_PLAN if name in about}
            self.stdout.write(coefficients_as_csv(found, planned).rstrip())
        else:
            self.stdout.write(as_table(found, about))

    def regress_file(
        self, options: Mapping[str, Any]
    ) -> tuple[Regression, dict[str, Any]]:
        mechanism = mechanism_of(options)
        table = read_table(read_bytes(Path(options["source"])))
        formula = read_formula(options["formula"], read_header(table))
        hidden, scrambled = options["scrambled"], None
        if hidden:
            predictor = mechanism
            if options["scrambled_family"]:
                given = read_pairs("--scrambled-set", options["scrambled_set"])
                predictor = build(options["scrambled_family"], **given)
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
        level = interval_of(options)["confidence_level"]
        return run(rows, formula, mechanism, options, level=level)

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
