import math
from dataclasses import replace
from types import SimpleNamespace

import pytest

from candor import fit_logistic
from candor.mechanisms import Mechanism
from candor.mechanisms.draws import NOT_ASKED
from candor.mechanisms.table import identity
from estimation.pages.regression import RegressionForm
from estimation.presentation.regression import (
    show_interval_in_points,
    show_signed_points,
)
from estimation.rows.counts import ContingencyTable, read_contingency_table
from estimation.rows.regression import (
    Chosen,
    Erring,
    fit_regression,
    regress_contingency_table,
    regress_questions,
)
from surveys.design import DesignQuestion
from tests.estimation.pages import get, rows_of, text_of
from tests.factories import make_survey

pytestmark = pytest.mark.django_db

# Shares of Yes to the first question: (60/100 - .25)/.5 = .7 and .3, by the second.
TWO_GROUPS = {b"\0\0": 60, b"\1\0": 40, b"\0\1": 40, b"\1\1": 60}
ENDS = (b"\0", b"\1")
BY_SECOND = Chosen(outcome=1, answer=0, references={2: 1})
CHOSEN = {"outcome": "1-0", "reference_2": 1}
THREE = ("k_ary", {"epsilon": 2, "choices": 3})


def make(counts, questions=("coin", "direct"), **fields):
    return make_survey(questions, counts=counts, **fields)


def direct_question(size):
    """Return a direct question."""
    answers = tuple(str(number) for number in range(1, size + 1))
    return DesignQuestion(
        text="In which town do you live?",
        innocuous_question="",
        choices=tuple(f"answer {answer}" for answer in answers),
        mechanism=Mechanism(
            family="direct",
            parameters={},
            answers=answers,
            reports=answers,
            weights=identity(size),
        ),
    )


def regress(survey, chosen=BY_SECOND, level=0.95):
    return regress_questions(survey, chosen, confidence_level=level)


