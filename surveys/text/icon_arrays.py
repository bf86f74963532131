"""Icon arrays of 100 people: one path for each report, filled by a pattern."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from django.utils.translation import gettext as _

from surveys.numbers import format_integer
from surveys.text.tables import TableDescription

CELL = 10
"""Side of one dot's square; the patterns in the page repeat at this distance."""

COLUMNS = {100: 25, 1000: 50, 10_000: 100}
"""Dots per row, by number of dots; among more than 10,000 one dot is invisible."""

SHAPES = 3
"""Kinds of dots in the page: full, hollow and crossed, distinct without colour."""


@dataclass(frozen=True)
class IconArray:
    sentence: str
    label: str
    width: int
    height: int
    paths: tuple[str, ...]


def draw_icon_arrays(table: TableDescription) -> list[IconArray]:
    base, counts = table.odds.base, table.odds.counts
    if base not in COLUMNS or len(table.labels) > SHAPES:
        return []
    columns = COLUMNS[base]
    return [
        IconArray(
            sentence=sentence,
            label=describe_dots(row, table.labels),
            width=columns * CELL,
            height=base // columns * CELL,
            paths=draw_paths(row, columns),
        )
        for answer in table.described_answers
        for sentence, row in [(table.sentence(answer), counts[answer])]
    ]


def describe_dots(counts: Sequence[int], labels: Sequence[str]) -> str:
    """Return "100 dots: 75 for Yes, 25 for No"."""
    named = [
        _("%(count)s for %(report)s")
        % {"count": format_integer(count), "report": label}
        for count, label in zip(counts, labels, strict=True)
    ]
    return _("%(all)s dots: %(named)s") % {
        "all": format_integer(sum(counts)),
        "named": _(", ").join(named),
    }


def draw_paths(counts: Sequence[int], columns: int) -> tuple[str, ...]:
    ends = accumulate(counts, initial=0)
    return tuple(draw_outline(start, end, columns) for start, end in pairwise(ends))


def draw_outline(start: int, end: int, columns: int) -> str:
    """Return the squares from `start` to before `end`: at most three rectangles."""
    drawn = ""
    while start < end:
        row, column = divmod(start, columns)
        if column == 0 and end - start >= columns:
            rows = (end - start) // columns
            width = columns
        else:
            rows = 1
            width = min(columns - column, end - start)
        drawn += f"M{column * CELL} {row * CELL}h{width * CELL}v{rows * CELL}"
        drawn += f"h-{width * CELL}z"
        start += width * rows
    return drawn
