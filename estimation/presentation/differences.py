"""Differences between groups, as sentences and tables."""

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from enum import Enum
from itertools import groupby
from operator import attrgetter

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from candor.differences import SCORES
from estimation.presentation.figures import (
    show_count,
    show_signed,
    show_size,
)
from estimation.presentation.sentences import add_too_imprecise
from estimation.presentation.table import ESTIMATE, INTERVAL, P_VALUE, Section, Table
from estimation.rows.comparison import Comparison
from estimation.rows.row import Kind, Row
from surveys.numbers import NOISE, format_percent


class Direction(Enum):
    MORE = "more"
    FEWER = "fewer"
    UNKNOWN = "unknown"


def describe_direction(row: Row) -> Direction:
    if row.low > 0:
        return Direction.MORE
    if row.high < 0:
        return Direction.FEWER
    return Direction.UNKNOWN


FINDINGS = {
    (Kind.SHARE, Direction.MORE): gettext_noop(
        "%(some)s, %(size)s points more answered “%(label)s” than %(others)s"
    ),
    (Kind.SHARE, Direction.FEWER): gettext_noop(
        "%(some)s, %(size)s points fewer answered “%(label)s” than %(others)s"
    ),
    (Kind.SHARE, Direction.UNKNOWN): gettext_noop(
        "%(some)s, between %(fewer)s points fewer and %(more)s points more answered "
        "“%(label)s” than %(others)s"
    ),
    (Kind.MEAN, Direction.MORE): gettext_noop(
        "%(some)s, the mean is %(size)s higher than %(others)s"
    ),
    (Kind.MEAN, Direction.FEWER): gettext_noop(
        "%(some)s, the mean is %(size)s lower than %(others)s"
    ),
    (Kind.MEAN, Direction.UNKNOWN): gettext_noop(
        "%(some)s, the mean is between %(fewer)s lower and %(more)s higher than "
        "%(others)s"
    ),
}

IN, OF_THOSE = gettext_noop("in “%s”"), gettext_noop("of those with “%s”")


def difference_sentence(row: Row, comparison: Comparison) -> str:
    kind = Kind.MEAN if row.scale else Kind.SHARE
    direction = describe_direction(row)
    near, far = sorted((abs(row.low), abs(row.high)))
    noise = 0.0 if row.scale else NOISE
    group = _(IN if comparison.second is None else OF_THOSE)
    finding = _(FINDINGS[kind, direction]) % {
        "some": capfirst(group) % row.group,
        "others": group % row.other,
        "label": row.label,
        "size": show_count(row, abs(row.estimate)),
        "fewer": show_count(row, -row.low, rounding=ROUND_CEILING),
        "more": show_count(row, row.high, rounding=ROUND_CEILING),
    }
    if direction is Direction.UNKNOWN and row.is_too_imprecise:
        return add_too_imprecise(finding)
    text = _("%(finding)s (%(level)s interval: %(near)s to %(far)s)")
    if direction is Direction.UNKNOWN:
        text = _("%(finding)s (%(level)s interval; best estimate %(best)s)")
    return text % {
        "finding": finding,
        "level": format_percent(row.confidence_level, trimmed=True),
        "near": show_size(row, near + noise, rounding=ROUND_FLOOR),
        "far": show_size(row, max(0.0, far - noise), rounding=ROUND_CEILING),
        "best": show_signed(row, row.estimate),
    }


@dataclass(frozen=True)
class DifferenceTable:
    rows: tuple[Row, ...]
    has_answers: bool
    """Whether there is a row for each answer, not only for each group."""
    least_of_likelihood: int
    """Smallest coverage of 95 % likelihood intervals in percent."""

    @property
    def is_of_means(self) -> bool:
        return self.rows[0].scale is not None

    @property
    def p_value_line(self) -> str:
        if all(row.p_value is None for row in self.rows):
            return ""
        text = _("P by the likelihood ratio, because the tables differ.")
        if self.is_of_scores:
            text = _("P by Welch's t test of the scores.")
        elif all(row.is_exact for row in self.rows):
            text = _("P by Fisher's exact test of the reports.")
        if len(self.rows) == 1:
            return text
        adjusted = _(
            "Adjusted for %s comparisons (Holm); the intervals are not adjusted."
        )
        return f"{text} {adjusted % len(self.rows)}"

    @property
    def is_of_scores(self) -> bool:
        return any(row.method == SCORES for row in self.rows)

    @property
    def least_coverage(self) -> int:
        """Smallest coverage of 95 % intervals in percent."""
        return 93 if self.is_of_scores else self.least_of_likelihood

    @property
    def table(self) -> Table:
        name, title = _("Numbers of the differences"), _("Points")
        if self.is_of_means:
            name = title = _("Difference of the means")
        columns = [ESTIMATE.named(title), INTERVAL]
        if self.p_value_line:
            columns.append(P_VALUE)
        if not self.has_answers:
            return Table(
                name=name,
                columns=columns,
                sections=[Section(rows=self.rows)],
                heading=_("Against"),
                label=attrgetter("other"),
            )
        sections = [
            Section(rows=list(rows), heading=_("Against “%s”") % other)
            for other, rows in groupby(self.rows, attrgetter("other"))
        ]
        return Table(name=name, columns=columns, sections=sections)
