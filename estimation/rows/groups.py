"""Groups of respondents and their differences; small groups are hidden."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from candor.binary import FloatArray
from candor.differences import Difference
from candor.estimands import MEAN, Estimand, mean_of_points
from candor.homogeneity import holm
from candor.joint import JointSample
from candor.latent_groups import LatentPair, find_latent_differences
from candor.mechanisms.scale import Scale
from candor.profile_likelihood import PairShare
from candor.sample import PROFILE, Sample
from estimation.rows.row import (
    Kind,
    Row,
    make_mean_of_question,
    make_share_rows,
    place_on_scale,
)
from surveys.design import DesignQuestion

Ends = tuple[FloatArray, FloatArray]

MIN_GROUP_SIZE = 30
"""Results of smaller groups would come close to single respondents."""

MIN_CLUSTER_SIZE = 10
"""In smaller clusters the direct answers could identify respondents."""


@dataclass(frozen=True, kw_only=True)
class GroupResult:
    label: str
    size: int
    """Number of members, estimated unless `is_counted`."""
    is_counted: bool
    is_shown: bool = False
    mean: Row | None = None
    """Mean of a scale; None if members are not known and no dichotomy identifies it."""
    rows: tuple[Row, ...] = ()
    """Shares within the group; empty if reports identify the mean alone."""
    joint: tuple[Row, ...] = ()
    """Shares of all respondents with both answers."""

    @property
    def all_rows(self) -> tuple[Row, ...]:
        return (self.mean, *self.rows) if self.mean else self.rows


def are_clusters(sizes: Iterable[int]) -> bool:
    found = [size for size in sizes if size]
    return len(found) > 1 and min(found) >= MIN_CLUSTER_SIZE


def find_large_groups(sizes: Sequence[int]) -> set[int]:
    """Return the indices of the groups that may be shown.

    A single hidden group follows from the total minus the other groups. So the smallest
    of the others is hidden with it. Empty groups neither need protection nor provide
    it.
    """
    shown = {place for place, size in enumerate(sizes) if size >= MIN_GROUP_SIZE}
    hidden = sum(0 < size < MIN_GROUP_SIZE for size in sizes)
    if shown and hidden == 1:
        shown -= {min(shown, key=lambda place: sizes[place])}
    return shown


def make_group_results(
    questions: tuple[DesignQuestion, DesignQuestion],
    joint_sample: JointSample,
    samples: Sequence[Sample],
    *,
    confidence_level: float,
    method: str,
) -> tuple[GroupResult, ...]:
    first, second = questions
    is_counted = not second.mechanism.is_scrambled
    sizes = [
        round(share * joint_sample.n) if joint_sample.n else 0
        for share in joint_sample.groups
    ]
    shown = find_large_groups(sizes)
    within = joint_sample.intervals(PairShare.WITHIN, confidence_level)
    joint = joint_sample.intervals(PairShare.JOINT, confidence_level, method)
    identifies_shares = first.mechanism.identifies_shares

    def make(
        row: int, column: int, label: str, estimates: FloatArray, ends: Ends
    ) -> Row:
        return Row(
            estimand=label,
            label=label,
            group=second.choices[column],
            estimate=float(estimates[row, column]),
            raw=float(estimates[row, column]),
            standard_error=math.nan,
            low=float(ends[0][row, column]),
            high=float(ends[1][row, column]),
            confidence_level=confidence_level,
            method=PROFILE,
            n=joint_sample.n,
        )

    found = []
    for column, (label, size) in enumerate(zip(second.choices, sizes, strict=True)):
        rows: tuple[Row, ...] = ()
        mean = None
        if column in shown and is_counted:
            sample, level = samples[column], confidence_level
            rows = make_share_rows(sample, first.choices, level, method, group=label)
            mean = make_mean_of_question(sample, first, level, method, group=label)
        elif column in shown and first.scale and not identifies_shares:
            # The mean is the share of the highest point.
            share = make(0, column, "", joint_sample.within, within)
            mean = place_on_scale(share, first.scale)
        elif column in shown:
            rows = tuple(
                make(row, column, choice, joint_sample.within, within)
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
                    replace(
                        make(row, column, choice, joint_sample.shares, joint),
                        kind=Kind.JOINT,
                        raw=float(joint_sample.raw[row, column]),
                        standard_error=float(joint_sample.standard_errors[row, column]),
                    )
                    for row, choice in enumerate(first.choices)
                    if column in shown and identifies_shares
                ),
            )
        )
    return tuple(found)


def list_compared_answers(choices: Sequence[str], scale: Scale | None) -> range:
    return range(1 if scale or len(choices) == 2 else len(choices))


def estimate_known_differences(
    labels: Sequence[str],
    groups: Sequence[Sample],
    choices: Sequence[str],
    confidence_level: float,
    scale: Scale | None = None,
) -> tuple[Row, ...]:
    answers = groups[0].mechanism.answers
    estimands = [mean_of_points(len(answers))]
    if not scale:
        places = list_compared_answers(choices, scale)
        estimands = [Estimand.make_share(each, answers=len(answers)) for each in places]
    rows = []
    for label, other in zip(labels[1:], groups[1:], strict=True):
        for place, estimand in enumerate(estimands):
            found = Difference(groups[0], other, estimand, confidence_level)
            unit = float(scale.high - scale.low) / estimand.span if scale else 1.0
            rows.append(
                Row(
                    kind=Kind.DIFFERENCE,
                    estimand=MEAN if scale else answers[place],
                    label="" if scale else choices[place],
                    scale=scale,
                    group=labels[0],
                    other=label,
                    estimate=found.estimate * unit,
                    raw=found.raw * unit,
                    standard_error=found.standard_error * unit,
                    low=found.low * unit,
                    high=found.high * unit,
                    confidence_level=confidence_level,
                    method=found.method,
                    p_value=found.p_value,
                    is_exact=found.is_exact,
                    n=groups[0].n + other.n,
                )
            )
    adjusted = holm([row.p_value or 0.0 for row in rows])
    return tuple(
        replace(row, adjusted_p_value=each)
        for row, each in zip(rows, adjusted, strict=True)
    )


def estimate_latent_differences(
    labels: Sequence[str],
    columns: Sequence[int],
    choices: Sequence[str],
    joint_sample: JointSample,
    confidence_level: float,
    scale: Scale | None = None,
) -> tuple[Row, ...]:
    """Return the differences between groups that a scrambled question makes.

    The groups share their reports, so differences have no standard error and no test.
    `columns` are the indices of the groups. With a scale, the first answer is its
    highest point, whose share is the mean.
    """
    pairs = [
        (label, LatentPair(row, columns[0], column))
        for label, column in zip(labels[1:], columns[1:], strict=True)
        for row in list_compared_answers(choices, scale)
    ]
    found = find_latent_differences(
        joint_sample,
        [pair for _label, pair in pairs],
        confidence_level=confidence_level,
    )
    unit = float(scale.high - scale.low) if scale else 1.0
    return tuple(
        Row(
            kind=Kind.DIFFERENCE,
            estimand=MEAN if scale else choices[pair.answer],
            label="" if scale else choices[pair.answer],
            scale=scale,
            group=labels[0],
            other=label,
            estimate=each.estimate * unit,
            raw=math.nan,
            standard_error=math.nan,
            low=each.low * unit,
            high=each.high * unit,
            confidence_level=confidence_level,
            method=PROFILE,
            n=joint_sample.n,
        )
        for (label, pair), each in zip(pairs, found, strict=True)
    )
