"""What charts draw and write of a result, and what is said in their place."""

from django.utils.translation import gettext as _

from estimation.presentation.charts.intervals import Bar
from estimation.presentation.means import best_mean, limits_on_scale
from estimation.presentation.sentences import (
    Estimated,
    best_estimate,
    in_words,
    interval_label,
    interval_name,
)
from estimation.rows.means import MeanResult
from estimation.rows.shares import QuestionResult, Standing, standing_of_interval
from surveys.words.numbers import (
    TICK_PARTS,
    decimals_for,
    percent_apart,
    tells_nothing,
    value_of,
)


def bar(row: Estimated, standing: Standing | None = None) -> Bar:
    """Return what charts draw for one answer; its standing is that of its interval."""
    standing = standing or standing_of_interval(row.low, row.high)
    has_estimate = standing is Standing.ESTIMATED
    return Bar(
        low=row.low,
        high=row.high,
        share=row.share,
        raw=row.raw,
        has_estimate=has_estimate,
        interval_label=interval_label(row.low, row.high),
        estimate_label=estimate_label(row, standing),
        share_label=best_estimate(row) if has_estimate else "\N{EN DASH}",
        name=row.label,
    )


def bar_of_mean(mean: MeanResult, standing: Standing) -> Bar:
    """Return what charts draw of the mean of a scale, with ticks of its own."""
    has_estimate = standing is Standing.ESTIMATED
    ends = limits_on_scale(mean)
    told = best_mean(mean)
    if standing is Standing.MISFIT:
        told = _("does not fit the design")
    elif not has_estimate:
        told = tells_nothing()
    return Bar(
        low=mean.low,
        high=mean.high,
        share=mean.share,
        # Off the scale only where the likeliest mean is at an end.
        raw=mean.raw if not 0 <= mean.raw <= 1 else mean.share,
        has_estimate=has_estimate,
        interval_label=_("%(low)s to %(high)s") % {"low": ends[0], "high": ends[1]},
        estimate_label=told,
        share_label=best_mean(mean) if has_estimate else "\N{EN DASH}",
        name=_("Mean"),
        ticks=tuple(
            value_of(mean.scale.low + (mean.scale.high - mean.scale.low) * part)
            for part in TICK_PARTS
        ),
    )


def estimate_label(row: Estimated, standing: Standing) -> str:
    """Return the best estimate as the chart writes it."""
    if standing is Standing.MISFIT:
        return _("does not fit the design")
    if standing is Standing.TELLS_NOTHING:
        return tells_nothing()
    share = best_estimate(row)
    if row.raw == row.share:
        return share
    decimals = decimals_for(row.low, row.high)
    return _("%(share)s (raw %(raw)s)") % {
        "share": share,
        "raw": percent_apart(row.raw, decimals),
    }


def alternative_text(result: QuestionResult) -> str:
    """Return what the chart shows, with its numbers."""
    texts = [_("A scale from 0 to 100 percent.")]
    if not result.fits_design:
        texts.append(_("The reports do not fit the design."))
    if result.mean:
        texts.insert(0, mean_drawn(result, result.mean))
    if not result.rows:
        # A scale of percent is for shares.
        texts.remove(_("A scale from 0 to 100 percent."))
    for row in result.rows_told:
        shown = _(
            "Share of %(label)s: best estimate %(share)s, %(interval)s from %(low)s to "
            "%(high)s."
        )
        standing = result.standing(row)
        if standing is not Standing.ESTIMATED:
            shown = _("Share of %(label)s: %(interval)s from %(low)s to %(high)s.")
        texts.append(shown % {**in_words(row), "interval": interval_name(result)})
        if standing is Standing.TELLS_NOTHING:
            texts.append(_("It tells next to nothing."))
        if row.raw != row.share:
            texts.append(_("Raw estimate: %s.") % percent_apart(row.raw))
    return " ".join(texts)


def mean_drawn(result: QuestionResult, mean: MeanResult) -> str:
    """Return what the chart shows of the mean of a scale, with its numbers."""
    low, high = limits_on_scale(mean)
    words = {
        "least": value_of(mean.scale.low),
        "most": value_of(mean.scale.high),
        "mean": best_mean(mean),
        "interval": interval_name(result),
        "low": low,
        "high": high,
    }
    shown = _(
        "A scale from %(least)s to %(most)s. Mean: best estimate %(mean)s, "
        "%(interval)s from %(low)s to %(high)s."
    )
    if result.standing(mean) is not Standing.ESTIMATED:
        shown = _(
            "A scale from %(least)s to %(most)s. Mean: %(interval)s from %(low)s to "
            "%(high)s."
        )
    return shown % words
