"""How far forgers could move a result, and what a direct question would have told."""

from decimal import ROUND_CEILING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from estimation.maths.direct_question import direct_half_width, direct_respondents
from estimation.results.result import QuestionResult, Standing
from surveys.words.numbers import grouped, points


def points_of_radius(result: QuestionResult) -> str:
    """Return how far one forged report moves a share, rounded up."""
    return points(result.poisoning_radius, digits=2, rounding=ROUND_CEILING)


def radius(result: QuestionResult) -> str:
    """Return such as "± 1.5 points", or that it reaches from end to end."""
    if not result.respondents:
        return "\N{EN DASH}"
    if result.poisoning_radius >= 1:
        return _("from end to end")
    shown = _("± %s points") % points_of_radius(result)
    return shown.replace(" ", "\N{NO-BREAK SPACE}")


def forged_line(result: QuestionResult) -> str:
    """Say what forged reports could do to this result."""
    words = {"reports": grouped(result.respondents)}
    if not result.rows:
        return forged_of_mean(result)
    if result.poisoning_radius >= 1:
        return (
            ngettext(
                "Forged reports: one forged report among %(reports)s can move a share "
                "anywhere. The interval does not allow for that.",
                "Forged reports: one forged report among these %(reports)s can move a "
                "share anywhere. The interval does not allow for that.",
                result.respondents,
            )
            % words
        )
    return ngettext(
        "Forged reports: one forged report among %(reports)s can move a share by up to "
        "%(one)s percentage points, m of them m times as far. The interval does not "
        "allow for that.",
        "Forged reports: one forged report among these %(reports)s can move a share by "
        "up to %(one)s percentage points, m of them m times as far. The interval does "
        "not allow for that.",
        result.respondents,
    ) % {**words, "one": points_of_radius(result)}


def forged_of_mean(result: QuestionResult) -> str:
    """Say the same where a mean alone is told, in percent of its scale."""
    if result.poisoning_radius >= 1:
        return _(
            "Forged reports: a single one can move the mean anywhere. The interval "
            "does not allow for that."
        )
    return _(
        "Forged reports: one can move the mean by up to %(one)s %% of the scale, m of "
        "them m times as far. The interval does not allow for that."
    ) % {"one": points_of_radius(result)}


def direct_line(result: QuestionResult) -> str:
    """Say what honest answers to a direct question would have told; empty for one.

    Of several intervals the widest is compared. Nothing is said where an interval is
    none to be compared with, nor where it is no wider than that of as many direct
    answers: by chance, and at the ends of the scale, an exact interval of few reports
    may be short, but scrambling never tells more than honest answers do.
    """
    if result.mean:
        # What a direct question tells of a mean depends on how answers spread.
        return ""
    told = result.rows_told
    standings = {result.standing(row) for row in told}
    if not result.mechanism.is_scrambled or standings != {Standing.ESTIMATED}:
        return ""
    row = max(told, key=lambda row: row.high - row.low)
    half_width, level = (row.high - row.low) / 2, result.confidence_level
    direct_width = direct_half_width(
        respondents=result.respondents, share=row.share, confidence_level=level
    )
    if direct_width >= half_width:
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
    ) % {
        "needed": grouped(needed),
        "reports": grouped(result.respondents),
        "width": points(half_width, digits=2),
        "direct_width": points(direct_width, digits=2),
    }
