"""Estimate the shares of a survey's questions."""

import argparse
import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.core.management.base import CommandError, CommandParser

from candor.cli.rows import (
    OF_DIFFERENCES,
    Cell,
    difference_cells,
    figures,
    format_csv,
    format_json,
)
from candor.estimands import MEAN
from estimation.files.estimates import (
    analysis_cells,
    estimates_rows,
    survey_as_object,
)
from estimation.management.options import add_planned_interval, choose_interval
from estimation.management.tables import exploratory, format_table
from estimation.rows.groups import question_differences
from estimation.rows.independent_samples import counterpart, wordings
from estimation.rows.planned import analysis_of_results, unplanned
from estimation.rows.row import Row
from estimation.rows.shares import SurveyResults, get_results
from respondents.least_responses import TooFewResponsesError
from surveys.commands import PlainCommand, find_survey
from surveys.models import Survey


class Command(PlainCommand):
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
        parser.add_argument(
            "--same",
            action="append",
            default=[],
            type=parse_same,
            metavar="NUMBER=NUMBER",
            help="a question and the one of the other survey that asks the same in "
            "other words, such as another language, with the same answers in the same "
            "order; may be repeated",
        )
        add_planned_interval(parser)
        parser.add_argument(
            "--format", default="table", choices=["json", "csv", "table"]
        )

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(self.estimate_survey(**options).rstrip())

    def estimate_survey(self, **options: Any) -> str:
        survey = opened_survey(options["survey"])
        interval = choose_interval(options, survey)
        results = load_results(survey, interval)
        against = options["against_survey"]
        if options["same"] and against is None:
            raise CommandError("--same needs --against-survey")
        found: list[Sequence[Row]] = [() for _ in results.questions]
        analysis = analysis_of_results(results)
        if against is not None:
            others = load_results(opened_survey(against), interval)
            found = differences_from(results, others, dict(options["same"]))
            # No plan names a difference from another survey.
            analysis = unplanned(survey)
        if options["format"] == "table":
            parts = [
                f"{question.number}. {question.full_text}\n"
                f"{format_table(question, rows, is_closed=survey.is_closed)}"
                for question, rows in zip(results.questions, found, strict=True)
            ]
            return "\n\n".join([*parts, *exploratory(analysis)])
        same = analysis_cells(survey, analysis)
        if against is not None:
            same["against"] = against
        if options["format"] == "json":
            written = survey_as_object(results) | same
            if against is not None:
                for question, rows in zip(written["questions"], found, strict=True):
                    question |= differences_as_object(rows)
            return format_json(written)
        table = estimates_rows(results)
        if against is not None:
            named: dict[tuple[Cell, Cell], Row] = {
                (question.number, row.estimand): row
                for question, rows in zip(results.questions, found, strict=True)
                for row in rows
            }
            for cells in table:
                row = named.get((cells["question"], cells["answer"]))
                cells |= difference_cells(row)
        return format_csv([cells | same for cells in table])


def opened_survey(slug: str) -> Survey:
    survey = find_survey(slug)
    if survey.is_draft:
        raise CommandError(f"{survey.slug!r} is a draft: it has no reports yet")
    return survey


def load_results(survey: Survey, interval: Mapping[str, Any]) -> SurveyResults:
    try:
        return get_results(survey, **interval)
    except TooFewResponsesError as error:
        raise CommandError(str(error)) from error


def parse_same(text: str) -> tuple[int, int]:
    if not (found := re.fullmatch(r"(\d{1,3})=(\d{1,3})", text, re.ASCII)):
        raise argparse.ArgumentTypeError(f"must be such as 2=3; got {text!r}")
    return int(found[1]), int(found[2])


def check_same(
    same: Mapping[int, int], results: SurveyResults, others: SurveyResults
) -> None:
    """Refuse questions that are not there, or have other numbers of answers."""
    for number, other in same.items():
        counts = []
        for each, place in ((results, number), (others, other)):
            if not 1 <= place <= len(each.questions):
                raise CommandError(f"{each.survey.slug!r} has no question {place}")
            counts.append(len(each.questions[place - 1].mechanism.answers))
        if counts[0] != counts[1]:
            raise CommandError(
                f"--same {number}={other}: {counts[0]} and {counts[1]} answers are not "
                "the same"
            )


def differences_from(
    results: SurveyResults, others: SurveyResults, same: Mapping[int, int]
) -> list[Sequence[Row]]:
    """Return those of each question; none where the other survey does not ask it.

    `same` has the numbers of questions whose wordings do not tell it.
    """
    check_same(same, results, others)
    found: list[Sequence[Row]] = []
    both = [wordings(each.design.questions) for each in (results, others)]
    for result in results.questions:
        place = same.get(result.number) or counterpart(both[0], result.number, both[1])
        other = others.questions[place - 1] if place else None
        has_both = other and other.respondents and result.respondents
        found.append(question_differences(result, other) if other and has_both else ())
    if not any(found):
        raise CommandError(
            f"{others.survey.slug!r} has no reports to a question of "
            f"{results.survey.slug!r}"
        )
    return found


def differences_as_object(rows: Sequence[Row]) -> dict[str, Any]:
    found: dict[str, Any] = {"difference": []}
    for row in rows:
        numbers = figures(row, OF_DIFFERENCES)
        if row.estimand == MEAN:
            found["mean_difference"] = {**numbers, "method": row.method}
        else:
            found["difference"].append({"answer": row.estimand, **numbers})
    return found
