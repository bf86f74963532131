"""What people read about a result: numbers rounded with care, and plain sentences."""

import math
from fractions import Fraction
from typing import Protocol

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from estimation.charts.intervals import Bar
from estimation.results.means import MeanResult
from estimation.results.methods import METHODS, PROFILE
from estimation.results.result import (
    MIN_RESPONDENTS,
    QuestionResult,
    Standing,
    SurveyResults,
    standing_of_interval,
)
from surveys.mechanisms import families
from surveys.mechanisms.scale import Scale
from surveys.mechanisms.table import truth_and_other
from surveys.words.numbers import (
    TICK_PARTS,
    decimals_for,
    epsilon,
    grouped,
    limits,
    margin_of,
    on_scale,
    percent,
    percent_apart,
    tells_nothing,
    value_of,
    value_on_scale,
)
from surveys.words.tables import TableInWords, name_questions, report_labels


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


MODES = {
    "browser": gettext_noop("In the browser"),
    "server": gettext_noop("On the server"),
    "hand": gettext_noop("By hand"),
}


def reports_counted(count: int) -> str:
    """Return such as "1 report" or "2,435 reports"."""
    return ngettext("%(count)s report", "%(count)s reports", count) % {
        "count": grouped(count)
    }


def labels_of_reports(result: QuestionResult) -> tuple[str, ...]:
    """Return what its reports are called, in the order of the table's columns."""
    return report_labels(result.mechanism, named_choices(result))


def best_estimate(row: Estimated) -> str:
    """Return the share of an answer, no finer than its interval deserves."""
    decimals = decimals_for(row.low, row.high) if 0 < row.share < 1 else 0
    return percent(row.share, decimals)


def sentences(result: QuestionResult) -> list[str]:
    """Return the result, one sentence an answer: interval, then best estimate.

    What makes every estimate worthless is said once, in their place.
    """
    standings = [result.standing(row) for row in result.told]
    if Standing.NO_REPORTS in standings:
        return [_("No responses yet")]
    if Standing.MISFIT in standings:
        return [_("The reports do not fit the design")]
    if result.respondents == 1:
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
    return value_on_scale(mean.scale, mean.share, low=mean.low, high=mean.high)


def level(result: QuestionResult) -> str:
    """Return how sure the sentences are; nothing where they tell of no interval."""
    standings = {result.standing(row) for row in result.told}
    if standings & {Standing.NO_REPORTS, Standing.MISFIT} or result.respondents == 1:
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
    level = percent(result.confidence_level, trimmed=True)
    told = _(
        "Whatever those who prefer not to answer would say: between %(low)s and "
        "%(high)s say “%(label)s” (best estimates %(least)s to %(most)s), with "
        "%(level)s confidence."
    )
    found = []
    for each in result.bounds:
        low, high = limits(each.low, each.high)
        decimals = decimals_for(each.low, each.high)
        words = {"low": low, "high": high, "label": each.label, "level": level}
        words["least"] = percent(each.least, decimals)
        words["most"] = percent(min(each.most, 1.0), decimals)
        found.append(told % words)
    return found


def pair(result: QuestionResult) -> list[str]:
    """Say of a linked pair how common each of its two is, and how they go together."""
    if result.pair is None or result.respondents < 2 or not result.fits_design:
        return []
    level = percent(result.confidence_level, trimmed=True)
    told = _(
        "Together, “%(both)s” and “%(one)s”: between %(low)s and %(high)s (best "
        "estimate %(share)s), with %(level)s confidence."
    )
    found = []
    for each in result.pair.singles:
        low, high = limits(each.low, each.high)
        words = {"low": low, "high": high, "level": level}
        words |= {"both": each.labels[0], "one": each.labels[1]}
        words["share"] = percent(each.share, decimals_for(each.low, each.high))
        found.append(told % words)
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


def not_covered() -> str:
    """Say what no interval takes in."""
    return _(
        "Intervals take in chance: who happened to take part, and the scrambling. They "
        "do not cover who refused, answers that were not true, and forged reports."
    )


def margin(reached: float | None) -> str:
    """Return such as "± 6.2 points": home, monitor and results say the same."""
    if reached is None:
        return "\N{EM DASH}"
    if math.isinf(reached):
        return _("does not fit the design")
    return margin_of(reached)


def precision(results: SurveyResults) -> str:
    """Return the margin of the least precise question, and at which level."""
    widest = results.widest_margin
    if widest is None:
        return _("Shown from %s responses to every question on") % MIN_RESPONDENTS
    if math.isinf(widest):
        return margin(widest)
    level = percent(results.questions[0].confidence_level, trimmed=True)
    return _("%(margin)s at %(level)s") % {"margin": margin(widest), "level": level}


def draws() -> str:
    """Say what it means that questions were drawn for each respondent."""
    return _(
        "Total epsilon counts so many of each group, those that give away most. "
        "Questions drawn are known of those who were asked; whoever was not is "
        "missing by chance alone."
    )


def total_of_scrambled(results: SurveyResults) -> str:
    """Say of which answers the total epsilon is; empty where it is of all or none."""
    together = results.together
    if not (together.scrambled and together.unscrambled):
        return ""
    told = ngettext(
        "Epsilon of the scrambled answers together is at most %(epsilon)s, whatever "
        "the direct answers are; %(named)s is not scrambled.",
        "Epsilon of the scrambled answers together is at most %(epsilon)s, whatever "
        "the direct answers are; %(named)s are not scrambled.",
        len(together.unscrambled),
    )
    return told % {
        "epsilon": epsilon(together.ratio),
        "named": name_questions(together.unscrambled),
    }


