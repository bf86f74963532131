"""Describe conditions on earlier answers to respondents."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from surveys.design import Design, DesignQuestion
from surveys.lists import join_texts
from surveys.models import Survey
from surveys.models.conditions import Condition, OneOf


def describe_condition(
    condition: Condition, questions: Sequence[DesignQuestion]
) -> str:
    if isinstance(condition, OneOf):
        return describe_answers(condition, questions[condition.number - 1])
    parts = [
        describe_condition(part, questions)
        if isinstance(part, OneOf)
        else f"({describe_condition(part, questions)})"
        for part in condition.parts
    ]
    word = _("and") if condition.operator == "and" else _("or")
    return f" {word} ".join(parts)


def describe_answers(answered: OneOf, question: DesignQuestion) -> str:
    labels, positions = question.choices, sorted(answered.positions)
    others = [each for each in range(len(labels)) if each not in answered.positions]
    if (
        question.scale
        and len(positions) > 1
        and positions[-1] - positions[0] < len(positions)
    ):
        if positions[-1] == len(labels) - 1:
            return say_answer(answered, _("at least %s") % labels[positions[0]])
        if positions[0] == 0:
            return say_answer(answered, _("at most %s") % labels[positions[-1]])
    if len(others) < len(positions):
        return say_answer(answered, _("not %s") % quote_answers(labels, others))
    return say_answer(answered, quote_answers(labels, positions))


def say_answer(answered: OneOf, answers: str) -> str:
    text = _("your answer to question %(number)s is %(answers)s")
    return text % {"number": answered.number, "answers": answers}


def quote_answers(labels: Sequence[str], positions: Sequence[int]) -> str:
    quoted = [_("“%s”") % labels[position] for position in positions]
    return join_texts(quoted, _("or"))


def explain_condition(design: Design, number: int) -> str:
    question = design.questions[number - 1]
    if question.shown_if is None:
        return ""
    condition = describe_condition(question.shown_if, design.questions)
    for_you = _("This question is for you if %(condition)s.") % {"condition": condition}
    if design.mode == Survey.Mode.HAND and question.mechanism.is_scrambled:
        text = _("If not, do the steps as if your answer were %(answer)s.")
    else:
        text = _("If not, choose %(answer)s.")
    answer = _("“%s”") % question.choices[question.hidden_answer]
    return f"{for_you} {text % {'answer': answer}}"
