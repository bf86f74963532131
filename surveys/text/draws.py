"""Describe to researchers which questions are drawn."""

from collections.abc import Collection, Iterable

from django.utils.translation import gettext as _

from candor.mechanisms.draws import DrawnGroup
from surveys.text.tables import format_question_numbers


def describe_draws(
    groups: Iterable[DrawnGroup], *, ticked: Collection[DrawnGroup] = ()
) -> list[str]:
    """Return a sentence for each group."""
    text = _("Each respondent is asked %(asked)s of %(questions)s, drawn by chance.")
    of_boxes = _(
        "Of the tick list of %(questions)s, each respondent sends %(asked)s, drawn by "
        "chance."
    )
    return [
        (of_boxes if group in ticked else text)
        % {"asked": group.asked, "questions": format_question_numbers(group.questions)}
        for group in groups
    ]
