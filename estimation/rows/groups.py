"""Groups of people, and what is told of each: nothing where they are few."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from candor.binary import FloatArray
from candor.joint import JointSample
from candor.profile_likelihood import PairShare
from candor.sample import PROFILE, Sample
from estimation.rows.row import (
    Kind,
    Row,
    make_mean_row,
    make_share_rows,
    place_on_scale,
)
from surveys.design import DesignQuestion

Ends = tuple[FloatArray, FloatArray]

SMALLEST_GROUP = 30
"""Fewer people are no group: what is said of them comes close to single persons."""


@dataclass(frozen=True, kw_only=True)
class GroupResult:
    """The respondents with one answer to the second question."""

    label: str
    size: int
    """How many they are, estimated unless `is_counted`."""
    is_counted: bool
    is_shown: bool
    mean: Row | None = None
    """Of a scale; None where members are not known and no dichotomy identifies it."""
    rows: tuple[Row, ...] = ()
    """Shares within the group; none where reports identify the mean alone."""
    joint: tuple[Row, ...] = ()
    """Shares of all respondents who have both answers."""

    @property
    def all_rows(self) -> tuple[Row, ...]:
        return (self.mean, *self.rows) if self.mean else self.rows


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
    first, second = questions
    is_counted = not second.mechanism.is_scrambled
    sizes = [
        round(share * estimate.n) if estimate.n else 0 for share in estimate.groups
    ]
    shown = large_enough(sizes)
    within = estimate.intervals(PairShare.WITHIN, confidence_level)
    joint = estimate.intervals(PairShare.JOINT, confidence_level, method)
    tells_shares = first.mechanism.tells_shares

    def make(
        row: int,
        column: int,
        label: str,
        estimates: FloatArray,
        ends: Ends,
        **others: Any,
    ) -> Row:
        return Row(
            **{
                "estimand": label,
                "label": label,
                "group": second.choices[column],
                "estimate": float(estimates[row, column]),
                "raw": float(estimates[row, column]),
                "standard_error": math.nan,
                "low": float(ends[0][row, column]),
                "high": float(ends[1][row, column]),
                "confidence_level": confidence_level,
                "method": PROFILE,
                "n": estimate.n,
                **others,
            }
        )

    found = []
    for column, (label, size) in enumerate(zip(second.choices, sizes, strict=True)):
        rows: tuple[Row, ...] = ()
        mean = None
        if column in shown and is_counted:
            sample, level = samples[column], confidence_level
            rows = make_share_rows(sample, first.choices, level, method, group=label)
            mean = make_mean_row(sample, first.scale, level, method, group=label)
        elif column in shown and first.scale and not tells_shares:
            # The share of the highest point stands for the mean.
            share = make(0, column, "", estimate.within, within)
            mean = place_on_scale(share, first.scale)
        elif column in shown:
            rows = tuple(
                make(row, column, choice, estimate.within, within)
                for row, choice in enumerate(first.choices)
            )
        found.append(
            GroupResult(
                label=label,
                size=size,
                is_counted=is_counted,
                is_shown=column in shown,
                mean=mean,
                rows=rows,
                joint=tuple(
                    make(
                        row,
                        column,
                        choice,
                        estimate.shares,
                        joint,
                        kind=Kind.JOINT,
                        raw=float(estimate.raw[row, column]),
                        standard_error=float(estimate.standard_errors[row, column]),
                    )
                    for row, choice in enumerate(first.choices)
                    if column in shown and tells_shares
                ),
            )
        )
    return tuple(found)