def in_words(row: Estimated) -> dict[str, str]:
    """Return what sentences say about one answer."""
    low, high = limits(row.low, row.high)
    return {
        "low": low,
        "high": high,
        "share": best_estimate(row),
        "label": row.label,
    }


def interval_name(result: QuestionResult) -> str:
    """Return what kind of interval it is, such as "95 % confidence interval"."""
    level = percent(result.confidence_level, trimmed=True)
    # Probability of the share itself, not of the procedure that brackets it.
    if result.method == "bayes":
        return _("%(level)s credible interval") % {"level": level}
    if result.simultaneous and len(result.told) > 1:
        return _("%(level)s simultaneous confidence interval") % {"level": level}
    return _("%(level)s confidence interval") % {"level": level}


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


def method_of_mean(mean: MeanResult) -> str:
    """Return by which method the interval of a mean was found."""
    return str(METHODS.get(mean.method, PROFILE).label)


def mean_in_numbers(result: QuestionResult) -> dict[str, str] | None:
    """Return the numbers of a mean in the units of its scale; None without one."""
    if (mean := result.mean) is None:
        return None
    low, high = limits_on_scale(mean)

    def shown(part: float) -> str:
        return value_on_scale(mean.scale, part, low=mean.low, high=mean.high)

    spread = Scale(Fraction(0), mean.scale.high - mean.scale.low, 2)
    reports = zip(
        labels_of_reports(result), (count for _, count in result.tally), strict=True
    )
    return {
        "estimate": shown(mean.share),
        "interval": _("%(low)s to %(high)s") % {"low": low, "high": high},
        "raw": shown(mean.raw),
        "standard_error": value_on_scale(
            spread, mean.standard_error, low=mean.low, high=mean.high
        ),
        "reports": ""
        if result.rows
        else ", ".join(f"{label}: {grouped(count)}" for label, count in reports),
        "of": _("%(low)s to %(high)s")
        % {"low": value_of(mean.scale.low), "high": value_of(mean.scale.high)},
    }


def left_out_of_overview(results: SurveyResults) -> str:
    """Say which questions a chart of shares leaves out; empty where it has all."""
    numbers = [each.number for each in results.questions if each.mean]
    if not numbers:
        return ""
    told = ngettext(
        "The mean of %s is not in this chart of shares: it has a scale of its own.",
        "The means of %s are not in this chart of shares: they have scales of their "
        "own.",
        len(numbers),
    )
    return told % name_questions(numbers)


def interval_label(low: float, high: float) -> str:
    """Return an interval as charts and tables write it, rounded outwards."""
    ends = limits(low, high)
    return _("%(low)s to %(high)s") % {"low": ends[0], "high": ends[1]}


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


def mechanism_line(result: QuestionResult) -> str:
    """Return family, realised chances and epsilon of a question."""
    family = families().get(result.mechanism.family)
    words = {
        # The file of an old survey's family may be gone; its table is not.
        "family": _(family.label) if family else result.mechanism.family,
        "chances": chances(result),
        "epsilon": epsilon(result.mechanism.worst_ratio),
    }
    if not result.mechanism.is_protected:
        return _("%(family)s: %(chances)s. Epsilon has no bound.") % words
    return _("%(family)s: %(chances)s. Epsilon is at most %(epsilon)s.") % words


def named_choices(result: QuestionResult) -> tuple[str, ...]:
    """Return what its answers are called; of a mean alone, their values."""
    if result.rows or result.mean is None:
        return tuple(row.label for row in result.rows)
    return tuple(map(value_of, result.mean.scale.values))


def proofs(result: QuestionResult) -> list[str]:
    """Return which reports show the answer behind them, where others do not."""
    choices = named_choices(result)
    return TableInWords((result.number,), result.mechanism, choices).proofs


def chances(result: QuestionResult) -> str:
    """Return how often each answer arrives as the first report, as it was drawn.

    Where there are many answers and all are treated alike, two chances say it.
    """
    alike = truth_and_other(result.mechanism.weights)
    if alike and len(result.rows) > 2:
        truth, other = (
            percent_apart(weight / result.mechanism.total, trimmed=True)
            for weight in alike
        )
        return _(
            "of each answer %(truth)s arrive as it is and %(other)s as each of the "
            "others"
        ) % {"truth": truth, "other": other}
    answers, labels = list(result.mechanism.answers), list(named_choices(result))
    if not result.mechanism.tells_shares:
        # In between it grows evenly: the ends say it all.
        answers, labels = answers[::-1][:: len(answers) - 1], labels[::-1]
        labels = labels[:: len(labels) - 1]
    first = result.mechanism.reports[0]
    parts = [
        _("%(chance)s of “%(label)s” answers")
        % {
            "chance": percent_apart(
                float(result.mechanism.probability(first, given=answer)),
                trimmed=True,
            ),
            "label": label,
        }
        for answer, label in zip(answers, labels, strict=True)
    ]
    return _("%(parts)s arrive as “%(report)s”") % {
        "parts": get_text_list(parts, _("and")),
        "report": labels_of_reports(result)[0],
    }
