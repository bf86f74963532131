"""Estimates from the counts of the reports of one group.

Shares of answers, shares of sets of answers and means of scales are all estimands.
Their estimation depends only on whether they have a dichotomy. If so, intervals are the
exact ones of a yes/no question. Otherwise an interval is the union of two: one by the
profile likelihood over all shares, and one by the mean score and its standard error.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
import scipy

from candor.binary import FloatArray, at_most, keep_inside
from candor.dichotomies import Dichotomy, find_answer_dichotomy, find_dichotomy
from candor.estimands import (
    MEAN,
    Estimand,
    compute_chances,
    find_estimand,
    find_largest_variance,
    score_numerators,
    score_values,
    select_estimands,
)
from candor.intervals import (
    DEFAULT_CONFIDENCE_LEVEL,
    DEFAULT_METHOD,
    METHODS,
    Interval,
    share_interval,
)
from candor.likelihood import (
    AT_EDGE,
    find_maximum_likelihood_shares,
    find_profile_interval,
    profile_share_among,
)
from candor.mechanisms import Mechanism, build
from candor.mechanisms.parameters import check_choice
from candor.mechanisms.table import find_truth_and_other
from candor.skipped_scales import MeanAmongAnswered, find_counted_share_interval
from candor.table import Estimate, Estimates, Status
from candor.validation import (
    CONFIDENCE_LEVEL,
    check_counts,
    check_square,
    check_total,
    reduce_to_estimable,
)

PROFILE = "profile"
"""The method for an estimand without a dichotomy."""

MISFIT = 0.01
"""A smaller design fit is reported as a misfit. False alarms are rare: see
docs/reference/statistics.md."""


class BaseSample(ABC):
    """Base class of weighted and unweighted samples.

    Estimands are answers, "mean" for the mean of a scale, or an `Estimand`.
    """

    mechanism: Mechanism
    scored_method: ClassVar[str]
    """The method of the interval of an estimand without a dichotomy."""

    @property
    @abstractmethod
    def n(self) -> int:
        """Number of reports."""

    @abstractmethod
    def raw(self, estimand: Estimand | str) -> float:
        """Return the unbiased estimate, which may be out of range."""

    @abstractmethod
    def standard_error(self, estimand: Estimand | str) -> float:
        """Return the estimated standard deviation of `raw`."""

    @property
    @abstractmethod
    def report_counts(self) -> tuple[int, ...]:
        """Number of respondents by report, in the order of the columns."""

    @abstractmethod
    def _maximum_likelihood(self) -> Sequence[float]:
        """Return the maximum-likelihood shares if a raw share is negative."""

    @abstractmethod
    def _counted_interval(
        self, wanted: Estimand, dichotomy: Dichotomy, level: float, method: str
    ) -> Interval:
        """Return the interval of an estimand with a dichotomy, for n >= 1."""

    @abstractmethod
    def _scored_interval(self, wanted: Estimand, level: float) -> Interval:
        """Return the interval of an estimand without a dichotomy, for n >= 1."""

    def interval(
        self,
        estimand: Estimand | str,
        confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
        method: str = DEFAULT_METHOD,
    ) -> Interval:
        """Return a confidence interval, within the range of the estimand.

        With a dichotomy it is the interval of a question with two answers, by `method`.
        The confidence level applies to this estimand alone, not jointly to several.
        Without reports it is the whole range.
        """
        wanted = find_estimand(self.mechanism, estimand)
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        check_choice("method", method, METHODS)
        # The two shares sum to 1 exactly.
        if wanted.coefficients == (0, 1) and self.mechanism.identifies_shares:
            first = self.interval(Estimand((1, 0)), level, method)
            return Interval(1 - first.high, 1 - first.low)
        if not self.n:
            return Interval(float(wanted.low), float(wanted.high))
        dichotomy = self.dichotomy(wanted)
        if dichotomy is None:
            return self._scored_interval(wanted, level)
        return self._counted_interval(wanted, dichotomy, level, method)

    def method(self, estimand: Estimand | str, method: str = DEFAULT_METHOD) -> str:
        """Return the method that is used for the interval if `method` is requested."""
        return method if self.dichotomy(estimand) else self.scored_method

    def is_identical(self, estimand: Estimand | str) -> bool:
        """Return whether there are 2 or more reports, all with the same score."""
        wanted = find_estimand(self.mechanism, estimand)
        numerators, _denominator = score_numerators(self.mechanism.weights, wanted)
        sent = zip(numerators.tolist(), self.report_counts, strict=True)
        return self.n > 1 and len({score for score, count in sent if count}) == 1

    def dichotomy(self, estimand: Estimand | str) -> Dichotomy | None:
        """Return the reports whose count is binomial in the estimand, if any."""
        wanted = find_estimand(self.mechanism, estimand)
        return find_dichotomy(self.mechanism.weights, wanted)

    @cached_property
    def raw_shares(self) -> dict[str, float]:
        return {answer: self.raw(answer) for answer in self.mechanism.answers}

    @cached_property
    def shares(self) -> dict[str, float]:
        """Maximum-likelihood shares: `raw_shares` if none of them is negative.

        If one is negative, the shares of two answers are 0 and 1. NaN without reports.
        """
        raw = self.raw_shares
        if self.n == 0 or min(raw.values()) >= 0:
            return raw
        if len(raw) == 2:
            return {answer: min(max(each, 0.0), 1.0) for answer, each in raw.items()}
        shares = self._maximum_likelihood()
        return dict(zip(self.mechanism.answers, shares, strict=True))

    @property
    def standard_errors(self) -> dict[str, float]:
        return {
            answer: self.standard_error(answer) for answer in self.mechanism.answers
        }

    def estimate(self, estimand: Estimand | str) -> float:
        """Return the maximum-likelihood estimate, in its range; NaN without reports."""
        wanted = find_estimand(self.mechanism, estimand)
        if self.n == 0:
            return math.nan
        if self.mechanism.identifies_shares:
            return wanted.of(self.shares.values())
        if self.dichotomy(wanted):
            return wanted.clipped(self.raw(wanted))
        return wanted.of(self._maximum_likelihood())

    def error_at_estimate(self, estimand: Estimand, n: float) -> float:
        """Return the standard error for n reports without spread.

        It is the largest over all shares with the maximum-likelihood estimate, which is
        moved to at least half a report from the ends of its range. For a dichotomy it
        is the formula of Warner 1965, Journal of the American Statistical Association
        60:63.
        """
        part = (self.estimate(estimand) - estimand.low) / estimand.span
        value = estimand.between(keep_inside(part, n))
        weights = self.mechanism.weights
        moments = compute_chances(weights) @ score_values(weights, estimand) ** 2
        variance = find_largest_variance(moments, estimand.coefficients, value)
        return math.sqrt(variance / n)

    def interval_around_score(self, wanted: Estimand, reach: float) -> Interval:
        """Return the mean score plus and minus `reach`, within the estimand's range."""
        middle, estimate = wanted.clipped(self.raw(wanted)), self.estimate(wanted)
        low, high = wanted.clipped(middle - reach), wanted.clipped(middle + reach)
        # Maximum-likelihood shares are nonnegative, which the score ignores.
        return Interval(min(low, estimate), max(high, estimate))

    def estimate_among_answered(self, found: MeanAmongAnswered) -> float:
        """Return the maximum-likelihood mean; NaN if the share who answered is 0."""
        total, answered = (
            each.of(self.shares.values()) for each in (found.total, found.answered)
        )
        return found.clip(total / answered) if answered >= AT_EDGE else math.nan

    @cached_property
    def design_fit(self) -> float:
        """The p-value of the module's `design_fit`; near 0, the design does not fit."""
        return design_fit(self.mechanism, self.report_counts)

    def status(self, estimand: Estimand | str) -> Status:
        return classify_status(self.n, self.design_fit, self.is_identical(estimand))

    def row(
        self,
        name: str,
        wanted: Estimand,
        confidence_level: float,
        method: str,
        group: str | None,
    ) -> Estimate:
        def find_interval(level: float, other: str = method) -> Interval:
            return self.interval(wanted, level, other)

        low, high = find_interval(confidence_level)
        return Estimate(
            estimand=name,
            group=group,
            estimate=self.estimate(wanted),
            raw=self.raw(wanted),
            standard_error=self.standard_error(wanted),
            low=low,
            high=high,
            confidence_level=confidence_level,
            method=self.method(wanted, method),
            n=self.n,
            status=self.status(wanted),
            find_interval=find_interval,
            find_interval_by=find_interval,
        )

    def table(
        self,
        estimand: Estimand | str | None,
        confidence_level: float,
        method: str,
        *,
        group: str | None = None,
        notes: Iterable[str] = (),
    ) -> Estimates:
        """Return the row of one estimand, or by default of all named ones.

        For a scale that can be skipped, the mean is among respondents who answered.
        """
        check_group(group)
        check_choice("method", method, METHODS)
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        means: list[Estimate] = []
        if self.mechanism.can_be_skipped and estimand in (None, MEAN):
            means = [self.row_among_answered(level, group)]
        if means and estimand == MEAN:
            return Estimates(means, notes=notes)
        wanted = select_estimands(self.mechanism, estimand)
        rows = (
            self.row(name, each, level, method, group) for name, each in wanted.items()
        )
        return Estimates((*means, *rows), notes=notes)

    @abstractmethod
    def mean_among_answered(
        self, confidence_level: float = DEFAULT_CONFIDENCE_LEVEL
    ) -> tuple[float, Interval]:
        """Return the mean of a scale among those who did not skip it, with interval.

        It is in points from 0. It is NaN, and the interval the whole scale, if the
        maximum-likelihood share of those who skipped is 1.
        """

    @abstractmethod
    def linearised_error(self, score: FloatArray) -> float:
        """Return the standard error of the mean of any score of the reports."""

    def row_among_answered(
        self, confidence_level: float, group: str | None = None
    ) -> Estimate:
        """Return the mean of a scale that can be skipped, among those who answered.

        The raw mean is the ratio of two unbiased estimates, and its standard error is
        linearised.
        """
        found = MeanAmongAnswered(self.mechanism)

        def find_interval(level: float) -> Interval:
            return self.mean_among_answered(level)[1]

        estimate, (low, high) = self.mean_among_answered(confidence_level)
        answered = self.raw(found.answered)
        raw = found.divide(self.raw(found.total), answered)
        error = self.linearised_error(found.residual_score(raw)) / answered
        if error == 0:
            # All reports are the same, so their spread is 0.
            error = self.standard_error(found.total) / max(answered, 1.0)
        return Estimate(
            estimand=MEAN,
            group=group,
            estimate=estimate,
            raw=raw,
            standard_error=error,
            low=low,
            high=high,
            confidence_level=confidence_level,
            method=self.scored_method,
            n=self.n,
            status=self.status(found.total),
            find_interval=find_interval,
        )


