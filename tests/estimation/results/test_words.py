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
from tests.estimation.results_of import panel_of

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


def test_what_is_not_defined_is_a_dash():
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
def test_the_text_never_claims_more_than_the_interval(ends):
    low, high = ends
    shown = [
        float(text.removesuffix(f"{SPACE}%")) / 100 for text in format_limits(low, high)
    ]
    # Less than what floating point adds to a round number: see wording.NOISE.
    assert 0 <= shown[0] <= low + 1e-10
    assert high - 1e-10 <= shown[1] <= 1


def test_floating_point_moves_no_round_limit():
    # 40 of 100 with a coin have the interval [.11416, .50000]: statistics.md.
    assert format_limits(0.11416486941981296, 0.5000000000000242) == (
        f"11{SPACE}%",
        f"50{SPACE}%",
    )


def test_the_sentence_names_interval_estimate_and_the_questions_own_choice():
    assert panel_of(40, 60).sentence.replace(SPACE, " ") == (
        "30 % answered Yes, between 11 % and 50 %"
    )


def test_the_ends_of_the_scale_have_no_decimals():
    sentence = panel_of(240, 760).sentence.replace(SPACE, " ")
    assert sentence.startswith("0 % answered Yes, between 0 % and ")


def test_without_responses_there_is_no_number():
    assert panel_of(0, 0).sentence == "No responses yet"


def test_a_bayesian_interval_is_not_called_a_confidence_interval():
    assert panel_of(40, 60).interval_name == f"95{SPACE}% confidence interval"
    bayesian = panel_of(40, 60, method="bayes", level=0.9)
    assert bayesian.interval_name == f"90{SPACE}% credible interval"


def test_the_mechanism_line_has_the_realised_chances_and_epsilon_rounded_up():
    line = panel_of(
        1, 1, family="forced_response", forced_yes="1/6", forced_no="1/6"
    ).mechanism_line
    # 5/6, 1/6 and ln 5 = 1.6094
    assert line.replace(SPACE, " ") == (
        "Forced response: 83.33 % of “Yes” answers and 16.67 % of “No” answers arrive "
        "as “Yes”. Epsilon is at most 1.61."
    )


def test_reports_that_are_no_answers_have_their_own_names():
    line = panel_of(1, 1, family="crosswise", prevalence="1/4").mechanism_line
    assert line.replace(SPACE, " ").startswith(
        "Crosswise: 25 % of “Yes” answers and 75 % of “No” answers arrive as “Same”."
    )


def test_a_direct_question_is_asked_directly():
    line = panel_of(1, 1, family="direct").mechanism_line
    assert line == "Asked directly. Epsilon has no bound."


def test_the_alternative_text_holds_the_numbers_of_the_sentence():
    result = panel_of(40, 60)
    for number in ("11", "50", "30", "95"):
        assert f" {number}{SPACE}%" in result.alternative_text
    assert "Raw" not in result.alternative_text


def test_the_alternative_text_names_a_raw_estimate_that_differs():
    # (0.10 - 0.25) / 0.5 = -0.30
    assert f"Raw estimate: \u221230.0{SPACE}%" in panel_of(10, 90).alternative_text


@pytest.mark.parametrize(
    ("error", "shown"),
    [(0.0307, "3.07"), (0.000007, "0.001"), (0.0000004, "0.00004"), (0.0, "0.00")],
)
def test_a_standard_error_is_never_told_as_none(error, shown):
    assert format_standard_error(error) == f"{shown}{SPACE}%"
