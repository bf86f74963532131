"""The likeliest shares on the simplex: against printed numbers and optimality."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from estimation.maths.scores import (
    expectation_maximisation,
    inverse,
    likeliest,
    norm_sub,
    scores,
    water_filling,
)
from surveys.mechanisms import build

fixed = settings(deadline=None, derandomize=True, max_examples=100)

# docs/statistics.md: five answers at epsilon 1, worked out with the real number e.
FIVE = build("k_ary", epsilon=1, choices=5).weights
COUNTS = (150, 95, 60, 55, 40)
RAW = [0.88423, 0.34662, 0.00451, -0.04437, -0.19099]
LIKELIEST = [0.74289, 0.25711, 0, 0, 0]
NORM_SUB = [0.7688, 0.2312, 0, 0, 0]

# Two coins for each of two questions, taken as one question with four answers.
COIN = ((3, 1), (1, 3))
TWO_COINS = tuple(
    tuple(COIN[i // 2][j // 2] * COIN[i % 2][j % 2] for j in range(4)) for i in range(4)
)


def raw_of(weights, counts):
    numerators, denominator = scores(weights)
    return [float(each) for each in counts @ numerators / (sum(counts) * denominator)]


def test_several_answers_have_the_printed_shares():
    assert raw_of(FIVE, COUNTS) == pytest.approx(RAW, abs=5e-6)
    assert likeliest(FIVE, COUNTS) == pytest.approx(LIKELIEST, abs=5e-6)
    assert norm_sub(raw_of(FIVE, COUNTS)) == pytest.approx(NORM_SUB, abs=5e-5)


def test_two_questions_at_once_have_the_printed_shares():
    assert raw_of(TWO_COINS, (310, 190, 170, 130)) == pytest.approx(
        [0.575, 0.175, 0.125, 0.125], abs=1e-12
    )
    edge = (400, 120, 230, 50)
    assert raw_of(TWO_COINS, edge) == pytest.approx(
        [0.8125, -0.0125, 0.2625, -0.0625], abs=1e-12
    )
    found = likeliest(TWO_COINS, edge)
    assert found == pytest.approx([0.8, 0, 0.2, 0], abs=1e-6)
    chances = np.array(found) @ np.array(TWO_COINS) / 16
    assert math.fsum(edge * np.log(chances)) == pytest.approx(-934.8671, abs=5e-5)


def test_scores_undo_the_table_exactly():
    uneven = ((5, 3, 2), (1, 8, 1), (0, 4, 6))
    for weights in (FIVE, TWO_COINS, uneven):
        numerators, denominator = scores(weights)
        undone = np.array(weights, dtype=object) @ numerators
        identity = np.identity(len(weights), dtype=int)
        assert (undone == sum(weights[0]) * denominator * identity).all()


def test_a_table_whose_first_pivot_is_zero_is_undone_too():
    assert inverse(((0, 1), (1, 0))) == [[0, 1], [1, 0]]


counts_of_five = st.lists(st.integers(0, 400), min_size=5, max_size=5).filter(any)


@fixed
@given(counts_of_five)
def test_water_filling_finds_the_maximum(counts):
    """No answer's share could grow and make the reports likelier (Kuhn and Tucker).

    The derivative of the log likelihood to each share is n where the share is above 0,
    and at most n elsewhere.
    """
    truth, other = FIVE[0][:2]
    shares = np.array(water_filling(counts, truth=truth, other=other))
    assert shares.min() >= 0
    assert shares.sum() == pytest.approx(1)
    table = np.array(FIVE) / sum(FIVE[0])
    slopes = table @ (np.array(counts) / (shares @ table)) / sum(counts)
    assert slopes.max() <= 1 + 1e-9
    assert slopes[shares > 0] == pytest.approx(1)


@fixed
@given(counts_of_five)
def test_small_steps_lead_to_the_same_maximum(counts):
    truth, other = FIVE[0][:2]
    exact = np.array(water_filling(counts, truth=truth, other=other))
    found = np.array(expectation_maximisation(FIVE, counts))
    assert found == pytest.approx(exact, abs=1e-4)


def test_reports_that_nobody_sent_are_no_trouble():
    shown = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    assert likeliest(shown, (4, 0, 12)) == [0.25, 0, 0.75]
    assert expectation_maximisation(shown, (4, 0, 12)) == pytest.approx([0.25, 0, 0.75])


def test_a_table_that_tells_the_untruth_more_often_is_climbed_step_by_step():
    # The report is one of the other two answers: P = 0 on the diagonal, 1/2 elsewhere.
    # 50, 30 and 20 reports leave out 0, 40 and 60 of 100.
    table = ((0, 1, 1), (1, 0, 1), (1, 1, 0))
    assert raw_of(table, (50, 30, 20)) == pytest.approx([0, 0.4, 0.6])
    assert likeliest(table, (50, 30, 20)) == pytest.approx([0, 0.4, 0.6], abs=1e-5)


@fixed
@given(st.lists(st.floats(-3, 3), min_size=2, max_size=8))
def test_norm_sub_is_the_nearest_point_of_the_simplex(numbers):
    raw = np.array(numbers) + (1 - sum(numbers)) / len(numbers)
    found = np.array(norm_sub(list(raw)))
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1)
    # Nearest: the way to any corner makes no acute angle with the way to `raw`.
    towards = np.identity(len(raw)) - found
    assert (towards @ (raw - found)).max() <= 1e-9
