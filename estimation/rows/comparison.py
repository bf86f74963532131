"""Compare the answers to one question by those to another."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from candor.clusters import ClusteredSample
from candor.dichotomies import collapse_to_ends, dichotomies
from candor.joint import JointSample
from candor.mechanisms.draws import NOT_ASKED
from candor.mechanisms.scale import Scale
from candor.pooling import Pooled
from candor.sample import MISFIT, Sample
from candor.table import Status
from estimation.rows.counts import (
    ContingencyTable,
    SurveyCounts,
    count_reports_by_question,
    read_contingency_table,
)
from estimation.rows.groups import (
    MIN_GROUP_SIZE,
    GroupResult,
    are_clusters,
    estimate_known_differences,
    estimate_latent_differences,
    find_large_groups,
    make_group_results,
)
from estimation.rows.row import Row, make_mean_of_question, make_share_rows
from estimation.rows.shares import fits_design
from surveys.design import DesignQuestion
from surveys.models import Survey

CACHED_COMPARISONS = 64
"""Comparisons in the cache: those of a few pages. One takes some 0.3 s."""


class QuestionCounts(NamedTuple):
    question: DesignQuestion
    report_counts: Mapping[str, int]
    """{report: count}."""

    @classmethod
    def of(cls, survey_counts: SurveyCounts) -> "QuestionCounts":
        ((_number, question, report_counts),) = survey_counts.by_question()
        return cls(question, report_counts)


class Misfit(NamedTuple):
    question: str
    group: str = ""
    """Label of the group or survey; empty if the reports of all groups do not fit."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    first: DesignQuestion
    second: DesignQuestion | None
    """The question that makes the groups; None if surveys or a draw make them."""
    misfits: tuple[Misfit, ...]
    """Questions or groups whose reports do not fit the design."""
    respondents: int
    """Number of respondents with a report to both questions, or to the one compared."""
    missing: int
    groups: tuple[GroupResult, ...]
    samples: tuple[Sample, ...]
    """Reports of each group to the first question; empty if the members of the groups
    are not known."""
    joint: JointSample | None
    """Both questions; None if surveys or a draw make the groups."""
    confidence_level: float
    method: str
    wording: str = ""
    """Wording of the other survey; empty if it is the same."""
    is_split: bool = False
    """Whether the groups are questions of one survey, of which chance drew one for each
    respondent."""
    may_have_cheaters: bool = False
    """Whether respondents scrambled by hand, so that they may ignore the outcome."""
    anchor: str = ""
    """The true answer of all respondents to an anchor question; empty without one."""

    @cached_property
    def shown(self) -> tuple[GroupResult, ...]:
        return tuple(
            replace(
                group,
                mean=group.mean and self._judged(group.mean, group.label),
                rows=tuple(self._judged(row, group.label) for row in group.rows),
                joint=tuple(self._judged(row, group.label) for row in group.joint),
            )
            for group in self.groups
            if group.is_shown
        )

    def _judged(self, row: Row, *groups: str) -> Row:
        return row.with_status(Status.OK if self.fits(*groups) else Status.MISFIT)

    @property
    def hidden(self) -> tuple[GroupResult, ...]:
        """Groups that are too small; empty groups only if there is no other group."""
        lists_empty = self.second is None or not self.shown
        return tuple(
            group
            for group in self.groups
            if not group.is_shown and (group.size or lists_empty)
        )

    def fits(self, *groups: str) -> bool:
        """Whether all reports that estimates of these groups use fit the design."""
        return not any(each.group in {"", *groups} for each in self.misfits)

    @property
    def is_counted(self) -> bool:
        return self.second is None or not self.second.mechanism.is_scrambled

    @property
    def is_counted_jointly(self) -> bool:
        return self.is_counted and not self.first.mechanism.is_scrambled

    @cached_property
    def differences(self) -> tuple[Row, ...]:
        """Differences of shares: the first group shown minus each of the others."""
        return self._differences(None)

    @cached_property
    def mean_differences(self) -> tuple[Row, ...]:
        """Differences of means of a scale; empty if groups have no means."""
        return self._differences(self.first.scale) if self.first.scale else ()

    def _differences(self, scale: Scale | None) -> tuple[Row, ...]:
        columns = [
            place
            for place, group in enumerate(self.groups)
            if (group.mean and group.mean.scale == scale if scale else group.is_shown)
        ]
        if len(columns) < 2:
            return ()
        labels = [self.groups[place].label for place in columns]
        choices, level = self.first.choices, self.confidence_level
        if self.joint is None or self.is_counted:
            known = [self.samples[place] for place in columns]
            if not scale and not all(
                each.mechanism.identifies_shares for each in known
            ):
                return ()
            found = estimate_known_differences(labels, known, choices, level, scale)
            return self._judged_all(found)
        if scale:
            # The share of the highest point stands for the mean.
            choices = self.joint.first.answers
        elif not self.first.mechanism.identifies_shares:
            return ()
        return self._judged_all(
            estimate_latent_differences(
                labels, columns, choices, self.joint, level, scale
            )
        )

    def _judged_all(self, differences: Iterable[Row]) -> tuple[Row, ...]:
        """Return the differences with their status; a misfit has no p-value.

        The adjustment for several comparisons stays that of all of them.
        """
        judged = (self._judged(row, row.group or "", row.other) for row in differences)
        return tuple(
            replace(row, p_value=None, adjusted_p_value=None)
            if row.status is Status.MISFIT
            else row
            for row in judged
        )

    @cached_property
    def pooled(self) -> Pooled | None:
        """The share of the first answer, pooled over surveys or drawn questions.

        None for groups of one survey, for scales, and if anything does not fit.
        """
        samples = self.samples
        if self.second or self.misfits or len(samples) < 2 or self.first.scale:
            return None
        if not all(group.is_shown for group in self.groups):
            return None
        identified = (each.mechanism.weights for each in samples)
        if not all(dichotomies(weights)[0] for weights in identified):
            return None
        return Pooled(samples, 0, self.confidence_level)

    @property
    def clusters(self) -> int:
        return sum(each.n > 0 for each in self.samples)

    @cached_property
    def clustered(self) -> tuple[Row, float] | None:
        """The share of the first answer, or the mean, and its design effect.

        It is the share of all respondents, with known groups as clusters. None if a
        group is too small or anything does not fit.
        """
        is_known = self.second is not None and self.is_counted and not self.misfits
        if not is_known or not are_clusters(each.n for each in self.samples):
            return None
        counts = tuple(each.counts for each in self.samples if each.n)
        sums = tuple(map(sum, zip(*counts, strict=True)))
        mechanism = self.samples[0].mechanism
        row, independent = (
            self._find_first(sample)
            for sample in (
                ClusteredSample(mechanism, sums, counts),
                Sample(mechanism, sums),
            )
        )
        return row, (row.standard_error / independent.standard_error) ** 2

    def _find_first(self, sample: Sample) -> Row:
        question, level = self.first, self.confidence_level
        mean = make_mean_of_question(sample, question, level, self.method)
        return mean or make_share_rows(sample, question.choices, level, self.method)[0]

    @property
    def is_tested_whole(self) -> bool:
        """Whether the test of independence differs from that of the difference."""
        rows = self.differences or self.mean_differences
        return self.joint is not None and not (self.is_counted and len(rows) == 1)

    @property
    def independence(self) -> float | None:
        """P-value of independence; None without a test, or if anything does not fit."""
        if self.joint is None or self.misfits:
            return None
        return self.joint.independence


