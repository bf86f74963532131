"""What a chart shows, for those who do not see it."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from estimation.presentation.sentences import format_row, interval_name
from estimation.rows.row import Kind, Row, Standing
from estimation.rows.shares import QuestionResult
from surveys.models.question import format_scale_value
from surveys.text.numbers import (
    format_distinct_percent,
)

DESCRIPTIONS = {
    (Kind.SHARE, True): gettext_noop(
        "Share of %(label)s: best estimate %(share)s, %(interval)s from %(low)s to "
        "%(high)s."
    ),
    (Kind.SHARE, False): gettext_noop(
        "Share of %(label)s: %(interval)s from %(low)s to %(high)s."
    ),
    (Kind.MEAN, True): gettext_noop(
        "A scale from %(least)s to %(most)s. Mean: best estimate %(mean)s, "
        "%(interval)s from %(low)s to %(high)s."
    ),
    (Kind.MEAN, False): gettext_noop(
        "A scale from %(least)s to %(most)s. Mean: %(interval)s from %(low)s to "
        "%(high)s."
    ),
}
"""What a bar shows, by its kind and by whether an estimate is marked."""


def describe(row: Row, interval: str) -> str:
    """Return what one bar shows, with its numbers."""
    least, most = map(format_scale_value, row.range)
    words = format_row(row, interval=interval, least=least, most=most)
    text = DESCRIPTIONS[row.kind, row.standing is Standing.ESTIMATED]
    return _(text) % words


def alternative_text(result: QuestionResult) -> str:
    """Return what the chart shows, with its numbers."""
    interval = interval_name(result)
    texts = [describe(result.mean, interval)] if result.mean else []
    if result.rows:
        texts.append(_("A scale from 0 to 100 percent."))
    if not result.fits_design:
        texts.append(_("The reports do not fit the design."))
    for row in result.headline_shares:
        texts.append(describe(row, interval))
        if row.standing is Standing.UNINFORMATIVE:
            texts.append(_("It tells next to nothing."))
        if row.raw != row.estimate:
            texts.append(_("Raw estimate: %s.") % format_distinct_percent(row.raw))
    return " ".join(texts)