class TestNumbers:
    def test_two_groups_have_the_odds_ratio_of_their_shares(self):
        found = regress(make(TWO_GROUPS))
        ((predictor, row),) = found.rows
        assert (predictor.reference, row.label) == ("No", "Yes")
        assert math.exp(row.coefficient.estimate) == pytest.approx(49 / 9)
        assert row.effect.estimate == pytest.approx(0.4)
        assert found.respondents == 200

    def test_respondents_without_a_report_are_excluded_and_counted(self):
        counts = {**TWO_GROUPS, bytes([0, NOT_ASKED]): 7, bytes([NOT_ASKED, 1]): 2}
        found = regress(make(counts))
        assert (found.respondents, found.missing, found.small) == (200, 9, 0)

    def test_one_of_several_answers_can_be_the_outcome(self):
        # Two of the weights' rows: shares of answer 2 in both groups by its fold
        counts = {b"\0\0": 90, b"\1\0": 60, b"\2\0": 50}
        counts |= {b"\0\1": 60, b"\1\1": 90, b"\2\1": 50}
        survey = make(counts, [THREE, "direct"])
        chosen = Chosen(outcome=1, answer=1, references={2: 1})
        found = regress(survey, chosen)
        mechanism = found.outcome.mechanism
        p, q = (float(w) / mechanism.total for w in mechanism.weights[0][:2])
        shares = [(part - q) / (p - q) for part in (0.3, 0.45)]
        ((_, row),) = found.rows
        assert row.effect.estimate == pytest.approx(shares[0] - shares[1])

    def test_a_scrambled_predictor_is_summed_out(self):
        counts = {b"\0\0": 310, b"\0\1": 190, b"\1\0": 170, b"\1\1": 130}
        survey = make(counts, ["coin", "coin"])
        chosen = Chosen(outcome=1, answer=0, references={}, scrambled=2)
        ((predictor, row),) = regress(survey, chosen).rows
        # Joint shares .575 .175 .125 .125, log odds ratio 1.18958: statistics.md
        assert predictor.is_scrambled
        assert row.coefficient.estimate == pytest.approx(1.18958, abs=5e-6)
        assert row.coefficient.standard_error == pytest.approx(0.79390, abs=5e-5)

    def test_assumed_non_compliance_increases_the_other_shares(self):
        """Of the reports .675 and .225 are yes: shares of .8333 and .3889."""
        survey = make(TWO_GROUPS)
        chosen = replace(BY_SECOND, ignoring=10)
        counts = {(0,): [60, 40], (1,): [40, 60]}
        ((_, row),) = regress(survey, chosen).rows
        survey_counts = read_contingency_table(survey, chosen.numbers, seals=False)
        fit = fit_regression(
            survey_counts,
            chosen,
            counts,
            [(0, 0)],
            confidence_level=0.95,
            erring=Erring(0.1, is_yes=False),
        )
        mixed = fit.coefficients[1]
        assert math.exp(mixed.estimate) == pytest.approx((5 / 6 * 6) / (7 / 11))
        assert row.band.low == min(row.coefficient.low, mixed.low)
        assert row.band.high == max(row.coefficient.high, mixed.high)

    def test_the_band_is_unlimited_if_coefficients_are_not_estimable(self):
        counts = {b"\0\0": 700, b"\1\0": 300, b"\0\1": 500, b"\1\1": 500}
        ((_, row),) = regress(make(counts), replace(BY_SECOND, ignoring=50)).rows
        assert row.band == (-math.inf, math.inf)
        assert 0 <= row.holds_to < 50

    def test_no_effect_is_excluded_up_to_the_stated_share(self):
        """A finer step would end the exclusion at 4 %, so 5 % would be wrong."""
        counts = {b"\0\0": 360, b"\1\0": 140, b"\0\1": 290, b"\1\1": 210}
        survey = make(counts)
        for ignoring in (10, 3):
            ((_, row),) = regress(survey, replace(BY_SECOND, ignoring=ignoring)).rows
            assert row.coefficient.low > 0
            chosen = replace(BY_SECOND, ignoring=max(row.holds_to, 1))
            ((_, again),) = regress(survey, chosen).rows
            assert again.band.low > 0 or row.holds_to == 0

    def test_a_direct_outcome_has_no_band(self):
        survey = make(TWO_GROUPS, ["direct", "direct"])
        ((_, row),) = regress(survey, replace(BY_SECOND, ignoring=10)).rows
        assert row.band is None

    def test_the_band_for_several_answers_unites_both_errors(self):
        counts = {b"\0\0": 90, b"\1\0": 60, b"\2\0": 50}
        counts |= {b"\0\1": 60, b"\1\1": 90, b"\2\1": 50}
        chosen = Chosen(outcome=1, answer=1, references={2: 1}, ignoring=10)
        ((_, row),) = regress(make(counts, [THREE, "direct"]), chosen).rows
        assert row.band.low < row.coefficient.low
        assert row.band.high >= row.coefficient.high

    def test_a_difference_of_shares_is_limited_to_100_points(self):
        survey = make(TWO_GROUPS, ["coin", "coin"])
        chosen = Chosen(outcome=1, answer=0, references={}, scrambled=2)
        ((_, row),) = regress(survey, chosen).rows
        # By the delta method its interval would end at 134 points.
        assert row.effect.estimate + 1.96 * row.effect.standard_error > 1.3
        assert (row.effect.low > 0, row.effect.high) == (True, 1)

    @pytest.mark.parametrize(
        ("sizes", "hidden", "shown", "left_out"),
        [
            # The smallest group is below 30, and the next would reveal it.
            ((200, 100, 40, 20), ("answer 3", "answer 4"), ["answer 2"], 60),
            # An answer that no one gave hides no group.
            ((200, 100, 0), (), ["answer 2"], 0),
            ((200, 100, 40, 20, 0), ("answer 3", "answer 4"), ["answer 2"], 60),
        ],
    )
    def test_small_groups_are_excluded_at_least_in_pairs(
        self, sizes, hidden, shown, left_out
    ):
        survey = make(TWO_GROUPS)
        asked = regress(survey).outcome, direct_question(len(sizes))
        counts = {
            bytes([report, group]): size // 2
            for group, size in enumerate(sizes)
            for report in (0, 1)
            if size
        }
        survey_counts = ContingencyTable(
            survey=survey,
            design=SimpleNamespace(estimated_questions=asked),
            numbers=(1, 2),
            counts=counts,
        )
        chosen = Chosen(outcome=1, answer=0, references={2: 0})
        found = regress_contingency_table(survey_counts, chosen, confidence_level=0.95)
        (predictor,) = found.predictors
        assert predictor.hidden == hidden
        assert [row.label for row in predictor.rows] == shown
        assert (found.respondents, found.small) == (300, left_out)

    def test_a_regression_requires_two_groups(self):
        counts = {b"\0\0": 100, b"\1\0": 90, b"\0\1": 14, b"\1\1": 15}
        found = regress(make(counts))
        assert found.regression is None
        assert not found.predictors[0].is_usable


class TestPage:
    def test_identically_worded_questions_are_distinguished(self, client):
        counts = {b"\0\0": 30, b"\1\0": 20, b"\0\1": 13, b"\1\1": 37}
        halves = {pattern + last: n for pattern, n in counts.items() for last in ENDS}
        survey = make(halves, ["coin", "direct", "direct"])
        page = text_of(get(client, "regression", survey, **CHOSEN, reference_3=1))
        named = "The interval for “Sensitive question 2? Yes” reaches 0"
        assert named in page

    @pytest.mark.parametrize(
        ("query", "message"),
        [
            ({"outcome": "1-0"}, "Choose at least one question to compare by."),
            ({"outcome": "2-0", "reference_2": 1}, "two different questions"),
            ({"outcome": "9-0", "reference_2": 1}, "Select a valid choice"),
            ({"outcome": "1-0", "reference_2": 9}, "Select a valid choice"),
            ({**CHOSEN, "confidence_level": 2}, "Select a valid choice"),
            ({**CHOSEN, "formula": "__import__('os')", "outcome": ""}, "required"),
        ],
    )
    def test_a_bad_choice_is_explained(self, client, query, message):
        answer = get(client, "regression", make(TWO_GROUPS), **query)
        assert answer.status_code == 400
        assert message in text_of(answer)

    def test_the_heading_of_a_predictor_spans_all_columns(self, client):
        page = get(client, "regression", make(TWO_GROUPS), **CHOSEN).content.decode()
        table = page.partition('<table class="data groups">')[2].partition("</table>")
        columns = table[0].count('<th scope="col"')
        assert f'<th scope="rowgroup" colspan="{columns}">' in table[0]

    def test_a_survey_without_predictors_has_no_regression(self, client):
        survey = make({b"\0\0": 90}, [THREE, THREE])
        assert get(client, "regression", survey).status_code == 302


