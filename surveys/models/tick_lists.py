"""Tick lists: drawn groups of yes/no questions that stand on one screen."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from candor.mechanisms import ParameterError
from candor.mechanisms.draws import DrawnGroup
from surveys.models.problem import Problem
from surveys.models.question import Question, is_yes_or_no

MAX_ITEMS = 20
"""Items on one screen. With more, each of them gets too few reports."""


def find_tick_list_problems(
    questions: Sequence[Question], groups: Sequence[DrawnGroup]
) -> Iterator[Problem]:
    """Yield what keeps questions with the text of a tick list from being one."""
    by_first = {group.questions[0]: group for group in groups}
    for number, question in enumerate(questions, start=1):
        if not question.tick_list:
            continue
        group = by_first.get(number)
        if group is None:
            text = _(
                "Name its items under the questions to draw from, such as 1 of %s."
            )
            example = f"{number}-{number + 2}"
            yield Problem("tick_list", text % example, number)
        elif found := find_item_problem(questions, group.questions):
            yield Problem("tick_list", found, number)


def find_item_problem(
    questions: Sequence[Question], numbers: Sequence[int]
) -> str | None:
    """Return what keeps these questions from being ticked on one screen."""
    if len(numbers) > MAX_ITEMS:
        return _("A tick list has at most %s items.") % MAX_ITEMS
    if numbers[-1] - numbers[0] != len(numbers) - 1:
        return _("The items of a tick list are questions in a row.")
    items = [questions[number - 1] for number in numbers if number <= len(questions)]
    try:
        tables = [item.mechanism for item in items]
    except ParameterError:
        return None  # said of the question itself
    if not all(map(is_yes_or_no, items)):
        return _("The items of a tick list are answered with Yes and No.")
    if not tables[0].is_scrambled or any(
        table.weights != tables[0].weights for table in tables
    ):
        return _("The items of a tick list are all scrambled with the same strength.")
    if any(item.presentation for item in items[1:]):
        return _(
            "Enter hint, helpline, section and order of a tick list at its first item."
        )
    return None
