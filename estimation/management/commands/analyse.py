"""Estimate from archives of any size: counts, and then the same as of a survey."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from candor.cli.options import read_bytes
from candor.cli.regress import serialize
from candor.cli.rows import format_json
from candor.files.margins import read_margins
from candor.mechanisms.draws import reports_in
from estimation.files.analyses import comparison_rows, weighted_as_object
from estimation.files.estimates import analysis_cells, survey_as_object
from estimation.management.commands import regress
from estimation.management.options import (
    DOUBTFUL_PLAN,
    add_archives,
    add_language,
    add_planned_interval,
    choose_interval,
    choose_language,
    get_sites,
)
from estimation.management.tables import exploratory, format_table, weighted_as_table
from estimation.presentation.comparison import ComparisonPanel
from estimation.presentation.weighted import refusal
from estimation.rows.archives import ENGINES, Engine, archived_tallies, build_survey
from estimation.rows.comparison import Comparison, compare_tallies
from estimation.rows.counts import Tallies
from estimation.rows.planned import (
    Analysis,
    analysis_of_results,
    choose_analysis,
    unplanned,
)
from estimation.rows.shares import survey_results
from estimation.rows.weighted import WeightedResults, find_places, weighted_results
from respondents.imports.archives.merge import Sites
from surveys.commands import PlainCommand
from surveys.design import DesignQuestion
from surveys.models import Survey

OF_REGRESSION = ("formula", "answer", "scrambled")


class Command(PlainCommand):
    help = (
        "Estimate from archives, which are not stored: shares of each question, of two "
        "how one differs by the other, weighted shares, or a regression. The counts of "
        "several folders are added up."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_archives(parser)
        parser.add_argument(
            "--questions",
            nargs="+",
            type=int,
            metavar="NUMBER",
            help="1 for the survey's first",
        )
        parser.add_argument(
            "--engine",
            default="duckdb",
            choices=list(ENGINES),
            help="what counts: in this process (default), or on a cluster",
        )
        parser.add_argument(
            "--margins",
            type=Path,
            metavar="MARGINS.csv",
            help="known shares of the population: question, answer, share",
        )
        parser.add_argument(
            "--outcome", help="in place of --questions: what is regressed, such as q1"
        )
        parser.add_argument(
            "--formula", help="of a regression: its predictors, such as q2 + q3"
        )
        parser.add_argument("--answer", help="of a regression: which answer")
        parser.add_argument(
            "--scrambled", help="of a regression: a predictor that was scrambled too"
        )
        add_planned_interval(parser)
        add_language(parser)
        parser.add_argument("--format", default="table", choices=["json", "table"])

    def handle(self, *args: Any, **options: Any) -> None:
        if (options["questions"] is None) == (options["outcome"] is None):
            raise CommandError("Give either --questions, or --outcome and --formula")
        try:
            sites = get_sites(options)
            options["language"] = choose_language(options, sites.first.frozen)
            with ENGINES[options["engine"]]() as engine:
                tell = regressed if options["outcome"] else estimated
                text = tell(sites, engine, options)
        except ValueError as error:
            # Of a file, the formula or the maths: all say what is wrong.
            raise CommandError(str(error)) from error
        self.stdout.write(text)
        if sites.has_doubtful_plan:
            self.stderr.write(f"! {DOUBTFUL_PLAN}")


def regressed(sites: Sites, engine: Engine, options: Mapping[str, Any]) -> str:
    if not options["formula"] or options["margins"]:
        raise CommandError("--outcome goes with --formula, and without --margins")
    every = range(1, len(sites.first.frozen.questions) + 1)
    names = {f"q{number}": number for number in every}
    formula = regress.make_formula(list(names), options)
    used = sorted({names[each] for each in (options["outcome"], *formula.columns)})
    tallies = archived_tallies(sites, used, engine).translate(options["language"])
    found, about = regress.regress_tallies(tallies, formula, options)
    if options["format"] == "json":
        return format_json(serialize(found, about))
    return regress.format_table(found, about)


def estimated(sites: Sites, engine: Engine, options: Mapping[str, Any]) -> str:
    if any(options[name] for name in OF_REGRESSION):
        raise CommandError("--formula, --answer and --scrambled belong to --outcome")
    questions = dict(enumerate(sites.first.frozen.questions, start=1))
    numbers = options["questions"]
    if not set(numbers) <= set(questions) or len(set(numbers)) < len(numbers):
        raise CommandError(
            f"--questions must be different numbers in [1, {len(questions)}]; "
            f"got {' '.join(map(str, numbers))}"
        )
    survey = build_survey(sites)
    interval = choose_interval(options, survey)
    if options["margins"]:
        margins = make_margins(options["margins"], questions)
        if both := sorted(margins.keys() & set(numbers)):
            raise CommandError(f"--questions must not name {both[0]}: it has margins")
        tallies = archived_tallies(sites, [*numbers, *margins], engine)
        tallies = tallies.translate(options["language"])
        # An archive contains every pattern.
        found = weighted_results(tallies, margins, sees_reports=True, **interval)
        return format_weighted(found, options, unplanned(survey))
    tallies = archived_tallies(sites, numbers, engine).translate(options["language"])
    results = survey_results(tallies, **interval)
    comparison = None
    # A scale of which only the mean is known makes no groups.
    if len(numbers) == 2 and tallies.questions[1].tells_shares:
        comparison = compare_tallies(tallies, **interval)
    of_pair = analysis_of_pair(survey, comparison, numbers)
    if options["format"] == "json":
        text = survey_as_object(results) | about(sites, options)
        text["counts"] = counts_as_object(tallies)
        if comparison:
            text["compared"] = compared_as_object(comparison)
            text["compared"] |= analysis_cells(survey, of_pair)
        return format_json(text)
    parts = [
        f"{each.number}. {each.full_text}\n{format_table(each)}"
        for each in results.questions
    ]
    if comparison:
        parts.append(compared_as_table(comparison, of_pair))
    return "\n\n".join([*parts, *exploratory(analysis_of_results(results))])


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


def counts_as_object(tallies: Tallies) -> list[dict[str, Any]]:
    """Return the contingency counts: null where a question has no report."""
    named = [question.mechanism.reports for question in tallies.questions]
    return [
        {
            "reports": [
                None if place is None else reports[place]
                for place, reports in zip(reports_in(pattern), named, strict=True)
            ],
            "count": count,
        }
        for pattern, count in sorted(tallies.counts.items())
    ]


def compared_as_object(comparison: Comparison) -> dict[str, Any]:
    return {
        "independence": comparison.independence,
        "rows": list(comparison_rows(comparison)),
    }


def analysis_of_pair(
    survey: Survey, comparison: Comparison | None, numbers: Sequence[int]
) -> Analysis:
    if comparison is None:
        return Analysis.NO_PLAN
    first, second = numbers
    return choose_analysis(
        survey,
        confidence_level=comparison.confidence_level,
        method=comparison.method if comparison.is_counted else None,
        pair=(first, second),
    )


def compared_as_table(comparison: Comparison, analysis: Analysis) -> str:
    panel = ComparisonPanel(comparison)
    return "\n".join(
        [
            *panel.headlines,
            *panel.p_value_lines,
            *(f"{size}: {sentence}" for size, sentence in panel.findings),
            panel.independence_line,
            *(f"! {each.text}" for each in panel.cautions),
            *exploratory(analysis),
        ]
    )


def format_weighted(
    found: WeightedResults, options: Mapping[str, Any], analysis: Analysis
) -> str:
    refused = [refusal(each).text for each in found.refused]
    if options["format"] == "json":
        questions = [
            {
                "question": each.unweighted.number,
                "question_text": each.unweighted.full_text,
                **weighted_as_object(each),
            }
            for each in found.questions
        ]
        cells = {"weighted": questions, "refused": refused}
        return format_json(cells | analysis_cells(found.unweighted.survey, analysis))
    parts = [
        f"{each.unweighted.number}. {each.unweighted.full_text}\n"
        f"{weighted_as_table(each)}"
        for each in found.questions
    ]
    said = [*(f"! {cells}" for cells in refused), *exploratory(analysis)]
    return "\n\n".join([*parts, *said])
