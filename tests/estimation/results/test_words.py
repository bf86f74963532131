import math
from decimal import ROUND_CEILING, ROUND_FLOOR

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surveys.numbers import (
    choose_decimals,
    format_limits,
    format_percent,
    format_standard_error,
)

SPACE = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0.2345, "23.45"),
        (0.0, "0.00"),
        (1.0, "100.00"),
        (-0.125, "\N{MINUS SIGN}12.50"),
        (-0.000001, "0.00"),
        (1.3056, "130.56"),
    ],
)
def test_a_share_is_shown_in_percent(share, shown):
    assert format_percent(share) == f"{shown}{SPACE}%"


def test_an_undefined_number_is_shown_as_a_dash():
    assert format_percent(math.nan) == "\N{EN DASH}"


def test_a_share_can_be_rounded_down_and_up():
    assert format_percent(0.2349, 0, rounding=ROUND_FLOOR) == f"23{SPACE}%"
    assert format_percent(0.2301, 0, rounding=ROUND_CEILING) == f"24{SPACE}%"


def test_zeros_at_the_end_can_be_left_out():
    assert format_percent(0.75, trimmed=True) == f"75{SPACE}%"
    assert format_percent(5 / 6, trimmed=True) == f"83.33{SPACE}%"
    assert format_percent(1.0, trimmed=True) == f"100{SPACE}%"


@pytest.mark.parametrize(
    ("low", "high", "decimals"),
    [(0.13, 0.33, 0), (0.2, 0.3, 0), (0.2, 0.2999, 1), (0.2, 0.205, 2), (0.2, 0.2, 2)],
)
def test_narrow_intervals_get_decimals(low, high, decimals):
    assert choose_decimals(low, high) == decimals


@settings(deadline=None)
@given(st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted))
def test_displayed_limits_contain_the_interval(ends):
    low, high = ends
    shown = [
        float(text.removesuffix(f"{SPACE}%")) / 100 for text in format_limits(low, high)
    ]
    # Less than the rounding error of floats: see wording.NOISE.
    assert 0 <= shown[0] <= low + 1e-10
    assert high - 1e-10 <= shown[1] <= 1


def test_floating_point_errors_do_not_change_round_limits():
    # 40 of 100 with a coin have the interval [.11416, .50000]: statistics.md.
    assert format_limits(0.11416486941981296, 0.5000000000000242) == (
        f"11{SPACE}%",
        f"50{SPACE}%",
    )


@pytest.mark.parametrize(
    ("error", "shown"),
    [(0.0307, "3.07"), (0.000007, "0.001"), (0.0000004, "0.00004"), (0.0, "0.00")],
)
def test_a_standard_error_is_never_shown_as_zero(error, shown):
    assert format_standard_error(error) == f"{shown}{SPACE}%"
