"""Describe to researchers the paths through a questionnaire."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from surveys.lists import join_texts
from surveys.models import Survey
from surveys.models.conditions import Path, Step, list_paths
from surveys.models.questionnaire import make_steps
from surveys.text.conditions import quote_answers
from surveys.text.tables import format_question_numbers


def describe_paths(survey: Survey) -> list[str]:
    questions = list(survey.questions.prefetch_related("choices"))
    steps = make_steps(questions, survey.groups)
    if not any(step.condition or step.ending for step in steps):
        return []
    return [describe_path(path, steps) for path in list_paths(steps)]


def describe_path(path: Path, steps: Sequence[Step]) -> str:
    answers = [
        f"{number} {quote_answers(steps[number - 1].labels, sorted(positions))}"
        for number, positions in path.answers.items()
    ]
    text = _("%(answers)s: %(questions)s.")
    if path.is_ended:
        text = _("%(answers)s: %(questions)s. Then the survey ends.")
    return text % {
        "answers": join_texts(answers, _("and")),
        "questions": format_question_numbers(path.shown),
    }
