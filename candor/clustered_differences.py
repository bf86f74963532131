"""Differences of an estimand between two groups of clusters."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from candor.clusters import CLUSTERED, ClusteredSample, read_clusters
from candor.differences import Difference, check_groups
from candor.estimands import Estimand, select_estimands
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.mechanisms import Mechanism
from candor.table import Estimates
from candor.validation import CONFIDENCE_LEVEL


@dataclass(frozen=True)
class ClusteredDifference(Difference):
    """The difference between the mean scores of two groups of clusters."""

    first: ClusteredSample
    second: ClusteredSample

    @property
    def method(self) -> str:
        return CLUSTERED

    @property
    def _dichotomies(self) -> None:
        """Always None, because counts of clustered reports are not binomial."""

    @property
    def _spreads(self) -> list[tuple[float, int]]:
        groups = self.first, self.second
        return [
            (each.padded_error(self.estimand) ** 2, each.freedom) for each in groups
        ]


def clustered_difference(
    mechanism: Mechanism,
    first_counts: Mapping[tuple[Hashable, str], int],
    second_counts: Mapping[tuple[Hashable, str], int],
    *,
    estimand: Estimand | str | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    groups: tuple[str, str] = ("first", "second"),
) -> Estimates:
    """Estimate the difference between a first and a second group of clusters.

    Each cluster is in one group, such as schools with and without a programme.
    Intervals and p-values use Student's t, with Satterthwaite's degrees of freedom from
    C - 1 in each group.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism of both groups.
    first_counts, second_counts : mapping of (Hashable, str) to int
        {(cluster, report): count} of each group, as for `estimate_clustered`.
    estimand : Estimand or str, optional
        The only row, as for `difference`.
    confidence_level : float
        In (0, 1), for each interval by itself.
    groups : tuple of str
        The names of both groups.

    Returns
    -------
    Estimates
        First minus second, with the two-sided p-value of "both are the same".

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or is out of its range, a group has fewer than
        two clusters, or a cluster is in both groups. The members of such a cluster are
        not independent; compare them by a regression with `clusters`.

    References
    ----------
    Satterthwaite 1946, Biometrics Bulletin 2:110; Liang & Zeger 1986, Biometrika 73:13.

    Examples
    --------
    Three classes of 10 with 4, 6 and 8 yes, against three with 1, 3 and 5, asked
    directly: the means .6 and .3 have the variance .2^2 / 3 each.

    >>> import candor
    >>> first = {("a", "yes"): 4, ("b", "yes"): 6, ("c", "yes"): 8}
    >>> first |= {("a", "no"): 6, ("b", "no"): 4, ("c", "no"): 2}
    >>> second = {("d", "yes"): 1, ("e", "yes"): 3, ("f", "yes"): 5}
    >>> second |= {("d", "no"): 9, ("e", "no"): 7, ("f", "no"): 5}
    >>> direct = candor.mechanism("direct")
    >>> row = candor.clustered_difference(direct, first, second)["yes"]
    >>> print(f"{row.estimate:.2f} ({row.standard_error:.4f})")
    0.30 (0.1633)
    """
    first, second = (
        read_clusters(mechanism, counts, name=name)
        for name, counts in (
            ("first_counts", first_counts),
            ("second_counts", second_counts),
        )
    )
    check_groups(groups)
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    clusters = [
        {cluster for (cluster, _report), count in counts.items() if count}
        for counts in (first_counts, second_counts)
    ]
    for cluster in clusters[0] & clusters[1]:
        raise ValueError(
            "first_counts and second_counts must have different clusters; got "
            f"{cluster!r} in both"
        )
    return Estimates(
        ClusteredDifference(first, second, each, level).row(name, groups)
        for name, each in select_estimands(first.mechanism, estimand).items()
    )
