"""Odds in plain numbers: they add up and never overstate protection."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from candor.mechanisms import load_families
from candor.mechanisms.odds import (
    Exposure,
    apportion,
    classify_exposure,
    find_largest_shift,
    find_most_revealing_report,
    round_up_times,
    tabulate_odds,
)
from tests.surveys.tables import build_example, two_by_two_tables


@pytest.mark.parametrize("name", load_families())
def test_the_displayed_odds_of_every_family_add_up_to_100(name):
    mechanism = build_example(name)
    odds = tabulate_odds(mechanism.weights)
    assert [sum(row) for row in odds.counts] == [odds.base] * len(mechanism.answers)
    assert odds.base == 100


@given(two_by_two_tables())
def test_displayed_odds_match_the_drawn_probabilities(weights):
    odds = tabulate_odds(weights)
    for row, shown in zip(weights, odds.counts, strict=True):
        assert sum(shown) == odds.base
        for weight, count in zip(row, shown, strict=True):
            assert abs(Fraction(weight, sum(row)) * odds.base - count) < 1
            assert (weight == 0) == (count == 0)
            assert (weight == sum(row)) == (count == odds.base)
    assert odds.counts[0] != odds.counts[1]


def test_apportionment_matches_the_published_example():
    # The five populations of Balinski & Young 2001, "Fair Representation": with 1,000
    # people to a seat the remainders .061 .179 .259 .319 .182 show who is rounded up.
    assert apportion([9061, 7179, 5259, 3319, 1182], 26) == (9, 7, 5, 4, 1)


def test_a_symmetric_table_looks_symmetric():
    assert tabulate_odds([[151, 49], [49, 151]]).counts == ((76, 24), (24, 76))


@pytest.mark.parametrize(
    ("weights", "base"),
    [
        ([[3, 1], [1, 3]], 100),
        ([[999, 1], [1, 999]], 1000),
        ([[501, 499], [499, 501]], 1000),
        ([[22025, 1], [1, 22025]], 100_000),
        ([[1, 0], [0, 1]], 100),
    ],
)
def test_the_base_grows_where_100_people_would_mislead(weights, base):
    assert tabulate_odds(weights).base == base


@pytest.mark.parametrize(
    ("weights", "exposure"),
    [
        ([[2, 1], [1, 2]], Exposure.WEAK_HINT),
        ([[3, 1], [1, 3]], Exposure.HINT),
        ([[4, 1], [1, 4]], Exposure.HINT),
        ([[5, 1], [1, 5]], Exposure.STRONG_HINT),
        ([[4, 6], [1, 9]], Exposure.HINT),
        # From 10 to 1 on, no report of any table is only a hint.
        ([[9999, 1000], [1000, 9999]], Exposure.STRONG_HINT),
        ([[10, 1], [1, 10]], Exposure.NEARLY_SHOWN),
        ([[9999, 100], [100, 9999]], Exposure.NEARLY_SHOWN),
        ([[100, 1], [1, 100]], Exposure.RARE_EXCEPTIONS),
        # 200 to 1, but of 100 Yes 98 arrive as No; and 12 to 1 in many answers.
        ([[200, 9800], [1, 9999]], Exposure.NEAR_PROOF),
        ([[12 if a == b else 1 for b in range(9)] for a in range(9)],
         Exposure.NEAR_PROOF),
        ([[2, 0], [1, 1]], Exposure.SOMETIMES_SHOWN),
        ([[11, 0], [1, 10]], Exposure.NEARLY_SHOWN),
        # The third report favours no answer, hence 1 in 2.
        ([[30, 0, 30], [0, 30, 30]], Exposure.SOMETIMES_SHOWN),
        ([[1, 0], [0, 1]], Exposure.SHOWN),
    ],
)  # fmt: skip
def test_the_exposure_level_follows_from_the_table(weights, exposure):
    assert classify_exposure(weights) is exposure


@given(st.fractions(min_value=1, max_value=10**6))
def test_displayed_odds_ratios_are_rounded_up(ratio):
    shown = round_up_times(ratio)
    assert ratio <= Fraction(shown) < ratio + 1


@pytest.mark.parametrize(
    ("ratio", "shown"),
    [("3", "3"), ("2.71", "2.8"), ("9.95", "10"), ("22026", "22026")],
)
def test_odds_ratios_have_two_significant_digits_below_10(ratio, shown):
    assert f"{round_up_times(Fraction(ratio)).normalize():f}" == shown


def test_the_largest_shift_is_the_ratio_within_a_column():
    # Yes: 4 of 10 against 1 of 10. No: 9 of 10 against 6 of 10.
    lopsided = [[4, 6], [1, 9]]
    assert [find_largest_shift(answer, lopsided) for answer in (0, 1)] == [
        4, Fraction(3, 2)
    ]  # fmt: skip
    assert [find_most_revealing_report(answer, lopsided) for answer in (0, 1)] == [0, 1]
    crosswise = build_example("crosswise").weights
    assert [find_most_revealing_report(answer, crosswise) for answer in (0, 1)] == [
        1,
        0,
    ]
