import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import beta

from candor.binary import BinomialDesign
from candor.intervals import METHODS, share_interval


def distribution(n, a, b):
    return BinomialDesign(respondents=n, p_yes_given_yes=a, p_yes_given_no=b)


# Reference values of the study behind `statistics.md`: n, x, a, b, low, high.
REFERENCE = [
    (30, 12, 3 / 4, 1 / 4, 0, 0.67410),
    (100, 40, 3 / 4, 1 / 4, 0.11416, 0.50000),
    (100, 20, 3 / 4, 1 / 4, 0, 0.09921),
    (100, 15, 3 / 4, 1 / 4, 0, 0.04782),
    (1000, 400, 3 / 4, 1 / 4, 0.23966, 0.36182),
    (100, 30, 2 / 3, 1 / 3, 0, 0.20488),
    (300, 80, 5 / 6, 1 / 6, 0.07739, 0.22881),
    (200, 50, 11 / 12, 1 / 6, 0.03835, 0.19614),
]
HALF_A_DIGIT = 0.5e-5 + 1e-9


DOCS = Path(__file__).parents[3] / "docs" / "reference" / "statistics.md"


def test_the_docs_give_the_reference_values():
    text = DOCS.read_text(encoding="utf-8")
    section = text.partition("### Reference values")[2].partition("###")[0]
    cells = [
        [Fraction(cell.strip()) for cell in line.strip("|").split("|")]
        for line in section.splitlines()
        if line.startswith("|") and line[2].isdigit()
    ]
    assert [[float(cell) for cell in row] for row in cells] == [
        list(row) for row in REFERENCE
    ]


def test_the_docs_explain_every_method():
    text = DOCS.read_text(encoding="utf-8")
    assert [name for name in METHODS if f"| `{name}` |" not in text] == []


@pytest.mark.parametrize(("n", "x", "a", "b", "low", "high"), REFERENCE)
def test_the_default_gives_the_reference_values(n, x, a, b, low, high):
    found = share_interval(x, distribution(n, a, b))
    assert found == pytest.approx((low, high), abs=HALF_A_DIGIT)


@pytest.mark.parametrize("n", [1, 10, 1000, 10**6])
@pytest.mark.parametrize(("a", "b"), [(1, 0), (3 / 4, 1 / 4), (0.51, 0.49), (1, 0.9)])
def test_the_bayesian_interval_for_zero_yes_has_the_closed_form(n, a, b):
    # With x = 0 the density of lam is proportional to (1 - lam)^n on [b, a], so the
    # interval is [b, h] with (1 - h)^(n+1) = (1 - b)^(n+1) [1 - .95 (1 - rest)].
    rest = ((1 - a) / (1 - b)) ** (n + 1)
    high = 1 - (1 - b) * math.exp(math.log1p(-0.95 * (1 - rest)) / (n + 1))
    found = share_interval(0, distribution(n, a, b), method="bayes")
    assert found.low == 0
    assert found.high == pytest.approx((high - b) / (a - b), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("x", [1, 30, 45, 60, 89])
def test_the_bayesian_interval_is_the_highest_density_interval(x):
    n, a, b = 100, 3 / 4, 1 / 4
    low, high = share_interval(x, distribution(n, a, b), method="bayes")
    posterior = beta(x + 1, n - x + 1)
    ends = np.array([b + (a - b) * low, b + (a - b) * high])
    inside = posterior.cdf(ends[1]) - posterior.cdf(ends[0])
    assert inside == pytest.approx(0.95 * (posterior.cdf(a) - posterior.cdf(b)))
    at_ends = posterior.logpdf(ends)
    if low > 0 and high < 1:
        assert at_ends[0] == pytest.approx(at_ends[1])
    elif low == 0:
        assert at_ends[0] >= at_ends[1]
    else:
        assert at_ends[1] >= at_ends[0]


@pytest.mark.parametrize("level", [math.nextafter(1, 0), 1e-300])
@pytest.mark.parametrize("x", [0, 40, 100])
@pytest.mark.parametrize("method", METHODS)
def test_extreme_confidence_levels_give_valid_intervals(method, x, level):
    coin = distribution(100, 3 / 4, 1 / 4)
    low, high = share_interval(x, coin, confidence_level=level, method=method)
    assert 0 <= low <= high <= 1
    usual = share_interval(x, coin, method=method)
    if level > 0.95:
        assert low <= usual.low
        assert usual.high <= high
    else:
        assert usual.low <= low
        assert high <= usual.high


@pytest.mark.parametrize("method", METHODS)
def test_the_interval_without_respondents_is_0_to_1(method):
    assert share_interval(0, distribution(0, 3 / 4, 1 / 4), method=method) == (0, 1)


@pytest.mark.parametrize("yes", [-1, 11])
def test_it_rejects_more_yes_than_respondents(yes):
    with pytest.raises(ValueError, match=rf"yes must be in \[0, 10\]; got {yes}"):
        share_interval(yes, distribution(10, 1, 0))


@pytest.mark.parametrize(
    ("a", "b"), [(0.25, 0.75), (0.5, 0.5), (1.1, 0), (1, -0.1), (math.nan, 0)]
)
def test_it_rejects_chances_out_of_order(a, b):
    with pytest.raises(ValueError, match="0 <= p_yes_given_no < p_yes_given_yes <= 1"):
        distribution(10, a, b)
