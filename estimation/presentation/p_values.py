"""What people read about tests: whether chance alone makes groups look so different."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from candor.differences import SCORES
from estimation.rows.comparison import Comparison
from estimation.rows.row import Row
from surveys.text.numbers import format_p_value

SMALLEST_P_SHOWN = 0.001


def independence_line(comparison: Comparison) -> str:
    """Say whether chance alone explains that the groups differ; "" if said already."""
    if comparison.joint is None or not comparison.is_tested_whole:
        return ""
    p = comparison.independence
    if p is None:
        return _(
            "All reports to one of the two questions are alike: whether the answers "
            "have to do with each other cannot be tested."
        )
    text = _(
        "If the two answers had nothing to do with each other, reports would differ by "
        "chance as much as these with %(p)s (Pearson's test of the reports, which is "
        "valid for the answers too)."
    )
    if comparison.joint.is_tested_exactly:
        text = _(
            "If the two answers had nothing to do with each other, reports would "
            "differ by chance as much as these with %(p)s (an exact test of the "
            "reports, which is valid for the answers too)."
        )
    return text % {"p": format_p_value(p, smallest=SMALLEST_P_SHOWN, digits=".3f")}


def chance_line(rows: Sequence[Row]) -> str:
    """Say how often chance makes groups look so different, "" where none is tested."""
    if not rows or rows[0].p_value is None:
        return ""
    is_exact = all(row.is_exact for row in rows)
    words = {"count": len(rows)}
    if any(row.method == SCORES for row in rows):
        text = _(
            "P: if both means were alike, how often chance makes the scores of reports "
            "differ as much as these (Welch's t test)."
        )
        if len(rows) > 1:
            text = _(
                "P: if both means were alike, how often chance makes the scores of "
                "reports differ as much as these (Welch's t test), adjusted for "
                "%(count)s comparisons (Holm)."
            )
    elif len(rows) > 1 and is_exact:
        text = _(
            "P: if both were alike, how often chance makes reports differ as much as "
            "these (exact tests of the reports, which are valid for the answers too), "
            "adjusted for %(count)s comparisons (Holm)."
        )
    elif len(rows) > 1:
        text = _(
            "P: if both were alike, how often chance makes reports differ as much as "
            "these (likelihood ratio, because the tables differ), adjusted for "
            "%(count)s comparisons (Holm)."
        )
    elif is_exact:
        text = _(
            "P: if both were alike, how often chance makes reports differ as much as "
            "these (an exact test of the reports, which is valid for the answers too)."
        )
    else:
        text = _(
            "P: if both were alike, how often chance makes reports differ as much as "
            "these (likelihood ratio, because the tables differ)."
        )
    if len(rows) == 1:
        return text % words
    by_itself = _("The intervals are not adjusted: each holds by itself.")
    return f"{text % words} {by_itself}"


def p_cell(row: Row) -> str:
    """Return an adjusted p-value as a table has it."""
    if row.adjusted_p_value is None:
        return "\N{EN DASH}"
    told = format_p_value(row.adjusted_p_value, smallest=SMALLEST_P_SHOWN, digits=".3f")
    return told.removeprefix("P").lstrip("=\N{NO-BREAK SPACE}")
