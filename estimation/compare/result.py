"""Two questions of one survey together: how the answers to one differ by the other.

Nothing here is about one person: whoever reads it gets sums over groups.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from estimation.compare.differences import (
    DifferenceRow,
    estimated_differences,
    known_differences,
)
from estimation.maths.joint import JointEstimate, estimate_joint
from estimation.maths.profile import PairShare
from estimation.maths.shares import ShareEstimate, estimate_shares
from estimation.results.result import fits_design
from estimation.results.tallies import Tallied, Tallies, read_tallies
from estimation.results.tallies import tallies as tally_each
from surveys.design import DesignQuestion
from surveys.mechanisms.draw import NOT_ASKED
from surveys.models import Survey

SMALLEST_GROUP = 30
"""Fewer people are no group: what is said of them comes close to single persons."""


CACHED_COMPARISONS = 64
"""Whose estimates are kept: those of a few pages. Of a pair they take some 0.3 s."""


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
    rows: tuple[WithinRow, ...] = ()
    cells: tuple[JointCell, ...] = ()

    @property
    def rows_told(self) -> tuple[WithinRow, ...]:
        """Rows to draw: of two answers, one mirrors the other."""
        return self.rows[:1] if len(self.rows) == 2 else self.rows


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The answers to a first question, by the answers to a second or by survey."""

    first: DesignQuestion
    second: DesignQuestion | None
    """The question that makes the groups; None where surveys or a draw do."""
    misfits: tuple[str, ...]
    """Questions, or surveys, whose reports do not fit the design."""
    respondents: int
    """Who has a report to both questions; of surveys, to the one that is compared."""
    missing: int
    groups: tuple[GroupResult, ...]
    samples: tuple[ShareEstimate, ...]
    """The reports of each group, where its members are known."""
    joint: JointEstimate | None
    """Both questions together; None where surveys make the groups."""
    confidence_level: float
    method: str
    wording: str = ""
    """The question as the other survey words it, where that is not the same."""
    is_split: bool = False
    """Whether the groups are not surveys but questions of one, of which chance drew one
    for each respondent."""

    @property
    def shown(self) -> tuple[GroupResult, ...]:
        """The groups that are large enough."""
        return tuple(group for group in self.groups if group.is_shown)

    @property
    def hidden(self) -> tuple[GroupResult, ...]:
        """The groups of which nothing is said but that they are small."""
        return tuple(group for group in self.groups if not group.is_shown)

    @property
    def is_counted(self) -> bool:
        """Whether the groups are known: the second question is direct, or surveys."""
        return self.second is None or not self.second.mechanism.is_scrambled

    @property
    def is_counted_jointly(self) -> bool:
        """Whether everybody's answers to both questions are known."""
        return self.is_counted and not self.first.mechanism.is_scrambled

    @cached_property
    def differences(self) -> tuple[DifferenceRow, ...]:
        """The first group that is shown against each of the others."""
        columns = [place for place, group in enumerate(self.groups) if group.is_shown]
        if len(columns) < 2:
            return ()
        labels = [self.groups[place].label for place in columns]
        choices, level = self.first.choices, self.confidence_level
        if self.joint is None or self.is_counted:
            known = [self.samples[place] for place in columns]
            return known_differences(labels, known, choices, level)
        return estimated_differences(labels, columns, choices, self.joint, level)

    @property
    def is_tested_whole(self) -> bool:
        """Whether independence is one more test, and not that of the difference."""
        return self.joint is not None and not (
            self.is_counted and len(self.differences) == 1
        )

    @property
    def independence(self) -> float | None:
        """P-value of "both questions have nothing to do with each other"."""
        return None if self.joint is None else self.joint.independence


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
        One of `estimation.maths.intervals.METHODS`, for shares within counted groups.
    """
    tallies = read_tallies(survey, (first, second), seals=False)
    return compare_tallies(tallies, confidence_level=confidence_level, method=method)


def compare_tallies(
    tallies: Tallies, *, confidence_level: float, method: str
) -> Comparison:
    """Return the same of what was read, which is that of two questions."""
    first, second = tallies.questions
    counts = tuple(tallies.counts.items())
    return compared(first, second, counts, confidence_level, method)


@lru_cache(maxsize=CACHED_COMPARISONS)
def compared(
    asked: DesignQuestion,
    grouping: DesignQuestion,
    counts: tuple[tuple[bytes, int], ...],
    confidence_level: float,
    method: str,
) -> Comparison:
    """Return the same of what is known about both: kept, for it takes a while."""
    both = asked, grouping
    rows, columns = asked.mechanism.reports, grouping.mechanism.reports
    pairs = {
        (rows[row], columns[column]): count
        for (row, column), count in counts
        if NOT_ASKED not in (row, column)
    }
    estimate = estimate_joint(asked.mechanism, grouping.mechanism, pairs)
    is_counted = not grouping.mechanism.is_scrambled
    places = range(len(grouping.choices) if is_counted else 0)
    samples = tuple(
        estimate_shares(asked.mechanism, estimate.tally_within(place))
        for place in places
    )
    return Comparison(
        first=asked,
        second=grouping,
        misfits=tuple(
            question.text
            for question, tally in zip(
                both, tally_each(both, dict(counts)), strict=True
            )
            if not fits_design(question.mechanism, tally)
        ),
        respondents=estimate.respondents,
        missing=sum(count for _pair, count in counts) - estimate.respondents,
        groups=group_results(
            both,
            estimate,
            samples,
            confidence_level=confidence_level,
            method=method,
        ),
        samples=samples,
        joint=estimate,
        confidence_level=confidence_level,
        method=method,
    )


def group_results(
    questions: tuple[DesignQuestion, DesignQuestion],
    estimate: JointEstimate,
    samples: Sequence[ShareEstimate],
    *,
    confidence_level: float,
    method: str,
) -> tuple[GroupResult, ...]:
    """Return every group of the second question, the small ones without numbers."""
    first, second = questions
    is_counted = not second.mechanism.is_scrambled
    sizes = [
        round(share * estimate.respondents) if estimate.respondents else 0
        for share in estimate.groups
    ]
    shown = large_enough(sizes)
    low, high = estimate.intervals(PairShare.WITHIN, confidence_level)
    joint_low, joint_high = estimate.intervals(
        PairShare.JOINT, confidence_level, method
    )
    found = []
    for column, (label, size) in enumerate(zip(second.choices, sizes, strict=True)):
        rows: tuple[WithinRow, ...] = ()
        if column in shown and is_counted:
            rows = counted_rows(first, samples[column], confidence_level, method)
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
                # Where all pairs are alike they show no spread: it is not defined.
                standard_error=float(estimate.standard_errors[row, column]) or math.nan,
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


def compare_samples(
    labels: tuple[str, str],
    both: tuple[Tallied, Tallied],
    *,
    respondents: int,
    wording: str = "",
    is_split: bool = False,
    confidence_level: float,
    method: str,
) -> Comparison:
    """Return what two samples of different people say, one question each.

    Parameters
    ----------
    labels : tuple of str
        What the samples are called.
    both : tuple of Tallied
        Of one question each, with as many answers.
    respondents : int
        How many there are in all, whether or not they were asked.
    wording, is_split
        As in `Comparison`.
    """
    shares, groups, misfits = [], [], []
    for label, each in zip(labels, both, strict=True):
        ((_number, question, tally),) = each.by_question()
        estimate = estimate_shares(question.mechanism, tally)
        is_shown = estimate.respondents >= SMALLEST_GROUP
        shares.append(estimate)
        if not fits_design(question.mechanism, tally):
            # The label of a question has its text already.
            misfits.append(label if is_split else f"{question.text} ({label})")
        groups.append(
            GroupResult(
                label=label,
                size=estimate.respondents,
                is_counted=True,
                is_shown=is_shown,
                rows=counted_rows(question, estimate, confidence_level, method)
                if is_shown
                else (),
            )
        )
    asked = sum(each.respondents for each in shares)
    return Comparison(
        first=both[0].questions[0],
        second=None,
        misfits=tuple(misfits),
        respondents=asked,
        missing=respondents - asked,
        groups=tuple(groups),
        samples=tuple(shares),
        joint=None,
        confidence_level=confidence_level,
        method=method,
        wording=wording,
        is_split=is_split,
    )


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
    first: DesignQuestion, within: ShareEstimate, confidence_level: float, method: str
) -> tuple[WithinRow, ...]:
    """Return the shares in a group whose members are known, as in a survey of it."""
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
