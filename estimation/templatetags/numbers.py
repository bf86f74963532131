"""Template filters for numbers."""

import re

from django import template

from estimation.presentation.charts.intervals import (
    draw_axis,
    draw_bar,
    draw_bar_with_ends,
    show_note,
    show_row,
)
from estimation.presentation.charts.waves import draw_waves
from estimation.presentation.figures import (
    show_estimate_or_dash,
    show_interval,
)
from estimation.presentation.table import label_row
from surveys.numbers import format_integer

register = template.Library()

IN_BRACKETS = re.compile(r"(?:\(|(?<=; ))[^();]{1,30}\)")
"""Text in brackets, or the part after a semicolon, that fits on a line of a phone."""

NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"

register.filter("grouped", format_integer)
register.filter("estimate", show_estimate_or_dash)
register.filter("interval", show_interval)
register.filter("label", label_row)
register.filter("note", show_note)
register.filter("figures", show_row)
register.filter("bar", draw_bar)
register.filter("bar_with_ends", draw_bar_with_ends)
register.filter("axis", draw_axis)
register.filter("waves", draw_waves)


@register.filter
def unbroken(sentence: str) -> str:
    return IN_BRACKETS.sub(
        lambda found: found[0].replace(" ", NO_BREAK_SPACE), sentence
    )
