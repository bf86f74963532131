"""What is shown of two questions together, on the page and in its chart."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from candor.differences import SCORES
from estimation.presentation import differences, groups
from estimation.presentation import p_values as chances
from estimation.presentation.bars import bar, bar_of_mean
from estimation.presentation.cautions import Caution
from estimation.presentation.charts.intervals import Bar
from estimation.presentation.charts.overview import Group, drawings_of
from estimation.presentation.charts.style import Drawing
from estimation.presentation.sentences import interval_label
from estimation.rows.comparison import Comparison
from estimation.rows.differences import DifferenceRow
from estimation.rows.groups import GroupResult, JointCell, WithinRow
from estimation.rows.shares import Standing, standing_of_interval


class WithinLine(NamedTuple):
    """One line of the table of groups."""

    label: str
    share: float
    low: float
    high: float
    bar: Bar


@dataclass(frozen=True)
class GroupPanel:
    """One group, and both tables' rows of it."""

    result: GroupResult
    comparison: Comparison

    @property
    def size_label(self) -> str:
        """Such as "about 312 people"."""
        return groups.size_label(self.result)

    @property
    def sentence(self) -> str:
        """Interval and best estimate of the first answer."""
        return groups.sentence(self.result, self.comparison)

    @property
    def drawn(self) -> Group:
        """What the chart draws of it."""
        rows = self.result.rows_told
        bars = tuple(bar(row, self.misfit) for row in rows) or self.mean
        return Group(heading=groups.heading(self.result), bars=bars)

    @property
    def misfit(self) -> Standing | None:
        """That its reports do not fit; else the standing is that of each interval."""
        return None if self.comparison.fits(self.result.label) else Standing.MISFIT

    @property
    def mean(self) -> tuple[Bar, ...]:
        """The mean of a scale with its interval; nothing where there is none."""
        mean = self.result.mean
        if mean is None:
            return ()
        standing = self.misfit or standing_of_interval(mean.low, mean.high)
        return (bar_of_mean(mean, standing),)

    @property
    def within(self) -> list[WithinLine]:
        """The mean in the units of its scale, then each answer's share."""
        lines = [
            WithinLine(row.label, row.share, row.low, row.high, bar(row, self.misfit))
            for row in self.result.rows
        ]
        if self.result.mean is None:
            return lines
        at = self.result.mean.scale.at
        first = [
            WithinLine(each.name, at(each.share), at(each.low), at(each.high), each)
            for each in self.mean
        ]
        return first + lines

    @property
    def joint(self) -> Iterator[tuple[WithinRow, JointCell, str]]:
        """Each answer to the first question with its joint share and interval."""
        for row, cell in zip(self.result.rows, self.result.cells, strict=True):
            yield row, cell, interval_label(cell.low, cell.high)


@dataclass(frozen=True)
class DifferencePanel:
    """One difference in a sentence and a row of the table."""

    row: DifferenceRow
    comparison: Comparison

    @property
    def fits(self) -> bool:
        """Whether the reports of both groups fit the design."""
        return self.comparison.fits(self.row.group, self.row.other)

    @property
    def sentence(self) -> str:
        """By how much more, or fewer, people of the first group gave the answer."""
        return differences.difference_sentence(self.row, self.comparison)

    @property
    def estimate(self) -> float:
        """The difference, of means in the units of their scale."""
        return self.row.in_units(self.row.estimate)

    @property
    def low(self) -> float:
        """The lower end of its interval, likewise."""
        return self.row.in_units(self.row.low)

    @property
    def high(self) -> float:
        """The upper end."""
        return self.row.in_units(self.row.high)

    @property
    def label(self) -> str:
        """Such as "+21"; a dash where reports do not fit, as with shares."""
        return differences.difference_cell(self.row) if self.fits else "\N{EN DASH}"

    @property
    def interval_label(self) -> str:
        """Such as "+8 to +33"."""
        return differences.interval_cell(self.row)

    @property
    def p_label(self) -> str:
        """The adjusted p-value."""
        return chances.p_cell(self.row)


@dataclass(frozen=True)
class DifferenceTable:
    """Differences of one kind: of a scale's means, or of shares."""

    rows: list[DifferencePanel]
    is_of_means: bool
    has_answers: bool

    @property
    def chance_line(self) -> str:
        """What the p-values are."""
        return chances.chance_line([each.row for each in self.rows])

    @property
    def is_of_scores(self) -> bool:
        """Whether no counts tell what differs."""
        return any(each.row.method == SCORES for each in self.rows)


@dataclass(frozen=True)
class ComparisonPanel:
    """Both questions in sentences, chart and tables."""

    result: Comparison

    @cached_property
    def differences(self) -> list[DifferencePanel]:
        """The first group against each of the others, all answers to talk about."""
        return [DifferencePanel(row, self.result) for row in self.result.differences]

    @cached_property
    def mean_differences(self) -> list[DifferencePanel]:
        """The same of the means of a scale."""
        return [
            DifferencePanel(row, self.result) for row in self.result.mean_differences
        ]

    @property
    def headlines(self) -> list[DifferencePanel]:
        """Those of the mean of a scale, or else of the first answer.

        None of reports that do not fit the design: that is then said in their place.
        """
        rows = self.mean_differences or [
            each
            for each in self.differences
            if each.row.label == self.result.first.choices[0]
        ]
        return [each for each in rows if each.fits]

    @property
    def tables(self) -> list[DifferenceTable]:
        """Their numbers, those of means first."""
        has_answers = len(self.result.first.choices) > 2
        both = (
            DifferenceTable(self.mean_differences, True, False),
            DifferenceTable(self.differences, False, has_answers),
        )
        return [table for table in both if table.rows]

    @property
    def chance_lines(self) -> list[str]:
        """What the p-values of each table are."""
        return [line for table in self.tables if (line := table.chance_line)]

    @property
    def waves_line(self) -> str:
        """What asking the same people twice costs them."""
        return groups.waves_line(self.result)

    @cached_property
    def shown(self) -> list[GroupPanel]:
        """The groups that are large enough."""
        return [GroupPanel(group, self.result) for group in self.result.shown]

    @property
    def findings(self) -> list[str]:
        """A sentence for each group, likewise."""
        return [group.sentence for group in self.shown if group.misfit is None]

    @property
    def drawn(self) -> tuple[Group, ...]:
        """What the chart draws."""
        return tuple(group.drawn for group in self.shown)

    @property
    def drawings(self) -> list[Drawing]:
        """Every drawing of the chart, in the order in which a browser takes one."""
        return drawings_of(self.drawn)

    @property
    def interval_name(self) -> str:
        """What kind of interval it is, and by which method."""
        return groups.interval_name(self.result)

    @property
    def mean_interval_name(self) -> str:
        """The same of the means."""
        return groups.mean_interval_name(self.result)

    @property
    def has_means(self) -> bool:
        """Whether there is a mean of each group."""
        return all(group.mean for group in self.shown)

    @property
    def has_shares(self) -> bool:
        """Whether there are shares in each group: not of a scale sent as one bit."""
        return all(group.result.rows for group in self.shown)

    @property
    def joint_interval_name(self) -> str:
        """The same of the joint shares."""
        return groups.joint_interval_name(self.result)

    @property
    def level(self) -> str:
        """How sure the sentences are."""
        return groups.level(self.result)

    @property
    def cautions(self) -> list[Caution]:
        """What to know before relying on any number."""
        return groups.misfits(self.result)

    @property
    def independence_line(self) -> str:
        """What the test of "nothing to do with each other" found."""
        return chances.independence_line(self.result)
