"""The share of an answer from several groups that were asked with different tables.

The groups are independent, and the counted reports of each are binomial, so that the
log likelihoods of the share add up.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from candor.dichotomies import find_answer_dichotomy
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, Interval
from candor.mechanisms import Mechanism
from candor.mechanisms.parameters import check_choice
from candor.profile_likelihood import NEXT_TO_EDGE
from candor.sample import PROFILE, Sample
from candor.table import Estimate
from candor.validation import CONFIDENCE_LEVEL, check_mechanism, check_sequence


@dataclass(frozen=True)
class Pooled:
    """The share of one answer in all groups.

    Attributes
    ----------
    samples : tuple of Sample
        At least two, each with a report.
    place : int
        The row of the answer in each table.
    confidence_level : float
        In (0, 1).
    """

    samples: tuple[Sample, ...]
    place: int
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL

    @cached_property
    def _groups(self) -> list[tuple[int, int, float, float]]:
        """For each group, the counted reports, all reports, and the chances a and b."""
        found = []
        for sample in self.samples:
            dichotomy = find_answer_dichotomy(sample.mechanism, self.place)
            channel = dichotomy.channel
            chances = channel.p_yes_given_yes, channel.p_yes_given_no
            found.append((dichotomy.count(sample.counts), sample.n, *chances))
        return found

    def _log_likelihood(self, share: float) -> float:
        return sum(
            float(
                scipy.special.xlogy(x, b + (a - b) * share)
                + scipy.special.xlogy(n - x, 1 - b - (a - b) * share)
            )
            for x, n, a, b in self._groups
        )

    def _slope(self, share: float) -> float:
        """Return the derivative of the log likelihood, which is decreasing."""
        total = 0.0
        for x, n, a, b in self._groups:
            chance = b + (a - b) * share
            # A count of 0 adds nothing, even if its chance is 0.
            total += (a - b) * (x / chance if x else 0.0)
            total -= (a - b) * ((n - x) / (1 - chance) if n - x else 0.0)
        return total

    @cached_property
    def estimate(self) -> float:
        """The maximum-likelihood share, in [0, 1]."""
        inside = NEXT_TO_EDGE, 1 - NEXT_TO_EDGE
        if self._slope(inside[0]) <= 0:
            return 0.0
        if self._slope(inside[1]) >= 0:
            return 1.0
        return float(scipy.optimize.brentq(self._slope, *inside, xtol=1e-14))

    @cached_property
    def raw(self) -> float:
        """The mean of the unbiased shares of the groups, weighted by precision."""
        weights = np.array(self._precisions)
        shares = [(x / n - b) / (a - b) for x, n, a, b in self._groups]
        return float(weights @ shares / weights.sum())

    @cached_property
    def standard_error(self) -> float:
        """The standard deviation of `raw` at the estimate."""
        return 1 / math.sqrt(sum(self._precisions))

    @cached_property
    def _precisions(self) -> list[float]:
        found = []
        for _x, n, a, b in self._groups:
            # Half a report inside the range, in case all reports are the same.
            chance = b + (a - b) * self.estimate
            chance = min(max(chance, 0.5 / n), 1 - 0.5 / n)
            found.append(n * (a - b) ** 2 / (chance * (1 - chance)))
        return found

    @cached_property
    def interval(self) -> Interval:
        """The profile-likelihood interval: 2 [l(maximum) - l(t)] <= chi-squared_1."""
        limit = scipy.stats.chi2.ppf(self.confidence_level, 1) / 2
        most = self._log_likelihood(self.estimate)

        def beyond(share: float) -> float:
            return float(most - self._log_likelihood(share) - limit)

        low, high = 0.0, 1.0
        if self.estimate > 0 and beyond(0.0) > 0:
            low = scipy.optimize.brentq(beyond, 0.0, self.estimate, xtol=1e-12)
        if self.estimate < 1 and beyond(1.0) > 0:
            high = scipy.optimize.brentq(beyond, self.estimate, 1.0, xtol=1e-12)
        return Interval(float(low), float(high))

    @cached_property
    def homogeneity(self) -> float:
        """The p-value of "all groups have the same share", by the likelihood ratio.

        It is approximate: chi-squared, with one degree of freedom less than groups.
        Groups with the prevalences p and 1 - p of the crosswise model differ if some
        respondents do not comply (Heck et al. 2018).
        """
        each = sum(
            Pooled((sample,), self.place).maximum_log_likelihood
            for sample in self.samples
        )
        ratio = max(0.0, 2 * (each - self.maximum_log_likelihood))
        return float(scipy.stats.chi2.sf(ratio, len(self.samples) - 1))

    @property
    def maximum_log_likelihood(self) -> float:
        """The log likelihood of the estimate, up to a constant."""
        return self._log_likelihood(self.estimate)

    @property
    def row(self) -> Estimate:
        """The estimate as a row of a table."""
        return Estimate(
            estimand=self.samples[0].mechanism.answers[self.place],
            n=sum(sample.n for sample in self.samples),
            raw=self.raw,
            estimate=self.estimate,
            standard_error=self.standard_error,
            low=self.interval.low,
            high=self.interval.high,
            method=PROFILE,
            confidence_level=self.confidence_level,
        )


def pool(
    groups: Sequence[tuple[Mechanism, Mapping[str, int]]],
    *,
    answer: str | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> Pooled:
    """Estimate one share from groups that were asked with different tables.

    Examples are two arms of a study, or a sample on paper and one in the browser. The
    groups are samples of one population and consist of different people.

    Parameters
    ----------
    groups : sequence of (Mechanism, mapping of str to int)
        At least two. The mechanisms have the same answers. The mapping is {report:
        number of respondents}, with at least one respondent.
    answer : str, optional
        One of the answers, by default the first.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    Pooled
        `estimate`, `raw`, `standard_error` and `interval` of the share, and
        `homogeneity`, the p-value of the hypothesis that the groups have one share.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or is out of its range, or other answers of a
        mechanism send the reports of this answer with different chances.

    References
    ----------
    Heck, Hoffmann & Moshagen 2018, Behavior Research Methods 50:1895 (the extended
    crosswise model: its share and its test); Wilks 1938, Annals of Mathematical
    Statistics 9:60.

    Examples
    --------
    The extended crosswise model: birthdays of probability 1/4 in one group, of 3/4 in
    the other. The groups agree: there is no evidence of non-compliance.

    >>> import candor
    >>> first = candor.mechanism("crosswise", prevalence="1/4")
    >>> second = candor.mechanism("crosswise", prevalence="3/4")
    >>> found = candor.pool(
    ...     [
    ...         (first, {"same": 330, "different": 170}),
    ...         (second, {"same": 165, "different": 335}),
    ...     ]
    ... )
    >>> print(f"{found.estimate:.3f}, homogeneity {found.homogeneity:.2f}")
    0.170, homogeneity 0.74
    """
    check_sequence("groups", groups, of="(Mechanism, counts)")
    if len(groups) < 2:
        raise ValueError(f"groups must have at least 2 items; got {len(groups)}")
    samples = tuple(
        read_group(group, name=f"groups[{place}]") for place, group in enumerate(groups)
    )
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    answers = samples[0].mechanism.answers
    for place, sample in enumerate(samples):
        if not sample.n:
            raise ValueError(f"groups[{place}] must have at least one report; got none")
        if sample.mechanism.answers != answers:
            raise ValueError(
                f"groups[{place}] must have the answers {', '.join(answers)}; got "
                f"{', '.join(sample.mechanism.answers)}"
            )
    wanted = answers[0] if answer is None else answer
    check_choice("answer", wanted, answers)
    return Pooled(samples, answers.index(wanted), level)


def read_group(group: tuple[Mechanism, Mapping[str, int]], *, name: str) -> Sample:
    """Return the sample of a group, checked. Errors name the group by `name`."""
    check_sequence(name, group, of="a Mechanism and counts")
    if len(group) != 2:
        raise ValueError(f"{name} must be a Mechanism and counts; got {len(group)}")
    mechanism, counts = group
    check_mechanism(mechanism, name=name)
    return Sample.of(mechanism, counts, name=name)
