"""The result of two questions together: numbers, and the texts made from them."""

from dataclasses import dataclass

from estimation.charts.intervals import Bar
from estimation.charts.overview import Group
from estimation.compare import words as wording
from estimation.maths.intervals import METHODS
from estimation.results.words import bar
from surveys.design import DesignQuestion
from surveys.mechanisms import Mechanism


@dataclass(frozen=True, kw_only=True)
class WithinRow:
    """The share of one answer to the first question, within a group."""

    label: str
    share: float
    low: float
    high: float
    raw: float
    """Of a counted group the unbiased share; a ratio of estimates has none."""

    @property
    def bar(self) -> Bar:
        """What charts draw for it, with its numbers as people read them."""
        return bar(self)


@dataclass(frozen=True, kw_only=True)
class JointCell:
    """The share of all respondents who have both answers."""

    raw: float
    standard_error: float
    share: float
    low: float
    high: float

    @property
    def interval_label(self) -> str:
        """The interval as the page writes it."""
        return wording.interval_label(self.low, self.high)


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

    @property
    def pairs(self) -> list[tuple[str, JointCell]]:
        """Each answer to the first question with its joint share."""
        labels = [row.label for row in self.rows]
        return list(zip(labels, self.cells, strict=True))

    @property
    def size_label(self) -> str:
        """Such as "about 312 people"."""
        return wording.size_label(self)

    @property
    def heading(self) -> str:
        """Who is in the group, for the chart."""
        return wording.heading(self)

    @property
    def sentence(self) -> str:
        """Interval and best estimate of the first answer."""
        return wording.sentence(self)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The answers to a first question, by the answers to a second."""

    first: DesignQuestion
    second: DesignQuestion
    respondents: int
    """Who has a report to both questions."""
    missing: int
    groups: tuple[GroupResult, ...]
    independence: float | None
    confidence_level: float
    method: str

    @property
    def shown(self) -> tuple[GroupResult, ...]:
        """The groups that are large enough."""
        return tuple(group for group in self.groups if group.is_shown)

    @property
    def hidden(self) -> tuple[GroupResult, ...]:
        """The groups of which nothing is said but that they are small."""
        return tuple(group for group in self.groups if not group.is_shown)

    @property
    def drawn(self) -> tuple[Group, ...]:
        """What the chart draws."""
        return tuple(
            Group(heading=group.heading, bars=tuple(row.bar for row in group.rows_told))
            for group in self.shown
        )

    @property
    def interval_name(self) -> str:
        """What kind of interval it is, and by which method."""
        return wording.interval_name(self)

    @property
    def joint_interval_name(self) -> str:
        """The same of the joint shares."""
        return wording.profile_name(self.confidence_level)

    @property
    def independence_line(self) -> str:
        """What the test of "nothing to do with each other" found."""
        return wording.independence_line(self)

    @property
    def is_counted(self) -> bool:
        """Whether the groups are known, because the second question is direct."""
        return shows_answers(self.second.mechanism)

    @property
    def method_name(self) -> str:
        """What people call the method of counted groups."""
        return METHODS[self.method]


def shows_answers(mechanism: Mechanism) -> bool:
    """Whether every report tells its answer: each row has one possible report."""
    return all(max(row) == mechanism.total for row in mechanism.weights)
