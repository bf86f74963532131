"""Sentences on estimates, intervals and mechanisms."""

import math
from collections.abc import Sequence

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext as for_researchers
from django.utils.translation import gettext_noop, ngettext

from candor.mechanisms import load_families
from candor.mechanisms.table import find_truth_and_other
from estimation.presentation.figures import (
    show_ends,
    show_estimate,
    show_range,
    show_raw,
    show_value,
)
from estimation.rows.row import DisplayStatus, Kind, Row
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


def describe_mechanism(result: QuestionResult) -> str:
    family = load_families().get(result.mechanism.family)
    values = {
        # The family of an old survey may no longer exist, but its table is stored.
        "family": _(family.label) if family else result.mechanism.family,
        "chances": chances(result),
        "epsilon": format_epsilon(result.mechanism.worst_ratio),
    }
    if not result.mechanism.is_scrambled:
        return _("Asked directly. Epsilon has no bound.")
    if not result.mechanism.is_protected:
        return _("%(family)s: %(chances)s. Epsilon has no bound.") % values
    return _("%(family)s: %(chances)s. Epsilon is at most %(epsilon)s.") % values


def chances(result: QuestionResult) -> str:
    """Describe the probability of the first report for each answer."""
    chances = find_truth_and_other(result.mechanism.weights)
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
    if not result.mechanism.identifies_shares:
        # The probability is linear between the ends of the scale.
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
        "report": list_report_labels(result)[0],
    }


def caption(result: QuestionResult) -> str:
    count = format_integer(result.respondents)
    if not result.mechanism.is_scrambled:
        return _("Answers, not scrambled: %s") % count
    return _("Scrambled answers: %(count)s · epsilon %(epsilon)s") % {
        "count": count,
        "epsilon": format_epsilon(result.mechanism.worst_ratio),
    }


def proofs(result: QuestionResult) -> list[str]:
    choices = named_choices(result)
    return TableDescription((result.number,), result.mechanism, choices).proofs


def named_choices(result: QuestionResult) -> tuple[str, ...]:
    if not result.rows and result.mean and result.mean.scale:
        return tuple(map(format_scale_value, result.mean.scale.values))
    return tuple(row.label for row in result.rows)


def list_report_labels(result: QuestionResult) -> tuple[str, ...]:
    return label_reports(result.mechanism, named_choices(result))


STATEMENTS = {
    (Kind.SHARE, DisplayStatus.ESTIMATED): gettext_noop(
        "%(share)s answered “%(label)s”, between %(low)s and %(high)s"
    ),
    (Kind.SHARE, DisplayStatus.UNINFORMATIVE): gettext_noop(
        "between %(low)s and %(high)s answered “%(label)s”"
    ),
    (Kind.MEAN, DisplayStatus.ESTIMATED): gettext_noop(
        "mean %(mean)s, between %(low)s and %(high)s"
    ),
    (Kind.MEAN, DisplayStatus.UNINFORMATIVE): gettext_noop(
        "mean between %(low)s and %(high)s"
    ),
    (Kind.SET, DisplayStatus.ESTIMATED): gettext_noop(
        "%(share)s, between %(low)s and %(high)s"
    ),
    (Kind.SET, DisplayStatus.UNINFORMATIVE): gettext_noop(
        "between %(low)s and %(high)s"
    ),
}

SOME = {
    Kind.MEAN_AMONG_ANSWERED: gettext_noop("Among those who answered"),
    Kind.AMONG_ANSWERED: gettext_noop("Among those who answered"),
    Kind.AMONG_ASKED: gettext_noop("Among those shown this question"),
    Kind.MEAN_AMONG_ASKED: gettext_noop("Among those shown this question"),
    Kind.BOUNDS: gettext_noop("Whatever those who skipped would answer"),
    Kind.BOUNDS_OF_MEAN: gettext_noop("Whatever those who skipped would answer"),
}
"""Groups of estimates that are not of all respondents."""

