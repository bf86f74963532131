"""Estimate the shares of a survey's questions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
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
from estimation.management.options import (
    add_language,
    add_planned_interval,
    add_same,
    choose_interval,
    choose_language,
)
from estimation.management.tables import exploratory, format_table
from estimation.rows.counts import read_one_way
from estimation.rows.groups import question_differences
from estimation.rows.independent_samples import counterpart, wordings
from estimation.rows.planned import analysis_of_results, unplanned
from estimation.rows.row import Row
from estimation.rows.shares import QuestionResult, SurveyResults, survey_results
from respondents.least_responses import TooFewResponsesError
from surveys.commands import PlainCommand, find_survey
from surveys.design import get_design
from surveys.models import Survey
from surveys.versions import (
    Counterpart,
    SameQuestion,
    VersionError,
    find_counterpart,
)


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
        add_same(
            parser,
            help_text="a question, and the one of the other survey that asks the same "
            "in other words, such as another language",
        )
        add_language(parser)
        add_planned_interval(parser)
        parser.add_argument(
            "--format", default="table", choices=["json", "csv", "table"]
        )

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(self.estimate_survey(**options).rstrip())

    def estimate_survey(self, **options: Any) -> str:
        survey = opened_survey(options["survey"])
        interval = choose_interval(options, survey)
        language = choose_language(options, get_design(survey))
        results = load_results(survey, interval, language)
        against = options["against_survey"]
        if options["same"] and against is None:
            raise CommandError("--same needs --against-survey")
        found: list[Sequence[Row]] = [() for _ in results.questions]
        analysis = analysis_of_results(results)
        if against is not None:
            others = load_results(opened_survey(against), interval)
            found = differences_from(results, others, options["same"])
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


def load_results(
    survey: Survey, interval: Mapping[str, Any], language: str = ""
) -> SurveyResults:
    try:
        tallies = read_one_way(survey).translate(language)
        return survey_results(tallies, **interval)
    except TooFewResponsesError as error:
        raise CommandError(str(error)) from error


def differences_from(
    results: SurveyResults, others: SurveyResults, same: Sequence[SameQuestion]
) -> list[Sequence[Row]]:
    """Return those of each question; none where the other survey does not ask it.

    `same` has questions whose wordings do not show it.
    """
    asked, questions = (get_design(x.survey).questions for x in (results, others))
    given = {each.number: each for each in same}
    if len(given) < len(same):
        raise CommandError("--same names a question twice")
    counterparts = {
        number: SameQuestion(number, place)
        for number in range(1, len(asked) + 1)
        if (place := counterpart(wordings(asked), number, wordings(questions)))
    }
    found: list[Sequence[Row]] = [() for _question in asked]
    for each in (counterparts | given).values():
        try:
            mapped = find_counterpart(asked, questions, each)
        except VersionError as error:
            raise CommandError(f"--same {each}: {error}") from error
        first = results.questions[each.number - 1]
        second = others.questions[each.other - 1]
        if first.respondents and second.respondents:
            rows = question_differences(first, reorder(second, mapped))
            found[each.number - 1] = rows
    if not any(found):
        raise CommandError(
            f"{others.survey.slug!r} has no reports to a question of "
            f"{results.survey.slug!r}"
        )
    return found


def reorder(result: QuestionResult, mapped: Counterpart) -> QuestionResult:
    """Return a result with its answers in the order of another version."""
    tally = tuple(mapped.reorder(dict(result.tally)).items())
    return replace(result, mechanism=mapped.question.mechanism, tally=tally)


def differences_as_object(rows: Sequence[Row]) -> dict[str, Any]:
    found: dict[str, Any] = {"difference": []}
    for row in rows:
        numbers = figures(row, OF_DIFFERENCES)
        if row.estimand == MEAN:
            found["mean_difference"] = {**numbers, "method": row.method}
        else:
            found["difference"].append({"answer": row.estimand, **numbers})
    return found