def compare(
    survey: Survey, first: int, second: int, *, confidence_level: float, method: str
) -> Comparison:
    survey_counts = read_contingency_table(survey, (first, second), seals=False)
    return compare_contingency_table(
        survey_counts, confidence_level=confidence_level, method=method
    )


def compare_contingency_table(
    survey_counts: ContingencyTable, *, confidence_level: float, method: str
) -> Comparison:
    first, second = survey_counts.questions
    counts = tuple(survey_counts.counts.items())
    return make_comparison(first, second, counts, confidence_level, method)


def find_misfits(
    both: tuple[DesignQuestion, DesignQuestion],
    counts: Mapping[bytes, int],
    samples: Sequence[Sample],
) -> tuple[Misfit, ...]:
    """Return the questions, as on the results page, and groups that do not fit.

    The reports of all groups may fit while those of one group do not: 30 of 30 and 0 of
    60 with a coin. The groups share the false-alarm rate (Bonferroni). Hidden groups
    are not judged.
    """
    asked, grouping = both
    mechanisms = [question.mechanism for question in both]
    sums = count_reports_by_question(mechanisms, counts)
    found = [
        Misfit(question.text)
        for question, report_counts in zip(both, sums, strict=True)
        if not fits_design(question.mechanism, report_counts)
    ]
    if Misfit(asked.text) in found:
        return tuple(found)
    shown = find_large_groups([each.n for each in samples])
    alarm = MISFIT / max(1, len(samples))
    found += [
        Misfit(asked.text, grouping.choices[place])
        for place in shown
        if samples[place].design_fit < alarm
    ]
    return tuple(found)


