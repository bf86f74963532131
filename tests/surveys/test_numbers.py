"""Numbers as people read them: by one rule each, and never too precise."""

import math
from decimal import ROUND_CEILING

import numpy as np
import pytest

from surveys.numbers import (
    AS_TYPED,
    NOISE,
    format_distinct_percent,
    format_margin,
    format_points,
    format_rounded_up,
)


@pytest.mark.parametrize(
    ("difference", "options", "text"),
    [
        # One decimal, and two below one point.
        (0.0621, {}, "6.2"),
        (0.01, {}, "1.0"),
        (0.00999, {}, "1.00"),
        (0.0012, {}, "0.12"),
        (0.0012, {"decimals": 1}, "0.1"),
        (0.05676, {"decimals": 2}, "5.68"),
        # 0.015 is a little less than its decimal, and 0.07 * 100 a little more.
        (0.015, {"digits": 2, "rounding": ROUND_CEILING}, "1.5"),
        (0.07, {"decimals": 0, "rounding": ROUND_CEILING}, "7"),
        (0.0151, {"digits": 2, "rounding": ROUND_CEILING}, "1.6"),
        (0.0015 - NOISE, {"decimals": 2, "rounding": ROUND_CEILING}, "0.15"),
        # As it was typed, with no more digits.
        (0.025, {"digits": AS_TYPED}, "2.5"),
        (3 * 0.05, {"digits": AS_TYPED}, "15"),
        (0.5, {"digits": AS_TYPED}, "50"),
        (np.float64(0.0621), {}, "6.2"),
    ],
)
def test_a_difference_of_shares_is_in_points(difference, options, text):
    assert format_points(difference, **options) == text


def test_a_margin_does_not_wrap():
    assert format_margin(0.0621) == "±\N{NO-BREAK SPACE}6.2\N{NO-BREAK SPACE}points"
    assert format_margin(0.05, trimmed=True).split() == ["±", "5", "points"]


@pytest.mark.parametrize(
    ("number", "decimals", "text"),
    [(0.681, 2, "0.69"), (0.68, 2, "0.68"), (0.1421, 3, "0.143"), (math.inf, 2, "∞")],
)
def test_an_epsilon_is_never_rounded_down(number, decimals, text):
    assert format_rounded_up(number, decimals) == text


@pytest.mark.parametrize(
    ("share", "decimals", "text"),
    [
        (0.2345, 1, "23.4 %"),
        (-0.000045402, 2, "\u2066\N{MINUS SIGN}0.005 %\u2069"),
        (0.999954602, 2, "99.995 %"),
        (0.999954602, 0, "99.995 %"),
        (-0.5, 2, "\u2066\N{MINUS SIGN}50.00 %\u2069"),
        (0.0, 2, "0.00 %"),
        (1.0, 2, "100.00 %"),
        # What floating point adds is no difference.
        (-1e-16, 2, "0.00 %"),
    ],
)
def test_shares_near_0_or_1_are_not_shown_as_0_or_1(share, decimals, text):
    shown = format_distinct_percent(share, decimals).replace("\N{NO-BREAK SPACE}", " ")
    assert shown.strip("\u2066\u2069") == text.strip("\u2066\u2069")
