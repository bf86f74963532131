"""The share among those who did not decline to answer."""

import math
from functools import cache

import numpy as np
import pytest
import scipy

from candor.mechanisms import build
from candor.sample import Sample

SEVERAL = build("k_ary", epsilon="1", choices="3")
YES, _NO, DECLINED = SEVERAL.answers
N = 15


@cache
def find_ends(counts):
    sample = Sample.of(SEVERAL, dict(zip(SEVERAL.reports, counts, strict=True)))
    return sample.share_among_answered(YES, DECLINED)[1]


@pytest.mark.parametrize(
    "shares",
    [(0.3, 0.5, 0.2), (0, 0.8, 0.2), (0.5, 0.5, 0), (1, 0, 0), (0.1, 0.1, 0.8)],
)
def test_the_interval_covers_the_true_ratio_in_every_group(shares):
    chances = np.array(shares) @ np.array(SEVERAL.weights) / sum(SEVERAL.weights[0])
    truth = shares[0] / (1 - shares[2])
    possible = [(a, b, N - a - b) for a in range(N + 1) for b in range(N + 1 - a)]
    weights = scipy.stats.multinomial(N, chances).pmf(possible)
    covered = [low <= truth <= high for low, high in map(find_ends, possible)]
    assert weights.sum() == pytest.approx(1)
    assert weights @ covered >= 0.95


def test_the_interval_covers_a_rare_answer_at_a_large_epsilon():
    # By the likelihood ratio alone, 88.9 %.
    table, n = build("k_ary", epsilon="8", choices="3"), 50
    shares = np.array((0.0475, 0.9025, 0.05))
    chances = shares @ np.array(table.weights) / sum(table.weights[0])
    possible = [(a, b, n - a - b) for a in range(n + 1) for b in range(n + 1 - a)]
    weights = scipy.stats.multinomial(n, chances).pmf(possible)
    covered = 0.0
    for counts, weight in zip(possible, weights, strict=True):
        # The others are 1 % together, and count as missed.
        if weight > 1e-4:
            sample = Sample.of(table, dict(zip(table.reports, counts, strict=True)))
            low, high = sample.share_among_answered(YES, DECLINED)[1]
            covered += weight * (low <= 0.05 <= high)
    assert covered >= 0.95


def test_the_estimate_is_the_ratio_of_the_shares():
    sample = Sample.of(SEVERAL, dict(zip(SEVERAL.reports, (50, 60, 40), strict=True)))
    share, (low, high) = sample.share_among_answered(YES, DECLINED)
    shares = sample.shares
    assert share == pytest.approx(shares[YES] / (1 - shares[DECLINED]), abs=1e-6)
    assert low < share < high


def test_without_scrambling_it_is_the_share_of_the_others():
    direct = build("direct_choice", choices="3")
    counts = dict(zip(direct.reports, (8, 12, 30), strict=True))
    found = Sample.of(direct, counts).share_among_answered(
        direct.answers[0], direct.answers[2], method="pratt"
    )
    among = Sample.of(build("direct"), {"yes": 8, "no": 12})
    assert found == (among.estimate("yes"), among.interval("yes", method="pratt"))
    assert found[0] == 0.4


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 0, 1), (0, 0, 500)])
def test_the_interval_is_everything_if_no_one_seems_to_have_answered(counts):
    sample = Sample.of(SEVERAL, dict(zip(SEVERAL.reports, counts, strict=True)))
    share, ends = sample.share_among_answered(YES, DECLINED)
    assert math.isnan(share)
    assert ends == (0, 1)


@pytest.mark.parametrize("declined", [YES, "other"])
def test_the_answer_of_those_who_declined_is_another_one(declined):
    sample = Sample.of(SEVERAL, dict.fromkeys(SEVERAL.reports, 10))
    with pytest.raises(
        ValueError, match=f"declined must be one of .*; got '{declined}'"
    ):
        sample.share_among_answered(YES, declined)
