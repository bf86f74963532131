"""From reports to what they tell: the public names of the maths."""

from estimation.maths.alike import holm
from estimation.maths.differences import difference
from estimation.maths.releases import Release, release
from estimation.maths.shares import estimate_shares
from estimation.maths.weights import estimate_weighted, post_stratify, rake

__all__ = [
    "Release",
    "difference",
    "estimate_shares",
    "estimate_weighted",
    "holm",
    "post_stratify",
    "rake",
    "release",
]
