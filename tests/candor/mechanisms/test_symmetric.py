"""Rounded tables are close to the given numbers and never less private."""

import math
from decimal import ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from candor.mechanisms import ParameterError, build
from candor.mechanisms.parameters import exact
from tests.reference import exp_bounds

fixed = settings(derandomize=True, deadline=None, max_examples=60, database=None)

STEP = Fraction(1, 2**32)
LARGEST_ODDS = exp_bounds(Fraction(10))[0]

chances = st.one_of(
    st.fractions(Fraction(1, 10**4), Fraction(9999, 10**4)),
    st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=10**30),
    st.floats(1e-4, 0.9999),
)

# Parameters of each family for two numbers, and the resulting chances P(first report |
# yes) and P(first report | no), by the formulas of 2-statistics.
FAMILIES = {
    "warner": lambda x, y: ({"p": x}, exact(x), 1 - exact(x)),
    "crosswise": lambda x, y: ({"prevalence": x}, exact(x), 1 - exact(x)),
    "custom": lambda x, y: (
        {"p_yes_given_yes": x, "p_yes_given_no": y},
        exact(x),
        exact(y),
    ),
    "kuk": lambda x, y: (
        {"p_red_given_yes": x, "p_red_given_no": y},
        exact(x),
        exact(y),
    ),
    "forced_response": lambda x, y: (
        {"forced_yes": x, "forced_no": y},
        1 - exact(y),
        exact(x),
    ),
    "unrelated_question": lambda x, y: (
        {"p_sensitive": x, "prevalence": y},
        exact(x) + (1 - exact(x)) * exact(y),
        (1 - exact(x)) * exact(y),
    ),
}


def odds_of(a, b):
    """e**epsilon of two chances, by the definition: both reports, both directions."""
    return max(a / b, b / a, (1 - a) / (1 - b), (1 - b) / (1 - a))


@pytest.mark.parametrize("family", FAMILIES)
@fixed
@given(x=chances, y=chances)
@example(x=0.7390851332151607, y=0.1234567890123456)
@example(x=Fraction(300000000016, 10**12), y=Fraction(300000000015, 10**12))
@example(x=Fraction(1, 2) + Fraction(1, 10**13), y=Fraction(1, 2))
def test_the_real_epsilon_does_not_exceed_the_requested_one(family, x, y):
    parameters, a, b = FAMILIES[family](x, y)
    assume(family != "forced_response" or exact(x) + exact(y) < 1)
    try:
        mechanism = build(family, **parameters)
    except ParameterError:
        # Refused only if the rounded answers are equal or certain.
        assert abs(a - b) < 2 * STEP or odds_of(a, b) > LARGEST_ODDS
        return
    first = mechanism.reports[0]
    real_a = mechanism.probability(first, given="yes")
    real_b = mechanism.probability(first, given="no")
    assert mechanism.worst_ratio <= odds_of(a, b)
    assert abs(real_a - a) < STEP
    assert abs(real_b - b) < STEP
    assert (real_a > real_b) == (a > b)
    if math.lcm(a.denominator, b.denominator) <= 2**32:
        assert (real_a, real_b) == (a, b)


@pytest.mark.parametrize("digits", [30, 48, 49, 50, 51, 60, 200])
def test_an_epsilon_just_below_a_table_gets_the_next_lower_table(digits):
    """ln((2**20 + k) / 2**20), cut after some digits, gets the table of k - 1."""
    # Odds just below 10 are the hardest: their last digit weighs least.
    near_ten = range(9_400_000, 9_400_020)
    for k in (2, 3, 1048575, 2850325 - 2**20, *near_ten):
        with localcontext(prec=digits + 50):
            wanted = (Decimal(2**20 + k) / 2**20).ln()
        with localcontext(prec=digits, rounding=ROUND_FLOOR):
            cut = +wanted
        mechanism = build("epsilon", epsilon=Fraction(cut))
        assert mechanism.weights[0][0] == 2**20 + k - 1


def test_an_epsilon_too_small_for_the_table_is_rejected():
    for epsilon in ("1/2000000", "1e-20", "1e-60", "1e-300"):
        with pytest.raises(ParameterError, match="epsilon must be chosen so that"):
            build("epsilon", epsilon=epsilon)
