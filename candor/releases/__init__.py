"""Counts that are released with noise, and the shares behind released counts.

`noise` has the distributions of the noise and draws it exactly. `counts` releases a
count and computes the interval for the true count. `shares` estimates shares from
released counts of reports.
"""

from candor.releases.counts import Release, release

__all__ = ["Release", "release"]
