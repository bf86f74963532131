"""Shares of several answers, one interval for each."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom, multinomial

from candor.binary import BinomialDesign
from candor.estimands import Estimand
from candor.intervals import METHODS, share_interval
from candor.mechanisms import Mechanism, build
from tests.candor.tables import covariance_of, sample_of

FIVE = build("k_ary", epsilon=1, choices=5)
THREE = build("k_ary", epsilon="1.1", choices=3)
COUNTS = (150, 95, 60, 55, 40)
TWO = (
    build("coin"),
    build("crosswise", prevalence="1/4"),
    build("direct"),
    build("custom", p_yes_given_yes="11/12", p_yes_given_no="1/6"),
)

# Unlike in k-ary tables, a report has different chances for the other answers.
UNEVEN = Mechanism(
    family="uneven",
    parameters={},
    answers=("a", "b", "c"),
    reports=("a", "b", "c"),
    weights=((6, 3, 1), (1, 8, 1), (2, 4, 4)),
)


def test_the_printed_example_is_reproduced():
    # docs/reference/statistics.md: five answers, epsilon 1, with the real number e.
    result = sample_of(FIVE, *COUNTS)
    assert list(result.raw_shares.values()) == pytest.approx(
        [0.88423, 0.34662, 0.00451, -0.04437, -0.19099], abs=5e-6
    )
    assert list(result.shares.values()) == pytest.approx(
        [0.74289, 0.25711, 0, 0, 0], abs=5e-6
    )
    # sqrt[C/n (1 - C/n) / (n - 1)] / (p - q), p - q = (e - 1) / (e + 4)
    by_hand = [
        math.sqrt(c / 400 * (1 - c / 400) / 399) * (math.e + 4) / (math.e - 1)
        for c in COUNTS
    ]
    found = list(result.standard_errors.values())
    assert found == pytest.approx(by_hand, rel=1e-6)
    assert found == pytest.approx([0.0948, 0.0833, 0.0699, 0.0674, 0.0587], abs=5e-5)


@pytest.mark.parametrize(
    ("mechanism", "shares"),
    [
        *product((THREE, UNEVEN), ((1, 0, 0), (0.2, 0.7, 0.1))),
        *product(TWO, ((0, 1), (0.2, 0.8))),
    ],
    ids=str,
)
def test_raw_shares_and_covariances_are_unbiased(mechanism, shares):
    # All counts of 7 respondents with their exact chances.
    n, size = 7, len(shares)
    chances = np.array(shares) @ np.array(mechanism.weights) / mechanism.total
    mean, second, covariance = 0, 0, 0
    for counts in product(range(n + 1), repeat=size):
        if sum(counts) == n:
            weight = multinomial.pmf(counts, n, chances)
            result = sample_of(mechanism, *counts)
            raw = np.array(list(result.raw_shares.values()))
            mean += weight * raw
            second += weight * np.outer(raw, raw)
            covariance += weight * covariance_of(result)
    assert mean == pytest.approx(np.array(shares), abs=1e-10)
    assert covariance == pytest.approx(second - np.outer(mean, mean), abs=1e-10)


SCALE = Estimand((0, 1, 2, 3, 10))
PAIR, CONTRAST = Estimand.make_share(0, 2, answers=5), Estimand((1, -1, 0, 0, 0))


@pytest.mark.parametrize("estimand", [PAIR, CONTRAST, SCALE])
def test_a_linear_estimand_has_the_standard_error_of_its_scores(estimand):
    """The usual standard error of the mean of all single scores."""
    result = sample_of(FIVE, *COUNTS)
    # Score of report r: sum over answers of c_a ([r is a] - q) / (p - q)
    p, q = (FIVE.weights[0][column] / FIVE.total for column in (0, 1))
    scores = np.repeat(
        [(c - q * sum(estimand.coefficients)) / (p - q) for c in estimand.coefficients],
        COUNTS,
    )
    assert result.raw(estimand) == pytest.approx(scores.mean())
    error = scores.std(ddof=1) / math.sqrt(400)
    assert result.standard_error(estimand) == pytest.approx(error)


@pytest.mark.parametrize("method", METHODS)
def test_a_set_of_answers_has_the_interval_of_a_yes_no_question(method):
    result = sample_of(FIVE, *COUNTS)
    truth, other = (FIVE.weights[0][column] / FIVE.total for column in (0, 1))
    design = BinomialDesign(
        respondents=400, p_yes_given_yes=truth + other, p_yes_given_no=2 * other
    )
    expected = share_interval(150 + 60, design, method=method)
    found = result.interval(PAIR, method=method)
    assert found == pytest.approx(expected, abs=1e-12)
    # 4 for these answers and 1 for the others: a rescaled share.
    scaled = result.interval(Estimand((4, 1, 4, 1, 1)), method=method)
    assert scaled == pytest.approx([1 + 3 * end for end in expected], abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_bounds_split_the_error_between_their_ends(method):
    result = sample_of(FIVE, *COUNTS)
    both = Estimand.make_share(1, 4, answers=5)
    low = result.interval("2", 0.95, method).low
    high = result.interval(both, 0.95, method).high
    assert result.bounds("2", "5", 0.9, method) == (low, high)


@pytest.mark.parametrize("declined", ["2", "6"])
def test_bounds_require_a_different_declined_answer(declined):
    message = f"declined must be one of 1, 3, 4, 5; got '{declined}'"
    with pytest.raises(ValueError, match=message):
        sample_of(FIVE, *COUNTS).bounds("2", declined)


def test_design_fit_is_the_bonferroni_p_value_of_the_rarest_report():
    # P(X <= 5) for 100 reports with q = 1/(e**1.1 + 2), summed in fractions; any of the
    # three may be the scarcest.
    q = THREE.probability("3", given="1")
    tail = sum(
        math.comb(100, x) * Fraction(q) ** x * (1 - Fraction(q)) ** (100 - x)
        for x in range(6)
    )
    result = sample_of(THREE, 50, 45, 5)
    assert result.design_fit == pytest.approx(float(3 * tail), rel=1e-10)
    assert result.design_fit < 0.01
    assert sample_of(THREE, 40, 35, 25).design_fit == 1


def test_design_fit_uses_the_smallest_probability_of_each_report():
    # The smallest chances of the columns of UNEVEN, not of its rows.
    tails = binom.cdf((50, 2, 48), 100, [1 / 10, 3 / 10, 1 / 10])
    assert sample_of(UNEVEN, 50, 2, 48).design_fit == pytest.approx(3 * min(tails))


@pytest.mark.parametrize("answers", [2, 3])
@pytest.mark.parametrize("epsilon", ["1/1000", "1/100", "1"])
def test_design_fit_keeps_its_false_alarm_rate(answers, epsilon):
    # A factor of k - 1 would suspect 1.85 of 100 at epsilon .001.
    mechanism, n = build("k_ary", epsilon=epsilon, choices=answers), 30
    lowest = float(mechanism.probability("1", given="2"))
    fits = {
        counts: sample_of(mechanism, *counts).design_fit
        for counts in product(range(n + 1), repeat=answers)
        if sum(counts) == n and min(binom.cdf(counts, n, lowest)) < 0.02
    }
    # If everyone has one answer, the reports of the others are scarcest.
    chances = [float(mechanism.probability(r, given="1")) for r in mechanism.reports]
    for level in (0.01, 0.05):
        accused = [counts for counts, fit in fits.items() if fit < level]
        assert 0 < multinomial.pmf(accused, n, chances).sum() <= level


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("counts", [(0, 0, 5, 7), (0, 20, 22)])
def test_the_interval_always_contains_the_estimate(counts, level):
    # From its count alone, the last interval would begin at .297; the share is .160
    # because the first two would be far below 0.
    result = sample_of(build("k_ary", epsilon="1/2", choices=len(counts)), *counts)
    for answer, share in result.shares.items():
        low, high = result.interval(answer, confidence_level=level)
        assert low <= share <= high