SAID_LIKE = {
    Kind.SET: Kind.SET,
    **dict.fromkeys(
        (
            Kind.MEAN,
            Kind.MEAN_AMONG_ANSWERED,
            Kind.MEAN_AMONG_ASKED,
            Kind.BOUNDS_OF_MEAN,
        ),
        Kind.MEAN,
    ),
}
"""Kinds with statements other than those for shares."""


def make_sentence(row: Row, *, some: str = "", best: str = "") -> str:
    """Return the sentence for an estimate, without a full stop."""
    if not some and row.kind in SOME:
        some = _(SOME[row.kind])
    kind = SAID_LIKE.get(row.kind, Kind.SHARE)
    low, high = show_ends(row)
    best = best or show_estimate(row)
    finding = _(STATEMENTS[kind, row.display_status]) % {
        "share": best,
        "mean": best,
        "low": low,
        "high": high,
        "label": row.label,
    }
    if row.display_status is DisplayStatus.UNINFORMATIVE:
        finding = add_too_imprecise(finding)
    if not some:
        return capfirst(finding)
    return _("%(some)s: %(finding)s") % {"some": some, "finding": finding}


def add_too_imprecise(finding: str) -> str:
    return _("%s (too imprecise to interpret)") % finding


def make_sure_sentence(row: Row, **values: str) -> str:
    sentence = make_sentence(row, **values)
    if row.display_status is not DisplayStatus.ESTIMATED:
        return f"{sentence}."
    return f"{sentence}, {format_level(row.confidence_level, row.method)}."


def format_level(confidence_level: float, method: str) -> str:
    text = _("with %(level)s confidence")
    if method == "bayes":
        text = _("with %(level)s probability")
    return text % {"level": format_percent(confidence_level, trimmed=True)}


def introduce(level: float, method: str = "", *, is_approximate: bool) -> str:
    if method == "bayes":
        text = for_researchers("With %(level)s probability each:")
        if is_approximate:
            text = for_researchers("With about %(level)s probability each:")
    else:
        text = for_researchers("With %(level)s confidence each:")
        if is_approximate:
            text = for_researchers("With about %(level)s confidence each:")
    return text % {"level": format_percent(level, trimmed=True)}


def reports_counted(count: int) -> str:
    return ngettext("%(count)s report", "%(count)s reports", count) % {
        "count": format_integer(count)
    }


def sentences(result: QuestionResult, *, is_closed: bool = False) -> list[str]:
    """Return a sentence for each answer: best estimate, then interval."""
    statuses = {row.display_status for row in result.headlines}
    if DisplayStatus.NO_REPORTS in statuses:
        return [_("No responses") if is_closed else _("No responses yet")]
    if DisplayStatus.MISFIT in statuses:
        return [_("The reports do not fit the design")]
    if result.exact_respondents == 1:
        return [_("One response is too few for an estimate")]
    return headline_sentences(result.headlines)


def headline_sentences(rows: Sequence[Row]) -> list[str]:
    """Return a sentence for each row; a single answer needs no quotation marks."""
    if len(rows) > 1:
        return [make_sentence(row) for row in rows]
    row = rows[0]
    if row.kind is Kind.SHARE and row.display_status is DisplayStatus.ESTIMATED:
        text = _("%(share)s answered %(label)s, between %(low)s and %(high)s")
        low, high = show_ends(row)
        values = {"share": show_estimate(row), "label": row.label}
        return [text % {**values, "low": low, "high": high}]
    return [make_sentence(row)]


def level(result: QuestionResult) -> str:
    statuses = {row.display_status for row in result.headlines}
    is_none = statuses & {DisplayStatus.NO_REPORTS, DisplayStatus.MISFIT}
    if is_none or result.exact_respondents == 1:
        return ""
    values = {"level": format_percent(result.confidence_level, trimmed=True)}
    if result.method == "bayes" or len(result.headlines) == 1:
        return format_level(result.confidence_level, result.method)
    if result.simultaneous:
        return _("with %(level)s confidence, all of them together") % values
    return _("with %(level)s confidence, each by itself") % values


