"""Estimate the shares of a survey's questions."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.core.management.base import CommandError, CommandParser

from candor.cli.rows import Cell, as_csv, as_json
from estimation.files.differences import (
    Told,
    difference_cells,
    differences_as_object,
    differences_of,
)
from estimation.files.estimates import (
    MEAN,
    analysis_cells,
    estimates_as_csv,
    estimates_rows,
    survey_as_object,
)
from estimation.management.formats import exploratory
from estimation.management.options import add_planned_interval, interval_of
from estimation.management.shares import as_table
from estimation.rows.analysis import Analysis, analysis_of_results, unplanned
from estimation.rows.shares import SurveyResults, get_results
from estimation.rows.waves import counterpart, wordings
from respondents.least_responses import TooFewResponsesError
from surveys.management.arguments import find_survey
from surveys.management.command import PlainCommand
from surveys.models import Survey


class Command(PlainCommand):
    """`manage.py estimate SURVEY`."""

    help = (
        "Estimate the shares of true answers for every question of an opened survey. "
        "Counts of reports, and files with a row for each respondent, need no server: "
        "`candor estimate`."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("survey", help="the slug of an opened survey")
        parser.add_argument(
            "--against-survey",
            metavar="SURVEY",
            help="the slug of another opened survey that asks the same",
        )
        add_planned_interval(parser)
        parser.add_argument(
            "--format", default="table", choices=["json", "csv", "table"]
        )

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(self.estimate_survey(**options).rstrip())

    def estimate_survey(self, **options: Any) -> str:
        survey = opened_survey(options["survey"])
        interval = interval_of(options, survey)
        results = results_of(survey, interval)
        found = [Told() for _ in results.questions]
        if options["against_survey"] is not None:
            others = results_of(opened_survey(options["against_survey"]), interval)
            found = differences_from(results, others)
        if options["format"] == "json":
            return as_json(comparison_as_object(results, found, options))
        if options["format"] == "csv":
            return comparison_as_csv(results, found, options)
        parts = [
            f"{question.number}. {question.text}\n"
            f"{as_table(question, differences, is_closed=survey.is_closed)}"
            for question, differences in zip(results.questions, found, strict=True)
        ]
        return "\n\n".join([*parts, *exploratory(analysis_shown(results, options))])


def opened_survey(slug: str) -> Survey:
    """Return an opened survey."""
    survey = find_survey(slug)
    if survey.is_draft:
        raise CommandError(f"{survey.slug!r} is a draft: it has no reports yet")
    return survey


def results_of(survey: Survey, interval: Mapping[str, Any]) -> SurveyResults:
    """Return the results of an opened survey that has enough responses."""
    try:
        return get_results(survey, **interval)
    except TooFewResponsesError as error:
        raise CommandError(str(error)) from error


def differences_from(results: SurveyResults, others: SurveyResults) -> list[Told]:
    """Return those of each question; none where the other survey does not ask it."""
    found = []
    both = [wordings(each.design.questions) for each in (results, others)]
    for result in results.questions:
        place = counterpart(both[0], result.number, both[1])
        other = others.questions[place - 1] if place else None
        has_both = other and other.respondents and result.respondents
        found.append(differences_of(result, other) if other and has_both else Told())
    if not any(found):
        raise CommandError(
            f"{others.survey.slug!r} has no reports to a question of "
            f"{results.survey.slug!r}"
        )
    return found


def comparison_as_object(
    results: SurveyResults, found: list[Told], options: dict[str, Any]
) -> dict[str, Any]:
    """Return a survey's estimates, and its differences from another one."""
    told = survey_as_object(results)
    if options["against_survey"] is None:
        return told
    told |= analysis_cells(results.survey, analysis_shown(results, options))
    told["against"] = options["against_survey"]
    questions = zip(told["questions"], results.questions, found, strict=True)
    for described, question, differences in questions:
        described |= differences_as_object(question, differences)
    return told


def comparison_as_csv(
    results: SurveyResults, found: list[Told], options: dict[str, Any]
) -> str:
    """Return the file of the results page, with differences where some are told."""
    if options["against_survey"] is None:
        return estimates_as_csv(results)
    rows = with_differences(estimates_rows(results), found)
    same = analysis_cells(results.survey, analysis_shown(results, options))
    same["against"] = options["against_survey"]
    return as_csv([row | same for row in rows])


def analysis_shown(results: SurveyResults, options: dict[str, Any]) -> Analysis:
    """Return whether it was planned: no plan names a difference from another survey."""
    if options["against_survey"] is not None:
        return unplanned(results.survey)
    return analysis_of_results(results)


def with_differences(
    rows: list[dict[str, Cell]], found: Sequence[Told]
) -> list[dict[str, Cell]]:
    """Return rows of answers and means with the cells of their differences behind.

    `found` has those of each question, in the order of the rows; where none are told
    the cells are empty.
    """
    by_question = groupby(rows, key=itemgetter("question"))
    return [
        row | difference_cells(*told.of(place, is_mean=row["answer"] == MEAN))
        for (_number, same), told in zip(by_question, found, strict=True)
        for place, row in enumerate(same)
    ]
