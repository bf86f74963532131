"""What is shown of two questions together, on the page and in its chart."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from estimation.charts.intervals import Bar
from estimation.charts.overview import Group, drawings_of
from estimation.charts.style import Drawing
from estimation.compare import words
from estimation.compare.differences import DifferenceRow
from estimation.compare.result import Comparison, GroupResult, JointCell, WithinRow
from estimation.results.cautions import Caution
from estimation.results.words.bars import bar
from estimation.results.words.sentences import interval_label


@dataclass(frozen=True)
class GroupPanel:
    """One group, and both tables' rows of it."""

    result: GroupResult
    comparison: Comparison

    @property
    def size_label(self) -> str:
        """Such as "about 312 people"."""
        return words.size_label(self.result)

    @property
    def sentence(self) -> str:
        """Interval and best estimate of the first answer."""
        return words.sentence(self.result, self.comparison)

    @property
    def drawn(self) -> Group:
        """What the chart draws of it."""
        return Group(
            heading=words.heading(self.result),
            bars=tuple(map(bar, self.result.rows_told)),
        )

    @property
    def within(self) -> Iterator[tuple[WithinRow, Bar]]:
        """Each answer to the first question with its bar."""
        return zip(self.result.rows, map(bar, self.result.rows), strict=True)

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
    def sentence(self) -> str:
        """By how much more, or fewer, people of the first group gave the answer."""
        return words.difference_sentence(self.row, self.comparison)

    @property
    def label(self) -> str:
        """Such as "+21"."""
        return words.difference_cell(self.row)

    @property
    def interval_label(self) -> str:
        """Such as "+8 to +33"."""
        return words.interval_cell(self.row)

    @property
    def p_label(self) -> str:
        """The adjusted p-value."""
        return words.p_cell(self.row)


@dataclass(frozen=True)
class ComparisonPanel:
    """Both questions in sentences, chart and tables."""

    result: Comparison

    @cached_property
    def differences(self) -> list[DifferencePanel]:
        """The first group against each of the others, all answers to talk about."""
        return [DifferencePanel(row, self.result) for row in self.result.differences]

    @property
    def headlines(self) -> list[DifferencePanel]:
        """Those of the first answer."""
        return [
            each
            for each in self.differences
            if each.row.label == self.result.first.choices[0]
        ]

    @property
    def chance_line(self) -> str:
        """What the p-values are."""
        return words.chance_line(self.result)

    @property
    def waves_line(self) -> str:
        """What asking the same people twice costs them."""
        return words.waves_line(self.result)

    @cached_property
    def shown(self) -> list[GroupPanel]:
        """The groups that are large enough."""
        return [GroupPanel(group, self.result) for group in self.result.shown]

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
        return words.interval_name(self.result)

    @property
    def joint_interval_name(self) -> str:
        """The same of the joint shares."""
        return words.joint_interval_name(self.result)

    @property
    def level(self) -> str:
        """How sure the sentences are."""
        return words.level(self.result)

    @property
    def cautions(self) -> list[Caution]:
        """What to know before relying on any number."""
        return words.misfits(self.result)

    @property
    def independence_line(self) -> str:
        """What the test of "nothing to do with each other" found."""
        return words.independence_line(self.result)
