"""Exact coverage of intervals for two questions."""

import numpy as np
import pytest

from benchmarks.validation.exact import two_questions
from candor.mechanisms import build
from candor.profile_likelihood import PairShare

COIN, DIRECT = build("coin"), build("direct")


# The exact sums, rounded down; docs/reference/validation.md covers more designs.
@pytest.mark.parametrize(
    ("first", "second", "target", "smallest"),
    [(COIN, COIN, PairShare.WITHIN, 0.954), (DIRECT, COIN, PairShare.JOINT, 0.92)],
)
def test_profile_intervals_nearly_reach_their_coverage(first, second, target, smallest):
    found = two_questions(target, 0.86, sizes=(16,), pairs=[(first, second)]).found
    assert min(found) >= smallest
    assert np.mean(found) >= 0.955
