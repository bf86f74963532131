"""The sentences of pages, charts and methods for each result."""

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from candor.mechanisms import load_families
from candor.mechanisms.draws import NOT_ASKED, DrawnGroup
from candor.regression.patterns import Obstacle
from candor.sample import MISFIT
from estimation.files.methods import methods_text
from estimation.models import Publication
from estimation.pages.publishing.published import LEAST_RESPONSES, PublishedResults
from estimation.presentation.charts.intervals import show_note
from estimation.presentation.comparison import ComparisonPanel
from estimation.presentation.compliance import CompliancePanel, label_kind
from estimation.presentation.differences import difference_sentence
from estimation.presentation.figures import show_interval, show_standard_error
from estimation.presentation.planned import describe_comparison_plan
from estimation.presentation.regression import FilePanel, RegressionPanel
from estimation.presentation.sentences import reports_counted
from estimation.presentation.survey import SurveyPanel
from estimation.presentation.table import label_row
from estimation.presentation.weighted import WeightedSurveyPanel
from estimation.rows.assumptions import NOTHING_SUPPOSED, Supposed
from estimation.rows.comparison import compare_contingency_table
from estimation.rows.compliance import with_anchor
from estimation.rows.counts import ContingencyTable
from estimation.rows.independent_samples import compare_waves
from estimation.rows.planned import choose_analysis
from estimation.rows.regression import Chosen, regress_contingency_table
from estimation.rows.released import CountRelease
from estimation.rows.shares import survey_results
from estimation.rows.weighted import estimate_weighted_results
from surveys.models import Survey
from tests.golden.sentence_records import Record
from tests.sealed import HOLDER
from tests.surveys.tables import make_design, table_of

SOURCES = (
    "estimation/presentation/sentences.py",
    "estimation/presentation/cautions.py",
    "estimation/presentation/clusters.py",
    "estimation/presentation/charts/intervals.py",
    "estimation/presentation/comparison.py",
    "estimation/presentation/compliance.py",
    "estimation/presentation/differences.py",
    "estimation/presentation/figures.py",
    "estimation/presentation/what_if.py",
    "estimation/presentation/survey.py",
    "estimation/presentation/tick_lists.py",
    "estimation/presentation/planned.py",
    "estimation/presentation/publishing.py",
    "estimation/presentation/weighted.py",
    "estimation/presentation/regression.py",
    "surveys/text/draws.py",
)
"""Sources of the sentences, except those of the methods section."""

TABLE_TEXTS = {
    "",
    "%(level)s interval",
    "Adjusted share",
    "Against “%s”",
    "Against",
    "Best estimate",
    "By how many points the share differs",
    "Coefficient",
    "compared with “%s”",
    "Compared with",
    "Difference in points",
    "Difference of the means",
    "In the sample",
    "Interval",
    "Interval, all together",
    "Item",
    "Numbers of both answers together",
    "Numbers of the differences of means",
    "Numbers of the differences",
    "Numbers within each group",
    "Over time",
    "Odds ratio",
    "Odds ratios and average differences",
    "one unit less",
    "P-value",
    "Points",
    "Predictor",
    "Standard error",
    "Weighted numbers of question %s",
    "Weighted",
}
"""Names of tables and columns, which are not sentences."""

METHODS = "Methods section"

RECORD = Record("results", SOURCES, left_out=TABLE_TEXTS)

UNCOVERED = {
    "Among those shown this question",
    "Odds ratios cannot be estimated: the maximum-likelihood search did not converge.",
    "Respondents who were not shown this question are counted as “%s”.",
}
"""Sentences of no recorded result: they need questions with conditions, which the
golden surveys have, or a search that does not converge."""

pytestmark = pytest.mark.usefixtures("no_minimum_responses")

