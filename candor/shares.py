"""From a mechanism and a tally of reports to the shares of true answers."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from candor.binary import FloatArray, at_most
from candor.dichotomies import Dichotomy, dichotomy_of_answer, folds
from candor.estimands import Estimand, every_share
from candor.intervals import (
    DEFAULT_CONFIDENCE_LEVEL,
    DEFAULT_METHOD,
    Interval,
    share_interval,
)
from candor.likelihood import likeliest
from candor.mechanisms import Mechanism
from candor.scores import scores
from candor.validation import CONFIDENCE_LEVEL, check_square, check_tally

Tally = Mapping[str, int]


@dataclass(frozen=True)
class ShareEstimate:
    """The shares of the answers behind a tally of reports.

    Attributes
    ----------
    mechanism : Mechanism
        The table by which answers became reports, with as many reports as answers.
    tally : mapping of str to int
        How many respondents sent each report, every report of the table named.
    """

    mechanism: Mechanism
    tally: Tally = field(hash=False)

    @property
    def respondents(self) -> int:
        """How many reports there are: n."""
        return sum(self.tally.values())

    @property
    def counts(self) -> tuple[int, ...]:
        """The tally in the order of the table's columns."""
        return tuple(self.tally[report] for report in self.mechanism.reports)

    @cached_property
    def raw(self) -> dict[str, float]:
        """Unbiased estimate of each share; may leave [0, 1]; NaN without reports."""
        if self.respondents == 0:
            return dict.fromkeys(self.mechanism.answers, math.nan)
        # The mean score of the reports, in whole numbers until the last step. With two
        # answers it is (x/n - b) / (a - b): Warner 1965, Journal of the American
        # Statistical Association 60:63.
        _, denominator = scores(self.mechanism.weights)
        means = self._sums_of_scores() / (self.respondents * denominator)
        return dict(zip(self.mechanism.answers, means, strict=True))

    @cached_property
    def shares(self) -> dict[str, float]:
        """Likeliest shares: `raw` where none of them is negative, else at an edge.

        With two answers that edge is the nearest of 0 and 1; `likeliest` finds it for
        more. NaN without reports.
        """
        if self.respondents == 0 or min(self.raw.values()) >= 0:
            return self.raw
        if len(self.raw) == 2:
            return {answer: min(max(raw, 0.0), 1.0) for answer, raw in self.raw.items()}
        found = likeliest(self.mechanism.weights, self.counts)
        return dict(zip(self.mechanism.answers, found, strict=True))

    @cached_property
    def covariance(self) -> FloatArray:
        """Estimated covariance of the `raw` shares, shape (answers, answers).

        Unbiased; NaN for fewer than two reports, which show no spread.
        """
        size, n = len(self.mechanism.answers), self.respondents
        if n < 2:
            return np.full((size, size), math.nan)
        # [sum over reports of (C/n) s_a s_b - raw_a raw_b] / (n - 1), s the scores
        numerators, denominator = scores(self.mechanism.weights)
        products = (numerators.T * np.array(self.counts, dtype=object)) @ numerators
        sums = self._sums_of_scores()
        centred = n * products - np.outer(sums, sums)
        return (centred / (n**2 * (n - 1) * denominator**2)).astype(np.float64)

    @cached_property
    def standard_errors(self) -> dict[str, float]:
        """Estimated standard deviation of each `raw` share.

        NaN for fewer than two reports, which show no spread. 0 where all reports are
        the same: the formula's answer, and no sign of certainty; the interval tells.
        """
        shares = every_share(len(self.mechanism.answers))
        errors = map(self.standard_error_of, shares)
        return dict(zip(self.mechanism.answers, errors, strict=True))

    def raw_of(self, target: Estimand) -> float:
        """Return the unbiased estimate of a target, NaN without reports."""
        pairs = zip(target.coefficients, self.raw.values(), strict=True)
        return sum(coefficient * raw for coefficient, raw in pairs)

    def standard_error_of(self, target: Estimand) -> float:
        """Return the estimated standard deviation of `raw_of`, as `standard_errors`."""
        coefficients = np.array(target.coefficients)
        # c' Cov c. What rounding leaves of the variance of a constant may lie below 0.
        variance = float(coefficients @ self.covariance @ coefficients)
        return math.sqrt(max(variance, 0.0))

    def interval(
        self,
        answer: str,
        confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
        method: str = DEFAULT_METHOD,
    ) -> Interval:
        """Return an interval for the share of `answer`, within [0, 1].

        All other answers send the reports that speak for it with the same chance. So
        their count is binomial whatever the other shares are, and the interval is that
        of a question with two answers, and of more reaches as far as the likeliest
        share. It is about this share alone: of k intervals together, more than one may
        miss.

        Parameters
        ----------
        answer : str
            One of the mechanism's answers.
        confidence_level : float
            In (0, 1).
        method : str
            A key of `candor.intervals.METHODS`.

        Returns
        -------
        Interval
            (low, high); all of [0, 1] without reports.

        Raises
        ------
        ValueError
            For a table in which the other answers send a report with different chances.
        """
        if answer not in self.mechanism.answers:
            allowed = ", ".join(self.mechanism.answers)
            raise ValueError(f"answer must be one of {allowed}; got {answer!r}")
        place = self.mechanism.answers.index(answer)
        # The other one of two shares is what is left, to the last digit.
        is_mirrored = len(self.mechanism.answers) == 2 and place == 1
        fold = dichotomy_of_answer(self.mechanism, 0 if is_mirrored else place)
        found = self._interval(fold, confidence_level, method)
        if is_mirrored:
            return Interval(1 - found.high, 1 - found.low)
        if len(self.mechanism.answers) == 2 or not self.respondents:
            return found
        # The likeliest shares heed all counts, the fold one of them: now and then they
        # contradict each other. A longer interval covers no less.
        share = self.shares[answer]
        return Interval(min(found.low, share), max(found.high, share))

    def interval_of(
        self,
        target: Estimand,
        confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
        method: str = DEFAULT_METHOD,
    ) -> Interval:
        """Return an interval for a target, between its least and largest value.

        Parameters are those of `interval`, for an answer.

        Raises
        ------
        ValueError
            For a target that the count of no reports tells alone.
        """
        (fold,) = folds(self.mechanism.weights, target)
        if fold is None:
            raise ValueError(
                "target must be a sum that the count of some reports tells alone; got "
                f"coefficients {target.coefficients}"
            )
        ends = self._interval(fold, confidence_level, method)
        return Interval(*map(target.between, ends))

    def bounds(
        self,
        answer: str,
        declined: str,
        confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
        method: str = DEFAULT_METHOD,
    ) -> Interval:
        """Return bounds for the share of `answer` had nobody declined to answer.

        It lies between the share of the answer and that of the answer and `declined`
        together: whoever declined may have it or not. Both ends are exact, at level
        1 - alpha / 2 each, so that together they hold with `confidence_level`
        (Bonferroni; Horowitz & Manski 1995, Econometrica 63:281, for such bounds).

        Parameters
        ----------
        answer, declined : str
            Two answers of the mechanism.
        confidence_level, method
            As for `interval`.

        Raises
        ------
        ValueError
            As `interval` and `interval_of` say, and where both answers are one.
        """
        if answer == declined or declined not in self.mechanism.answers:
            allowed = ", ".join(
                each for each in self.mechanism.answers if each != answer
            )
            raise ValueError(f"declined must be one of {allowed}; got {declined!r}")
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        each = 1 - (1 - level) / 2
        names = self.mechanism.answers
        places = names.index(answer), names.index(declined)
        low = self.interval(answer, each, method).low
        both = Estimand.share_of(*places, answers=len(names))
        high = self.interval_of(both, each, method).high
        return Interval(low, max(high, self.shares[answer]))

    @cached_property
    def design_fit(self) -> float:
        """How well the best shares explain the scarcest report, a p-value in (0, 1].

        Near 0, no shares explain the reports: people did not do as the design says. 1
        without reports.
        """
        return design_fit(self.mechanism, self.counts)

    def _interval(
        self, fold: Dichotomy, confidence_level: float, method: str
    ) -> Interval:
        return share_interval(
            fold.count(self.counts),
            fold.law.design(self.respondents),
            confidence_level=confidence_level,
            method=method,
        )

    def _sums_of_scores(self) -> npt.NDArray[np.object_]:
        """Return the numerators of `raw`, one whole number for each answer."""
        numerators, _ = scores(self.mechanism.weights)
        return np.array(self.counts, dtype=object) @ numerators


