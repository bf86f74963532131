"""Sentences on forged reports, a census and the precision of direct questions."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import ROUND_CEILING

from django.utils.translation import gettext as _

from candor.planning.privacy import compute_direct_half_width, direct_respondents
from estimation.presentation.figures import show_range, show_value
from estimation.presentation.sentences import list_report_labels, make_sure_sentence
from estimation.rows.assumptions import (
    NonCompliance,
    Supposed,
    find_census_interval,
    find_forgery_interval,
    find_non_compliance,
)
from estimation.rows.row import DisplayStatus, Row
from estimation.rows.shares import QuestionResult
from surveys.numbers import (
    avoid_singular,
    format_integer,
    format_limits,
    format_percent,
    format_points,
)


def forged_line(result: QuestionResult) -> str:
    if result.respondents < 2:
        return ""
    if result.poisoning_radius >= 1:
        return _("One forged report can shift the result anywhere.")
    text = _("On average, each forged report can shift a share by up to %s points.")
    if not result.rows:
        text = _(
            "On average, each forged report can shift the mean by up to %s %% of the "
            "scale."
        )
    radius = format_points(result.poisoning_radius, digits=2, rounding=ROUND_CEILING)
    return text % avoid_singular(radius)


def direct_line(result: QuestionResult) -> str:
    """Describe the precision of a direct question; empty for one respondent.

    It is also empty if the interval is shorter than that of a direct question, which
    can happen by chance with few reports.
    """
    if result.mean:
        # The precision of a mean depends on the distribution of answers.
        return ""
    rows = result.headline_shares
    statuses = {row.display_status for row in rows}
    if not result.mechanism.is_scrambled or statuses != {DisplayStatus.ESTIMATED}:
        return ""
    row = max(rows, key=lambda row: row.high - row.low)
    half_width, level = (row.high - row.low) / 2, result.confidence_level
    direct_width = compute_direct_half_width(
        respondents=result.respondents, share=row.estimate, confidence_level=level
    )
    if direct_width >= half_width:
        return ""
    needed = direct_respondents(
        half_width=half_width, share=row.estimate, confidence_level=level
    )
    return _(
        "Asked directly, %(reports)s honest answers would give an interval of "
        "%(direct_width)s points. One as wide as this (%(width)s points) would need "
        "%(needed)s."
    ) % {
        "needed": format_integer(needed),
        "reports": format_integer(result.respondents),
        "width": avoid_singular(format_points(2 * half_width, digits=2)),
        "direct_width": format_points(2 * direct_width, digits=2),
    }


def supposed_lines(
    result: QuestionResult,
    supposed: Supposed,
    planned: Mapping[str, float] | None = None,
) -> list[str]:
    """Describe the results under assumptions on the respondents."""
    # One report is one person, so it has no description.
    if result.respondents < 2 or not result.fits_design:
        return []
    lines = []
    if supposed.is_census and result.headline_shares:
        lines += [all_of_them(result, row) for row in result.headline_shares]
    if supposed.forged:
        forged = supposed.forged
        lines += [
            despite_forgers(result, row, forged) for row in result.headline_shares
        ]
    if supposed.ignoring:
        lines += [
            despite_non_compliance(result, each, supposed.ignoring, planned or {})
            for each in find_non_compliance(result, result.headlines)
        ]
    return lines


def despite_non_compliance(
    result: QuestionResult,
    found: NonCompliance,
    percent: int,
    planned: Mapping[str, float],
) -> str:
    some = _("If up to %(percent)s send the same report")
    values = {"percent": format_percent(percent / 100, 0)}
    if found.report is not None:
        some = _("If up to %(percent)s always report “%(report)s”")
        values["report"] = list_report_labels(result)[found.report]
    band = found.band(percent)
    row = replace(found.row, low=band.low, high=band.high)
    lowest, highest = (show_value(row, end) for end in (band.lowest, band.highest))
    best = lowest
    if lowest != highest:
        best = show_range(lowest, highest)
    sentence = make_sure_sentence(row, some=some % values, best=best)
    return " ".join(filter(None, [sentence, describe_tipping_point(found, planned)]))


def describe_tipping_point(found: NonCompliance, planned: Mapping[str, float]) -> str:
    """State the tipping point of non-compliance."""
    row = found.row
    limit = planned.get(row.estimand, 0.5)
    value = row.scale.at(limit) if row.scale else limit
    if row.low <= value <= row.high:
        return ""
    point = found.tipping_point(limit)
    if point is None:
        return ""
    shown = show_value(row, value)
    if not row.scale:
        shown = format_percent(limit, trimmed=True)
    return _("From %(point)s on, the interval contains %(value)s.") % {
        "point": format_percent(point, 1, rounding=ROUND_CEILING),
        "value": shown,
    }


def all_of_them(result: QuestionResult, row: Row) -> str:
    found = find_census_interval(result, row)
    values = {
        "reports": format_integer(result.respondents),
        "low": format_integer(found.low),
        "high": format_integer(found.high),
        "number": format_integer(found.estimate),
        "label": row.label,
        "level": format_percent(result.confidence_level, trimmed=True),
    }
    if not result.mechanism.is_scrambled:
        text = _("If these %(reports)s are everyone: %(number)s answer “%(label)s”.")
        return text % values
    return (
        _(
            "If these %(reports)s are everyone: between %(low)s and %(high)s (best "
            "estimate %(number)s) answer “%(label)s”, with %(level)s confidence."
        )
        % values
    )


def despite_forgers(result: QuestionResult, row: Row, forged: int) -> str:
    low, high = format_limits(*find_forgery_interval(result, row, forged))
    forged = min(forged, result.respondents)
    return _(
        "Even with up to %(forged)s forged reports: between %(low)s and %(high)s "
        "answer “%(label)s”, with %(level)s confidence."
    ) % {
        "forged": format_integer(forged),
        "low": low,
        "high": high,
        "label": row.label,
        "level": format_percent(result.confidence_level, trimmed=True),
    }
