"""Estimate from archives of any size: count, then estimate as for a survey."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from candor.cli.options import confidence_level, read_bytes
from candor.cli.rows import format_json
from candor.files.margins import read_margins
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD, METHODS
from candor.mechanisms.draws import decode_pattern
from estimation.files.analyses import (
    make_comparison_rows,
    make_regression_rows,
    serialize_weighted,
)
from estimation.files.estimates import make_analysis_cells, serialize_survey
from estimation.management.options import DOUBTFUL_PLAN, add_archives, get_sites
from estimation.presentation.weighted import refusal
from estimation.rows.archives import ENGINES, Engine, build_survey, count_archives
from estimation.rows.comparison import compare_contingency_table
from estimation.rows.counts import ContingencyTable
from estimation.rows.planned import choose_analysis, planned_interval, unplanned
from estimation.rows.regression import Chosen, regress_contingency_table
from estimation.rows.shares import survey_results
from estimation.rows.weighted import estimate_weighted_results, find_places
from respondents.imports.archives.merge import Sites
from surveys.commands import PlainCommand
from surveys.design import DesignQuestion
from surveys.models import Survey


class Command(PlainCommand):
    help = (
        "Print estimates from archives as JSON: shares for each question, a comparison "
        "of one question by another, weighted shares, or a regression. The counts of "
        "several folders are added up. Nothing is stored."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_archives(parser)
        numbers: dict[str, Any] = {"type": int, "metavar": "NUMBER"}
        parser.add_argument(
            "--questions", nargs="+", help="numbers of questions, from 1", **numbers
        )
        parser.add_argument(
            "--engine",
            default="duckdb",
            choices=list(ENGINES),
            help="count in this process (default) or on a cluster",
        )
        parser.add_argument(
            "--margins",
            type=Path,
            metavar="MARGINS.csv",
            help="known shares of the population: question, answer, share",
        )
        parser.add_argument(
            "--outcome",
            help="the question to regress, instead of --questions",
            **numbers,
        )
        parser.add_argument(
            "--answer",
            default=1,
            help="number of the answer to the outcome, from 1",
            **numbers,
        )
        parser.add_argument(
            "--predictors",
            nargs="*",
            default=[],
            help="direct questions as predictors of a regression",
            **numbers,
        )
        parser.add_argument(
            "--scrambled",
            help="a scrambled question as predictor of a regression",
            **numbers,
        )
        parser.add_argument(
            "--method",
            choices=list(METHODS),
            help="kind of interval (default: as planned for the survey, or "
            f"{DEFAULT_METHOD})",
        )
        parser.add_argument(
            "--confidence-level",
            type=confidence_level,
            help="above 0 and below 1 (default: as planned for the survey, or "
            f"{DEFAULT_CONFIDENCE_LEVEL})",
        )
        parser.add_argument(
            "--language",
            metavar="CODE",
            help="language of the labels, such as de: one of the survey's languages "
            "(default: its main one)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if (options["questions"] is None) == (options["outcome"] is None):
            raise CommandError("Give either --questions, or --outcome and --predictors")
        try:
            sites = get_sites(options)
            design = sites.first.frozen
            options["language"] = options["language"] or design.language
            if options["language"] not in design.languages:
                known = ", ".join(design.languages)
                raise CommandError(
                    f"--language must be one of {known}; got {options['language']!r}"
                )
            with ENGINES[options["engine"]]() as engine:
                analyse = regress if options["outcome"] else estimate
                found = analyse(sites, engine, options)
        except ValueError as error:
            # Errors of files and of the library have messages for users.
            raise CommandError(str(error)) from error
        self.stdout.write(format_json(found | about(sites, options)))
        if sites.has_doubtful_plan:
            self.stderr.write(f"! {DOUBTFUL_PLAN}")


def choose_interval(options: Mapping[str, Any], survey: Survey) -> dict[str, Any]:
    return {
        name: usual if options.get(name) is None else options[name]
        for name, usual in planned_interval(survey).items()
    }


def read(
    sites: Sites, engine: Engine, options: Mapping[str, Any], numbers: Sequence[int]
) -> ContingencyTable:
    every = len(sites.first.frozen.questions)
    if not set(numbers) <= set(range(1, every + 1)) or len(set(numbers)) < len(numbers):
        raise CommandError(
            f"Questions must be different numbers in [1, {every}]; "
            f"got {' '.join(map(str, numbers))}"
        )
    return count_archives(sites, numbers, engine).translate(options["language"])


def regress(sites: Sites, engine: Engine, options: Mapping[str, Any]) -> dict[str, Any]:
    if not (options["predictors"] or options["scrambled"]) or options["margins"]:
        raise CommandError("--outcome goes with --predictors, and without --margins")
    last = () if options["scrambled"] is None else (options["scrambled"],)
    survey_counts = read(
        sites, engine, options, (options["outcome"], *options["predictors"], *last)
    )
    outcome, *direct = survey_counts.questions[: len(options["predictors"]) + 1]
    check_predictors(survey_counts, options)
    chosen = Chosen(
        outcome=options["outcome"],
        answer=options["answer"] - 1,
        # Of two answers the second is the reference, otherwise the first.
        references={
            number: int(len(question.choices) == 2)
            for number, question in zip(options["predictors"], direct, strict=True)
        },
        scrambled=options["scrambled"],
    )
    level = choose_interval(options, survey_counts.survey)["confidence_level"]
    found = regress_contingency_table(survey_counts, chosen, confidence_level=level)
    if found.regression is None:
        names = ", ".join(found.obstacle_names)
        reason = found.obstacle.value if found.obstacle else "small groups"
        raise CommandError(f"No regression: {reason}{f' ({names})' if names else ''}")
    return {
        "outcome": outcome.full_text,
        "coefficients": list(make_regression_rows(found, found.regression)),
        **make_analysis_cells(survey_counts.survey, unplanned(survey_counts.survey)),
    }


def check_predictors(
    survey_counts: ContingencyTable, options: Mapping[str, Any]
) -> None:
    outcome, *others = survey_counts.questions
    if not outcome.identifies_shares:
        raise CommandError("The outcome is a scale of which only the mean is estimated")
    if not 1 <= options["answer"] <= len(outcome.choices):
        raise CommandError(f"--answer must be in [1, {len(outcome.choices)}]")
    direct = len(options["predictors"])
    for number, question in zip(options["predictors"], others, strict=False):
        if question.mechanism.is_scrambled:
            raise CommandError(
                f"Question {number} is scrambled: name it in --scrambled"
            )
    for question in others[direct:]:
        if not question.mechanism.is_scrambled or len(question.choices) != 2:
            raise CommandError("--scrambled must be scrambled, with two answers")


def estimate(
    sites: Sites, engine: Engine, options: Mapping[str, Any]
) -> dict[str, Any]:
    if options["predictors"] or options["scrambled"]:
        raise CommandError("--predictors and --scrambled belong to --outcome")
    numbers = options["questions"]
    interval = choose_interval(options, build_survey(sites))
    if options["margins"]:
        return weigh(sites, engine, options, interval)
    survey_counts = read(sites, engine, options, numbers)
    found = serialize_survey(survey_results(survey_counts, **interval))
    found["counts"] = serialize_counts(survey_counts)
    # A scale with a mean alone makes no groups.
    if len(numbers) == 2 and survey_counts.questions[1].identifies_shares:
        comparison = compare_contingency_table(survey_counts, **interval)
        analysis = choose_analysis(
            survey_counts.survey,
            confidence_level=comparison.confidence_level,
            method=comparison.method if comparison.is_counted else None,
            pair=(numbers[0], numbers[1]),
        )
        found["compared"] = {
            "independence": comparison.independence,
            "rows": list(make_comparison_rows(comparison)),
            **make_analysis_cells(survey_counts.survey, analysis),
        }
    return found


def weigh(
    sites: Sites,
    engine: Engine,
    options: Mapping[str, Any],
    interval: Mapping[str, Any],
) -> dict[str, Any]:
    questions = dict(enumerate(sites.first.frozen.questions, start=1))
    margins = make_margins(options["margins"], questions)
    numbers = options["questions"]
    if both := sorted(margins.keys() & set(numbers)):
        raise CommandError(f"--questions must not name {both[0]}: it has margins")
    survey_counts = read(sites, engine, options, [*numbers, *margins])
    # Users of an archive have all its patterns, so small groups need no protection.
    found = estimate_weighted_results(
        survey_counts, margins, sees_reports=True, **interval
    )
    return {
        "weighted": [
            {
                "question": each.unweighted.number,
                "question_text": each.unweighted.full_text,
                **serialize_weighted(each),
            }
            for each in found.questions
        ],
        "refused": [refusal(each).text for each in found.refused],
        **make_analysis_cells(survey_counts.survey, unplanned(survey_counts.survey)),
    }


def make_margins(
    file: Path, questions: Mapping[int, DesignQuestion]
) -> dict[int, list[float]]:
    direct = {
        number: question
        for number, question in questions.items()
        if not question.mechanism.is_scrambled
    }
    known = find_places(read_margins(read_bytes(file)), direct)
    return {
        number: [
            known.get((number, place), 0.0)
            for place, _label in enumerate(questions[number].choices, start=1)
        ]
        for number in sorted({number for number, _place in known})
    }


def about(sites: Sites, options: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "engine": options["engine"],
        "archives": [
            {
                "folder": str(folder),
                "respondents": each.respondents,
                "counts_digest": each.counts_digest,
            }
            for folder, each in sites.archives.items()
        ],
    }


def serialize_counts(survey_counts: ContingencyTable) -> list[dict[str, Any]]:
    named = [question.mechanism.reports for question in survey_counts.questions]
    return [
        {
            "reports": [
                None if place is None else reports[place]
                for place, reports in zip(decode_pattern(pattern), named, strict=True)
            ],
            "count": count,
        }
        for pattern, count in sorted(survey_counts.counts.items())
    ]
