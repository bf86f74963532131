"""What charts draw and write of a result, and what is said in their place."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from candor.mechanisms.scale import Scale
from estimation.presentation.charts.intervals import Bar
from estimation.presentation.figures import (
    show_estimate,
    show_estimate_or_dash,
    show_interval,
)
from estimation.presentation.sentences import interval_name, words_of
from estimation.rows.row import Kind, Row, Standing
from estimation.rows.shares import QuestionResult
from surveys.models.question import format_scale_value
from surveys.text.numbers import (
    TICK_PARTS,
    choose_decimals,
    format_distinct_percent,
    say_too_imprecise,
)


def make_bar(row: Row) -> Bar:
    """Return what charts draw of one estimate; a mean has ticks of its own."""
    has_estimate = row.standing is Standing.ESTIMATED
    estimate, raw = row.part(row.estimate), row.part(row.raw)
    if row.scale and row.is_possible:
        raw = estimate  # marked only where it lies beyond an end of the scale
    return Bar(
        low=row.part(row.low),
        high=row.part(row.high),
        share=estimate,
        raw=raw,
        has_estimate=has_estimate,
        interval_label=show_interval(row),
        estimate_label=estimate_label(row),
        share_label=show_estimate_or_dash(row),
        name=_("Mean") if row.kind is Kind.MEAN else row.label,
        ticks=ticks_of(row.scale) if row.scale else (),
    )


def ticks_of(scale: Scale) -> tuple[str, ...]:
    """Return the values at the quarters of a scale."""
    length = scale.high - scale.low
    return tuple(format_scale_value(scale.low + length * part) for part in TICK_PARTS)


def estimate_label(row: Row) -> str:
    """Return the best estimate as the chart writes it."""
    if row.standing is Standing.MISFIT:
        return _("does not fit the design")
    if row.standing is not Standing.ESTIMATED:
        return say_too_imprecise()
    estimate = show_estimate(row)
    if row.scale or row.raw == row.estimate:
        return estimate
    decimals = choose_decimals(row.low, row.high)
    return _("%(share)s (raw %(raw)s)") % {
        "share": estimate,
        "raw": format_distinct_percent(row.raw, decimals),
    }


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
    words = words_of(row, interval=interval, least=least, most=most)
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
