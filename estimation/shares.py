"""From a mechanism and a tally of reports to the shares of true answers."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from estimation.binomial import BinomialDesign
from estimation.intervals import (
    DEFAULT_CONFIDENCE_LEVEL,
    DEFAULT_METHOD,
    Interval,
    is_whole,
    share_interval,
)
from surveys.mechanisms import Mechanism

Tally = Mapping[str, int]


@dataclass(frozen=True)
class ShareEstimate:
    """The shares of the two answers behind a tally of reports.

    Attributes
    ----------
    mechanism : Mechanism
        The table by which answers became reports, two answers and two reports.
    tally : mapping of str to int
        How many respondents sent each report, every report of the table named.
    """

    mechanism: Mechanism
    tally: Tally = field(hash=False)

    @property
    def respondents(self) -> int:
        """How many reports there are: n."""
        return sum(self.tally.values())

    @cached_property
    def raw(self) -> dict[str, float]:
        """Unbiased estimate of each share; may leave [0, 1]; NaN without reports."""
        if self.respondents == 0:
            return dict.fromkeys(self.mechanism.answers, math.nan)
        # (x/n - b) / (a - b), x the first report, in whole numbers until the last step:
        # Warner 1965, Journal of the American Statistical Association 60:63.
        first, second = self.mechanism.answers
        (on_yes, _), (on_no, _) = self.mechanism.weights
        count = self.tally[self.mechanism.reports[0]]
        above = count * self.mechanism.total - self.respondents * on_no
        span = self.respondents * (on_yes - on_no)
        return {first: above / span, second: (span - above) / span}

    @cached_property
    def shares(self) -> dict[str, float]:
        """Likeliest shares: `raw` where that is possible, else the nearest of 0 and 1.

        NaN without reports.
        """
        if self.respondents == 0:
            return dict.fromkeys(self.mechanism.answers, math.nan)
        return {answer: min(max(raw, 0.0), 1.0) for answer, raw in self.raw.items()}

    @cached_property
    def standard_errors(self) -> dict[str, float]:
        """Estimated standard deviation of each `raw` share.

        NaN for fewer than two reports, which show no spread. 0 where all reports are
        the same: the formula's answer, and no sign of certainty; the interval tells.
        """
        if self.respondents < 2:
            return dict.fromkeys(self.mechanism.answers, math.nan)
        # sqrt[(x/n) (1 - x/n) / (n - 1)] / |a - b|
        yes, no = self.tally.values()
        (on_yes, _), (on_no, _) = self.mechanism.weights
        variance = yes * no / (self.respondents**2 * (self.respondents - 1))
        spread = math.sqrt(variance) * self.mechanism.total / abs(on_yes - on_no)
        return dict.fromkeys(self.mechanism.answers, spread)

    def interval(
        self,
        answer: str,
        confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
        method: str = DEFAULT_METHOD,
    ) -> Interval:
        """Return an interval for the share of `answer`, within [0, 1].

        Parameters
        ----------
        answer : str
            One of the mechanism's answers.
        confidence_level : float
            In (0, 1).
        method : str
            A key of `estimation.intervals.METHODS`.

        Returns
        -------
        Interval
            (low, high); all of [0, 1] without reports.

        Raises
        ------
        TypeError, ValueError
            For a bad argument, naming it, its range and the value.
        """
        if answer not in self.mechanism.answers:
            allowed = ", ".join(self.mechanism.answers)
            raise ValueError(f"answer must be one of {allowed}; got {answer!r}")
        count, design = self._counted()
        low, high = share_interval(
            count, design, confidence_level=confidence_level, method=method
        )
        if answer == self.mechanism.answers[0]:
            return Interval(low, high)
        return Interval(1 - high, 1 - low)

    @cached_property
    def design_fit(self) -> float:
        """How well the most extreme share explains the reports, as a p-value in (0, 1].

        The smaller of the chances of a count at least as far out as the one observed
        when nobody's, and when everybody's, answer is the first one. Near 0, no share
        explains the reports: people did not do as the design says. 1 without reports.
        """
        count, design = self._counted()
        return min(
            design.at_most(count, design.p_yes_given_no),
            design.at_least(count, design.p_yes_given_yes),
        )

    def _counted(self) -> tuple[int, BinomialDesign]:
        """Return the count of the report that speaks for the first answer, its law."""
        (on_yes, _), (on_no, _) = self.mechanism.weights
        column = 0 if on_yes > on_no else 1
        given_yes, given_no = (row[column] for row in self.mechanism.weights)
        design = BinomialDesign(
            respondents=self.respondents,
            p_yes_given_yes=given_yes / self.mechanism.total,
            p_yes_given_no=given_no / self.mechanism.total,
        )
        return self.tally[self.mechanism.reports[column]], design


def estimate_shares(mechanism: Mechanism, tally: Tally) -> ShareEstimate:
    """Return the shares of the two answers behind a tally of reports.

    Parameters
    ----------
    mechanism : Mechanism
        Two answers, two reports; the first report may speak for either answer.
    tally : mapping of str to int
        How many respondents sent each report, 0 or more; reports left out count 0.

    Raises
    ------
    TypeError
        Where an argument or a count is of the wrong type.
    ValueError
        For a table that is not 2 x 2, an unknown report, and a negative count.

    References
    ----------
    Warner 1965, Journal of the American Statistical Association 60:63; Chaudhuri &
    Mukerjee 1988, Randomized Response, chapter 1.

    Examples
    --------
    The study of partial plagiarism in Jann, Jerke & Krumpal 2012 (Public Opinion
    Quarterly 76:32): crosswise, innocuous trait 1/4, 198 of 310 report "same".

    >>> from surveys.mechanisms import build
    >>> crosswise = build("crosswise", prevalence="1/4")
    >>> result = estimate_shares(crosswise, {"same": 198, "different": 112})
    >>> print(f"{result.shares['yes']:.5f} ({result.standard_errors['yes']:.5f})")
    0.22258 (0.05466)
    """
    if not isinstance(mechanism, Mechanism):
        raise TypeError(f"mechanism must be a Mechanism; got {mechanism!r}")
    shape = (len(mechanism.answers), len(mechanism.reports))
    if shape != (2, 2):
        raise ValueError(
            f"mechanism must have 2 answers and 2 reports; got {shape[0]} answers "
            f"and {shape[1]} reports"
        )
    return ShareEstimate(mechanism, _checked_tally(tally, mechanism.reports))


def _checked_tally(tally: Tally, reports: tuple[str, ...]) -> dict[str, int]:
    if not isinstance(tally, Mapping):
        raise TypeError(f"tally must map reports to counts; got {tally!r}")
    for report, count in tally.items():
        if report not in reports:
            allowed = ", ".join(reports)
            raise ValueError(
                f"a report in tally must be one of {allowed}; got {report!r}"
            )
        if not is_whole(count):
            raise TypeError(
                f"tally[{report!r}] must be a whole number, 0 or more; got {count!r}"
            )
        if count < 0:
            raise ValueError(f"tally[{report!r}] must be 0 or more; got {count!r}")
    return {report: int(tally.get(report, 0)) for report in reports}
