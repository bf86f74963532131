"""The share among those who were asked a conditional question."""

import math
from itertools import product

import numpy as np
import pytest

from candor.among_asked import (
    MAX_COMPONENTS,
    compute_joint_chances,
    estimate_among_asked,
)
from candor.estimands import Estimand, every_share, mean_of_points
from candor.likelihood import profile_ratio
from candor.mechanisms import build

COIN, DIRECT = build("coin"), build("direct")
SEVERAL = build("k_ary", epsilon="2", choices="3")
YES, NO = 0, 1
IF_YES = [(YES,)]
SHARE_OF_YES, SHARE_OF_NO = every_share(2)


def chances_of(mechanism):
    return np.array(mechanism.weights) / mechanism.total


def draw_counts(gate, question, shares, n, seed):
    """Return counts of pairs of reports; `shares` are of pairs of answers."""
    chances = np.einsum(
        "ab,ar,bs->rs", np.array(shares), chances_of(gate), chances_of(question)
    )
    source = np.random.default_rng(seed)  # noqa: TID251 - a fixed seed
    drawn = source.multinomial(n, chances.ravel())
    pairs = product(*(range(len(each.reports)) for each in (gate, question)))
    return dict(zip(pairs, drawn.tolist(), strict=True))


@pytest.mark.parametrize(
    ("gate", "asked", "yes"), [(COIN, 0.2, 0.0), (DIRECT, 0.3, 0.5)]
)
def test_the_interval_covers_the_share_among_those_asked(gate, asked, yes):
    shares = [[asked * yes, asked * (1 - yes)], [0, 1 - asked]]
    covered = 0
    for seed in range(60):
        counts = draw_counts(gate, COIN, shares, 300, seed)
        _, (low, high) = estimate_among_asked(
            [gate], COIN, counts, IF_YES, NO, SHARE_OF_YES
        )
        covered += low <= yes <= high
    # At 95 %, fewer than 51 happen once in 1,000 tests; at 80 %, in 8 of 10.
    assert covered >= 51


def test_large_samples_give_the_ratio():
    shares = [[0.12, 0.28], [0, 0.6]]
    counts = draw_counts(COIN, COIN, shares, 10**8, 1)
    share, (low, high) = estimate_among_asked(
        [COIN], COIN, counts, IF_YES, NO, SHARE_OF_YES
    )
    assert share == pytest.approx(0.3, abs=0.002)
    assert high - low < 0.004
    other, _ = estimate_among_asked([COIN], COIN, counts, IF_YES, NO, SHARE_OF_NO)
    assert share + other == pytest.approx(1)


def test_excluding_those_not_asked_adds_precision():
    """Compare with the same counts if everyone may have been asked."""
    counts = draw_counts(COIN, COIN, [[0.12, 0.28], [0, 0.6]], 1000, 2)
    _, (low, high) = estimate_among_asked(
        [COIN], COIN, counts, IF_YES, NO, SHARE_OF_YES
    )
    # The same ratio from the joint shares alone: a saturated table of four cells.
    cells = list(product((YES, NO), repeat=2))
    table = compute_joint_chances([COIN, COIN], cells, list(counts))
    _, (least, most) = profile_ratio(
        table, list(counts.values()), [0, 1], SHARE_OF_YES, drop=3.85
    )
    assert high - low < 0.9 * (most - least)


def test_shares_among_asked_allow_two_earlier_questions():
    gates = [COIN, SEVERAL]
    asked = [(YES, 0), (YES, 1)]
    chances = [chances_of(each) for each in (*gates, SEVERAL)]
    cells = np.zeros((2, 3, 3))
    cells[YES, 0], cells[YES, 1] = (0.1, 0.06, 0.04), (0.05, 0.1, 0.05)
    cells[YES, 2, 2], cells[NO, :, 2] = 0.2, (0.1, 0.1, 0.2)
    expected = np.einsum("abc,ar,bs,ct->rst", cells, *chances) * 10**7
    counts = {place: round(expected[place]) for place in np.ndindex(*expected.shape)}
    found = [
        estimate_among_asked(
            gates, SEVERAL, counts, asked, 2, Estimand.make_share(answer, answers=3)
        )[0]
        for answer in range(3)
    ]
    assert found == pytest.approx([0.15 / 0.4, 0.16 / 0.4, 0.09 / 0.4], abs=1e-4)


@pytest.mark.parametrize("counts", [{}, {(0, 0): 1}, {(1, 1): 50, (1, 0): 0}])
def test_the_interval_is_0_to_1_if_no_one_seems_to_be_asked(counts):
    share, ends = estimate_among_asked([DIRECT], COIN, counts, IF_YES, NO, SHARE_OF_YES)
    assert math.isnan(share)
    assert ends == (0, 1)


def test_too_many_combinations_are_refused():
    gate = build("k_ary", epsilon="2", choices="20")
    asked = [(place,) for place in range(10)]
    with pytest.raises(ValueError, match=f"at most {MAX_COMPONENTS} combinations; got"):
        estimate_among_asked(
            [gate], gate, {(0, 0): 9}, asked, 1, Estimand.make_share(0, answers=20)
        )


@pytest.mark.parametrize("family", ["one_bit", "grid"])
def test_the_mean_of_a_scale_excludes_those_not_asked(family):
    scale = build(family, epsilon="1", points="11")
    points = len(scale.answers)
    shares = np.zeros((2, points))
    shares[YES], shares[NO, 0] = 0.4 / points, 0.6
    counts = draw_counts(COIN, scale, shares, 10**8, 3)
    mean, (low, high) = estimate_among_asked(
        [COIN], scale, counts, IF_YES, 0, mean_of_points(points)
    )
    assert mean == pytest.approx((points - 1) / 2, abs=0.02)
    assert low < mean < high < low + 0.1
