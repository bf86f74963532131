"""Import a field study's reports."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.urls import reverse

from candor.cli.options import read_bytes
from candor.files.table import FileError
from candor.files.workbook import read_table
from estimation.presentation.sentences import (
    list_report_labels,
    reports_counted,
    sentences,
)
from estimation.rows.shares import QuestionResult, get_results
from respondents.imports.field_studies.mapping import describe_file
from respondents.imports.field_studies.rows import count_patterns
from respondents.imports.field_studies.store import find_same_reports, store
from surveys.commands import PlainCommand, find_owner
from surveys.files.read import read_study
from surveys.numbers import format_integer


class Command(PlainCommand):
    help = (
        "Import reports that were collected on paper or elsewhere from a CSV file or a "
        "workbook (.xlsx) with one row per respondent. If a row is invalid, nothing is "
        "stored. import-format.md describes both files."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", type=Path, metavar="SURVEY.json")
        parser.add_argument("reports", type=Path, metavar="REPORTS.csv")
        parser.add_argument(
            "--owner",
            help="user name of the researcher; optional if there is only one",
        )
        parser.add_argument(
            "--again",
            action="store_true",
            help="import even if a closed survey has exactly the same reports",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        owner = find_owner(options["owner"])
        try:
            study = read_study(read_bytes(options["study"]).decode("utf-8-sig"))
            reports = read_table(read_bytes(options["reports"]))
            counts = count_patterns(study, reports)
            same = find_same_reports(counts, owner)
            if same and not options["again"]:
                named = ", ".join(repr(each.slug) for each in same)
                text = f"The same reports are in {named}. Add --again to import them."
                raise CommandError(f"Nothing was imported.\n{text}")
            survey = store(study, counts, owner)
        except UnicodeDecodeError as error:
            text = f"{options['study']} must be UTF-8; byte {error.start} is not"
            raise CommandError(f"Nothing was imported.\n{text}") from error
        except FileError as error:
            raise CommandError(f"Nothing was imported.\n{error}") from error
        results = get_results(survey)
        self.stdout.write(describe_file(reports))
        self.stdout.write(
            f"Imported {format_integer(results.respondents)} respondents to "
            f"{survey.slug!r}."
        )
        for question in results.questions:
            self.stdout.write(describe(question))
        self.stdout.write(
            f"Results: {reverse('admin:estimation_results', args=[survey.pk])}"
        )


def describe(question: QuestionResult) -> str:
    counts = ", ".join(
        f"{format_integer(count)} {label}"
        for (_report, count), label in zip(
            question.report_counts, list_report_labels(question), strict=True
        )
    )
    return "\n   ".join(
        [
            f"{question.number}. {question.full_text}",
            f"{reports_counted(question.respondents)} ({counts}), "
            f"{format_integer(question.missing)} missing",
            *sentences(question),
        ]
    )
