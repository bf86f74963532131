"""Points of the margin plot, and one answer against the rest."""

import math

import pytest

from candor.mechanisms import build
from candor.planning import margins as curves
from candor.planning.assumptions import assume
from candor.planning.margins import round_up
from tests.candor.planning.planned import plan_json_of


def make_margin_curve(mechanism, *, share, respondents, margin):
    assumed = assume(mechanism, share=share)
    return curves.make_margin_curve(assumed, respondents=respondents, margin=margin)


@pytest.mark.parametrize(
    ("number", "rounded"),
    [(1, 1), (1.01, 2), (2, 2), (2.4, 2.5), (3, 5), (5.1, 10), (1300, 2000), (10, 10)],
)
def test_axes_end_at_round_numbers(number, rounded):
    assert round_up(number) == rounded
    assert round_up(number / 1000) == pytest.approx(rounded / 1000, rel=1e-15)


def test_margins_fall_with_the_root_of_the_number():
    curve = make_margin_curve(build("coin"), share=0.5, respondents=1600, margin=0.05)
    # Warner 1965: 1.96 sqrt(1/2 1/2 / 1600) / (1/2) = 0.049; half of it directly.
    assert curve.planned.margin == pytest.approx(0.049, abs=1e-5)
    assert curve.planned.direct_margin == pytest.approx(0.0245, abs=1e-5)
    assert curve.needed == 1537
    numbers = [point.respondents for point in curve.points]
    assert numbers == sorted(set(numbers))
    assert {1600, 1537, curve.most_respondents} <= set(numbers)
    for point in curve.points:
        scaled = curve.planned.margin * math.sqrt(1600 / point.respondents)
        assert point.margin == pytest.approx(scaled)
        assert point.margin == pytest.approx(2 * point.direct_margin)


def test_a_needed_number_out_of_reach_stays_off_the_plot():
    curve = make_margin_curve(
        build("epsilon", epsilon="0.1"), share=0.5, respondents=1000, margin=0.03
    )
    assert curve.needed > curve.most_respondents == 2000
    assert curve.points[-1].respondents == curve.needed
    assert curve.largest_margin <= 1


def test_the_command_plans_each_of_several_answers():
    found = plan_json_of(
        "k_ary",
        {"epsilon": 1, "choices": 5},
        share=0.3,
        respondents=1000,
        margin=0.05,
        against=0.2,
    )
    # Var = lam (1 - lam) / (n (p - q)^2), lam = q + (p - q) f (Wang et al. 2017), with
    # E = e, p = E/(E + 4), q = 1/(E + 4): lam = 0.2256, p - q = 0.2558.
    p, q = math.e / (math.e + 4), 1 / (math.e + 4)
    lam = q + (p - q) * 0.3
    margin = 1.959964 * math.sqrt(lam * (1 - lam) / 1000) / (p - q)
    assert found["precision"]["margin"] == pytest.approx(margin, rel=1e-4)
    assert found["size"]["respondents"] == math.ceil(1000 * (margin / 0.05) ** 2)
    # Bayes for a suspicion of 1/10: 0.1 p / (0.1 p + 0.9 q) = E / (E + 9).
    (report,) = found["reading"]["reports"]
    assert report["posterior"] == pytest.approx(math.e / (math.e + 9), rel=1e-5)
    assert found["reading"]["lowest"] == pytest.approx(1 / (1 + 9 * math.e), rel=1e-5)
    # Cheu, Smith & Ullman 2021: 1 + (k - 1)/(E - 1)
    assert found["forged_weight"] == pytest.approx(1 + 4 / (math.e - 1), rel=1e-5)
    for part in ("pile", "questions", "smallest_epsilon"):
        assert found[part] is None
    assert found["answers"] == ["1", "2", "3", "4", "5"]
