import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from candor.intervals import METHODS
from candor.mechanisms import Mechanism, build
from candor.sample import Sample
from tests.candor.tables import sample_of

COIN = build("coin")
CROSSWISE = build("crosswise", prevalence="1/4")

# Sums by enumeration are exact up to the rounding of some thousand additions.
ROUNDING = 1e-10


def test_a_raw_estimate_out_of_range_is_kept_next_to_the_adjusted_one():
    result = sample_of(COIN, 15, 85)
    assert result.raw_shares == {"yes": -0.2, "no": 1.2}
    assert result.shares == {"yes": 0.0, "no": 1.0}


def test_identical_reports_have_an_adjusted_share_of_1():
    result = sample_of(COIN, 20, 0)
    assert result.raw_shares == {"yes": 1.5, "no": -0.5}
    assert result.shares == {"yes": 1.0, "no": 0.0}
    # Warner's formula half a report below 1: sqrt(l (1 - l) / 20) / .5, l .7375.
    expected = math.sqrt(0.7375 * 0.2625 / 20) / 0.5
    assert result.standard_errors == pytest.approx({"yes": expected, "no": expected})
    assert result.is_identical("yes")
    low, high = result.interval("yes")
    assert 0 < low < high == 1


def test_without_reports_nothing_is_known():
    result = Sample.of(COIN, {})
    assert result.n == 0
    for numbers in (result.raw_shares, result.shares, result.standard_errors):
        assert set(numbers) == {"yes", "no"}
        assert all(math.isnan(number) for number in numbers.values())
    for method in METHODS:
        assert result.interval("yes", method=method) == (0, 1)
        assert result.interval("no", method=method) == (0, 1)
    assert result.design_fit == 1


def test_one_report_has_no_standard_error():
    result = sample_of(COIN, 1, 0)
    assert result.raw("yes") == 1.5
    assert math.isnan(result.standard_errors["yes"])
    low, high = result.interval("yes")
    assert 0 <= low < high <= 1


def test_a_missing_report_has_a_count_of_0():
    assert Sample.of(COIN, {"yes": 4}).counts == (4, 0)


@pytest.mark.parametrize(
    ("count", "share"),
    # P(X <= 15 | 1/4) and P(X >= 85 | 3/4), n = 100, summed in whole numbers below.
    [(15, 0), (85, 1)],
)
def test_design_fit_is_twice_the_smaller_tail(count, share):
    chance = Fraction(1, 4) if share == 0 else Fraction(3, 4)
    tail = range(count + 1) if share == 0 else range(count, 101)
    expected = sum(
        math.comb(100, k) * chance**k * (1 - chance) ** (100 - k) for k in tail
    )
    result = sample_of(COIN, count, 100 - count)
    assert result.design_fit == pytest.approx(2 * float(expected), rel=ROUNDING)
    assert sample_of(CROSSWISE, 100 - count, count).design_fit == result.design_fit


def test_it_rejects_a_table_with_more_reports_than_answers():
    wide = Mechanism(
        family="forced",
        parameters={},
        answers=("a", "b"),
        reports=("a", "b", "c"),
        weights=((2, 1, 1), (1, 2, 1)),
    )
    with pytest.raises(ValueError, match="got 2 answers and 3 reports"):
        Sample.of(wide, {"a": 1})


@settings(deadline=None, derandomize=True)
@given(
    numerators=st.tuples(st.integers(0, 60), st.integers(0, 60)).filter(
        lambda pair: pair[0] != pair[1]
    ),
    counts=st.tuples(st.integers(0, 10**9), st.integers(0, 10**9)).filter(any),
)
def test_the_shares_have_maximum_likelihood_for_any_table(numerators, counts):
    a, b = (Fraction(numerator, 60) for numerator in numerators)
    (on_yes, on_no), (first, second) = (a, b), counts
    mechanism = Mechanism(
        family="custom",
        parameters={},
        answers=("yes", "no"),
        reports=("r", "s"),
        weights=(
            (numerators[0], 60 - numerators[0]),
            (numerators[1], 60 - numerators[1]),
        ),
    )
    result = sample_of(mechanism, first, second)
    # The likelihood peaks where the expected rate of reports is the observed one, or
    # as near to it as a share in [0, 1] can bring it.
    observed = Fraction(first, first + second)
    nearest = min(max(observed, min(on_yes, on_no)), max(on_yes, on_no))
    share = result.shares["yes"]
    assert on_no + (on_yes - on_no) * Fraction(share) == pytest.approx(
        nearest, abs=ROUNDING
    )
    assert result.shares["no"] == pytest.approx(1 - share)
    assert result.raw("yes") + result.raw("no") == pytest.approx(1)
    assert 0 <= share <= 1