SETTINGS = {
    "server": {"mode": "server"},
    "hand": {"mode": "hand"},
    "links": {"access": "invitation"},
    "imported": {"mode": "hand", "is_imported": True},
    "attested": {"is_imported": True, "plan_attested_by": "survey.example"},
    "versions": {
        "is_imported": True,
        "merged_versions": [
            {"title": title, "language": language, "design_digest": 64 * "0"}
            | {"same": same}
            for title, language, same in (("Study", "en", ""), ("Studie", "de", "1=1"))
        ],
    },
    **{
        f"sealed-{refused}": {
            "holder_key": HOLDER.write().decode(),
            "unsealed": {"day": "2031-03-03", "refused": {"doubled": refused}},
        }
        for refused in (1, 2)
    },
    "simulated": {"is_simulated": True},
    "test": {"is_simulated": True, "rehearsal_of_id": 1},
    "open": {"state": "open"},
    "batch of 1": {"state": "open", "batch_size": 1},
    "editor": {},
    "released": {},
}
PINNED = {
    "beat": "shares_to_beat", "pairs": "pinned_pairs", "pinned": "pinned_method",
}  # fmt: skip
METHOD_NAMES = ("bayes",)


def read(written):
    """Read "imported, bayes: coin 40 60 + direct 30 70"."""
    names, colon, asked = written.rpartition(": ")
    names = names.split(", ") if colon else []
    fields, chosen, groups = {"state": "closed", "batch_size": 20}, {}, ()
    for name in names:
        if name in SETTINGS:
            fields |= SETTINGS[name]
        elif name in METHOD_NAMES:
            chosen["method"] = name
        elif supposed_of([name]) != NOTHING_SUPPOSED or name.startswith("only "):
            continue
        elif name.partition(" ")[0] in PINNED:
            kind, _space, planned = name.partition(" ")
            field = PINNED[kind]
            if planned.endswith(" %"):
                field, planned = "pinned_level", f"0.{planned.removesuffix(' %')}"
            fields[field] = planned
        elif name in {"draws", "ticks"}:
            groups = (DrawnGroup(asked=1, questions=(1, 2)),)
        elif name == "together":
            chosen["simultaneous"] = True
        else:
            chosen["confidence_level"] = float(name.removesuffix(" %")) / 100
    if " x " in asked:
        mechanisms, counts = both(asked)
    else:
        mechanisms, counts = one_by_one(asked.split(" + "))
    survey = Survey(title="Study", design_digest="0" * 64, **fields)
    design = replace(make_design(*mechanisms, mode=survey.mode), groups=groups)
    if "ticks" in names:
        items = [
            replace(each, tick_list="Which of these?") for each in design.questions
        ]
        design = replace(design, questions=tuple(items))
    numbers = range(1, len(mechanisms) + 1)
    survey_counts = ContingencyTable(
        survey=survey, design=design, numbers=numbers, counts=counts
    )
    return survey_counts, chosen


def supposed_of(names):
    """Read "all", "forged 5" and "ignoring 10"."""
    numbers = {
        kind: sum(int(name.split()[1]) for name in names if name.startswith(f"{kind} "))
        for kind in ("forged", "ignoring")
    }
    return Supposed(is_census="all" in names, **numbers)


def one_by_one(questions):
    """Each question has its own counts; respondents without a report were not asked."""
    mechanisms, columns = [], []
    for question in questions:
        mechanism, counts = mechanism_of(question)
        mechanisms.append(mechanism)
        columns.append([report for report, n in enumerate(counts) for _ in range(n)])
    most = max(map(len, columns))
    patterns = zip(
        *(each + [NOT_ASKED] * (most - len(each)) for each in columns), strict=True
    )
    return mechanisms, {bytes(p): n for p, n in Counter(patterns).items()}


def both(asked):
    """Two questions with the counts of their pairs: "coin x direct 40 60 10 90"."""
    first, rest = asked.split(" x ")
    second, counts = mechanism_of(rest)
    mechanisms = [mechanism_of(f"{first} 0")[0], second]
    sizes = (range(len(each.reports)) for each in mechanisms)
    pairs = map(bytes, product(*sizes))
    return mechanisms, {p: n for p, n in zip(pairs, counts, strict=True) if n}


