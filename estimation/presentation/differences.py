"""By how much groups differ: a sentence for each difference, and tables."""

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from enum import Enum
from itertools import groupby
from operator import attrgetter

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from candor.differences import SCORES
from estimation.presentation.figures import (
    is_uninformative,
    show_count,
    show_signed,
    show_size,
)
from estimation.presentation.table import ESTIMATE, INTERVAL, P_VALUE, Section, Table
from estimation.rows.comparison import Comparison
from estimation.rows.row import Kind, Row
from surveys.numbers import NOISE, format_percent


class Direction(Enum):
    """What the interval of a difference says."""

    MORE = "more"
    FEWER = "fewer"
    UNINFORMATIVE = "uninformative"
    UNKNOWN = "unknown"


def describe_direction(row: Row) -> Direction:
    """Return what the interval says."""
    if row.low > 0:
        return Direction.MORE
    if row.high < 0:
        return Direction.FEWER
    return Direction.UNINFORMATIVE if is_uninformative(row) else Direction.UNKNOWN


WITHIN, BETWEEN = "groups of one survey", "samples"

SENTENCES = {
    (Kind.SHARE, WITHIN, Direction.MORE): gettext_noop(
        "Of those with “%(group)s”, %(points)s points more answered “%(label)s” "
        "than of those with “%(other)s” (%(level)s interval: %(low)s to %(high)s)"
    ),
    (Kind.SHARE, WITHIN, Direction.FEWER): gettext_noop(
        "Of those with “%(group)s”, %(points)s points fewer answered “%(label)s” "
        "than of those with “%(other)s” (%(level)s interval: %(low)s to %(high)s)"
    ),
    (Kind.SHARE, WITHIN, Direction.UNINFORMATIVE): gettext_noop(
        "Of those with “%(group)s”, between %(fewer)s points fewer and %(more)s "
        "points more answered “%(label)s” than of those with “%(other)s”. This is "
        "too imprecise to interpret"
    ),
    (Kind.SHARE, WITHIN, Direction.UNKNOWN): gettext_noop(
        "Of those with “%(group)s”, between %(fewer)s points fewer and %(more)s points "
        "more answered “%(label)s” than of those with “%(other)s” (%(level)s interval; "
        "best estimate %(best)s)"
    ),
    (Kind.SHARE, BETWEEN, Direction.MORE): gettext_noop(
        "In “%(group)s”, %(points)s points more answered “%(label)s” than in "
        "“%(other)s” (%(level)s interval: %(low)s to %(high)s)"
    ),
    (Kind.SHARE, BETWEEN, Direction.FEWER): gettext_noop(
        "In “%(group)s”, %(points)s points fewer answered “%(label)s” than in "
        "“%(other)s” (%(level)s interval: %(low)s to %(high)s)"
    ),
    (Kind.SHARE, BETWEEN, Direction.UNINFORMATIVE): gettext_noop(
        "In “%(group)s”, between %(fewer)s points fewer and %(more)s points more "
        "answered “%(label)s” than in “%(other)s”. This is too imprecise to interpret"
    ),
    (Kind.SHARE, BETWEEN, Direction.UNKNOWN): gettext_noop(
        "In “%(group)s”, between %(fewer)s points fewer and %(more)s points more "
        "answered “%(label)s” than in “%(other)s” (%(level)s interval; best estimate "
        "%(best)s)"
    ),
    (Kind.MEAN, WITHIN, Direction.MORE): gettext_noop(
        "Of those with “%(group)s”, the mean is %(size)s higher than of those with "
        "“%(other)s” (%(level)s interval: %(near)s to %(far)s)"
    ),
    (Kind.MEAN, WITHIN, Direction.FEWER): gettext_noop(
        "Of those with “%(group)s”, the mean is %(size)s lower than of those with "
        "“%(other)s” (%(level)s interval: %(near)s to %(far)s)"
    ),
    (Kind.MEAN, WITHIN, Direction.UNINFORMATIVE): gettext_noop(
        "Of those with “%(group)s”, the mean is between %(fewer)s lower and %(more)s "
        "higher than of those with “%(other)s”. This is too imprecise to interpret"
    ),
    (Kind.MEAN, WITHIN, Direction.UNKNOWN): gettext_noop(
        "Of those with “%(group)s”, the mean is between %(fewer)s lower and "
        "%(more)s higher than of those with “%(other)s” (%(level)s interval; best "
        "estimate %(best)s)"
    ),
    (Kind.MEAN, BETWEEN, Direction.MORE): gettext_noop(
        "In “%(group)s”, the mean is %(size)s higher than in “%(other)s” "
        "(%(level)s interval: %(near)s to %(far)s)"
    ),
    (Kind.MEAN, BETWEEN, Direction.FEWER): gettext_noop(
        "In “%(group)s”, the mean is %(size)s lower than in “%(other)s” "
        "(%(level)s interval: %(near)s to %(far)s)"
    ),
    (Kind.MEAN, BETWEEN, Direction.UNINFORMATIVE): gettext_noop(
        "In “%(group)s”, the mean is between %(fewer)s lower and %(more)s higher "
        "than in “%(other)s”. This is too imprecise to interpret"
    ),
    (Kind.MEAN, BETWEEN, Direction.UNKNOWN): gettext_noop(
        "In “%(group)s”, the mean is between %(fewer)s lower and %(more)s "
        "higher than in “%(other)s” (%(level)s interval; best estimate "
        "%(best)s)"
    ),
}


