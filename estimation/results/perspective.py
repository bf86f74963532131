"""How far forgers could move a result, and what a direct question would have told."""

from decimal import ROUND_CEILING

from django.utils.translation import ngettext

from estimation.maths.direct_question import direct_half_width, direct_respondents
from estimation.results.result import QuestionResult
from surveys.words.numbers import grouped, points


def radius_in_points(result: QuestionResult) -> str:
    """Return how far one forged report moves a share, rounded up."""
    return points(result.poisoning_radius, digits=2, rounding=ROUND_CEILING)


def forged_line(result: QuestionResult) -> str:
    """Say what forged reports could do to this result."""
    return ngettext(
        "Forged reports: one forged report among %(reports)s can move a share by up to "
        "%(one)s percentage points, m of them m times as far. The interval does not "
        "allow for that.",
        "Forged reports: one forged report among these %(reports)s can move a share by "
        "up to %(one)s percentage points, m of them m times as far. The interval does "
        "not allow for that.",
        result.respondents,
    ) % {"reports": grouped(result.respondents), "one": radius_in_points(result)}


def direct_line(result: QuestionResult) -> str:
    """Say what honest answers to a direct question would have told; empty for one.

    Of several intervals the widest is compared.
    """
    if not (result.mechanism.is_protected and result.respondents):
        return ""
    row = max(result.rows_told, key=lambda row: row.high - row.low)
    half_width, level = (row.high - row.low) / 2, result.confidence_level
    words = {
        "reports": grouped(result.respondents),
        "width": points(half_width, digits=2),
        "direct_width": points(
            direct_half_width(
                respondents=result.respondents,
                share=row.share,
                confidence_level=level,
            ),
            digits=2,
        ),
    }
    if half_width == 0:
        return ""
    needed = direct_respondents(
        half_width=half_width, share=row.share, confidence_level=level
    )
    return ngettext(
        "Beside a direct question: %(needed)s honest answer would have given the same "
        "margin of ± %(width)s percentage points, and %(reports)s would have given "
        "± %(direct_width)s. But people do not answer every question honestly when "
        "they are asked directly.",
        "Beside a direct question: %(needed)s honest answers would have given the same "
        "margin of ± %(width)s percentage points, and %(reports)s would have given "
        "± %(direct_width)s. But people do not answer every question honestly when "
        "they are asked directly.",
        needed,
    ) % {**words, "needed": grouped(needed)}
