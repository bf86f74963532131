"""Counts that are not scrambled, released with noise: how many took part, for instance.

`sampling` draws the noise exactly, `noise` knows its law, `counts` releases a count and
reads it back as an interval, `suspicion` says what it tells of one person, and `shares`
works out the share behind released counts of reports.
"""

from candor.releases.counts import Release, release

__all__ = ["Release", "release"]
