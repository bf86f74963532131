"""The figures of docs/background/comparison.md follow from its formulas."""

import numpy as np
import pytest
from scipy.stats import binom

from benchmarks.comparison import DIRECT, STRENGTHS, TABLES, break_even
from tests.docs.documents import DOCS, text_of

PAGE = text_of(DOCS / "background" / "comparison.md").splitlines()


@pytest.mark.parametrize("title", TABLES)
def test_the_page_has_every_row(title):
    rows = [*TABLES[title]()]
    begin = PAGE.index(rows[0])
    assert PAGE[begin : begin + len(rows)] == rows


def error_over_all_counts(mechanism, share, admitted, n):
    """Return the mean squared error by enumerating the number of Yes reports."""
    (p_yes_given_yes, _), (p_yes_given_no, _) = (
        [weight / mechanism.total for weight in row] for row in mechanism.weights
    )
    counts = np.arange(n + 1)
    chance = admitted * p_yes_given_yes + (1 - admitted) * p_yes_given_no
    estimates = (counts / n - p_yes_given_no) / (p_yes_given_yes - p_yes_given_no)
    return float(binom.pmf(counts, n, chance) @ (estimates - share) ** 2)


@pytest.mark.parametrize("still_denied", [0, 0.5])
@pytest.mark.parametrize(("share", "n"), [(0.05, 5000), (0.2, 200)])
def test_both_errors_are_equal_at_break_even(share, n, still_denied):
    coin = STRENGTHS["Coin flip"]
    denied = break_even(coin, share=share, respondents=n, still_denied=still_denied)
    direct = error_over_all_counts(DIRECT, share, share * (1 - denied), n)
    admitted = share * (1 - still_denied * denied)
    assert error_over_all_counts(coin, share, admitted, n) == pytest.approx(direct)


def test_noise_can_cost_more_than_any_underreporting():
    strong = STRENGTHS["Strong"]
    assert break_even(strong, share=0.05, respondents=200) is None
    # 10 points squared of bias at most, 6.26 squared of variance.
    direct = error_over_all_counts(DIRECT, 0.05, 0, 200)
    assert error_over_all_counts(strong, 0.05, 0.05, 200) > direct