def mechanism_of(written):
    """Read "coin 40 60", "k_ary epsilon=1 choices=3 50 45 5" or "[1 0, 1 1] 3 4"."""
    table, _, rest = written.rpartition("]")
    counts = [int(word) for word in rest.split() if word.isdigit()]
    if table:
        rows = [[int(n) for n in row.split()] for row in table.strip("[").split(",")]
        return table_of(rows), counts
    name, *words = rest.split()
    parameters = dict(word.split("=") for word in words if "=" in word)
    return load_families()[name].build(**parameters), counts


def results_of(written):
    """Read "released" (counts with noise) and "only 1" (published questions) too."""
    survey_counts, chosen = read(written)
    names = written.rpartition(": ")[0].split(", ")
    shown = {int(name.split()[1]) for name in names if name.startswith("only ")}
    shown = shown or set(survey_counts.numbers)
    results = survey_results(survey_counts, **chosen)
    if "released" in names:
        return release_of(results, shown).results(
            survey_counts.survey, survey_counts.design, shown=sorted(shown), level=0.95
        )
    parts = ([], [])
    for question in results.questions:
        parts[question.number not in shown].append(question)
    questions, left_out = map(tuple, parts)
    least = LEAST_RESPONSES if left_out else 0
    return replace(results, questions=questions, left_out=left_out, least_reports=least)


def release_of(results, shown):
    """Return these counts as if every noise were 0."""
    noisy_counts = {
        question.number: tuple(count for _report, count in question.report_counts)
        for question in results.questions
        if question.number in shown
    }
    return CountRelease(
        epsilon=Fraction(1),
        respondents=results.respondents,
        noisy_counts=noisy_counts,
    )


def panel_of(written):
    supposed = supposed_of(written.rpartition(": ")[0].split(", "))
    return SurveyPanel(results_of(written), supposed)


def of_questions(*names):
    def collect(written):
        panels = panel_of(written).questions
        found = [getattr(panel, name) for panel in panels for name in names]
        return [
            text
            for each in found
            for text in (each if isinstance(each, list) else [each])
        ]

    return collect


def of_cautions(written):
    panels = panel_of(written).questions
    return [caution.text for panel in panels for caution in panel.cautions]


def of_numbers(written):
    panel = panel_of(written)
    rows = [row for each in panel.questions for row in each.result.rows]
    counts = [reports_counted(each.result.respondents) for each in panel.questions]
    return [*counts, *map(show_standard_error, rows)]


def of_charts(written):
    panels = [each for each in panel_of(written).questions if each.result.respondents]
    rows = [row for panel in panels for row in panel.headline_rows]
    shown = (label_row, show_interval, show_note)
    return [
        *(panel.alternative_text for panel in panels),
        *(show(row) for row in rows for show in shown),
    ]


def of_the_survey(written):
    panel = panel_of(written)
    texts = [
        panel.precision,
        panel.least_respondents,
        panel.total_of_scrambled,
        panel.draws,
        panel.overview.not_covered,
        panel.mode,
    ]
    notes = [tick_list.note for tick_list, _question in panel.parts if tick_list]
    return [*texts, *notes, *(caution.text for caution in panel.cautions)]


def of_the_planned_analysis(written):
    results, (survey_counts, chosen) = results_of(written), read(written)
    panel = SurveyPanel(results).planned
    texts = []
    if len(survey_counts.numbers) > 1:
        shown = {"confidence_level": 0.95, "method": "feldman-cousins", **chosen}
        analysis = choose_analysis(survey_counts.survey, **shown, pair=(1, 2))
        texts.append(describe_comparison_plan(survey_counts.survey, analysis))
    if panel:
        texts += panel.lines
        tests = [*panel.tests, *panel.pairs]
        texts += [text for test in tests for text in (test.claim, test.verdict)]
    return texts


def of_the_public_page(written):
    results, is_released = results_of(written), written.startswith("released")
    published = PublishedResults(
        Publication(survey=results.survey, releases=[{"epsilon": "1"}] * is_released),
        results,
        release_of(results, set()) if is_released else None,
    )
    methods = [published.method_name] if is_released else []
    numbers = [published.noise_sentence, published.respondents_interval]
    return [*published.where_from, *numbers, *methods]


