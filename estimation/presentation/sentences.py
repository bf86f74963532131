"""A result in plain sentences: its intervals, its best estimates, how sure they are."""

from typing import Protocol

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from estimation.presentation.means import sentence_of_mean
from estimation.rows.bounds import BoundsResult
from estimation.rows.shares import QuestionResult, Standing, standing_of_interval
from surveys.words.numbers import decimals_for, grouped, limits, percent


class Estimated(Protocol):
    """A share with its interval and the name of its answer."""

    @property
    def label(self) -> str: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def share(self) -> float: ...
    @property
    def raw(self) -> float: ...


def reports_counted(count: int) -> str:
    """Return such as "1 report" or "2,435 reports"."""
    return ngettext("%(count)s report", "%(count)s reports", count) % {
        "count": grouped(count)
    }


def sentences(result: QuestionResult, *, is_closed: bool = False) -> list[str]:
    """Return the result, one sentence an answer: interval, then best estimate.

    What makes every estimate worthless is said once, in their place. To a question of
    a survey that is closed no response can come any more.
    """
    standings = [result.standing(row) for row in result.told]
    if Standing.NO_REPORTS in standings:
        return [_("No responses") if is_closed else _("No responses yet")]
    if Standing.MISFIT in standings:
        return [_("The reports do not fit the design")]
    if result.exact_respondents == 1:
        if result.mean:
            return [_("One response tells nothing about a mean")]
        return [_("One response tells nothing about a share")]
    if result.mean:
        return [sentence_of_mean(result.mean, standings[0])]
    return [
        sentence(row, standing, quoted=len(result.rows_told) > 1)
        for row, standing in zip(result.rows_told, standings, strict=True)
    ]


def sentence(row: Estimated, standing: Standing, *, quoted: bool) -> str:
    """Return the interval of one answer with its best estimate, if it has one."""
    if standing is Standing.TELLS_NOTHING:
        text = _(
            "Between %(low)s and %(high)s answered “%(label)s”: that tells next to "
            "nothing"
        )
    elif quoted:
        text = _(
            "Between %(low)s and %(high)s (best estimate %(share)s) answered "
            "“%(label)s”"
        )
    else:
        text = _(
            "Between %(low)s and %(high)s (best estimate %(share)s) answered %(label)s"
        )
    return text % in_words(row)


def level(result: QuestionResult) -> str:
    """Return how sure the sentences are; nothing where they tell of no interval."""
    standings = {result.standing(row) for row in result.told}
    is_none = standings & {Standing.NO_REPORTS, Standing.MISFIT}
    if is_none or result.exact_respondents == 1:
        return ""
    words = {"level": percent(result.confidence_level, trimmed=True)}
    if result.method == "bayes":
        return _("with %(level)s probability") % words
    if len(result.told) > 1 and result.simultaneous:
        return _("with %(level)s confidence, all of them together") % words
    if len(result.told) > 1:
        return _("with %(level)s confidence, each by itself") % words
    return _("with %(level)s confidence") % words


def bounds(result: QuestionResult) -> list[str]:
    """Say of each answer how common it is whatever those who declined would say."""
    if not result.respondents or not result.fits_design:
        return []
    found = []
    for each in result.bounds:
        low, high = limits(each.low, each.high)
        if standing_of_interval(each.low, each.high) is Standing.TELLS_NOTHING:
            told = _(
                "Whatever those who prefer not to answer would say: between %(low)s "
                "and %(high)s say “%(label)s”. That tells next to nothing."
            )
        elif result.method == "bayes":
            told = _(
                "Whatever those who prefer not to answer would say: between %(low)s "
                "and %(high)s say “%(label)s” (best estimate %(best)s), "
                "with %(level)s probability."
            )
        else:
            told = _(
                "Whatever those who prefer not to answer would say: between %(low)s "
                "and %(high)s say “%(label)s” (best estimate %(best)s), "
                "with %(level)s confidence."
            )
        words = {"low": low, "high": high, "label": each.label}
        words["best"] = best_of_bounds(each)
        words["level"] = percent(result.confidence_level, trimmed=True)
        found.append(told % words)
    return found


def best_of_bounds(bounds: BoundsResult) -> str:
    """Return the best estimates without and with all who declined; once if alike."""
    ends = [max(bounds.least, 0.0), min(bounds.most, 1.0)]
    least, most = (best_share(end, bounds.low, bounds.high) for end in ends)
    if least == most:
        return least
    return _("%(low)s to %(high)s") % {"low": least, "high": most}


def pair(result: QuestionResult) -> list[str]:
    """Say of a linked pair how common each of its two is, and how they go together."""
    if result.pair is None or result.respondents < 2 or not result.fits_design:
        return []
    found, standings = [], [result.standing(result.rows[0])]
    for each in result.pair.singles:
        standings.append(result.standing(each))
        low, high = limits(each.low, each.high)
        if standings[-1] is Standing.TELLS_NOTHING:
            told = _(
                "Together, “%(both)s” and “%(one)s”: between %(low)s and %(high)s. "
                "That tells next to nothing."
            )
        elif result.method == "bayes":
            told = _(
                "Together, “%(both)s” and “%(one)s”: between %(low)s and %(high)s "
                "(best estimate %(share)s), with %(level)s probability."
            )
        else:
            told = _(
                "Together, “%(both)s” and “%(one)s”: between %(low)s and %(high)s "
                "(best estimate %(share)s), with %(level)s confidence."
            )
        words = {"low": low, "high": high}
        words |= {"both": each.labels[0], "one": each.labels[1]}
        words["share"] = percent(each.share, decimals_for(each.low, each.high))
        words["level"] = percent(result.confidence_level, trimmed=True)
        found.append(told % words)
    if Standing.TELLS_NOTHING in standings:
        return found
    unrelated = _(
        "If the two had nothing to do with each other, %(product)s would be "
        "“%(label)s”; the best estimate is %(both)s."
    )
    both = result.rows[0]
    decimals = decimals_for(both.low, both.high)
    found.append(
        unrelated
        % {
            "product": percent(result.pair.if_unrelated, decimals),
            "label": both.label,
            "both": percent(result.pair.both, decimals),
        }
    )
    return found


def in_words(row: Estimated) -> dict[str, str]:
    """Return what sentences say about one answer."""
    low, high = limits(row.low, row.high)
    return {
        "low": low,
        "high": high,
        "share": best_estimate(row),
        "label": row.label,
    }


def best_estimate(row: Estimated) -> str:
    """Return the share of an answer, no finer than its interval deserves."""
    return best_share(row.share, row.low, row.high)


def best_share(share: float, low: float, high: float) -> str:
    """Return an estimate, no finer than the interval around it deserves."""
    return percent(share, decimals_for(low, high) if 0 < share < 1 else 0)


def interval_name(result: QuestionResult) -> str:
    """Return what kind of interval it is, such as "95 % confidence interval"."""
    level = percent(result.confidence_level, trimmed=True)
    # Probability of the share itself, not of the procedure that brackets it.
    if result.method == "bayes":
        return _("%(level)s credible interval") % {"level": level}
    if result.simultaneous and len(result.told) > 1:
        return _("%(level)s simultaneous confidence interval") % {"level": level}
    return _("%(level)s confidence interval") % {"level": level}


def interval_label(low: float, high: float) -> str:
    """Return an interval as charts and tables write it, rounded outwards."""
    ends = limits(low, high)
    return _("%(low)s to %(high)s") % {"low": ends[0], "high": ends[1]}