@dataclass(frozen=True)
class Sample(BaseSample):
    """The reports of one group of respondents.

    `counts` is in the order of the table's columns.
    """

    mechanism: Mechanism
    counts: tuple[int, ...]
    scored_method: ClassVar[str] = PROFILE

    @classmethod
    def of(
        cls, mechanism: Mechanism, counts: Mapping[str, int], *, name: str = "counts"
    ) -> Self:
        """Return the sample with these counts by report, checked.

        The mechanism has as many reports as answers, or identifies the mean of a scale.
        Errors name the argument `counts` by `name`.
        """
        mechanism = reduce_to_estimable(mechanism)
        return cls(mechanism, check_counts(counts, mechanism.reports, name=name))

    @cached_property
    def n(self) -> int:
        return sum(self.counts)

    @property
    def report_counts(self) -> tuple[int, ...]:
        return self.counts

    def raw(self, estimand: Estimand | str) -> float:
        """Return the unbiased estimate, which may be out of range; NaN without reports.

        It is the mean score of the reports. With two answers this is (x/n - b) / (a -
        b): Warner 1965, Journal of the American Statistical Association 60:63.
        """
        total, _squares, denominator = self._sums(estimand)
        return total / (self.n * denominator) if self.n else math.nan

    def standard_error(self, estimand: Estimand | str) -> float:
        """Return the estimated standard deviation of `raw`.

        Its square is unbiased, unless all reports have the same score: then it is the
        error at the maximum-likelihood estimate, at least half a report from the ends
        of its range. NaN for fewer than two reports.
        """
        error = self.spread_error(estimand)
        if error == 0:
            wanted = find_estimand(self.mechanism, estimand)
            return self.error_at_estimate(wanted, self.n)
        return error

    def _counted_interval(
        self, wanted: Estimand, dichotomy: Dichotomy, level: float, method: str
    ) -> Interval:
        ends = share_interval(
            dichotomy.count(self.counts),
            dichotomy.channel.design(self.n),
            confidence_level=level,
            method=method,
        )
        low, high = map(wanted.between, ends)
        if len(self.counts) == 2:
            return Interval(low, high)
        # The maximum-likelihood shares depend on all counts, the interval on one of
        # them, so it may not contain the estimate. A longer interval does not cover
        # less.
        estimate = self.estimate(wanted)
        return Interval(min(low, estimate), max(high, estimate))

    def bounds(
        self,
        answer: str,
        declined: str,
        confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
        method: str = DEFAULT_METHOD,
    ) -> Interval:
        """Return bounds for the share of `answer` if everyone had answered.

        Respondents who declined may have the answer or not. So the share lies between
        the share of the answer and the total share of the answer and `declined`. Each
        end is exact at level 1 - alpha / 2, so that both are valid together at
        `confidence_level` (Bonferroni; Horowitz & Manski 1995, Econometrica 63:281, for
        such bounds).
        """
        places = self._find_places(answer, declined)
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        each = 1 - (1 - level) / 2
        low = self.interval(answer, each, method).low
        both = Estimand.make_share(*places, answers=len(self.mechanism.answers))
        return Interval(low, self.interval(both, each, method).high)

    def _find_places(self, answer: str, declined: str) -> tuple[int, int]:
        names = self.mechanism.answers
        if answer == declined or declined not in names:
            allowed = ", ".join(each for each in names if each != answer)
            raise ValueError(f"declined must be one of {allowed}; got {declined!r}")
        return names.index(answer), names.index(declined)

    def share_among_answered(
        self,
        answer: str,
        declined: str,
        confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
        method: str = DEFAULT_METHOD,
    ) -> tuple[float, Interval]:
        """Return the share of `answer` among those who did not decline, with interval.

        It is the ratio f_answer / (1 - f_declined), with a profile-likelihood interval
        whose limit is the square of Student's t, as for a mean. With k-ary randomised
        response the interval includes the exact interval of the counts. Answers that
        are not randomised are counted, and their interval is by `method`. If the
        maximum-likelihood share of `declined` is 1, the result is NaN and (0, 1).

        Raises
        ------
        ValueError
            If `declined` is not another answer of the mechanism, or the level or method
            is out of range.

        References
        ----------
        Wilks 1938, Annals of Mathematical Statistics 9:60, the test that is inverted.
        """
        place, excluded = self._find_places(answer, declined)
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        if not self.mechanism.is_scrambled:
            count = self.counts[place]
            rest = self.n - self.counts[excluded] - count
            among = Sample.of(build("direct"), {"yes": count, "no": rest})
            return among.estimate("yes"), among.interval("yes", level, method)
        if self.n < 2:
            return math.nan, Interval(0.0, 1.0)
        t = float(scipy.special.stdtrit(self.n - 1, (1 + level) / 2))
        share, (low, high) = profile_share_among(
            self.mechanism.weights, self.counts, place, excluded, drop=t**2
        )
        if math.isnan(share) or find_truth_and_other(self.mechanism.weights) is None:
            return share, Interval(low, high)
        other = Interval(0.0, 1.0)
        if (answered := 1 - self.raw(declined)) > 0:
            other = find_counted_share_interval(
                self.mechanism,
                self.counts,
                place,
                excluded,
                answered=min(answered, 1.0),
                confidence_level=level,
            )
        return share, Interval(min(low, other.low), max(high, other.high))

    def mean_among_answered(
        self, confidence_level: float = DEFAULT_CONFIDENCE_LEVEL
    ) -> tuple[float, Interval]:
        """Return the mean among those who answered, with interval.

        The interval is the union of the profile interval and that of the score (Fieller
        1954), with the degrees of freedom of those who answered. If the answers are
        only the ends, the exact interval of their counts replaces that of the score.
        For its coverage see docs/researchers/scales.md.
        """
        found = MeanAmongAnswered(self.mechanism)
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        if self.n < 2:
            return math.nan, Interval(0.0, float(found.last))
        scores, counts = found.find_scores(), np.array(self.counts, dtype=np.float64)
        means = scores @ counts / self.n
        freedom = self.n - 1.0
        if len(found.points) > 2:
            # Respondents who skipped give no information on the spread.
            freedom = min(max(self.n * float(means[1]) - 1, 1.0), freedom)
        t = float(scipy.special.stdtrit(freedom, (1 + level) / 2))
        value, (low, high) = found.profile(self.counts, drop=t**2)
        if math.isnan(value):
            return value, Interval(low, high)
        if len(found.points) > 2:
            apart = scores - means[:, None]
            covariance = apart * counts @ apart.T / (self.n * (self.n - 1))
            other = found.find_fieller_interval(means, covariance, t=t)
            low, high = found.widen(Interval(low, high), self.counts, drop=t**2)
        elif means[1] > 0:
            other = found.find_counted_interval(
                self.counts, answered=min(float(means[1]), 1.0), confidence_level=level
            )
        else:
            other = Interval(0.0, float(found.last))
        return value, Interval(min(low, other.low), max(high, other.high))

    def find_mean_bounds(
        self,
        confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
        method: str = DEFAULT_METHOD,
    ) -> tuple[float, float, Interval]:
        """Return bounds for the mean of a scale, had everyone answered.

        They are the estimates if all who skipped were at the lowest or at the highest
        point, and an interval that contains both with `confidence_level`, as in
        `bounds`.
        """
        found = MeanAmongAnswered(self.mechanism)
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        each = 1 - (1 - level) / 2
        least, most = found.total, found.highest_total
        ends = Interval(
            self.interval(least, each, method).low,
            self.interval(most, each, method).high,
        )
        return self.estimate(least), self.estimate(most), ends

    def linearised_error(self, score: FloatArray) -> float:
        if self.n < 2:
            return math.nan
        counts = np.array(self.counts, dtype=np.float64)
        mean = counts @ score / self.n
        spread = float(counts @ (score - mean) ** 2)
        return math.sqrt(spread / (self.n * (self.n - 1)))

    def _maximum_likelihood(self) -> list[float]:
        return find_maximum_likelihood_shares(self.mechanism.weights, self.counts)

    def _scored_interval(self, wanted: Estimand, level: float) -> Interval:
        """Return the union of the profile interval and that of the mean score.

        Coverage was at least nominal in all simulations, but is not proved: see
        docs/researchers/scales.md.
        """
        weights, counts = self.mechanism.weights, self.counts
        if self.n < 2:
            return find_profile_interval(
                weights, counts, wanted, confidence_level=level
            )
        # Student's t, and its square for the likelihood ratio of a mean (Owen 2001,
        # Empirical Likelihood): z and chi-squared covered too little in small surveys.
        t = float(scipy.special.stdtrit(self.n - 1, (1 + level) / 2))
        found = find_profile_interval(
            weights, counts, wanted, confidence_level=level, drop=t**2
        )
        # If nearly all answers are at one end, the maximum-likelihood shares of other
        # answers are above 0 by chance and bias the estimate: the profile interval then
        # misses in up to half of all surveys. The mean score is unbiased there, but its
        # standard error may be too small in the middle. So the union is used.
        reach = t * self.spread_error(wanted)
        low, high = self.raw(wanted) - reach, self.raw(wanted) + reach
        return Interval(
            max(min(found.low, low), float(wanted.low)),
            min(max(found.high, high), float(wanted.high)),
        )

    def spread_error(self, estimand: Estimand | str) -> float:
        """Return the standard error from the spread; 0 for identical reports."""
        n = self.n
        if n < 2:
            return math.nan
        # [sum of C s^2 / n - raw^2] / (n - 1), in whole numbers until the last step
        total, squares, denominator = self._sums(estimand)
        return math.sqrt((n * squares - total**2) / (n**2 * (n - 1) * denominator**2))

    def _sums(self, estimand: Estimand | str) -> tuple[int, int, int]:
        """Return the sums of all scores and of their squares, and their denominator."""
        wanted = find_estimand(self.mechanism, estimand)
        numerators, denominator = score_numerators(self.mechanism.weights, wanted)
        pairs = list(zip(numerators.tolist(), self.counts, strict=True))
        total = sum(score * count for score, count in pairs)
        return total, sum(score**2 * count for score, count in pairs), denominator


