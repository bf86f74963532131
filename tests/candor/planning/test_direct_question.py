import pytest
from scipy.stats import binomtest

from candor.planning.privacy import direct_half_width, direct_respondents
from estimation.presentation.what_if import direct_line, forged_line
from surveys.numbers import format_points
from tests.estimation.results_of import panel_of, result_of


@pytest.mark.parametrize(("yes", "n"), [(0, 50), (5, 50), (23, 230), (500, 1000)])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_the_width_is_that_of_scipys_wilson_interval(yes, n, level):
    found = direct_half_width(respondents=n, share=yes / n, confidence_level=level)
    other = binomtest(yes, n).proportion_ci(level, method="wilson")
    assert found == pytest.approx((other.high - other.low) / 2, rel=1e-9)


@pytest.mark.parametrize("share", [0, 0.01, 0.3, 0.5, 1])
@pytest.mark.parametrize("n", [1, 7, 100, 12_345])
def test_as_many_answers_are_needed_as_gave_the_width(share, n):
    width = direct_half_width(respondents=n, share=share)
    # Rounding may ask for one more than the n that it came from, never for less.
    assert direct_respondents(half_width=width * (1 + 1e-9), share=share) == n
    assert direct_respondents(half_width=width * (1 - 1e-9), share=share) == n + 1


def test_an_uninformative_interval_needs_no_respondents():
    assert direct_respondents(half_width=0.5, share=0) == 1


@pytest.mark.parametrize(
    ("difference", "text"),
    [(0.015, "1.5"), (0.5, "50"), (1, "100"), (0.0001234, "0.012"), (0, "0")],
)
def test_points_have_two_digits_that_count(difference, text):
    assert format_points(difference, digits=2) == text


def test_the_line_compares_with_a_direct_question():
    # Feldman-Cousins of 400 yes of 1,000 (two coins): .23966 to .36182, half .06108.
    # Wilson for a direct share of .3: 213 answers give .0611 and 1,000 give .0284
    # (binomtest(64, 213) and (300, 1000) of scipy 1.17).
    line = direct_line(result_of(400, 600))
    assert "One as wide as this (12 points)" in line
    assert "1,000 honest answers would give an interval of 5.7 points" in line
    needed = int(line.removesuffix(".").split()[-1])
    assert needed == pytest.approx(213, abs=2)


def test_a_direct_question_is_not_compared_with_itself():
    assert direct_line(result_of(30, 70, family="direct")) == ""
    assert direct_line(result_of(0, 0)) == ""


def test_the_line_about_forgers_states_what_one_of_them_can_do():
    # 1.50 m/n for two coins (Cheu, Smith & Ullman 2021)
    assert "can shift a share by up to 0.15 points" in forged_line(result_of(400, 600))
    # 150 points are more than a share can move; but of one report, nothing is left.
    assert "can shift the result anywhere." in forged_line(
        result_of(50, 50, family="epsilon", epsilon="0.01")
    )
    assert forged_line(result_of(1, 0)) == ""


def test_one_point_keeps_its_decimal():
    at_one = panel_of(60, 90)  # 1.5 of 150
    assert "up to 1.0 points" in at_one.forged_line
    assert "up to 2 points" in panel_of(30, 45).forged_line
