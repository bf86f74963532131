"""How an estimate changes if some respondents ignore the device.

A share g of all respondents always sends the safe report, such as "no". The others
follow the device, so the counts have the table (1 - g) P + g e, where each row of e has
a 1 at the safe report. That table gives the estimand t among compliant respondents. The
others may have any answer, so over all respondents the estimand is between
(1 - g) t + g c_min and (1 - g) t + g c_max.
"""

import math
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from candor.estimands import Estimand, find_estimand
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD, Interval
from candor.intervals import METHODS as INTERVAL_METHODS
from candor.mechanisms import Mechanism
from candor.mechanisms.parameters import check_choice
from candor.sample import Sample, read_sample
from candor.validation import CONFIDENCE_LEVEL, Range

NON_COMPLIANCE = Range(low=0, high=0.5, example="0.1")
"""If more than half ignore the device, no estimate of a share is useful."""

STEPS = 20
"""Number of equally spaced assumed shares whose union is the band of one share."""

STEPS_OF_PROFILES = 2
"""The same without a dichotomy: the ends change steadily with the assumed share."""

FINEST = 10_000
"""Denominator of an assumed share, so that weights of tables are whole numbers."""


@dataclass(frozen=True)
class Band:
    """An estimate if at most a given share of respondents does not comply.

    Attributes
    ----------
    non_compliance : float
        The largest assumed share, in [0, 0.5].
    lowest, highest : float
        Smallest and largest estimate; NaN without reports.
    low, high : float
        Ends of the union of the confidence intervals.
    """

    non_compliance: float
    lowest: float
    highest: float
    low: float
    high: float


@dataclass(frozen=True)
class Sensitivity:
    """How one estimand depends on the assumed share of non-compliance.

    Attributes
    ----------
    sample : Sample
        The mechanism and the counts of its reports.
    estimand : Estimand
    safe_report : str
        The report that all non-compliant respondents send.
    confidence_level : float
        In (0, 1).
    method : str
        A key of `candor.intervals.METHODS`.
    """

    sample: Sample
    estimand: Estimand
    safe_report: str
    confidence_level: float
    method: str

    @property
    def has_dichotomy(self) -> bool:
        """Whether the estimand depends on one count only."""
        return self.sample.dichotomy(self.estimand) is not None

    def band(self, non_compliance: float) -> Band:
        """Return the band if at most this share of respondents does not comply.

        Parameters
        ----------
        non_compliance : float
            In [0, 0.5].

        Returns
        -------
        Band
            For a share of 0 it is the estimate and interval of `candor.estimate`. For
            a larger share, the estimate of one of several answers uses the count of its
            own report. The union is over 21 shares from 0 to this one, or over 3 with
            profile intervals. If one of these shares does not comply, with any answers,
            its coverage is at least that of the usual interval.
        """
        largest = NON_COMPLIANCE.check("non_compliance", non_compliance)
        ends = [self._find_ends(share) for share in sorted(self._list_shares(largest))]
        estimates, intervals = zip(*ends, strict=True)
        return Band(
            largest,
            min(low for low, _high in estimates),
            max(high for _low, high in estimates),
            min(low for low, _high in intervals),
            max(high for _low, high in intervals),
        )

    def tipping_point(self, value: float) -> float | None:
        """Return the smallest assumed share at which the interval contains `value`.

        It is rounded up to a multiple of 0.0001. It is 0 if the interval without
        non-compliance contains `value`, and None if no share up to 0.5 suffices.
        """
        low, high = float(self.estimand.low), float(self.estimand.high)
        value = Range(low=low, high=high, example=f"{(low + high) / 2:g}").check(
            "value", value
        )

        def contains(step: int) -> bool:
            band = self.band(step / FINEST)
            return band.low <= value <= band.high

        def ends_contain(step: int) -> bool:
            (_, none), (_, some) = self._find_ends(0), self._find_ends(step / FINEST)
            return min(none.low, some.low) <= value <= max(none.high, some.high)

        steps = range(round(FINEST * NON_COMPLIANCE.high) + 1)
        step = bisect_left(steps, True, key=ends_contain)
        if step and contains(step - 1):
            # An intermediate interval is wider, which can happen with exact intervals.
            step = bisect_left(steps[:step], True, key=contains)
        return step / FINEST if step in steps else None

    def _list_shares(self, largest: float) -> set[float]:
        """Return the assumed shares whose union is the band."""
        steps = STEPS if self.has_dichotomy else STEPS_OF_PROFILES
        return {largest * step / steps for step in range(steps + 1)}

    @cached_property
    def reduced(self) -> tuple[Sample, Estimand, str]:
        """Sample, estimand and safe report on which the band depends.

        If the estimand depends on one count only, for every assumed share, they are
        reduced to yes and no, so that a table of 20 answers is not inverted each time.
        """
        sample, wanted = self.sample, self.estimand
        found = sample.dichotomy(wanted)
        if found is None or len(sample.counts) == 2:
            return sample, wanted, self.safe_report
        yes = found.count(sample.counts)
        place = sample.mechanism.reports.index(self.safe_report)
        table = AssumedTable(
            family=sample.mechanism.family,
            parameters={},
            answers=("yes", "no"),
            reports=("yes", "no"),
            weights=found.weights,
        )
        return (
            Sample(table, (yes, sample.n - yes)),
            Estimand((wanted.high, wanted.low)),
            "yes" if place in found.counted else "no",
        )

    def _find_ends(self, share: float) -> tuple[Interval, Interval]:
        """Return the ends of estimate and interval for exactly this assumed share."""
        sample, wanted = self.sample, self.estimand
        if part := math.ceil(share * FINEST):
            sample, wanted, report = self.reduced
            table = mix_with_report(sample.mechanism, report, part)
            sample = replace(sample, mechanism=table)
        estimate = sample.estimate(wanted)
        low, high = sample.interval(wanted, self.confidence_level, self.method)
        return self._extend(estimate, estimate, part), self._extend(low, high, part)

    def _extend(self, low: float, high: float, part: int) -> Interval:
        erring, wanted = part / FINEST, self.estimand
        return Interval(
            wanted.clipped((1 - erring) * low + erring * wanted.low),
            wanted.clipped((1 - erring) * high + erring * wanted.high),
        )


