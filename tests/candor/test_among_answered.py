"""The share among those who did not decline to answer."""

import math
from functools import cache

import pytest

from candor.mechanisms import build
from tests.candor.tables import coverage, sample_of

SEVERAL = build("k_ary", epsilon="1", choices="3")
YES, _NO, DECLINED = SEVERAL.answers


@cache
def find_ends(counts):
    return sample_of(SEVERAL, *counts).share_among_answered(YES, DECLINED)[1]


@pytest.mark.parametrize(
    "shares",
    [(0.3, 0.5, 0.2), (0, 0.8, 0.2), (0.5, 0.5, 0), (1, 0, 0), (0.1, 0.1, 0.8)],
)
def test_the_interval_covers_the_true_ratio_in_every_group(shares):
    truth = shares[0] / (1 - shares[2])
    assert coverage(SEVERAL, shares, 12, find_ends, truth) >= 0.95


def test_the_interval_covers_a_rare_answer_at_a_large_epsilon():
    # The likelihood ratio alone covers 88.9 %.
    table = build("k_ary", epsilon="8", choices="3")

    def find(counts):
        return sample_of(table, *counts).share_among_answered(YES, DECLINED)[1]

    # Unlikely counts have a total chance of 1 %.
    shares = (0.0475, 0.9025, 0.05)
    assert coverage(table, shares, 50, find, 0.05, likely=1e-4) >= 0.95


def test_the_estimate_is_the_ratio_of_the_shares():
    sample = sample_of(SEVERAL, 50, 60, 40)
    share, (low, high) = sample.share_among_answered(YES, DECLINED)
    shares = sample.shares
    assert share == pytest.approx(shares[YES] / (1 - shares[DECLINED]), abs=1e-6)
    assert low < share < high


def test_a_direct_question_gives_the_share_among_those_who_answered():
    direct = build("direct_choice", choices="3")
    found = sample_of(direct, 8, 12, 30).share_among_answered(
        direct.answers[0], direct.answers[2], method="pratt"
    )
    among = sample_of(build("direct"), 8, 12)
    assert found == (among.estimate("yes"), among.interval("yes", method="pratt"))
    assert found[0] == 0.4


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 0, 1), (0, 0, 500)])
def test_the_interval_is_the_full_range_if_all_seem_to_decline(counts):
    sample = sample_of(SEVERAL, *counts)
    share, ends = sample.share_among_answered(YES, DECLINED)
    assert math.isnan(share)
    assert ends == (0, 1)


@pytest.mark.parametrize("declined", [YES, "other"])
def test_the_declined_answer_must_be_a_different_answer(declined):
    sample = sample_of(SEVERAL, 10, 10, 10)
    with pytest.raises(
        ValueError, match=f"declined must be one of .*; got '{declined}'"
    ):
        sample.share_among_answered(YES, declined)
