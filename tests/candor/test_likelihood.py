"""Maximum-likelihood shares: printed numbers and the conditions of a maximum."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from candor.likelihood import (
    fill_by_water_level,
    find_maximum_likelihood_shares,
    fit_mixture,
)
from tests.candor.tables import FIVE, NEVER_TRUE, UNEVEN

fixed = settings(deadline=None, derandomize=True, max_examples=40)


def climbed(weights, counts):
    table = np.array(weights) / sum(weights[0])
    found, _likelihood = fit_mixture(table[None], np.array([counts], dtype=float))
    return found[0]


counts_of_five = st.lists(st.integers(0, 400), min_size=5, max_size=5).filter(any)


@fixed
@given(counts_of_five)
def test_water_filling_finds_the_maximum(counts):
    """The Kuhn-Tucker conditions of the maximum hold.

    The derivative of the log likelihood by each share is n where the share is above 0
    and at most n elsewhere.
    """
    truth, other = FIVE[0][:2]
    shares = np.array(fill_by_water_level(counts, truth=truth, other=other))
    assert shares.min() >= 0
    assert shares.sum() == pytest.approx(1)
    table = np.array(FIVE) / sum(FIVE[0])
    slopes = table @ (np.array(counts) / (shares @ table)) / sum(counts)
    assert slopes.max() <= 1 + 1e-9
    assert slopes[shares > 0] == pytest.approx(1)


@fixed
@given(counts_of_five)
def test_the_search_leads_to_the_same_maximum(counts):
    truth, other = FIVE[0][:2]
    exact = np.array(fill_by_water_level(counts, truth=truth, other=other))
    assert climbed(FIVE, counts) == pytest.approx(exact, abs=1e-4)


@fixed
@given(st.lists(st.integers(0, 400), min_size=3, max_size=3).filter(any))
def test_the_shares_satisfy_the_optimality_conditions(counts):
    shares = np.array(find_maximum_likelihood_shares(UNEVEN, counts))
    assert shares.min() >= 0
    assert shares.sum() == pytest.approx(1)
    table = np.array(UNEVEN) / 10
    seen = np.array(counts) > 0
    ratios = np.array(counts)[seen] / (shares @ table)[seen]
    assert (table[:, seen] @ ratios).max() <= sum(counts) + 1e-3


def test_reports_with_a_count_of_zero_are_accepted():
    shown = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    assert find_maximum_likelihood_shares(shown, (4, 0, 12)) == [0.25, 0, 0.75]
    # The search stays inside: a share of 0 ends close to it.
    assert climbed(shown, (4, 0, 12)) == pytest.approx([0.25, 0, 0.75], abs=1e-9)


def test_shares_are_found_for_a_table_that_mostly_reports_falsely():
    # 50, 30 and 20 reports leave out 0, 40 and 60 of 100.
    found = find_maximum_likelihood_shares(NEVER_TRUE, (50, 30, 20))
    assert found == pytest.approx([0, 0.4, 0.6], abs=1e-5)


def test_two_designs_share_one_maximum_likelihood_fit():
    """A block table: half of the people flip coins, the others throw a die."""
    coin, die = np.array([[3, 1], [1, 3]]) / 4, np.array([[2, 1], [1, 2]]) / 3
    counts = np.array([[40, 60, 45, 55]], dtype=float)
    found, _likelihood = fit_mixture(np.hstack([coin, die])[None], counts)

    # The derivative of 40 ln(1/4 + f/2) + 60 ln(3/4 - f/2) + 45 ln(1/3 + f/3) + ...
    def slope(share):
        by_coin, by_die = 1 / 4 + share / 2, 1 / 3 + share / 3
        return (40 / by_coin - 60 / (1 - by_coin)) / 2 + (
            45 / by_die - 55 / (1 - by_die)
        ) / 3

    assert slope(found[0, 0]) == pytest.approx(0, abs=1e-4)


def test_impossible_reports_have_a_likelihood_of_zero():
    components = np.array([[[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]])
    proportions, likelihood = fit_mixture(components, np.array([[3.0, 1.0, 2.0]]))
    assert likelihood[0] == -math.inf
    assert proportions[0].sum() == pytest.approx(1)
    _, possible = fit_mixture(components, np.array([[3.0, 1.0, 0.0]]))
    assert possible[0] == pytest.approx(3 * math.log(3 / 4) + math.log(1 / 4), abs=1e-7)
