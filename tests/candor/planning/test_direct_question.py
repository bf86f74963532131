import pytest
from scipy.stats import binomtest

from candor.planning.privacy import compute_direct_half_width, direct_respondents


@pytest.mark.parametrize(("yes", "n"), [(0, 50), (5, 50), (23, 230), (500, 1000)])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_the_width_matches_the_wilson_interval_of_scipy(yes, n, level):
    found = compute_direct_half_width(
        respondents=n, share=yes / n, confidence_level=level
    )
    other = binomtest(yes, n).proportion_ci(level, method="wilson")
    assert found == pytest.approx((other.high - other.low) / 2, rel=1e-9)


@pytest.mark.parametrize("share", [0, 0.01, 0.3, 0.5, 1])
@pytest.mark.parametrize("n", [1, 7, 100, 12_345])
def test_the_needed_respondents_invert_the_half_width(share, n):
    width = compute_direct_half_width(respondents=n, share=share)
    # Rounding may add one to the original n, never subtract.
    assert direct_respondents(half_width=width * (1 + 1e-9), share=share) == n
    assert direct_respondents(half_width=width * (1 - 1e-9), share=share) == n + 1


def test_an_uninformative_interval_needs_no_respondents():
    assert direct_respondents(half_width=0.5, share=0) == 1
