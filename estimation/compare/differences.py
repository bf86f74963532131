"""By how much groups differ: the first that is shown against each of the others."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from estimation.maths.alike import holm
from estimation.maths.differences import difference
from estimation.maths.hidden_groups import HiddenPair, hidden_differences
from estimation.maths.joint import JointEstimate
from estimation.maths.shares import ShareEstimate
from estimation.maths.targets import Target


@dataclass(frozen=True, kw_only=True)
class DifferenceRow:
    """The share of an answer in a first group, less that in another one."""

    group: str
    other: str
    label: str
    estimate: float
    standard_error: float
    """NaN between groups that are estimated: they share their reports."""
    low: float
    high: float
    p_value: float = math.nan
    """NaN between groups that are estimated, which are not tested."""
    p_adjusted: float = math.nan
    """For all rows of the list together (Holm)."""
    is_exact: bool = False
    """Whether the p-value is that of an exact test of the reports."""


def told(choices: Sequence[str]) -> range:
    """Return the answers to compare: of two, one mirrors the other."""
    return range(1) if len(choices) == 2 else range(len(choices))


def known_differences(
    labels: Sequence[str],
    groups: Sequence[ShareEstimate],
    choices: Sequence[str],
    confidence_level: float,
) -> tuple[DifferenceRow, ...]:
    """Return the differences between groups whose members are known.

    Parameters
    ----------
    labels, groups : sequences of one length
        What each group is called, and its reports; at least one report each.
    choices : sequence of str
        What the answers are called.
    confidence_level : float
        In (0, 1).
    """
    pairs = [
        (label, row, other)
        for label, other in zip(labels[1:], groups[1:], strict=True)
        for row in told(choices)
    ]
    found = [
        difference(
            groups[0],
            other,
            Target.share_of(row, answers=len(choices)),
            confidence_level=confidence_level,
        )
        for _label, row, other in pairs
    ]
    adjusted = holm([each.p_value for each in found])
    return tuple(
        DifferenceRow(
            group=labels[0],
            other=label,
            label=choices[row],
            estimate=each.estimate,
            standard_error=each.standard_error,
            low=each.low,
            high=each.high,
            p_value=each.p_value,
            p_adjusted=p_adjusted,
            is_exact=each.is_exact,
        )
        for (label, row, _other), each, p_adjusted in zip(
            pairs, found, adjusted, strict=True
        )
    )


def estimated_differences(
    labels: Sequence[str],
    columns: Sequence[int],
    choices: Sequence[str],
    estimate: JointEstimate,
    confidence_level: float,
) -> tuple[DifferenceRow, ...]:
    """Return the same between groups that a scrambled question makes.

    `labels` and `columns` say what the groups are called and where they stand.
    """
    pairs = [
        (label, HiddenPair(row, columns[0], column))
        for label, column in zip(labels[1:], columns[1:], strict=True)
        for row in told(choices)
    ]
    found = hidden_differences(
        estimate, [pair for _label, pair in pairs], confidence_level=confidence_level
    )
    return tuple(
        DifferenceRow(
            group=labels[0],
            other=label,
            label=choices[pair.answer],
            estimate=each.estimate,
            standard_error=math.nan,
            low=each.low,
            high=each.high,
        )
        for (label, pair), each in zip(pairs, found, strict=True)
    )
