"""Power of the test used in results, computed from the intervals themselves."""

import numpy as np
import pytest
from scipy.stats import binom

from candor.binary import BinaryChannel
from candor.dichotomies import make_channel
from candor.intervals import share_interval
from candor.intervals.one_sided import OneSidedTest
from candor.mechanisms import build
from candor.planning.plan import plan
from candor.planning.power import sample_size

COIN = make_channel(build("coin"))
CHANNELS = {
    "coin": COIN,
    "asymmetric": BinaryChannel(p_yes_given_yes=11 / 12, p_yes_given_no=1 / 6),
    "direct": make_channel(build("direct")),
    "weak": BinaryChannel(p_yes_given_yes=0.55, p_yes_given_no=0.45),
}


@pytest.mark.parametrize("method", ["feldman-cousins", "pratt"])
@pytest.mark.parametrize("channel", CHANNELS.values(), ids=CHANNELS)
def test_a_bound_is_rejected_exactly_if_the_interval_lies_above_it(channel, method):
    n, counts = 37, np.arange(38)
    for level in (0.8, 0.95):
        lows = [
            share_interval(
                x, channel.design(n), confidence_level=level, method=method
            ).low
            for x in counts
        ]
        for bound in (0, 0.013, 0.05, 0.2, 0.5, 0.77, 0.97):
            test = OneSidedTest(
                channel=channel, bound=channel.report_chance(bound), method=method
            )
            rejected = np.array(lows) > bound
            assert (test.p_values(counts, n) <= 1 - level).tolist() == rejected.tolist()
            (critical,) = test.critical_counts(np.array([n]), alpha=1 - level)
            assert critical == n - rejected.sum()


def critical_by_intervals(n, *, bound, channel, method):
    """Return the largest count whose 95 % interval covers the bound, one by one."""
    count = int(n * channel.report_chance(bound))
    while (
        count < n
        and share_interval(count + 1, channel.design(n), method=method).low <= bound
    ):
        count += 1
    return count


@pytest.mark.parametrize(
    ("name", "share", "against", "method", "found"),
    [
        # The table of docs/researchers/planning.md; all rows were computed this way.
        ("epsilon 4", 0.2, 0.1, "feldman-cousins", (115, 120)),
        ("direct", 0.2, 0.1, "feldman-cousins", (89, 111)),
        # Close to the far end the interval needs more than half of its errors.
        ("direct", 1, 0.9, "pratt", None),
    ],
)
def test_first_and_safe_sizes_match_an_exhaustive_search(
    name, share, against, method, found
):
    mechanism = build("direct") if name == "direct" else build("epsilon", epsilon=4)
    channel = make_channel(mechanism)
    size = sample_size(mechanism, share=share, against=against, method=method)
    assert found in {None, (size.first, size.safe)}
    numbers = range(1, size.safe + 25)
    powers = np.array(
        [
            binom.sf(
                critical_by_intervals(n, bound=against, channel=channel, method=method),
                n,
                channel.report_chance(share),
            )
            for n in numbers
        ]
    )
    short = [n for n, power in zip(numbers, powers, strict=True) if power < 0.8]
    assert size.first == next(n for n in numbers if n not in short)
    assert size.safe == short[-1] + 1


def test_a_plan_against_0_uses_the_one_sided_test():
    # No share is below 0, so all errors are on one side.
    one_tail = sample_size(build("coin"), share=0.05, against=0, method="one-sided")
    shown = sample_size(build("coin"), share=0.05, against=0)
    assert (shown.normal, shown.first, shown.safe) == (1895, 1920, 1980)
    assert (one_tail.normal, one_tail.first, one_tail.safe) == (1895, 1920, 1980)


def test_plans_use_the_test_of_the_results_by_default():
    for found in (
        sample_size(build("coin"), share=0.2, against=0.1),
        plan(build("coin"), share=0.2, against=0.1).sample_size,
        plan(build("coin"), share=0.2, against=0.1, alpha=0.05).sample_size,
    ):
        assert (found.normal, found.first, found.safe) == (676, 680, 707)
        assert found.method == "feldman-cousins"
