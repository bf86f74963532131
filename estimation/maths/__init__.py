"""From reports to what they tell: the public names of the maths."""

from estimation.maths.releases import Release, release
from estimation.maths.weights import estimate_weighted, post_stratify, rake

__all__ = ["Release", "estimate_weighted", "post_stratify", "rake", "release"]
