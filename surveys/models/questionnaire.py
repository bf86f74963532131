"""The questions of a survey together: conditions, and what keeps it from opening."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from candor.mechanisms import ParameterError
from candor.mechanisms.composition import MAX_QUESTIONS, Composition, compose
from candor.mechanisms.draws import DrawnGroup, select_usable_groups
from surveys.models import conditions
from surveys.models.question import Question
from surveys.problem import Problem
from surveys.sections import parse_sections

Questions = Sequence[Question]
Groups = Sequence[DrawnGroup]


def find_problems(questions: Questions, groups: Groups) -> Iterator[Problem]:
    if not questions:
        yield Problem("questions", _("The survey has no question yet."))
    if len(questions) > MAX_QUESTIONS:
        text = _("A survey has at most %(most)s questions.")
        numbers = {"most": MAX_QUESTIONS, "count": len(questions)}
        yield Problem("questions", text % numbers)
    found = [
        replace(problem, question=number)
        for number, question in enumerate(questions, start=1)
        for problem in question.problems()
    ]
    yield from found or find_condition_problems(questions, groups)


def find_condition_problems(questions: Questions, groups: Groups) -> list[Problem]:
    if not any(each.show_if or each.ends_if for each in questions):
        return []
    sections = parse_sections([each.presentation for each in questions])
    return conditions.find_problems(
        make_steps(questions, groups),
        {number for group in groups for number in group.questions},
        [section.numbers for section in sections if section.is_shuffled],
    )


def make_steps(questions: Questions, groups: Groups) -> list[conditions.Step]:
    """Return the questions as conditions see them; their mechanisms must be valid.

    The condition of a tick list applies to all its items.
    """
    steps = [question.make_step() for question in questions]
    for group in select_usable_groups(groups, len(questions)):
        first, *items = (number - 1 for number in group.questions)
        if questions[first].tick_list:
            for place in items:
                steps[place] = replace(steps[place], show_if=steps[first].show_if)
    return steps


def compose_reports(questions: Questions, groups: Groups) -> Composition | None:
    """Return what all reports of one respondent reveal together."""
    try:
        return compose(
            [each.mechanism for each in questions],
            select_usable_groups(groups, len(questions)),
        )
    except ParameterError:
        return None
