"""How far forgers could move a result, and how precise a direct question would be."""

from decimal import ROUND_CEILING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from candor.planning.privacy import direct_half_width, direct_respondents
from estimation.rows.assumptions import Supposed, despite_forged, find_census_interval
from estimation.rows.row import Row, Standing
from estimation.rows.shares import QuestionResult
from surveys.numbers import (
    avoid_singular,
    format_integer,
    format_limits,
    format_percent,
    format_points,
)


def points_of_radius(result: QuestionResult) -> str:
    """Return how far one forged report moves a share, rounded up."""
    radius = format_points(result.poisoning_radius, digits=2, rounding=ROUND_CEILING)
    return avoid_singular(radius)


def forged_line(result: QuestionResult) -> str:
    """Say what forged reports could do to this result; empty where it is of one."""
    if result.respondents < 2:
        return ""
    if result.poisoning_radius >= 1:
        if not result.rows:
            return _("One forged report can shift the mean anywhere.")
        return _("One forged report can shift a share anywhere.")
    words = {"one": points_of_radius(result)}
    if not result.rows:
        return (
            _(
                "One forged report can shift the mean by up to %(one)s %% of the scale "
                "on average; m forged reports shift it m times as far."
            )
            % words
        )
    return (
        _(
            "One forged report can shift a share by up to %(one)s points on average; m "
            "forged reports shift it m times as far."
        )
        % words
    )


def direct_line(result: QuestionResult) -> str:
    """Say how precise honest answers to a direct question would be; empty for one.

    Of several intervals the widest is compared. Nothing is said where an interval is
    none to be compared with, nor where it is no wider than that of as many direct
    answers: by chance, and at the ends of the scale, an exact interval of few reports
    may be short, but scrambling never reveals more than honest answers do.
    """
    if result.mean:
        # What a direct question says of a mean depends on how answers spread.
        return ""
    text = result.headline_shares
    standings = {row.standing for row in text}
    if not result.mechanism.is_scrambled or standings != {Standing.ESTIMATED}:
        return ""
    row = max(text, key=lambda row: row.high - row.low)
    half_width, level = (row.high - row.low) / 2, result.confidence_level
    direct_width = direct_half_width(
        respondents=result.respondents, share=row.estimate, confidence_level=level
    )
    if direct_width >= half_width:
        return ""
    needed = direct_respondents(
        half_width=half_width, share=row.estimate, confidence_level=level
    )
    return ngettext(
        "Asked directly, %(needed)s honest answer would give an interval as wide as "
        "this one (%(width)s points); %(reports)s would give one of %(direct_width)s "
        "points.",
        "Asked directly, %(needed)s honest answers would give an interval as wide as "
        "this one (%(width)s points); %(reports)s would give one of %(direct_width)s "
        "points.",
        needed,
    ) % {
        "needed": format_integer(needed),
        "reports": format_integer(result.respondents),
        "width": avoid_singular(format_points(2 * half_width, digits=2)),
        "direct_width": format_points(2 * direct_width, digits=2),
    }


def supposed_lines(result: QuestionResult, supposed: Supposed) -> list[str]:
    """Say what the reports tell if something is supposed of who sent them."""
    # One report is a person: nothing is said of it.
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
    return lines


def all_of_them(result: QuestionResult, row: Row) -> str:
    """Say how many have an answer, if the respondents are the whole group."""
    found = find_census_interval(result, row)
    words = {
        "reports": format_integer(result.respondents),
        "low": format_integer(found.low),
        "high": format_integer(found.high),
        "number": format_integer(found.estimate),
        "label": row.label,
        "level": format_percent(result.confidence_level, trimmed=True),
    }
    if not result.mechanism.is_scrambled:
        text = _("If these %(reports)s are everyone: %(number)s answer “%(label)s”.")
        return text % words
    if found.low == found.high:
        text = _(
            "If these %(reports)s are everyone: %(number)s answer “%(label)s”, with "
            "%(level)s confidence."
        )
        return text % words
    return (
        _(
            "If these %(reports)s are everyone: between %(low)s and %(high)s of "
            "them (best estimate %(number)s) answer “%(label)s”, with %(level)s "
            "confidence."
        )
        % words
    )


def despite_forgers(result: QuestionResult, row: Row, forged: int) -> str:
    """Return the interval that forged reports cannot make wrong."""
    low, high = format_limits(*despite_forged(result, row, forged))
    forged = min(forged, result.respondents)
    return ngettext(
        "Whatever one forged report among them says: between %(low)s and %(high)s "
        "answer “%(label)s”, with %(level)s confidence.",
        "Whatever up to %(forged)s forged reports among them say: between %(low)s and "
        "%(high)s answer “%(label)s”, with %(level)s confidence.",
        forged,
    ) % {
        "forged": format_integer(forged),
        "low": low,
        "high": high,
        "label": row.label,
        "level": format_percent(result.confidence_level, trimmed=True),
    }
