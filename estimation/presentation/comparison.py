"""What is shown of two questions together, on the page and in its chart."""

from dataclasses import dataclass
from functools import cached_property

from candor.differences import SCORES
from candor.table import Status
from estimation.presentation import differences, groups, p_values
from estimation.presentation.bars import make_bar
from estimation.presentation.cautions import Caution
from estimation.presentation.charts.overview import Group, drawings_of
from estimation.presentation.charts.style import Drawing
from estimation.presentation.figures import show_estimate_or_dash
from estimation.rows.comparison import Comparison
from estimation.rows.groups import GroupResult
from estimation.rows.row import Row
from estimation.rows.shares import first_of_two


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
        return groups.sentence(self.rows[0], self.result, self.comparison)

    @property
    def drawn(self) -> Group:
        """What the chart draws of it: shares, or the mean where there are none."""
        rows = first_of_two(self.result.rows)
        mean = (self.result.mean,) if self.result.mean else ()
        bars = tuple(make_bar(self.judged(row)) for row in rows or mean)
        return Group(heading=groups.heading(self.result), bars=bars)

    @property
    def fits(self) -> bool:
        """Whether its reports fit the design."""
        return self.comparison.fits(self.result.label)

    def judged(self, row: Row) -> Row:
        """Return a row that says whether the reports of the group fit the design."""
        return row.with_status(Status.OK if self.fits else Status.MISFIT)

    @property
    def rows(self) -> list[Row]:
        """The mean in the units of its scale, then each answer's share."""
        mean = (self.result.mean,) if self.result.mean else ()
        return [self.judged(row) for row in (*mean, *self.result.rows)]


@dataclass(frozen=True)
class DifferencePanel:
    """One difference in a sentence and a row of the table."""

    row: Row
    comparison: Comparison

    @property
    def fits(self) -> bool:
        """Whether the reports of both groups fit the design."""
        return self.comparison.fits(self.row.group or "", self.row.other)

    @property
    def sentence(self) -> str:
        """By how much more, or fewer, people of the first group gave the answer."""
        return differences.difference_sentence(self.row, self.comparison)

    @property
    def label(self) -> str:
        """Such as "+21"; a dash where reports do not fit, as with shares."""
        return show_estimate_or_dash(self.row) if self.fits else "\N{EN DASH}"

    @property
    def p_label(self) -> str:
        """The adjusted p-value."""
        return p_values.p_cell(self.row)


@dataclass(frozen=True)
class DifferenceTable:
    """Differences of one kind: of a scale's means, or of shares."""

    rows: list[DifferencePanel]
    is_of_means: bool
    has_answers: bool

    @property
    def chance_line(self) -> str:
        """What the p-values are."""
        return p_values.chance_line([each.row for each in self.rows])

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
        return [group.sentence for group in self.shown if group.fits]

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
        return all(group.result.mean for group in self.shown)

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
        return p_values.independence_line(self.result)