def design_fit(mechanism: Mechanism, counts: Sequence[int]) -> float:
    """Return a p-value in (0, 1]: whether any shares explain the scarcest report.

    For each report: the chance of so few of them when nobody's answer is one that makes
    it likelier. The smallest of these chances counts, times the number of reports
    (Bonferroni): whatever the shares are, it is at most p with a chance of at most p.
    All but one of the answers may be nobody's at once, but near epsilon 0 a report that
    comes from everybody is as scarce as they are.

    Parameters
    ----------
    mechanism : Mechanism
    counts : sequence of int
        How many sent each report, in the order of the table's columns.
    """
    lowest = np.array(mechanism.weights).min(axis=0) / mechanism.total
    tail = float(at_most(counts, sum(counts), lowest).min())
    return min(1.0, len(lowest) * tail)


def estimate_shares(mechanism: Mechanism, tally: Tally) -> ShareEstimate:
    """Return the shares of the answers behind a tally of reports.

    Parameters
    ----------
    mechanism : Mechanism
        As many reports as answers, two or more of each.
    tally : mapping of str to int
        How many respondents sent each report, 0 or more; reports left out count 0.

    References
    ----------
    Warner 1965, Journal of the American Statistical Association 60:63; Chaudhuri &
    Mukerjee 1988, Randomized Response; van den Hout & van der Heijden 2002,
    International Statistical Review 70:269 (several answers).

    Examples
    --------
    The study of partial plagiarism in Jann, Jerke & Krumpal 2012 (Public Opinion
    Quarterly 76:32): crosswise, innocuous trait 1/4, 198 of 310 report "same".

    >>> from candor.mechanisms import build
    >>> crosswise = build("crosswise", prevalence="1/4")
    >>> result = estimate_shares(crosswise, {"same": 198, "different": 112})
    >>> print(f"{result.shares['yes']:.5f} ({result.standard_errors['yes']:.5f})")
    0.22258 (0.05466)
    """
    check_square(mechanism)
    counts = check_tally(tally, mechanism.reports)
    return ShareEstimate(mechanism, dict(zip(mechanism.reports, counts, strict=True)))
