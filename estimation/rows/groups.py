"""Groups of people, and what is told of each: nothing where they are few."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from candor.joint import JointSample
from candor.profile_likelihood import PairShare
from candor.sample import PROFILE, Sample
from estimation.rows.means import MeanResult, mean_of_sample
from surveys.design import DesignQuestion

SMALLEST_GROUP = 30
"""Fewer people are no group: what is said of them comes close to single persons."""


@dataclass(frozen=True, kw_only=True)
class WithinRow:
    """The share of one answer to the first question, within a group."""

    label: str
    share: float
    low: float
    high: float
    raw: float
    """Of a counted group the unbiased share; a ratio of estimates has none."""


@dataclass(frozen=True, kw_only=True)
class JointCell:
    """The share of all respondents who have both answers."""

    raw: float
    standard_error: float
    share: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class GroupResult:
    """The respondents with one answer to the second question."""

    label: str
    size: int
    """How many they are, estimated unless `is_counted`."""
    is_counted: bool
    is_shown: bool
    mean: MeanResult | None = None
    """Of a scale; None where its members are not known and no count tells it."""
    rows: tuple[WithinRow, ...] = ()
    """None of a scale of which the mean alone is told."""
    cells: tuple[JointCell, ...] = ()

    @property
    def rows_told(self) -> tuple[WithinRow, ...]:
        """Rows to draw: of two answers, one mirrors the other."""
        return self.rows[:1] if len(self.rows) == 2 else self.rows


def large_enough(sizes: Sequence[int]) -> set[int]:
    """Return the places of the groups that may be shown.

    A single hidden group could be worked out from all respondents less the others:
    then the smallest of the others is hidden with it.
    """
    shown = {place for place, size in enumerate(sizes) if size >= SMALLEST_GROUP}
    if shown and len(shown) == len(sizes) - 1:
        shown -= {min(shown, key=lambda place: sizes[place])}
    return shown


def group_results(
    questions: tuple[DesignQuestion, DesignQuestion],
    estimate: JointSample,
    samples: Sequence[Sample],
    *,
    confidence_level: float,
    method: str,
) -> tuple[GroupResult, ...]:
    """Return every group of the second question, the small ones without numbers."""
    first, second = questions
    is_counted = not second.mechanism.is_scrambled
    sizes = [
        round(share * estimate.n) if estimate.n else 0 for share in estimate.groups
    ]
    shown = large_enough(sizes)
    low, high = estimate.intervals(PairShare.WITHIN, confidence_level)
    joint_low, joint_high = estimate.intervals(
        PairShare.JOINT, confidence_level, method
    )
    found = []
    for column, (label, size) in enumerate(zip(second.choices, sizes, strict=True)):
        rows: tuple[WithinRow, ...] = ()
        mean = None
        if column in shown and is_counted:
            rows = counted_rows(first, samples[column], confidence_level, method)
            mean = mean_of(first, samples[column], confidence_level, method)
        elif column in shown and first.scale and not first.mechanism.tells_shares:
            mean = MeanResult(
                scale=first.scale,
                raw=float(estimate.within[0, column]),
                share=float(estimate.within[0, column]),
                standard_error=math.nan,
                low=float(low[0, column]),
                high=float(high[0, column]),
                method=PROFILE,
            )
        elif column in shown:
            rows = tuple(
                WithinRow(
                    label=choice,
                    share=float(estimate.within[row, column]),
                    raw=float(estimate.within[row, column]),
                    low=float(low[row, column]),
                    high=float(high[row, column]),
                )
                for row, choice in enumerate(first.choices)
            )
        cells = [
            JointCell(
                raw=float(estimate.raw[row, column]),
                standard_error=float(estimate.standard_errors[row, column]),
                share=float(estimate.shares[row, column]),
                low=float(joint_low[row, column]),
                high=float(joint_high[row, column]),
            )
            for row in range(len(first.choices))
            if column in shown and first.mechanism.tells_shares
        ]
        found.append(
            GroupResult(
                label=label,
                size=size,
                is_counted=is_counted,
                is_shown=column in shown,
                mean=mean,
                rows=rows,
                cells=tuple(cells),
            )
        )
    return tuple(found)


def counted_rows(
    first: DesignQuestion,
    within: Sample,
    confidence_level: float,
    method: str,
) -> tuple[WithinRow, ...]:
    """Return the shares in a group whose members are known, as in a survey of it."""
    if not within.mechanism.tells_shares:
        return ()
    found = []
    for name, label in zip(first.mechanism.answers, first.choices, strict=True):
        low, high = within.interval(name, confidence_level, method)
        found.append(
            WithinRow(
                label=label,
                share=within.shares[name],
                raw=within.raw(name),
                low=low,
                high=high,
            )
        )
    return tuple(found)


def mean_of(
    first: DesignQuestion,
    within: Sample,
    confidence_level: float,
    method: str,
) -> MeanResult | None:
    """Return the mean in such a group, None of what is no scale."""
    if first.scale is None:
        return None
    return mean_of_sample(first.scale, within, confidence_level, method)
