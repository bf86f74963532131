"""The fast search agrees with exhaustive search."""

import math
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from candor.binary import BinomialDesign
from candor.intervals import share_interval
from tests.candor.intervals import dense_scan

ORDERINGS = ("feldman-cousins", "pratt")
LEVELS = (0.5, 0.95, 0.999)

# a, b: ordinary designs, the direct question, one-sided ones, and hardly any signal.
CHANCES = [
    (0.75, 0.25),
    (11 / 12, 1 / 6),
    (1.0, 0.0),
    (1.0, 0.5),
    (0.4, 0.0),
    (0.52, 0.48),
    (0.5001, 0.5),
]

# Both sides work in floats: about 1e-12 in the chance, divided by a - b for the share.
CHANCE_ERROR = 1e-11


def distribution(n, a, b):
    return BinomialDesign(respondents=n, p_yes_given_yes=a, p_yes_given_no=b)


@cache
def exact_log_evidence(n, y, a, b):
    """Return ln of the integral of lam^y (1 - lam)^(n - y) over [b, a], as a fraction.

    The second factor is expanded, so that the integrand is a polynomial.
    """
    high, low = Fraction(a), Fraction(b)
    integral = sum(
        Fraction((-1) ** k * math.comb(n - y, k), y + k + 1)
        * (high ** (y + k + 1) - low ** (y + k + 1))
        for k in range(n - y + 1)
    )
    # Too small for a float: whole numbers have logarithms of any size.
    return math.log(integral.numerator) - math.log(integral.denominator)


def exact_weights(ordering, n, a, b):
    if ordering == "feldman-cousins":
        return dense_scan.log_weights(ordering, n, a=a, b=b)
    return np.array([exact_log_evidence(n, y, a, b) for y in range(n + 1)])


# Not n = 2: at level .5 its p touches alpha without crossing, and rounding decides.
@pytest.mark.parametrize(("a", "b"), CHANCES)
@pytest.mark.parametrize("n", [1, 3, 7, 40])
@pytest.mark.parametrize("ordering", ORDERINGS)
def test_intervals_agree_with_a_dense_scan(ordering, n, a, b):
    weights = exact_weights(ordering, n, a, b)
    # Every count of the small samples, a spread with both ends of the larger one.
    for level, x in product(LEVELS, range(0, n + 1, max(1, n // 8))):
        found = share_interval(
            x, distribution(n, a, b), confidence_level=level, method=ordering
        )
        expected = dense_scan.interval(x, weights, a=a, b=b, alpha=1 - level)
        assert found == pytest.approx(expected, abs=CHANCE_ERROR / (a - b)), (level, x)


@pytest.mark.parametrize(
    ("n", "x", "a", "b"),
    [
        (1000, 0, 0.75, 0.25),
        (1000, 430, 0.75, 0.25),
        (10_000, 2_300, 0.75, 0.25),
        (10_000, 2_560, 0.75, 0.25),
        (10_000, 5_000, 0.52, 0.48),
        (10_000, 17, 1.0, 0.0),
        (10_000, 9_999, 1.0, 0.0),
        (100_000, 31_234, 11 / 12, 1 / 6),
    ],
)
@pytest.mark.parametrize("level", [0.95, 0.999])
def test_intervals_of_large_samples_agree_with_a_dense_scan(n, x, a, b, level):
    weights = dense_scan.log_weights("feldman-cousins", n, a=a, b=b)
    found = share_interval(x, distribution(n, a, b), confidence_level=level)
    expected = dense_scan.interval(x, weights, a=a, b=b, alpha=1 - level)
    # Ties are differences of logarithms of the size of n.
    assert found == pytest.approx(expected, abs=1e-9)


def test_the_interval_of_an_impossibly_high_count_tolerates_rounding():
    # All of 10**9, where 50 to 50.001 % were to be expected. Logarithms of 7 * 10**8
    # locate the first tie to a quarter of that range; by Chernoff the interval ends
    # where (lam / a)**n = .025: ln(40) / 10**9 * a below a.
    n, a, b = 10**9, 0.50001, 0.5
    low, high = share_interval(n, distribution(n, a, b))
    assert high == 1
    assert low >= 1 - math.log(40) / n * a / (a - b)


designs = st.tuples(st.integers(0, 59), st.integers(1, 60)).filter(
    lambda pair: pair[0] < pair[1]
)


@settings(deadline=None, derandomize=True)
@given(
    n=st.integers(1, 10**7),
    part=st.fractions(0, 1),
    chances=designs,
    method=st.sampled_from([*ORDERINGS, "bayes"]),
)
def test_intervals_contain_the_estimate_mirror_and_nest(n, part, chances, method):
    b, a = (numerator / 60 for numerator in chances)
    x = round(n * part)
    design = distribution(n, a, b)
    share = min(max((x / n - b) / (a - b), 0), 1)
    low, high = share_interval(x, design, method=method)
    assert 0 <= low < high <= 1
    assert low <= share <= high

    wider = share_interval(x, design, confidence_level=0.99, method=method)
    assert wider.low <= low
    assert high <= wider.high

    mirrored = share_interval(n - x, distribution(n, 1 - b, 1 - a), method=method)
    # The chances 1 - a and 1 - b are rounded once more.
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)
