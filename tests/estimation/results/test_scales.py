"""Results of scales: sentence, chart, table, files, and declined answers."""

import csv
from fractions import Fraction
from io import StringIO

import pytest

from candor.mechanisms import build
from candor.mechanisms.scale import Scale
from candor.sample import Sample
from estimation.files.codebook import (
    list_variables,
    make_codebook_rows,
    serialize_codebook,
)
from estimation.files.estimates import format_estimates
from estimation.presentation.figures import show_estimate_or_dash, show_standard_error
from estimation.presentation.question import QuestionPanel
from estimation.rows.shares import get_results, question_result
from surveys.design import DesignQuestion
from tests.factories import make_survey

LABELS = ("Yes", "No", "Prefer not to answer")
SPACE = "\N{NO-BREAK SPACE}"


def panel_of(*counts, family="one_bit", low=0, high=10, points=11, epsilon=1, **chosen):
    mechanism = build(family, epsilon=epsilon, points=points)
    scale = Scale(Fraction(low), Fraction(high), points)
    question = DesignQuestion("?", "", tuple(map(str, scale.values)), mechanism, scale)
    report_counts = tuple(zip(mechanism.reports, counts, strict=True))
    chosen = {"confidence_level": 0.95, "method": "feldman-cousins", **chosen}
    return QuestionPanel(question_result(question, report_counts, **chosen))


THREE = build("k_ary", epsilon=1, choices=3)
COUNTS = {"1": 285, "2": 467, "3": 248}


def several(declined=2, counts=COUNTS, **chosen):
    chosen = {"confidence_level": 0.95, "method": "feldman-cousins", **chosen}
    question = DesignQuestion("?", "", LABELS, THREE)
    report_counts = tuple(counts.items())
    return QuestionPanel(
        question_result(question, report_counts, declined=declined, **chosen)
    )


def test_bounds_allow_either_answer_for_those_who_declined():
    # Yes: 20 % to 30 %; its own interval at 97.5 %, and that of "not No".
    estimate = Sample.of(THREE, COUNTS)
    low = estimate.interval("1", 0.975).low
    high = 1 - estimate.interval("2", 0.975).low
    yes, no = several().result.bounds
    assert (yes.low, yes.high) == pytest.approx((low, high))
    assert yes.upper_estimate == pytest.approx(1 - estimate.shares["2"])
    assert no.low == pytest.approx(estimate.interval("2", 0.975).low)
    assert several(declined=None).bounds == []


def test_simultaneous_intervals_use_a_third_of_the_error():
    simultaneous = several(simultaneous=True)
    alone = several(confidence_level=1 - 0.05 / 3)
    pairs = zip(simultaneous.result.rows, alone.result.rows, strict=True)
    assert all((a.low, a.high) == (b.low, b.high) for a, b in pairs)
    assert simultaneous.level == f"with 95{SPACE}% confidence, all of them together"
    assert simultaneous.result.level_of_each == pytest.approx(1 - 0.05 / 3)


@pytest.mark.django_db
class TestSurvey:
    @pytest.fixture
    def survey(self, client):
        grid = {
            "family": "grid",
            "parameters": {"epsilon": 1, "points": 3},
            "scale": {"low": "1", "high": "5"},
        }
        ever = {"family": "k_ary", "parameters": {"epsilon": 1}, "choices": LABELS}
        survey = make_survey(
            ["coin", ("one_bit", {"epsilon": 1, "points": 11}), grid, ever],
            counts={b"\0\0\0\0": 40, b"\1\1\1\1": 60, b"\1\0\2\2": 50},
        )
        client.force_login(survey.owner)
        return survey

    def test_exports_have_a_score_of_the_mean(self, survey):
        _coin, one_bit, grid, _k_ary = list_variables(survey).questions
        assert one_bit.score_names == ("q2_score_mean",)
        assert grid.score_names[-1] == "q3_score_mean"
        # The mean score given each answer is its value.
        for question, values in ((one_bit, range(11)), (grid, (1, 3, 5))):
            rows = question.mechanism.weights
            for row, value in zip(rows, values, strict=True):
                pairs = zip(row, question.scores, strict=True)
                mean = sum(weight * scores[-1] for weight, scores in pairs)
                assert mean / question.mechanism.total == value
        assert len(make_codebook_rows(list_variables(survey))) == 18
        described = serialize_codebook(list_variables(survey))["questions"][2]
        assert described["scale"] == {"low": "1", "high": "5"}
        rows = list(csv.DictReader(StringIO(format_estimates(get_results(survey)))))
        means = [row for row in rows if row["answer"] == "mean"]
        assert [row["question"] for row in means] == ["2", "3"]
        assert all(float(row["low"]) <= float(row["share"]) for row in means)


@pytest.mark.parametrize(
    ("counts", "error"),
    [((50, 50), "tells nothing"), ((20000, 20000), "tells nothing")],
)
def test_a_standard_error_of_half_the_scale_is_not_shown(counts, error):
    assert show_standard_error(panel_of(*counts, epsilon="0.01").result.mean) == error


@pytest.mark.parametrize(
    ("counts", "epsilon"), [((50, 50), "0.01"), ((1, 0), 1), ((3, 97), 1)]
)
def test_a_mean_without_a_best_estimate_has_a_dash(counts, epsilon):
    mean = panel_of(*counts, epsilon=epsilon).result.mean
    assert show_estimate_or_dash(mean) == "\N{EN DASH}"