def test_too_many_coefficients_are_refused():
    questions = [direct_question(2), direct_question(20), direct_question(20)]
    design = SimpleNamespace(estimated_questions=questions, declares=lambda *_: True)
    chosen = {"outcome": "1-0", "reference_2": "0", "reference_3": "0"}
    form = RegressionForm(chosen, design)
    assert not form.is_valid()
    assert "38, 20 at most" in str(form.errors)


def test_interval_ends_are_rounded_outwards_without_minus_0():
    def shown(low, high):
        return show_interval_in_points(SimpleNamespace(low=low, high=high))

    assert shown(-0.00002, 0.02791) == "\N{MINUS SIGN}0.1 to 2.8"
    assert shown(-0.2, -0.0002).endswith(" to 0.0")
    assert show_signed_points(-0.0002) == "0.0"


CLASSES = ("direct_choice", {"choices": "6"})
IN_CLASSES = {
    bytes([report, member, school]): count
    for school in range(6)
    for member, most in enumerate((18, 22))
    for report, count in enumerate((most - 2 * school, 12 + 2 * school))
}
BY_CLASS = {**CHOSEN, "clusters": 3}


def test_clustered_errors_match_the_library_and_are_in_the_file(client):
    survey = make(IN_CLASSES, ["coin", "direct", CLASSES])
    rows = [(member, school) for school in range(6) for member in (0, 1)]
    fit = fit_logistic(
        [[1, member == 0] for member, _school in rows],
        [[IN_CLASSES[bytes([report, *row])] for report in (0, 1)] for row in rows],
        p_yes_given_yes=0.75,
        p_yes_given_no=0.25,
        names=["Intercept", "x"],
        clusters=[school for _member, school in rows],
    )
    answer = get(client, "regression_csv", survey, **BY_CLASS)
    (row,) = rows_of(answer)
    assert float(row["standard_error"]) == pytest.approx(fit.standard_errors[1])
    assert float(row["high"]) == pytest.approx(fit.interval("x").high)
    assert float(row["design_effect"]) == pytest.approx(fit.design_effects[1])
    assert (row["clusters"], row["method"]) == ("6", "wald-clusters")
    assert row["cluster_question"] == "Sensitive question 3?"
    page = text_of(get(client, "regression", survey, **BY_CLASS))
    assert "cluster-robust standard errors, t with 5 degrees of freedom" in page
    assert f"Design effect: {fit.design_effects[1]:.2f} (6 clusters)." in page
    assert "With fewer than 20 clusters the interval may be too short." in page


def test_clusters_need_another_question_with_large_enough_groups(client):
    survey = make(IN_CLASSES, ["coin", "direct", CLASSES])
    choices = (
        get(client, "regression", survey, **CHOSEN)
        .context["form"]
        .fields["clusters"]
        .choices
    )
    assert [value for value, _label in choices] == ["", "3"]
    mixed = get(client, "regression", survey, outcome="1-0", reference_3=0, clusters=3)
    assert "Choose another question for the clusters." in text_of(mixed)
    small = make({**IN_CLASSES, b"\0\0\0": 1, b"\1\0\0": 1, b"\0\1\0": 4, b"\1\1\0": 3},
                 ["coin", "direct", CLASSES], slug="small")  # fmt: skip
    page = text_of(get(client, "regression", small, **BY_CLASS))
    assert "Clusters are answers to a direct question, each of 10 people" in page
    assert "<table" not in page


def test_a_scrambled_predictor_can_be_clustered():
    cells = {b"\0\0": 310, b"\0\1": 190, b"\1\0": 170, b"\1\1": 130}
    counts = {
        bytes([outcome, school, other]): count + 5 * school * (outcome == other)
        for (outcome, other), count in cells.items()
        for school in range(6)
    }
    survey = make(counts, ["coin", CLASSES, "coin"])
    chosen = Chosen(outcome=1, answer=0, references={}, scrambled=3, clusters=2)
    found = regress(survey, chosen)
    assert found.regression.fit.clusters == 6
    alone = regress(survey, replace(chosen, clusters=None))
    ((_, row),), ((_, other),) = found.rows, alone.rows
    assert row.coefficient.estimate == pytest.approx(other.coefficient.estimate)
