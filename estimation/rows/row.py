"""A row of results: an estimate with its question, group and labels."""

from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from fractions import Fraction

from candor.estimands import MEAN, Estimand, mean_of_points
from candor.intervals import NEARLY_EVERYTHING, Interval
from candor.mechanisms.scale import Scale
from candor.sample import BaseSample
from candor.skipped_scales import MeanAmongAnswered
from candor.table import Estimate, Status
from surveys.design import DesignQuestion

MEAN_AMONG_ANSWERED = "mean_among_answered"
"""Name in files of the mean of a scale that can be skipped."""


class Kind(StrEnum):
    SHARE = "share"
    MEAN = "mean"
    SET = "set of answers"
    BOUNDS = "bounds"
    """Bounds of a share, whatever "Prefer not to answer" hides."""
    AMONG_ANSWERED = "share among those who answered"
    MEAN_AMONG_ANSWERED = "mean among those who answered"
    BOUNDS_OF_MEAN = "bounds of the mean"
    AMONG_ASKED = "share among those who were asked"
    MEAN_AMONG_ASKED = "mean among those who were asked"
    JOINT = "joint share"
    DIFFERENCE = "difference"


class DisplayStatus(Enum):
    """How to interpret an estimate; the values are those of the files."""

    NO_REPORTS = "no reports"
    MISFIT = "does not fit the design"
    UNINFORMATIVE = "tells nothing"
    ESTIMATED = "estimate"


@dataclass(frozen=True, kw_only=True)
class Row(Estimate):
    """An estimate with the wording of its answer and how to show it.

    Figures of a mean are in the units of its scale, all others are fractions of 1.

    Attributes
    ----------
    kind : Kind
    label : str
        Wording of the answer; empty for a mean.
    scale : Scale or None
        Scale of a mean; None for a share.
    other : str
        For a difference, the group whose value is subtracted from that of `group`.
    is_exact : bool
        Whether the p-value is that of an exact test.
    upper_estimate : float or None
        For bounds, the estimate if all who preferred not to answer had the answer;
        `estimate` is the one if none of them had it.
    """

    kind: Kind = Kind.SHARE
    label: str = ""
    scale: Scale | None = None
    other: str = ""
    is_exact: bool = False
    upper_estimate: float | None = None

    @property
    def width(self) -> float:
        return (self.high - self.low) / self.length

    @property
    def range(self) -> tuple[Fraction, Fraction]:
        return (
            (self.scale.low, self.scale.high)
            if self.scale
            else (Fraction(0), Fraction(1))
        )

    @property
    def length(self) -> float:
        return float(self.scale.high - self.scale.low) if self.scale else 1.0

    def part(self, value: float) -> float:
        return (value - float(self.scale.low)) / self.length if self.scale else value

    @property
    def is_possible(self) -> bool:
        # The raw mean is NaN if no respondent answered.
        return not (self.part(self.raw) < 0 or self.part(self.raw) > 1)

    @property
    def display_status(self) -> DisplayStatus:
        if self.status is Status.NO_REPORTS:
            return DisplayStatus.NO_REPORTS
        if self.status is Status.MISFIT:
            return DisplayStatus.MISFIT
        if self.status is Status.ONE_REPORT or self.is_too_imprecise:
            return DisplayStatus.UNINFORMATIVE
        return DisplayStatus.ESTIMATED

    @property
    def is_too_imprecise(self) -> bool:
        """Whether the interval contains nearly every possible value.

        For a difference: whether it contains 0 and is at least as long as the scale.
        """
        if self.kind is Kind.DIFFERENCE:
            return self.low <= 0 <= self.high and self.width >= 1
        return self.width >= NEARLY_EVERYTHING

    @property
    def has_estimate(self) -> bool:
        return self.display_status is DisplayStatus.ESTIMATED

    def with_status(self, status: Status) -> "Row":
        return replace(self, status=status)


def make_row(
    sample: BaseSample,
    name: str,
    estimand: Estimand,
    confidence_level: float,
    method: str,
    *,
    label: str,
    kind: Kind = Kind.SHARE,
    group: str | None = None,
) -> Row:
    found = sample.row(name, estimand, confidence_level, method, group)
    return Row(**vars(found), kind=kind, label=label)


def make_share_rows(
    sample: BaseSample,
    labels: tuple[str, ...],
    confidence_level: float,
    method: str,
    *,
    group: str | None = None,
) -> tuple[Row, ...]:
    answers = sample.mechanism.answers
    if not sample.mechanism.identifies_shares:
        return ()
    return tuple(
        make_row(
            sample,
            answer,
            Estimand.make_share(place, answers=len(answers)),
            confidence_level,
            method,
            label=label,
            group=group,
        )
        for place, (answer, label) in enumerate(zip(answers, labels, strict=True))
    )


def make_mean_row(
    sample: BaseSample,
    scale: Scale | None,
    confidence_level: float,
    method: str,
    *,
    group: str | None = None,
) -> Row | None:
    """Return the row of the mean of a scale, in its units; None without a scale."""
    if scale is None:
        return None
    estimand = mean_of_points(len(sample.mechanism.answers))
    row = make_row(
        sample, MEAN, estimand, confidence_level, method, label="", group=group
    )
    return place_on_scale(row, scale, span=estimand.span)


def make_answered_mean_row(
    sample: BaseSample,
    scale: Scale | None,
    confidence_level: float,
    *,
    group: str | None = None,
) -> Row | None:
    if scale is None:
        return None
    row = Row(**vars(sample.row_among_answered(confidence_level, group)))
    last = MeanAmongAnswered(sample.mechanism).last
    placed = place_on_scale(row, scale, span=last)
    return replace(placed, kind=Kind.MEAN_AMONG_ANSWERED, estimand=MEAN_AMONG_ANSWERED)


def make_mean_of_question(
    sample: BaseSample,
    question: DesignQuestion,
    confidence_level: float,
    method: str,
    *,
    group: str | None = None,
) -> Row | None:
    """Return the mean of all or of those who answered; None without a scale."""
    return make_mean_row(
        sample, question.scale, confidence_level, method, group=group
    ) or make_answered_mean_row(
        sample, question.scale_of_answered, confidence_level, group=group
    )


def place_on_scale(row: Row, scale: Scale, *, span: int = 1) -> Row:
    """Return a row with values in [0, `span`] as the mean of a scale, in its units."""

    def at(value: float) -> float:
        return scale.at(value / span)

    def find_interval(level: float, method: str | None = None) -> Interval:
        return Interval(*map(at, row.interval(level, method)))

    return replace(
        row,
        kind=Kind.MEAN,
        estimand=MEAN,
        label="",
        scale=scale,
        estimate=at(row.estimate),
        raw=at(row.raw),
        standard_error=row.standard_error / span * float(scale.high - scale.low),
        low=at(row.low),
        high=at(row.high),
        find_interval=find_interval,
        find_interval_by=find_interval,
    )


def first_of_two(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Return the rows to show: one of two, because the other mirrors it."""
    return rows[:1] if len(rows) == 2 else rows
