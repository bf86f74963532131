"""From reports to what they tell: the public names of the maths."""

from estimation.maths.releases import Release, release

__all__ = ["Release", "release"]