def of_comparisons(written):
    panel = comparison_of(written)
    return [
        *(text for found in panel.findings for text in found),
        *(each.heading for each in panel.chart.groups),
        *(caution.text for caution in panel.cautions),
        panel.level,
        panel.interval_name,
        panel.mean_interval_name,
        panel.joint_interval_name,
        panel.independence_line,
    ]


def of_weights(written):
    """The last questions are direct, with these shares: "... to 50 50, 30 70"."""
    asked, _, known = written.partition(" to ")
    survey_counts, chosen = read(asked)
    shares = [[int(n) / 100 for n in each.split()] for each in known.split(", ")]
    first = len(survey_counts.numbers) - len(shares) + 1
    results = estimate_weighted_results(
        survey_counts,
        dict(enumerate(shares, start=first)),
        sees_reports=asked.startswith("editor"),
        **{"confidence_level": 0.95, "method": "feldman-cousins", **chosen},
    )
    panel = WeightedSurveyPanel(results)
    texts = [
        text
        for each in panel.questions
        for text in (
            *each.sentences,
            each.level,
            each.effective,
            each.interval_name,
            each.interval_name_of_mean,
        )
    ]
    cautions = [caution for each in panel.questions for caution in each.cautions]
    return [*texts, *(caution.text for caution in [*cautions, *panel.refusals])]


def of_regressions(written):
    """Yes to the first question by the answers to the others: "coin x direct ..."."""
    names, _colon, asked = written.rpartition(": ")
    survey_counts, _chosen = read(asked)
    questions = list(enumerate(survey_counts.design.questions, start=1))[1:]
    hidden = [n for n, each in questions if each.mechanism.is_scrambled]
    chosen = Chosen(
        outcome=1,
        answer=0,
        references={
            number: len(each.choices) - 1
            for number, each in questions
            if number not in hidden
        },
        scrambled=hidden[0] if hidden else None,
        ignoring=supposed_of(names.split(", ")).ignoring,
    )
    result = regress_contingency_table(survey_counts, chosen, confidence_level=0.95)
    if "clustered" in names:
        fit = replace(
            result.regression.fit, clusters=6, design_effects=np.array([1, 0.9])
        )
        result = replace(result, regression=replace(result.regression, fit=fit))
        refused = replace(result, regression=None, obstacle=Obstacle.CLUSTERS)
        found = RegressionPanel(result)
        cautions = [*found.cautions, *RegressionPanel(refused).cautions]
        return [found.interval_name, *(each.text for each in cautions)]
    if "file" in names:
        counted = dict(re.findall(r"(gaps|rows) (\d+)", names))
        fit = result.regression.fit
        rows = int(counted.get("rows", result.respondents))
        fit = replace(
            fit,
            patterns=replace(fit.patterns, respondents=rows),
            is_weighted="weighted" in names,
        )
        left_out = int(counted.get("gaps", 0))
        found = replace(result.regression, fit=fit, left_out=left_out)
        panel = FilePanel(found)
        texts = [panel.people, panel.interval_name]
    else:
        panel = RegressionPanel(result)
        texts = [panel.level, panel.interval_name, panel.people]
        texts += panel.sentences
        if panel.bands:
            texts += [panel.bands.name]
            texts += [column.title for column in panel.bands.columns]
    return [*texts, *(caution.text for caution in panel.cautions)]


def of_differences(written):
    """Groups within a survey, or "coin 40 60 against die 30 70" of two surveys."""
    panel = comparison_of(written)
    rows = [*panel.result.mean_differences, *panel.result.differences]
    texts = [
        (difference_sentence(row, panel.result), show_interval(row)) for row in rows
    ]
    lines = [table.p_value_line for table in panel.tables]
    lines += [panel.waves_line, *panel.pooled]
    if panel.result.second:
        lines += replace(panel, is_clustered=True).clusters
    return [*(text for each in texts for text in each), *lines]


def of_surveys(written):
    panel = comparison_of(written)
    cautions = [caution.text for caution in panel.cautions]
    return [*(sentence for _size, sentence in panel.findings), *cautions]


