"""Estimates from respondents who were sampled in clusters, such as school classes."""

import math
from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from candor.binary import FloatArray
from candor.dichotomies import Dichotomy
from candor.estimands import Estimand, find_estimand, score_values, select_estimands
from candor.intervals import (
    DEFAULT_CONFIDENCE_LEVEL,
    DEFAULT_METHOD,
    Interval,
    find_effective_interval,
)
from candor.intervals.closed_form import two_sided_t, two_sided_z
from candor.mechanisms import Mechanism
from candor.mechanisms.parameters import check_choice, shown
from candor.sample import Sample
from candor.skipped_scales import MeanAmongAnswered
from candor.table import Estimates
from candor.validation import (
    CONFIDENCE_LEVEL,
    check_count,
    check_label,
    check_sequence,
    check_total,
    reduce_to_estimable,
)

FEW_CLUSTERS = 20
"""With fewer, coverage may be too low: see docs/researchers/weights.md."""

TOO_FEW_CLUSTERS = (
    f"Fewer than {FEW_CLUSTERS} clusters: intervals may cover too seldom."
)

CLUSTERED = "clustered scores"

MORE_REPORTS = 3
"""Reports in each of two clusters that are added to the spread, because a few reports
of one kind may look evenly spread over clusters. With two, 91 of 100 intervals covered
the share in the worst case of weights.md."""


@dataclass(frozen=True)
class ClusteredSample(Sample):
    """The reports of respondents in clusters.

    `by_cluster` has a row of report counts for each cluster with respondents. `counts`
    are the sums of the rows.
    """

    by_cluster: tuple[tuple[int, ...], ...] = ()
    scored_method: ClassVar[str] = CLUSTERED

    @property
    def freedom(self) -> int:
        """Return the degrees of freedom, the number of clusters less one."""
        return len(self.by_cluster) - 1

    def clustered_error(self, score: FloatArray, more: float = 0) -> float:
        """Return the standard error of a mean score, from the totals of the clusters.

        Two clusters of `more` reports each are added to the spread, one with the lowest
        score and one with the highest.
        """
        ends = np.array([score.min(), score.max()])
        total = np.array(self.counts) @ score + more * ends.sum()
        mean = total / (self.n + 2 * more)
        # C / (C - 1) sum_c (n_c (m_c - m))^2 / n^2
        totals = np.array(self.by_cluster, dtype=np.float64) @ (score - mean)
        sums = float(totals @ totals + ((more * (ends - mean)) ** 2).sum())
        return math.sqrt(sums * (self.freedom + 1) / self.freedom) / self.n

    def design_effect(self, estimand: Estimand | str) -> float:
        """Return the variance divided by that of independent respondents, 1 or more."""
        independent = super().standard_error(estimand)
        return (self.standard_error(estimand) / independent) ** 2

    def standard_error(self, estimand: Estimand | str) -> float:
        """Return the standard error, at least that of independent respondents.

        Clusters may be similar by chance, above all if there are few.
        """
        independent = super().standard_error(estimand)
        return max(independent, self.clustered_error(self._score(estimand)))

    def linearised_error(self, score: FloatArray) -> float:
        return max(super().linearised_error(score), self.clustered_error(score))

    def _counted_interval(
        self, wanted: Estimand, dichotomy: Dichotomy, level: float, method: str
    ) -> Interval:
        """Return the interval of the effective number of independent reports.

        n* = min(n, l (1 - l) / V (z/t)^2) by Korn & Graubard 1998, Survey Methodology
        24:193. V is the variance of l, the share of the counted reports.
        """
        score = np.zeros(len(self.counts))
        score[list(dichotomy.counted)] = 1
        counted, n = dichotomy.count(self.counts), self.n
        effective = math.inf
        for more in (0, MORE_REPORTS):
            share = (counted + more) / (n + 2 * more)
            if error := self.clustered_error(score, more):
                effective = min(effective, share * (1 - share) / error**2)
        effective *= (two_sided_z(level) / two_sided_t(level, self.freedom)) ** 2
        ends = find_effective_interval(
            counted / n,
            min(n, effective),
            dichotomy.channel,
            confidence_level=level,
            method=method,
        )
        low, high = map(wanted.between, ends)
        estimate = self.estimate(wanted)
        return Interval(min(low, estimate), max(high, estimate))

    def _scored_interval(self, wanted: Estimand, level: float) -> Interval:
        """Return the mean score plus and minus t standard errors, within its range."""
        reach = two_sided_t(level, self.freedom) * self.padded_error(wanted)
        return self.interval_around_score(wanted, reach)

    def mean_among_answered(
        self, confidence_level: float = DEFAULT_CONFIDENCE_LEVEL
    ) -> tuple[float, Interval]:
        """Return the mean among those who answered, and the interval of its score."""
        found = MeanAmongAnswered(self.mechanism)
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        estimate = self.estimate_among_answered(found)
        if math.isnan(estimate):
            return estimate, Interval(0.0, float(found.last))
        answered = found.answered.of(self.shares.values())
        errors = [
            self.linearised_error(found.residual_score(estimate)),
            self.error_at_estimate(found.total, self.n),
        ]
        reach = two_sided_t(level, self.freedom) * max(errors) / answered
        return estimate, Interval(
            found.clip(estimate - reach), found.clip(estimate + reach)
        )

    def padded_error(self, estimand: Estimand | str) -> float:
        """Return a standard error that is not too small if one end has few reports."""
        error = self.clustered_error(self._score(estimand), MORE_REPORTS)
        return max(self.standard_error(estimand), error)

    def _score(self, estimand: Estimand | str) -> FloatArray:
        wanted = find_estimand(self.mechanism, estimand)
        return score_values(self.mechanism.weights, wanted)


