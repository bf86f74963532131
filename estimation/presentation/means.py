"""The mean of a scale in words, in the scale's own units."""

from fractions import Fraction

from django.utils.translation import gettext as _

from candor.mechanisms.scale import Scale
from estimation.presentation.methods import METHODS, PROFILE
from estimation.presentation.scrambling import labels_of_reports
from estimation.rows.means import MeanResult
from estimation.rows.shares import QuestionResult, Standing
from surveys.words.numbers import (
    HALF_THE_SCALE,
    grouped,
    on_scale,
    tells_nothing,
    value_of,
    value_on_scale,
)


def sentence_of_mean(mean: MeanResult, standing: Standing) -> str:
    """Return the interval of the mean of a scale with its best estimate."""
    if standing is Standing.TELLS_NOTHING:
        text = _(
            "The mean lies between %(low)s and %(high)s: that tells next to nothing"
        )
    else:
        text = _("The mean lies between %(low)s and %(high)s (best estimate %(mean)s)")
    low, high = limits_on_scale(mean)
    return text % {"low": low, "high": high, "mean": best_mean(mean)}


def limits_on_scale(mean: MeanResult) -> tuple[str, str]:
    """Return both ends in the units of the scale, rounded outwards."""
    return on_scale(mean.scale, mean.low, mean.high)


def best_mean(mean: MeanResult) -> str:
    """Return the likeliest mean, no finer than its interval deserves."""
    return shown_of_mean(mean, mean.share)


def shown_of_mean(mean: MeanResult, part: float) -> str:
    """Return a value so far along the scale, as fine."""
    return value_on_scale(mean.scale, part, low=mean.low, high=mean.high)


def error_of_mean(mean: MeanResult) -> str:
    """Return the standard error in units of the scale, or that it tells nothing."""
    if mean.standard_error >= HALF_THE_SCALE:
        return tells_nothing()
    spread = Scale(Fraction(0), mean.scale.high - mean.scale.low, 2)
    return value_on_scale(spread, mean.standard_error, low=mean.low, high=mean.high)


def method_of_mean(mean: MeanResult) -> str:
    """Return by which method the interval of a mean was found."""
    return str(METHODS.get(mean.method, PROFILE).label)


def mean_in_numbers(result: QuestionResult) -> dict[str, str] | None:
    """Return the numbers of a mean in the units of its scale; None without one."""
    if (mean := result.mean) is None:
        return None
    low, high = limits_on_scale(mean)

    reports = zip(
        labels_of_reports(result), (count for _, count in result.tally), strict=True
    )
    return {
        "estimate": best_mean(mean)
        if result.standing(mean) is Standing.ESTIMATED
        else "\N{EN DASH}",
        "interval": _("%(low)s to %(high)s") % {"low": low, "high": high},
        "raw": shown_of_mean(mean, mean.raw),
        "standard_error": error_of_mean(mean),
        "reports": ""
        if result.rows
        else ", ".join(f"{label}: {grouped(count)}" for label, count in reports),
        "of": _("%(low)s to %(high)s")
        % {"low": value_of(mean.scale.low), "high": value_of(mean.scale.high)},
    }
