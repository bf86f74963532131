"""A result in plain sentences: intervals, estimates, and how answers were scrambled."""

import math
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from candor.mechanisms import load_families
from candor.mechanisms.table import truth_and_other
from estimation.presentation.figures import (
    show_ends,
    show_estimate,
    show_raw,
    show_value,
)
from estimation.rows.row import Kind, Row, Standing
from estimation.rows.shares import QuestionResult
from surveys.kinds.scale import format_scale_value
from surveys.lists import join_texts
from surveys.numbers import (
    choose_decimals,
    format_distinct_percent,
    format_epsilon,
    format_integer,
    format_percent,
)
from surveys.text.tables import TableDescription, label_reports


def mechanism_line(result: QuestionResult) -> str:
    """Return family, realised chances and epsilon of a question."""
    family = load_families().get(result.mechanism.family)
    words = {
        # The file of an old survey's family may be gone; its table is not.
        "family": _(family.label) if family else result.mechanism.family,
        "chances": chances(result),
        "epsilon": format_epsilon(result.mechanism.worst_ratio),
    }
    if not result.mechanism.is_scrambled:
        return _("Asked directly. Epsilon has no bound.")
    if not result.mechanism.is_protected:
        return _("%(family)s: %(chances)s. Epsilon has no bound.") % words
    return _("%(family)s: %(chances)s. Epsilon is at most %(epsilon)s.") % words


def chances(result: QuestionResult) -> str:
    """Return how often each answer arrives as the first report, as it was drawn.

    Where there are many answers and all are treated equally, two chances say it.
    """
    chances = truth_and_other(result.mechanism.weights)
    if chances and len(result.rows) > 2:
        truth, other = (
            format_distinct_percent(weight / result.mechanism.total, trimmed=True)
            for weight in chances
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
            "chance": format_distinct_percent(
                float(result.mechanism.probability(first, given=answer)),
                trimmed=True,
            ),
            "label": label,
        }
        for answer, label in zip(answers, labels, strict=True)
    ]
    return _("%(parts)s arrive as “%(report)s”") % {
        "parts": join_texts(parts, _("and")),
        "report": labels_of_reports(result)[0],
    }


def caption(result: QuestionResult) -> str:
    """Return how many answers a result is from, and how they were scrambled."""
    words = {"count": format_integer(result.respondents)}
    if not result.mechanism.is_scrambled:
        text = ngettext(
            "%(count)s answer · not scrambled",
            "%(count)s answers · not scrambled",
            result.respondents,
        )
        return text % words
    words["epsilon"] = format_epsilon(result.mechanism.worst_ratio)
    return (
        ngettext(
            "%(count)s scrambled answer · epsilon %(epsilon)s",
            "%(count)s scrambled answers · epsilon %(epsilon)s",
            result.respondents,
        )
        % words
    )


def proofs(result: QuestionResult) -> list[str]:
    """Return which reports show the answer behind them, where others do not."""
    choices = named_choices(result)
    return TableDescription((result.number,), result.mechanism, choices).proofs


def named_choices(result: QuestionResult) -> tuple[str, ...]:
    """Return what its answers are called; of a mean alone, their values."""
    if not result.rows and result.mean and result.mean.scale:
        return tuple(map(format_scale_value, result.mean.scale.values))
    return tuple(row.label for row in result.rows)


def labels_of_reports(result: QuestionResult) -> tuple[str, ...]:
    """Return what its reports are called, in the order of the table's columns."""
    return label_reports(result.mechanism, named_choices(result))