def make_samples(
    both: tuple[DesignQuestion, DesignQuestion], counts: Mapping[bytes, int]
) -> tuple[JointSample, tuple[Sample, ...]]:
    """Return the joint sample, and a sample of each group if groups are counted."""
    asked, grouping = both
    rows, columns = asked.mechanism.reports, grouping.mechanism.reports
    pairs = {
        (rows[row], columns[column]): count
        for (row, column), count in counts.items()
        if NOT_ASKED not in (row, column)
    }
    table = asked.mechanism
    # Comparisons report shares; if only the mean of a scale is known, it is the share
    # of the highest point.
    reported = table if table.identifies_shares else collapse_to_ends(table)
    joint = JointSample.of(reported, grouping.mechanism, pairs)
    is_counted = not grouping.mechanism.is_scrambled
    places = range(len(grouping.choices) if is_counted else 0)
    return joint, tuple(
        Sample.of(table, joint.counts_within(place)) for place in places
    )


@lru_cache(maxsize=CACHED_COMPARISONS)
def make_comparison(
    asked: DesignQuestion,
    grouping: DesignQuestion,
    counts: tuple[tuple[bytes, int], ...],
    confidence_level: float,
    method: str,
) -> Comparison:
    """Return the comparison of two questions, from a cache because it is slow."""
    both = asked, grouping
    estimate, samples = make_samples(both, dict(counts))
    return Comparison(
        first=asked,
        second=grouping,
        misfits=find_misfits(both, dict(counts), samples),
        respondents=estimate.n,
        missing=sum(count for _pair, count in counts) - estimate.n,
        groups=make_group_results(
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


def compare_samples(
    labels: Sequence[str],
    both: Sequence[QuestionCounts],
    *,
    respondents: int,
    wording: str = "",
    is_split: bool = False,
    may_have_cheaters: bool = False,
    confidence_level: float,
    method: str,
) -> Comparison:
    """Return the comparison of samples of different people.

    Parameters
    ----------
    labels : sequence of str
        Names of the samples.
    both : sequence of QuestionCounts
        One question for each sample, with the same answers in the same order.
    respondents : int
        Number of all respondents, whether or not they were asked.
    wording, is_split, may_have_cheaters
        As in `Comparison`.
    """
    samples, groups, misfits = [], [], []
    for label, (question, report_counts) in zip(labels, both, strict=True):
        estimate = Sample.of(question.mechanism, report_counts)
        samples.append(estimate)
        if not fits_design(question.mechanism, report_counts):
            misfits.append(Misfit(question.text, label))
        group = GroupResult(label=label, size=estimate.n, is_counted=True)
        if estimate.n >= MIN_GROUP_SIZE:
            interval = confidence_level, method
            choices = question.choices
            group = replace(
                group,
                is_shown=True,
                mean=make_mean_of_question(estimate, question, *interval, group=label),
                rows=make_share_rows(estimate, choices, *interval, group=label),
            )
        groups.append(group)
    asked = sum(each.n for each in samples)
    return Comparison(
        first=both[0].question,
        second=None,
        misfits=tuple(misfits),
        respondents=asked,
        missing=respondents - asked,
        groups=tuple(groups),
        samples=tuple(samples),
        joint=None,
        confidence_level=confidence_level,
        method=method,
        wording=wording,
        is_split=is_split,
        may_have_cheaters=may_have_cheaters,
    )
