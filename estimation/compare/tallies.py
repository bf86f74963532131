"""Two questions of one survey together: how the answers to one differ by the other.

Like `results.tallies` it brings database and maths together, for pairs of reports.
Nothing here is about one person: whoever reads it gets sums over groups.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from estimation.compare.result import (
    Comparison,
    GroupResult,
    JointCell,
    WithinRow,
    shows_answers,
)
from estimation.maths.joint import JointEstimate, estimate_joint
from estimation.maths.profile import PairShare
from estimation.maths.shares import estimate_shares
from respondents.models import NOT_ASKED, SealedPattern
from surveys.design import DesignQuestion, load_design
from surveys.models import Survey

SMALLEST_GROUP = 30
"""Fewer people are no group: what is said of them comes close to single persons."""


def compare(
    survey: Survey, first: int, second: int, *, confidence_level: float, method: str
) -> Comparison:
    """Return what is sealed about two questions together.

    Parameters
    ----------
    survey : Survey
        Open or closed.
    first, second : int
        Numbers of two different questions, 1 for the survey's first.
    confidence_level : float
        In (0, 1).
    method : str
        A key of `estimation.maths.intervals.METHODS`, for shares within counted groups.
    """
    design = load_design(survey.pk, survey.design_digest)
    places = (first - 1, second - 1)
    asked, grouping = (design.questions[place] for place in places)
    counts = SealedPattern.objects.counts(survey)
    tally = pair_tally((asked, grouping), places, counts)
    estimate = estimate_joint(asked.mechanism, grouping.mechanism, tally)
    return Comparison(
        first=asked,
        second=grouping,
        respondents=estimate.respondents,
        missing=sum(counts.values()) - estimate.respondents,
        groups=group_results(
            (asked, grouping),
            estimate,
            confidence_level=confidence_level,
            method=method,
        ),
        independence=estimate.independence,
        confidence_level=confidence_level,
        method=method,
    )


def pair_tally(
    questions: tuple[DesignQuestion, DesignQuestion],
    places: tuple[int, int],
    counts: Mapping[bytes, int],
) -> dict[tuple[str, str], int]:
    """Return how many respondents sent each pair of reports, of those asked both."""
    found: Counter[tuple[str, str]] = Counter()
    first, second = (question.mechanism.reports for question in questions)
    for pattern, count in counts.items():
        row, column = (pattern[place] for place in places)
        if NOT_ASKED not in (row, column):
            found[first[row], second[column]] += count
    return dict(found)


def group_results(
    questions: tuple[DesignQuestion, DesignQuestion],
    estimate: JointEstimate,
    *,
    confidence_level: float,
    method: str,
) -> tuple[GroupResult, ...]:
    """Return every group of the second question, the small ones without numbers."""
    first, second = questions
    is_counted = shows_answers(second.mechanism)
    sizes = [
        round(share * estimate.respondents) if estimate.respondents else 0
        for share in estimate.groups
    ]
    shown = large_enough(sizes)
    low, high = estimate.intervals(PairShare.WITHIN, confidence_level)
    joint_low, joint_high = estimate.intervals(PairShare.JOINT, confidence_level)
    found = []
    for column, (label, size) in enumerate(zip(second.choices, sizes, strict=True)):
        rows: tuple[WithinRow, ...] = ()
        if column in shown and is_counted:
            rows = counted_rows(first, estimate, column, confidence_level, method)
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
            if column in shown
        ]
        found.append(
            GroupResult(
                label=label,
                size=size,
                is_counted=is_counted,
                is_shown=column in shown,
                rows=rows,
                cells=tuple(cells),
            )
        )
    return tuple(found)


def large_enough(sizes: Sequence[int]) -> set[int]:
    """Return the places of the groups that may be shown.

    A single hidden group could be worked out from all respondents less the others:
    then the smallest of the others is hidden with it.
    """
    shown = {place for place, size in enumerate(sizes) if size >= SMALLEST_GROUP}
    if shown and len(shown) == len(sizes) - 1:
        shown -= {min(shown, key=lambda place: sizes[place])}
    return shown


def counted_rows(
    first: DesignQuestion,
    estimate: JointEstimate,
    column: int,
    confidence_level: float,
    method: str,
) -> tuple[WithinRow, ...]:
    """Return the shares in a group whose members are known, as in a survey of it."""
    within = estimate_shares(first.mechanism, estimate.tally_within(column))
    found = []
    for name, label in zip(first.mechanism.answers, first.choices, strict=True):
        low, high = within.interval(name, confidence_level, method)
        found.append(
            WithinRow(
                label=label,
                share=within.shares[name],
                raw=within.raw[name],
                low=low,
                high=high,
            )
        )
    return tuple(found)
