"""Two questions randomised as one answer of four."""

import pytest

from tests.estimation.results_of import result_of

LABELS = ("Both", "Only alcohol", "Only drugs", "Neither")
PAIR = {"family": "linked_pair", "epsilon": 1, "choices": 4, "labels": LABELS}
COUNTS = (235, 205, 265, 295)

# p and q of docs/mechanisms/linked_pair.md
P, Q = 2850325 / 5996053, 1048576 / 5996053


def test_each_question_is_the_sum_of_two_answers():
    first, second = result_of(*COUNTS, **PAIR).pair
    # P(report 1 or 2) = p + q for yes to the first question, 2 q for no.
    assert first.raw == pytest.approx((0.440 - 2 * Q) / (P - Q))
    assert second.raw == pytest.approx((0.500 - 2 * Q) / (P - Q))
    assert (first.label, second.label) == ("Only alcohol", "Only drugs")


def test_a_question_of_a_pair_has_a_yes_no_interval():
    first, _second = result_of(*COUNTS, **PAIR).pair
    yes_no = result_of(
        440,
        560,
        family="custom",
        p_yes_given_yes="3898901/5996053",
        p_yes_given_no="2097152/5996053",
    )
    row = yes_no.rows[0]
    assert (first.low, first.high) == pytest.approx((row.low, row.high))