def estimate(
    mechanism: Mechanism,
    counts: Mapping[str, int],
    *,
    estimand: Estimand | str | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    method: str = DEFAULT_METHOD,
    group: str | None = None,
) -> Estimates:
    """Estimate the shares of the true answers, or the mean of a scale.

    Parameters
    ----------
    mechanism : Mechanism
        The table by which answers became reports, with as many reports as answers or
        one that identifies the mean of a scale.
    counts : mapping of str to int
        How many respondents sent each report, 0 or more; reports left out count 0. At
        most 10**9 in total.
    estimand : Estimand or str, optional
        The only row: an answer, "mean" for the mean of a scale, or coefficients. By
        default there is a row for each answer; for a scale the mean is the first row,
        in points from 0.
    confidence_level : float
        In (0, 1), for each interval by itself.
    method : str
        A key of `candor.intervals.METHODS`. An estimand that no single count of reports
        identifies has a profile-likelihood interval instead.
    group : str, optional
        Name of the group of respondents.

    Returns
    -------
    Estimates
        `raw` is unbiased and may be out of range; `estimate` is the maximum-likelihood
        estimate. Without reports both are NaN and the interval is the whole range; with
        fewer than two the standard error is NaN.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or is out of its range.

    References
    ----------
    Warner 1965, Journal of the American Statistical Association 60:63; Chaudhuri &
    Mukerjee 1988, Randomized Response; van den Hout & van der Heijden 2002,
    International Statistical Review 70:269 (several answers); Ding, Kulkarni & Yekhanin
    2017, NeurIPS 30:3571 (means).

    Examples
    --------
    The study of partial plagiarism in Jann, Jerke & Krumpal 2012 (Public Opinion
    Quarterly 76:32): crosswise, innocuous trait 1/4, 198 of 310 report "same".

    >>> import candor
    >>> crosswise = candor.mechanism("crosswise", prevalence="1/4")
    >>> table = candor.estimate(crosswise, {"same": 198, "different": 112})
    >>> print(f"{table['yes'].estimate:.5f} ({table['yes'].standard_error:.5f})")
    0.22258 (0.05466)
    """
    sample = read_sample(mechanism, counts)
    return sample.table(estimand, confidence_level, method, group=group)