def bounds(result: QuestionResult) -> list[str]:
    if not result.respondents or not result.fits_design:
        return []
    among = (*result.among_asked, *result.among_answered)
    everybody = _("Respondents who were not shown this question are counted as “%s”.")
    return [
        *([everybody % result.hidden_answer] if result.hidden_answer else []),
        *(
            make_sure_sentence(row)
            for row in among
            if (Kind.SHARE, row.display_status) in STATEMENTS
            and not math.isnan(row.estimate)
        ),
        *(make_sure_sentence(row, best=show_bounds(row)) for row in result.bounds),
    ]


def show_bounds(row: Row) -> str:
    lowest, highest = map(float, row.range)
    upper = row.estimate if row.upper_estimate is None else row.upper_estimate
    ends = max(row.estimate, lowest), min(upper, highest)
    least, most = (show_value(row, end) for end in ends)
    if least == most:
        return least
    return show_range(least, most)


def pair(result: QuestionResult) -> list[str]:
    if not result.pair or result.respondents < 2 or not result.fits_design:
        return []
    both = result.rows[0]
    both_and_one = _("Together, “%(both)s” and “%(one)s”")
    found = [
        make_sure_sentence(
            row, some=both_and_one % {"both": both.label, "one": row.label}
        )
        for row in result.pair
    ]
    rows = (both, *result.pair)
    if DisplayStatus.UNINFORMATIVE in [row.display_status for row in rows]:
        return found
    first, second = result.pair
    unrelated = _(
        "If the two were independent, %(product)s would be “%(label)s”; the best "
        "estimate is %(both)s."
    )
    decimals = choose_decimals(both.low, both.high)
    values = {
        "product": format_percent(first.estimate * second.estimate, decimals),
        "label": both.label,
        "both": format_percent(both.estimate, decimals),
    }
    return [*found, unrelated % values]


def interval_name(result: QuestionResult) -> str:
    level = format_percent(result.confidence_level, trimmed=True)
    # A Bayesian level is a probability of the share, not of the procedure.
    if result.method == "bayes":
        return _("%(level)s credible interval") % {"level": level}
    if result.simultaneous and len(result.headlines) > 1:
        return _("%(level)s simultaneous confidence interval") % {"level": level}
    return _("%(level)s confidence interval") % {"level": level}


def describe(row: Row, interval: str) -> str:
    low, high = show_ends(row)
    text = _("%(what)s: %(interval)s from %(low)s to %(high)s.")
    if row.display_status is DisplayStatus.ESTIMATED:
        text = _(
            "%(what)s: best estimate %(best)s, %(interval)s from %(low)s to %(high)s."
        )
    names = {
        Kind.MEAN: _("Mean"),
        Kind.MEAN_AMONG_ANSWERED: _("Mean of those who answered"),
    }
    return text % {
        "what": names.get(row.kind) or _("Share of %(label)s") % {"label": row.label},
        "best": show_estimate(row),
        "interval": interval,
        "low": low,
        "high": high,
    }


def describe_scale(least: str, most: str) -> str:
    return _("A scale from %(least)s to %(most)s.") % {"least": least, "most": most}


def alternative_text(result: QuestionResult) -> str:
    interval = interval_name(result)
    texts = []
    if result.mean:
        texts.append(describe_scale(*map(format_scale_value, result.mean.range)))
        texts.append(describe(result.mean, interval))
    if result.rows:
        texts.append(describe_scale(format_percent(0.0, 0), format_percent(1.0, 0)))
    if not result.fits_design:
        texts.append(f"{_('The reports do not fit the design')}.")
    for row in result.headline_shares:
        text = describe(row, interval)
        if row.display_status is DisplayStatus.UNINFORMATIVE:
            text = f"{add_too_imprecise(text.removesuffix('.'))}."
        texts.append(text)
        if row.raw != row.estimate:
            texts.append(_("Raw estimate: %s.") % show_raw(row))
    return " ".join(texts)
