"""By how much groups differ: the first that is shown against each of the others."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from candor.differences import Difference
from candor.estimands import Estimand, mean_of_points
from candor.homogeneity import holm
from candor.joint import JointSample
from candor.latent_groups import LatentPair, latent_differences
from candor.mechanisms.scale import Scale
from candor.sample import PROFILE, Sample


@dataclass(frozen=True, kw_only=True)
class DifferenceRow:
    """The share of an answer in a first group, less that in another one.

    Or the mean of a scale, as a part of the way from its lowest value to its highest.
    """

    group: str
    other: str
    label: str
    """The answer; empty for a mean."""
    scale: Scale | None = None
    """Of a mean."""
    method: str = PROFILE
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

    def in_units(self, part: float) -> float:
        """Return a difference of means in units of the scale, of shares as it is."""
        return part * float(self.scale.high - self.scale.low) if self.scale else part


def told(choices: Sequence[str]) -> range:
    """Return the answers to compare: of two, one mirrors the other."""
    return range(1) if len(choices) == 2 else range(len(choices))


def known_differences(
    labels: Sequence[str],
    groups: Sequence[Sample],
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
        Difference(
            groups[0],
            other,
            Estimand.share_of(row, answers=len(choices)),
            confidence_level,
        )
        for _label, row, other in pairs
    ]
    return adjusted(
        DifferenceRow(
            group=labels[0],
            other=label,
            label=choices[row],
            estimate=each.estimate,
            standard_error=each.standard_error,
            low=each.low,
            high=each.high,
            p_value=each.p_value,
            is_exact=each.is_exact,
        )
        for (label, row, _other), each in zip(pairs, found, strict=True)
    )


def differences_of_means(
    labels: Sequence[str],
    groups: Sequence[Sample],
    scale: Scale,
    confidence_level: float,
) -> tuple[DifferenceRow, ...]:
    """Return those of the means of a scale, parameters as in `known_differences`."""
    mean = mean_of_points(len(groups[0].mechanism.answers))
    return adjusted(
        DifferenceRow(
            group=labels[0],
            other=label,
            label="",
            scale=scale,
            method=each.method,
            estimate=each.estimate / mean.span,
            standard_error=each.standard_error / mean.span,
            low=each.low / mean.span,
            high=each.high / mean.span,
            p_value=each.p_value,
            is_exact=each.is_exact,
        )
        for label, each in (
            (label, Difference(groups[0], other, mean, confidence_level))
            for label, other in zip(labels[1:], groups[1:], strict=True)
        )
    )


def adjusted(found: Iterable[DifferenceRow]) -> tuple[DifferenceRow, ...]:
    """Return the rows of a list with the p-values that hold for all of them."""
    rows = list(found)
    together = holm([row.p_value for row in rows])
    return tuple(
        replace(row, p_adjusted=each) for row, each in zip(rows, together, strict=True)
    )


def estimated_differences(
    labels: Sequence[str],
    columns: Sequence[int],
    choices: Sequence[str],
    estimate: JointSample,
    confidence_level: float,
    scale: Scale | None = None,
) -> tuple[DifferenceRow, ...]:
    """Return the same between groups that a scrambled question makes.

    `labels` and `columns` say what the groups are called and where they stand; with a
    scale, the first answer is its highest point, whose share is the mean.
    """
    pairs = [
        (label, LatentPair(row, columns[0], column))
        for label, column in zip(labels[1:], columns[1:], strict=True)
        for row in told(choices)
    ]
    found = latent_differences(
        estimate, [pair for _label, pair in pairs], confidence_level=confidence_level
    )
    return tuple(
        DifferenceRow(
            group=labels[0],
            other=label,
            label="" if scale else choices[pair.answer],
            scale=scale,
            estimate=each.estimate,
            standard_error=math.nan,
            low=each.low,
            high=each.high,
        )
        for (label, pair), each in zip(pairs, found, strict=True)
    )