def read_sample(
    mechanism: Mechanism, counts: Mapping[str, int], *, name: str = "counts"
) -> Sample:
    """Return the sample of a public function, with at most 10**9 reports."""
    sample = Sample.of(mechanism, counts, name=name)
    check_total(name, sample.n)
    return sample


def read_dichotomy(
    mechanism: Mechanism, counts: Mapping[str, int], answer: str | None
) -> tuple[int, int, Dichotomy]:
    """Return the counted reports, all reports and the dichotomy of an answer."""
    check_square(mechanism)
    sample = read_sample(mechanism, counts)
    names = mechanism.answers
    if answer is not None:
        check_choice("answer", answer, names)
    found = find_answer_dichotomy(mechanism, names.index(answer) if answer else 0)
    return found.count(sample.counts), sample.n, found


def classify_status(n: int, fit: float, is_identical: bool) -> Status:
    """Return the status of n reports from the design fit and their spread."""
    if n == 0:
        return Status.NO_REPORTS
    if fit < MISFIT:
        return Status.MISFIT
    if n == 1:
        return Status.ONE_REPORT
    return Status.IDENTICAL_REPORTS if is_identical else Status.OK


def check_group(group: str | None, *, name: str = "group") -> None:
    """Raise `TypeError` unless the name of a group is text or None."""
    if group is not None and not isinstance(group, str):
        raise TypeError(f"{name} must be text or None; got {group!r}")


def design_fit(mechanism: Mechanism, counts: Sequence[int]) -> float:
    """Return the p-value, in (0, 1], of "some shares explain the rarest report".

    It is the smallest probability of so few reports of a kind, if all respondents have
    the answer that makes it least likely, times the number of reports (Bonferroni). For
    any shares, it is at most p with a probability of at most p.
    """
    tail = float(at_most(counts, sum(counts), find_smallest_chances(mechanism)).min())
    return min(1.0, len(counts) * tail)


def find_smallest_chances(mechanism: Mechanism) -> FloatArray:
    """Return the smallest possible chance of each report over all shares."""
    return np.array(mechanism.weights).min(axis=0) / mechanism.total
