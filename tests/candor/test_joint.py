"""Joint shares of two questions: published numbers and enumeration."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import xlogy
from scipy.stats import binom

from candor.binary import DIRECT as YES_OR_NO
from candor.dichotomies import find_answer_dichotomy
from candor.intervals import METHODS, share_interval
from candor.joint import MAX_CELLS, JointSample
from candor.mechanisms import Mechanism, build
from candor.profile_likelihood import PairShare
from tests.candor.tables import joint_of

COIN, DIRECT = build("coin"), build("direct")

# 2.706 and 3.841 in the usual tables of chi-squared with one degree of freedom
CHI_SQUARED = {0.9: 2.705543, 0.95: 3.841459}


def test_identical_pairs_have_positive_standard_errors():
    found = joint_of(DIRECT, DIRECT, 100, 0, 0, 0)
    # Half a report below 1, or above 0: sqrt(.005 .995 / 100) for each.
    expected = math.sqrt(0.005 * 0.995 / 100)
    assert found.standard_errors == pytest.approx(np.full((2, 2), expected))


def test_two_coins_give_the_published_shares_and_errors():
    # Computed independently with the matrix formulas of van den Hout & van der Heijden
    # 2002: joint shares .575 .175 .125 .125; errors with n instead of n - 1
    found = joint_of(COIN, COIN, 310, 190, 170, 130)
    expected = [[0.575, 0.175], [0.125, 0.125]]
    assert found.raw == pytest.approx(np.array(expected), abs=1e-12)
    assert found.shares == pytest.approx(found.raw)
    errors = found.standard_errors * math.sqrt(799 / 800)
    assert errors == pytest.approx(
        np.array([[0.04866, 0.04322], [0.0416, 0.03682]]), abs=5e-6
    )
    # Pearson's chi-squared of the reported table: 2.2222, one degree of freedom
    assert found.independence == pytest.approx(0.1360, abs=5e-5)


def test_joint_shares_out_of_range_are_kept_raw_and_adjusted():
    # By an independent EM: shares .8, 0, .2, 0 with log likelihood -934.8671
    found = joint_of(COIN, COIN, 400, 120, 230, 50)
    assert found.raw == pytest.approx(np.array([[0.8125, -0.0125], [0.2625, -0.0625]]))
    assert found.shares == pytest.approx(np.array([[0.8, 0], [0.2, 0]]), abs=1e-6)
    assert found.shares.min() == 0
    chances = np.kron([[3, 1], [1, 3]], [[3, 1], [1, 3]]) / 16
    likelihood = xlogy([400, 120, 230, 50], found.shares.reshape(-1) @ chances).sum()
    assert likelihood == pytest.approx(-934.8671, abs=1e-4)
    # The estimated share of "no" to the second question is 0.
    assert found.within[:, 0] == pytest.approx([0.8, 0.2], abs=1e-6)
    assert np.isnan(found.within[:, 1]).all()


def test_the_interval_within_a_direct_group_is_binomial():
    """The likelihood factors into that of the group and that of the others."""
    counts, level = (31, 44, 29, 26), 0.9
    low, high = joint_of(COIN, DIRECT, *counts).intervals(PairShare.WITHIN, level)
    yes, n = counts[0], counts[0] + counts[2]

    def excess(share):
        chance, best = 0.25 + share / 2, yes / n
        best_log = xlogy(yes, best) + xlogy(n - yes, 1 - best)
        return 2 * (best_log - xlogy(yes, chance) - xlogy(n - yes, 1 - chance))

    middle, limit = (yes / n - 0.25) * 2, CHI_SQUARED[level]
    expected = [
        brentq(lambda share: excess(share) - limit, *ends)
        for ends in ((0, middle), (middle, 1))
    ]
    assert [low[0, 0], high[0, 0]] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_two_direct_questions_are_counted_and_have_exact_intervals(method):
    found = joint_of(DIRECT, DIRECT, 20, 30, 40, 10)
    for target, cell, design in (
        (PairShare.JOINT, (0, 1), YES_OR_NO.design(100)),
        (PairShare.WITHIN, (0, 1), YES_OR_NO.design(40)),
    ):
        low, high = found.intervals(target, 0.9, method)
        one = share_interval(30, design, confidence_level=0.9, method=method)
        assert (low[cell], high[cell]) == one


def test_exact_joint_intervals_cover_shares_that_profiles_miss():
    # Of 30 respondents 6.224 % have both answers: more than 8 with a chance of .0001.
    share, counts = 0.06224, range(9)
    chances = binom.pmf(counts, 30, share)
    held = {"intervals": 0.0, "profile_intervals": 0.0}
    for count, chance in zip(counts, chances, strict=True):
        found = joint_of(DIRECT, DIRECT, count, 30 - count, 0, 0)
        for name in held:
            low, high = getattr(found, name)(PairShare.JOINT, 0.95)
            held[name] += chance * (low[0, 0] <= share <= high[0, 0])
    assert held["intervals"] >= 0.95
    assert held["profile_intervals"] < 0.83


def test_groups_are_formed_by_the_reports_that_favour_their_answer():
    found = joint_of(COIN, DIRECT, 31, 44, 29, 26)
    assert found.counts_within(0) == {"yes": 31, "no": 29}
    assert found.counts_within(1) == {"yes": 44, "no": 26}
    # Crosswise with 1/4: "different" speaks for yes.
    crosswise = build("crosswise", prevalence="1/4")
    assert crosswise.reports == ("same", "different")
    found = joint_of(COIN, crosswise, 31, 44, 29, 26)
    assert found.counts_within(0) == {"yes": 44, "no": 26}


def test_joint_intervals_without_reports_are_0_to_1():
    found = joint_of(COIN, COIN, 0, 0, 0, 0)
    assert np.isnan(found.raw).all()
    assert np.isnan(found.standard_errors).all()
    low, high = found.intervals(PairShare.WITHIN)
    assert (low.tolist(), high.tolist()) == ([[0, 0]] * 2, [[1, 1]] * 2)
    assert found.independence is None


class TestRefused:
    def test_too_many_pairs_are_rejected(self):
        eleven = build("k_ary", epsilon=1, choices=11)
        with pytest.raises(ValueError, match=f"at most {MAX_CELLS} pairs"):
            JointSample.of(eleven, eleven, {})

    def test_an_uneven_table_without_a_dichotomy_is_rejected(self):
        uneven = Mechanism(
            family="custom",
            parameters={},
            answers=tuple("abc"),
            reports=tuple("abc"),
            weights=((4, 1, 1), (1, 4, 1), (2, 1, 3)),
        )
        with pytest.raises(ValueError, match="with one chance"):
            find_answer_dichotomy(uneven, 0)