SENTENCES = {
    (Kind.SHARE, Standing.ESTIMATED): gettext_noop(
        "%(share)s answered “%(label)s”, between %(low)s and %(high)s"
    ),
    (Kind.SHARE, Standing.UNINFORMATIVE): gettext_noop(
        "Between %(low)s and %(high)s answered “%(label)s”: too imprecise to interpret"
    ),
    (Kind.MEAN, Standing.ESTIMATED): gettext_noop(
        "The mean is %(mean)s, between %(low)s and %(high)s"
    ),
    (Kind.MEAN, Standing.UNINFORMATIVE): gettext_noop(
        "The mean lies between %(low)s and %(high)s: too imprecise to interpret"
    ),
    (Kind.MEAN_AMONG_ANSWERED, Standing.ESTIMATED): gettext_noop(
        "Among those who answered, the mean lies between %(low)s and %(high)s (best "
        "estimate %(mean)s)"
    ),
    (Kind.MEAN_AMONG_ANSWERED, Standing.UNINFORMATIVE): gettext_noop(
        "Among those who answered, the mean lies between %(low)s and %(high)s. This "
        "is too imprecise to interpret"
    ),
    (Kind.SET, Standing.ESTIMATED): gettext_noop(
        "Together, “%(both)s” and “%(one)s”: between %(low)s and %(high)s (best "
        "estimate %(share)s), with %(level)s confidence."
    ),
    (Kind.SET, Standing.UNINFORMATIVE): gettext_noop(
        "Together, “%(both)s” and “%(one)s”: between %(low)s and %(high)s. This is too "
        "imprecise to interpret."
    ),
    (Kind.AMONG_ANSWERED, Standing.ESTIMATED): gettext_noop(
        "Among those who answered: between %(low)s and %(high)s say “%(label)s” (best "
        "estimate %(best)s), with %(level)s confidence."
    ),
    (Kind.AMONG_ANSWERED, Standing.UNINFORMATIVE): gettext_noop(
        "Among those who answered: between %(low)s and %(high)s say “%(label)s”. This "
        "is too imprecise to interpret."
    ),
    (Kind.AMONG_ASKED, Standing.ESTIMATED): gettext_noop(
        "Among those shown this question: between %(low)s and %(high)s say “%(label)s” "
        "(best estimate %(best)s), with %(level)s confidence."
    ),
    (Kind.AMONG_ASKED, Standing.UNINFORMATIVE): gettext_noop(
        "Among those shown this question: between %(low)s and %(high)s say “%(label)s”."
        " This is too imprecise to interpret."
    ),
    (Kind.MEAN_AMONG_ASKED, Standing.ESTIMATED): gettext_noop(
        "Among those shown this question, the mean lies between %(low)s and %(high)s "
        "(best estimate %(best)s), with %(level)s confidence."
    ),
    (Kind.MEAN_AMONG_ASKED, Standing.UNINFORMATIVE): gettext_noop(
        "Among those shown this question, the mean lies between %(low)s and %(high)s. "
        "This is too imprecise to interpret."
    ),
    (Kind.BOUNDS, Standing.ESTIMATED): gettext_noop(
        "Whatever those who prefer not to answer would say: between %(low)s and "
        "%(high)s say “%(label)s” (best estimate %(best)s), with %(level)s confidence."
    ),
    (Kind.BOUNDS, Standing.UNINFORMATIVE): gettext_noop(
        "Whatever those who prefer not to answer would say: between %(low)s and "
        "%(high)s say “%(label)s”. This is too imprecise to interpret."
    ),
    (Kind.BOUNDS_OF_MEAN, Standing.ESTIMATED): gettext_noop(
        "Whatever those who prefer not to answer would say: the mean lies between "
        "%(low)s and %(high)s (best estimate %(best)s), with %(level)s confidence."
    ),
    (Kind.BOUNDS_OF_MEAN, Standing.UNINFORMATIVE): gettext_noop(
        "Whatever those who prefer not to answer would say: the mean lies between "
        "%(low)s and %(high)s. This is too imprecise to interpret."
    ),
}
"""What is said of an estimate, by its kind and by what can be said of it."""

WITH_PROBABILITY = {
    Kind.SET: gettext_noop(
        "Together, “%(both)s” and “%(one)s”: between %(low)s and %(high)s (best "
        "estimate %(share)s), with %(level)s probability."
    ),
    Kind.AMONG_ANSWERED: gettext_noop(
        "Among those who answered: between %(low)s and %(high)s say “%(label)s” (best "
        "estimate %(best)s), with %(level)s probability."
    ),
    Kind.AMONG_ASKED: gettext_noop(
        "Among those shown this question: between %(low)s and %(high)s say “%(label)s” "
        "(best estimate %(best)s), with %(level)s probability."
    ),
    Kind.MEAN_AMONG_ASKED: gettext_noop(
        "Among those shown this question, the mean lies between %(low)s and %(high)s "
        "(best estimate %(best)s), with %(level)s probability."
    ),
    Kind.BOUNDS: gettext_noop(
        "Whatever those who prefer not to answer would say: between %(low)s and "
        "%(high)s say “%(label)s” (best estimate %(best)s), with %(level)s "
        "probability."
    ),
    Kind.BOUNDS_OF_MEAN: gettext_noop(
        "Whatever those who prefer not to answer would say: the mean lies between "
        "%(low)s and %(high)s (best estimate %(best)s), with %(level)s probability."
    ),
}
"""The same of Bayesian intervals."""


def make_sentence(row: Row, **words: str) -> str:
    """Return what is said of one estimate; `words` are those a row does not have."""
    text = SENTENCES[row.kind, row.standing]
    if row.method == "bayes" and row.standing is Standing.ESTIMATED:
        text = WITH_PROBABILITY.get(row.kind, text)
    return _(text) % format_row(row, **words)


def format_row(row: Row, **others: str) -> dict[str, str]:
    """Return the figures of a row as sentences name them."""
    low, high = show_ends(row)
    estimate = show_estimate(row)
    return {
        "low": low,
        "high": high,
        "best": estimate,
        "share": estimate,
        "mean": estimate,
        "label": row.label,
        "one": row.label,
        "level": format_percent(row.confidence_level, trimmed=True),
        **others,
    }


def reports_counted(count: int) -> str:
    """Return such as "1 report" or "2,435 reports"."""
    return ngettext("%(count)s report", "%(count)s reports", count) % {
        "count": format_integer(count)
    }


