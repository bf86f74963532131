"""How far forgers could move a result, and what a direct question would have told."""

from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Context, Decimal
from typing import TYPE_CHECKING

from django.utils.formats import number_format
from django.utils.translation import ngettext

from estimation.direct_question import direct_half_width, direct_respondents
from surveys.words.tables import grouped

if TYPE_CHECKING:
    from estimation.question_result import QuestionResult

SIGNIFICANT_DIGITS = 2


def points(difference: float, *, rounding: str = ROUND_HALF_EVEN) -> str:
    """Return a difference of shares in percentage points: "1.5" for 0.015.

    Parameters
    ----------
    difference : float
        0 or more.
    rounding : str
        A mode of the module `decimal`.
    """
    context = Context(prec=SIGNIFICANT_DIGITS, rounding=rounding)
    # The shortest decimal that is this float: 0.015 must not be rounded up to 1.6.
    rounded = context.create_decimal(100 * Decimal(repr(difference)))
    return number_format(f"{rounded.normalize():f}")


def radius_in_points(result: "QuestionResult") -> str:
    """Return how far one forged report moves a share, rounded up."""
    return points(result.poisoning_radius, rounding=ROUND_CEILING)


def forged_line(result: "QuestionResult") -> str:
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


def direct_line(result: "QuestionResult") -> str:
    """Say what honest answers to a direct question would have told; empty for one.

    Of several intervals the widest is compared.
    """
    if not (result.mechanism.is_protected and result.respondents):
        return ""
    row = max(result.rows_told, key=lambda row: row.high - row.low)
    half_width, level = (row.high - row.low) / 2, result.confidence_level
    words = {
        "reports": grouped(result.respondents),
        "width": points(half_width),
        "direct_width": points(
            direct_half_width(
                respondents=result.respondents,
                share=row.share,
                confidence_level=level,
            )
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