def of_compliance(written):
    """Two groups by hand, or a pair whose second question is an anchor question."""
    found = comparison_of(written).result
    anchor = found.second.choices[-1] if found.second else ""
    found = with_anchor(replace(found, may_have_cheaters=True), anchor)
    panel = CompliancePanel.of(found)
    if panel is None:
        return []
    texts = [
        panel.interval_name,
        panel.table.name,
        panel.table.heading,
        *map(label_kind, panel.rows),
    ]
    return [*panel.lines, *texts, *(caution.text for caution in panel.cautions)]


def comparison_of(written):
    first, _against, second = written.partition(" against ")
    survey_counts, chosen = read(first)
    options = {"confidence_level": 0.95, "method": "feldman-cousins", **chosen}
    if not second:
        return ComparisonPanel(compare_contingency_table(survey_counts, **options))
    return ComparisonPanel(compare_waves(survey_counts, read(second)[0], **options))


PLACES = {
    "Headline": of_questions("sentences"),
    "How sure": of_questions("level", "interval_name"),
    "A linked pair": of_questions("pair"),
    "Charts and tables": of_charts,
    "Numbers": of_numbers,
    "How answers were scrambled": of_questions("mechanism_text", "caption"),
    "Cautions of a question": of_cautions,
    "Forgers and direct questions": of_questions(
        "forged_line", "direct_line", "bounds", "supposed_lines"
    ),
    "The whole survey": of_the_survey,
    "The planned analysis": of_the_planned_analysis,
    "The public page": of_the_public_page,
    "Two questions together": of_comparisons,
    "Two groups compared": of_differences,
    "Two surveys": of_surveys,
    "Two tables, or an anchor question": of_compliance,
    "Weighted results": of_weights,
    "Regression": of_regressions,
}


@pytest.mark.parametrize("place", PLACES)
def test_results_show_the_recorded_sentences(place, monkeypatch):
    RECORD.mark(monkeypatch)
    RECORD.compare(place, lambda each: RECORD.find_sentences(PLACES[place](each)))


def test_the_methods_section_shows_the_recorded_sentences():
    RECORD.compare(METHODS, write_methods)


def write_methods(written):
    survey_counts, chosen = read(written)
    text = methods_text(survey_results(survey_counts, **chosen)).partition(
        "\nReferences"
    )[0]
    text = text.replace("\N{NO-BREAK SPACE}", " ")
    lines = text.replace(HOLDER.fingerprint, "…").splitlines()
    return {line.strip() for line in lines if line}


def test_every_result_sentence_is_covered_by_the_record():
    assert list(RECORD.places) == [*PLACES, METHODS]
    assert RECORD.list_uncovered() == UNCOVERED


EDGES = {
    "no report": "coin 0 0",
    "one report": "coin 1 0",
    "identical reports": "direct 0 100",
    "raw below the scale": "coin 24 76",
    "raw above the scale": "coin 77 23",
    "epsilon .01": "epsilon epsilon=0.01 50 50",
    "epsilon 10": "epsilon epsilon=10 40 60",
    "does not fit": "coin 13 87",
    "direct and randomised": "coin 40 60 + direct 40 60",
    "imported": "imported: coin 40 60",
    "twenty answers": "k_ary epsilon=2 choices=20" + " 50" * 20,
}


@pytest.mark.parametrize("edge", EDGES)
def test_only_raw_estimates_are_outside_the_range_of_shares(edge):
    """Only raw estimates may be, with a note."""
    for place in PLACES:
        if place in {"Weighted results", "Regression"} or (" x " in EDGES[edge]) != (
            place[:3] == "Two"
        ):
            continue
        for text in PLACES[place](EDGES[edge]):
            message = text.replace("\N{NO-BREAK SPACE}", " ").replace(",", "")
            numbers = re.findall(r"([\d.]+) (?:percentage )?points", message)
            assert all(float(number) < 100 for number in numbers), message
            numbers = re.findall(r"(?<!raw )(?<!Raw estimate: )([\d.]+) %", message)
            if "raw" not in message:
                assert all(float(number) <= 100 for number in numbers), message


def test_the_false_alarm_rate_of_a_misfit_is_at_most_one_percent():
    assert MISFIT <= 0.01