def sentences(result: QuestionResult, *, is_closed: bool = False) -> list[str]:
    """Return the result, one sentence an answer: best estimate, then interval.

    What makes every estimate worthless is said once, in their place. To a question of
    a survey that is closed no response can come any more.
    """
    standings = {row.standing for row in result.headlines}
    if Standing.NO_REPORTS in standings:
        return [_("No responses") if is_closed else _("No responses yet")]
    if Standing.MISFIT in standings:
        return [_("The reports do not fit the design")]
    if result.exact_respondents == 1:
        if result.mean:
            return [_("One response is too few for a mean")]
        return [_("One response is too few for a share")]
    return headline_sentences(result.headlines)


def headline_sentences(rows: Sequence[Row]) -> list[str]:
    """Return a sentence for each row; a single answer needs no quotation marks."""
    if len(rows) > 1:
        return [make_sentence(row) for row in rows]
    row = rows[0]
    if row.kind is Kind.SHARE and row.standing is Standing.ESTIMATED:
        text = _("%(share)s answered %(label)s, between %(low)s and %(high)s")
        return [text % format_row(row)]
    return [make_sentence(row)]


def level(result: QuestionResult) -> str:
    """Return how sure the sentences are; nothing where they tell of no interval."""
    standings = {row.standing for row in result.headlines}
    is_none = standings & {Standing.NO_REPORTS, Standing.MISFIT}
    if is_none or result.exact_respondents == 1:
        return ""
    words = {"level": format_percent(result.confidence_level, trimmed=True)}
    if result.method == "bayes":
        return _("with %(level)s probability") % words
    if len(result.headlines) > 1 and result.simultaneous:
        return _("with %(level)s confidence, all of them together") % words
    if len(result.headlines) > 1:
        return _("with %(level)s confidence, each by itself") % words
    return _("with %(level)s confidence") % words


def bounds(result: QuestionResult) -> list[str]:
    """Return the shares among those asked or who answered, and bounds for everyone."""
    if not result.respondents or not result.fits_design:
        return []
    among = (*result.among_asked, *result.among_answered)
    everybody = _("Respondents who were not shown this question are counted as “%s”.")
    return [
        *([everybody % result.hidden_answer] if result.hidden_answer else []),
        *(
            make_sentence(row)
            for row in among
            if (row.kind, row.standing) in SENTENCES and not math.isnan(row.estimate)
        ),
        *(make_sentence(row, best=show_bounds(row)) for row in result.bounds),
    ]


def show_bounds(row: Row) -> str:
    """Return the best estimates without and with all who declined; one if equal."""
    lowest, highest = map(float, row.range)
    upper = row.estimate if row.upper_estimate is None else row.upper_estimate
    ends = max(row.estimate, lowest), min(upper, highest)
    least, most = (show_value(row, end) for end in ends)
    if least == most:
        return least
    return _("%(low)s to %(high)s") % {"low": least, "high": most}


def pair(result: QuestionResult) -> list[str]:
    """Return how common each of a linked pair is, and how they go together."""
    if not result.pair or result.respondents < 2 or not result.fits_design:
        return []
    both = result.rows[0]
    found = [make_sentence(row, both=both.label) for row in result.pair]
    rows = (both, *result.pair)
    if Standing.UNINFORMATIVE in [row.standing for row in rows]:
        return found
    first, second = result.pair
    unrelated = _(
        "If the two had nothing to do with each other, %(product)s would be "
        "“%(label)s”; the best estimate is %(both)s."
    )
    decimals = choose_decimals(both.low, both.high)
    words = {
        "product": format_percent(first.estimate * second.estimate, decimals),
        "label": both.label,
        "both": format_percent(both.estimate, decimals),
    }
    return [*found, unrelated % words]


def interval_name(result: QuestionResult) -> str:
    """Return what kind of interval it is, such as "95 % confidence interval"."""
    level = format_percent(result.confidence_level, trimmed=True)
    # Probability of the share itself, not of the procedure that brackets it.
    if result.method == "bayes":
        return _("%(level)s credible interval") % {"level": level}
    if result.simultaneous and len(result.headlines) > 1:
        return _("%(level)s simultaneous confidence interval") % {"level": level}
    return _("%(level)s confidence interval") % {"level": level}


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
    (Kind.MEAN_AMONG_ANSWERED, True): gettext_noop(
        "A scale from %(least)s to %(most)s. Mean of those who answered: best estimate "
        "%(mean)s, %(interval)s from %(low)s to %(high)s."
    ),
    (Kind.MEAN_AMONG_ANSWERED, False): gettext_noop(
        "A scale from %(least)s to %(most)s. Mean of those who answered: %(interval)s "
        "from %(low)s to %(high)s."
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
            texts.append(_("This is too imprecise to interpret."))
        if row.raw != row.estimate:
            texts.append(_("Raw estimate: %s.") % show_raw(row))
    return " ".join(texts)