def difference_sentence(row: Row, comparison: Comparison) -> str:
    """Return by how much the first group is above the other, with the interval."""
    kind = Kind.MEAN if row.scale else Kind.SHARE
    place = WITHIN if comparison.second else BETWEEN
    near, far = sorted((abs(row.low), abs(row.high)))
    noise = 0.0 if row.scale else NOISE
    low = show_size(row, near + noise, rounding=ROUND_FLOOR)
    high = show_size(row, max(0.0, far - noise), rounding=ROUND_CEILING)
    size = show_count(row, abs(row.estimate))
    return _(SENTENCES[kind, place, describe_direction(row)]) % {
        "group": row.group,
        "other": row.other,
        "label": row.label,
        "level": format_percent(row.confidence_level, trimmed=True),
        "points": size,
        "size": size,
        "low": low,
        "near": low,
        "high": high,
        "far": high,
        "fewer": show_count(row, -row.low, rounding=ROUND_CEILING),
        "more": show_count(row, row.high, rounding=ROUND_CEILING),
        "best": show_signed(row, row.estimate),
    }


@dataclass(frozen=True)
class DifferenceTable:
    """Differences of one kind, of means or of shares, and what is said of them."""

    rows: tuple[Row, ...]
    has_answers: bool
    """Whether rows are about answers, each against several groups."""

    @property
    def is_of_means(self) -> bool:
        """Whether means of a scale are compared."""
        return self.rows[0].scale is not None

    @property
    def p_value_line(self) -> str:
        """How often chance makes groups look so different; "" where none is tested."""
        if self.rows[0].p_value is None:
            return ""
        is_exact = all(row.is_exact for row in self.rows)
        words = {"count": len(self.rows)}
        if self.is_of_scores:
            text = _("P by Welch's t test of the scores.")
            if len(self.rows) > 1:
                text = _(
                    "P by Welch's t test of the scores, adjusted for %(count)s "
                    "comparisons (Holm)."
                )
        elif len(self.rows) > 1 and is_exact:
            text = _(
                "P by Fisher's exact test of the reports, valid for the answers, "
                "adjusted for %(count)s comparisons (Holm)."
            )
        elif len(self.rows) > 1:
            text = _(
                "P by the likelihood ratio, because the tables differ, adjusted for "
                "%(count)s comparisons (Holm)."
            )
        elif is_exact:
            text = _("P by Fisher's exact test of the reports, valid for the answers.")
        else:
            text = _("P by the likelihood ratio, because the tables differ.")
        if len(self.rows) == 1:
            return text % words
        by_itself = _("The intervals are not adjusted.")
        return f"{text % words} {by_itself}"

    @property
    def is_of_scores(self) -> bool:
        """Whether intervals come from scores, as those of some means do."""
        return any(row.method == SCORES for row in self.rows)

    @property
    def table(self) -> Table:
        """The numbers."""
        name, title = _("Numbers of the differences"), _("Points")
        if self.is_of_means:
            name = _("Numbers of the differences of means")
            title = _("Difference of the means")
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
        return Table(
            name=name,
            columns=columns,
            sections=[
                Section(rows=list(rows), heading=_("Against “%s”") % other)
                for other, rows in groupby(self.rows, attrgetter("other"))
            ],
        )