def estimate_clustered(
    mechanism: Mechanism,
    counts: Mapping[tuple[Hashable, str], int],
    *,
    estimand: Estimand | str | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    method: str = DEFAULT_METHOD,
) -> Estimates:
    """Estimate shares, or the mean of a scale, from respondents in clusters.

    Var = C/(C - 1) sum_c (n_c (m_c - m))^2 / n^2, with n_c respondents and mean score
    m_c in each of C clusters. Intervals have C - 1 degrees of freedom. Standard errors
    are never below those of independent respondents.

    Parameters
    ----------
    mechanism : Mechanism
        As for `post_stratify`.
    counts : mapping of (Hashable, str) to int
        {(cluster, report): count}, 0 or more; pairs left out count 0. Clusters without
        respondents are left out. At most 10**9 respondents in total.
    estimand : Estimand or str, optional
        The only row, as for `post_stratify`.
    confidence_level : float
        In (0, 1), for each interval by itself.
    method : str
        As for `estimate`, applied to the effective number of independent reports.

    Returns
    -------
    Estimates
        The notes state the number of clusters and the largest design effect, and warn
        of fewer than 20 clusters.

    Raises
    ------
    TypeError, ValueError
        If counts or reports have the wrong type or are out of their range, a cluster is
        a missing value such as NaN, or fewer than two clusters have respondents.

    References
    ----------
    Kish 1965, Survey Sampling, section 6.4; Liang & Zeger 1986, Biometrika 73:13; Korn
    & Graubard 1998, Survey Methodology 24:193 (intervals of shares).

    Examples
    --------
    Two coins in three classes of 10 with 2, 4 and 6 yes: the raw share is
    (.4 - .25)/.5 = .3. Each further yes adds 2 to the total score of a class. The
    totals around the mean are -4, 0 and 4: the variance is 3/2 * 32 / 30^2 = .0533.

    >>> import candor
    >>> counts = {("a", "yes"): 2, ("b", "yes"): 4, ("c", "yes"): 6}
    >>> counts |= {("a", "no"): 8, ("b", "no"): 6, ("c", "no"): 4}
    >>> table = candor.estimate_clustered(candor.mechanism("coin"), counts)
    >>> print(f"{table['yes'].raw:.2f} ({table['yes'].standard_error:.4f})")
    0.30 (0.2309)
    >>> print(table.notes[0])
    3 clusters of 10 respondents on average, largest design effect 1.61.
    """
    sample = read_clusters(mechanism, counts)
    table = sample.table(estimand, confidence_level, method)
    clusters = sample.freedom + 1
    wanted = select_estimands(
        sample.mechanism, None if estimand == "mean" else estimand
    )
    effects = [sample.design_effect(each) for each in wanted.values()]
    mean = sample.n / clusters
    notes = [
        f"{clusters:,} clusters of {mean:,.3g} respondents on average, largest design "
        f"effect {max(effects):.2f}."
    ]
    if clusters < FEW_CLUSTERS:
        notes.append(TOO_FEW_CLUSTERS)
    return Estimates(table, notes=notes)


def read_clusters(
    mechanism: Mechanism,
    counts: Mapping[tuple[Hashable, str], int],
    *,
    name: str = "counts",
) -> ClusteredSample:
    """Return the sample with these counts; arguments as for `estimate_clustered`.

    Errors name the argument `counts` by `name`.
    """
    mechanism = reduce_to_estimable(mechanism)
    if not isinstance(counts, Mapping):
        raise TypeError(f"{name} must map patterns to counts; got {shown(counts)}")
    column = {report: place for place, report in enumerate(mechanism.reports)}
    found: dict[Hashable, list[int]] = defaultdict(lambda: [0] * len(column))
    for key, count in counts.items():
        check_sequence(f"a pattern in {name}", key, of="a cluster and a report")
        if len(key) != 2:
            raise ValueError(
                f"a pattern in {name} must be a cluster and a report; got {key!r}"
            )
        cluster, report = key
        check_label(f"a cluster in {name}", cluster)
        check_choice(f"a report in {name}", report, column)
        found[cluster][column[report]] += check_count(f"{name}[{key!r}]", count)
    rows = tuple(tuple(row) for row in found.values() if any(row))
    sums = tuple(sum(row[place] for row in rows) for place in range(len(column)))
    check_total(name, sum(sums))
    if len(rows) < 2:
        raise ValueError(
            f"{name} must have two clusters or more with respondents, or no standard "
            f"error can be estimated; got {len(rows)}"
        )
    return ClusteredSample(mechanism, sums, rows)
