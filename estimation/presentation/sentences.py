"""A result in plain sentences: its intervals, its best estimates, how sure they are."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from estimation.presentation.figures import show_ends, show_estimate, show_value
from estimation.rows.row import Kind, Row, Standing
from estimation.rows.shares import QuestionResult
from surveys.text.numbers import choose_decimals, format_integer, format_percent

SENTENCES = {
    (Kind.SHARE, Standing.ESTIMATED): gettext_noop(
        "Between %(low)s and %(high)s (best estimate %(share)s) answered “%(label)s”"
    ),
    (Kind.SHARE, Standing.UNINFORMATIVE): gettext_noop(
        "Between %(low)s and %(high)s answered “%(label)s”: that tells next to nothing"
    ),
    (Kind.MEAN, Standing.ESTIMATED): gettext_noop(
        "The mean lies between %(low)s and %(high)s (best estimate %(mean)s)"
    ),
    (Kind.MEAN, Standing.UNINFORMATIVE): gettext_noop(
        "The mean lies between %(low)s and %(high)s: that tells next to nothing"
    ),
    (Kind.SET, Standing.ESTIMATED): gettext_noop(
        "Together, “%(both)s” and “%(one)s”: between %(low)s and %(high)s (best "
        "estimate %(share)s), with %(level)s confidence."
    ),
    (Kind.SET, Standing.UNINFORMATIVE): gettext_noop(
        "Together, “%(both)s” and “%(one)s”: between %(low)s and %(high)s. That "
        "tells next to nothing."
    ),
    (Kind.BOUNDS, Standing.ESTIMATED): gettext_noop(
        "Whatever those who prefer not to answer would say: between %(low)s and "
        "%(high)s say “%(label)s” (best estimate %(best)s), with %(level)s confidence."
    ),
    (Kind.BOUNDS, Standing.UNINFORMATIVE): gettext_noop(
        "Whatever those who prefer not to answer would say: between %(low)s and "
        "%(high)s say “%(label)s”. That tells next to nothing."
    ),
}
"""What is said of an estimate, by its kind and by what can be said of it."""

WITH_PROBABILITY = {
    Kind.SET: gettext_noop(
        "Together, “%(both)s” and “%(one)s”: between %(low)s and %(high)s (best "
        "estimate %(share)s), with %(level)s probability."
    ),
    Kind.BOUNDS: gettext_noop(
        "Whatever those who prefer not to answer would say: between %(low)s and "
        "%(high)s say “%(label)s” (best estimate %(best)s), with %(level)s "
        "probability."
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
    """Return the result, one sentence an answer: interval, then best estimate.

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
            return [_("One response tells nothing about a mean")]
        return [_("One response tells nothing about a share")]
    return headline_sentences(result.headlines)


def headline_sentences(rows: Sequence[Row]) -> list[str]:
    """Return a sentence for each row; a single answer needs no quotation marks."""
    if len(rows) > 1:
        return [make_sentence(row) for row in rows]
    row = rows[0]
    if row.kind is Kind.SHARE and row.standing is Standing.ESTIMATED:
        text = _(
            "Between %(low)s and %(high)s (best estimate %(share)s) answered %(label)s"
        )
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
    """Return the bounds of each share, whatever those who declined would say."""
    if not result.respondents or not result.fits_design:
        return []
    return [make_sentence(row, best=show_bounds(row)) for row in result.bounds]


def show_bounds(row: Row) -> str:
    """Return the best estimates without and with all who declined; one if equal."""
    ends = max(row.estimate, 0.0), min(row.upper_estimate or row.estimate, 1.0)
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
