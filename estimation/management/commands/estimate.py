"""Estimate shares from counts of reports, or those of a survey."""

import argparse
import json
import re
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from estimation import exports
from estimation.maths.checked import CONFIDENCE_LEVEL
from estimation.maths.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD, METHODS
from estimation.results.panels import QuestionPanel
from estimation.results.result import QuestionResult, get_results, question_result
from estimation.results.words import reports_counted
from surveys.design import DesignQuestion, scale_of
from surveys.management.arguments import find_survey, read_pairs
from surveys.mechanisms import Mechanism, ParameterError, build
from surveys.mechanisms.parameters import shown

MAX_COUNT = 10**12
"""More reports than people; up to here floating point carries the intervals."""

TABLE = "{:<9}{:>10}{:>11}{:>11}{:>16}{:>11}{:>11}"
COLUMNS = ("answer", "count", "raw", "share", "standard_error", "low", "high")


class Command(BaseCommand):
    """`manage.py estimate --family NAME --reports yes=40 no=60`, or a survey's slug."""

    help = (
        "Estimate the shares of true answers: from counts of reports and the family "
        "that made them, or for every question of an opened survey."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("survey", nargs="?", help="the slug of an opened survey")
        parser.add_argument("--family", help="the mechanism's family, such as coin")
        parser.add_argument(
            "--set",
            nargs="+",
            default=[],
            metavar="NAME=VALUE",
            dest="parameters",
            help="the family's parameters, such as forced_yes=1/6 forced_no=1/6",
        )
        parser.add_argument(
            "--reports",
            nargs="+",
            default=[],
            metavar="REPORT=COUNT",
            help="how many sent each report, such as yes=40 no=60",
        )
        parser.add_argument(
            "--method",
            default=DEFAULT_METHOD,
            choices=list(METHODS),
            help=f"kind of interval (default {DEFAULT_METHOD})",
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
        if (options["survey"] is None) == (options["family"] is None):
            raise CommandError("Give either the slug of a survey or --family")
        if options["family"] is None:
            shown = self.estimate_survey(**options)
        else:
            shown = self.estimate_counts(**options)
        self.stdout.write(shown.rstrip())

    def estimate_survey(self, **options: Any) -> str:
        if options["parameters"] or options["reports"]:
            raise CommandError("--set and --reports belong to --family")
        survey = find_survey(options["survey"])
        if survey.is_draft:
            raise CommandError(f"{survey.slug!r} is a draft: it has no reports yet")
        results = get_results(survey, options["confidence_level"], options["method"])
        if options["format"] == "json":
            return as_json(exports.survey_as_object(results))
        if options["format"] == "csv":
            return exports.estimates_as_csv(results)
        return "\n\n".join(
            f"{question.number}. {question.text}\n{as_table(question)}"
            for question in results.questions
        )

    def estimate_counts(self, **options: Any) -> str:
        try:
            mechanism = build(
                options["family"], **read_pairs("--set", options["parameters"])
            )
        except ParameterError as error:
            raise CommandError(str(error)) from error
        result = question_result(
            DesignQuestion(
                text="",
                innocuous_question="",
                choices=mechanism.answers,
                mechanism=mechanism,
                scale=scale_of(mechanism),
            ),
            read_tally(mechanism, options["reports"]),
            confidence_level=options["confidence_level"],
            method=options["method"],
        )
        if options["format"] == "json":
            return as_json(exports.as_object(result))
        if options["format"] == "csv":
            return exports.as_csv(exports.question_rows(result))
        return as_table(result)


def confidence_level(text: str) -> float:
    """Return a confidence level from the command line."""
    try:
        return CONFIDENCE_LEVEL.check("confidence_level", float(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"must be {CONFIDENCE_LEVEL.allowed}; got {text!r}"
        ) from error


def read_tally(mechanism: Mechanism, texts: list[str]) -> dict[str, int]:
    """Return {report: count}, each report of the mechanism named exactly once."""
    counts = read_pairs("--reports", texts)
    names = ", ".join(mechanism.reports)
    for name in counts:
        if name not in mechanism.reports:
            raise CommandError(f"--reports must name {names}; got {name!r}")
    tally = {}
    for name in mechanism.reports:
        count = counts.get(name, "")
        if not re.fullmatch(r"[0-9]{1,13}", count) or int(count) > MAX_COUNT:
            raise CommandError(
                f"--reports: {name} must be a whole number in [0, {MAX_COUNT}]; "
                f"got {shown(count)}"
            )
        tally[name] = int(count)
    return tally


def as_json(found: dict[str, Any]) -> str:
    """Return strict JSON, indented for people."""
    return json.dumps(found, indent=2, allow_nan=False, ensure_ascii=False)


def as_table(result: QuestionResult) -> str:
    """Return the numbers in columns, six decimals each."""
    panel = QuestionPanel(result)
    missing = f", {result.missing} missing" if result.missing else ""
    lines = [
        *panel.sentences,
        f"{panel.interval_name}, {result.method}, "
        f"{reports_counted(result.respondents)}{missing}",
        panel.mechanism_line,
    ]
    if result.rows:
        lines.append(TABLE.format(*COLUMNS))
    for row in result.rows:
        numbers = (row.raw, row.share, row.likely_error, row.low, row.high)
        lines.append(
            TABLE.format(row.answer, row.count, *(f"{each:.6f}" for each in numbers))
        )
    lines += [f"! {caution.text}" for caution in panel.cautions]
    return "\n".join(lines)