class AssumedTable(Mechanism):
    """An assumed table, which is never drawn from, so its rows may have any sum."""

    def __post_init__(self) -> None:
        """Skip the checks of a table that reports are drawn from."""


@lru_cache(maxsize=4 * STEPS)
def mix_with_report(mechanism: Mechanism, report: str, part: int) -> Mechanism:
    """Return the table if `part` of `FINEST` respondents always send one report."""
    place, total = mechanism.reports.index(report), mechanism.total
    fraction = Fraction(part, FINEST)
    erring, complying = fraction.numerator, fraction.denominator - fraction.numerator
    weights = tuple(
        tuple(
            complying * weight + (erring * total if column == place else 0)
            for column, weight in enumerate(row)
        )
        for row in mechanism.weights
    )
    return AssumedTable(
        family=mechanism.family,
        parameters=mechanism.parameters,
        answers=mechanism.answers,
        reports=mechanism.reports,
        weights=weights,
    )


def sensitivity(
    mechanism: Mechanism,
    counts: Mapping[str, int],
    *,
    estimand: Estimand | str | None = None,
    safe_report: str | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    method: str = DEFAULT_METHOD,
) -> Sensitivity:
    """Return how an estimate depends on respondents who ignore the device.

    Parameters
    ----------
    mechanism : Mechanism
    counts : mapping of str to int
        How many respondents sent each report.
    estimand : Estimand or str, optional
        An answer, "mean" or coefficients; by default the first answer.
    safe_report : str, optional
        The report that non-compliant respondents always send; by default the last one.
    confidence_level : float
        In (0, 1).
    method : str
        A key of `candor.intervals.METHODS`.

    Returns
    -------
    Sensitivity
        `band(0.1)` is the estimate and its interval if at most 10 % do not comply.
        `tipping_point(value)` is the share at which the interval reaches a value.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or is out of its range.

    References
    ----------
    Clark & Desharnais 1998, Psychological Methods 3:160 (cheaters always answer "no");
    Horowitz & Manski 1995, Econometrica 63:281 (bounds for a contaminated share).

    Examples
    --------
    40 of 100 report "yes" after tossing two coins. If at most 10 % always answer "no",
    between 30 % and 45 % have the answer "yes":

    >>> import candor
    >>> coin = candor.mechanism("coin")
    >>> found = candor.sensitivity(coin, {"yes": 40, "no": 60}).band(0.1)
    >>> print(f"{found.lowest:.3f} to {found.highest:.3f}")
    0.300 to 0.450
    """
    sample = read_sample(mechanism, counts)
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    check_choice("method", method, INTERVAL_METHODS)
    answers, reports = sample.mechanism.answers, sample.mechanism.reports
    wanted = find_estimand(
        sample.mechanism, answers[0] if estimand is None else estimand
    )
    report = reports[-1] if safe_report is None else safe_report
    check_choice("safe_report", report, reports)
    return Sensitivity(sample, wanted, report, level, method)
