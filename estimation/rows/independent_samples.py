"""Compare different people: waves of a survey, or the arms of a split ballot."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from estimation.rows.comparison import (
    Comparison,
    QuestionCounts,
    compare_samples,
)
from estimation.rows.counts import SurveyCounts, read_one_way
from surveys.design import Design, DesignQuestion, get_design
from surveys.models import Survey, Visitor
from surveys.versions import SameQuestion, find_counterpart

MAX_SURVEYS = 100
"""The newest: more than anyone looks through in a list."""


class Wording(NamedTuple):
    text: str
    choices: tuple[str, ...]


def read_wordings(survey: Survey) -> list[Wording]:
    return [
        Wording(each.text, tuple(choice.label for choice in each.choices.all()))
        for each in survey.questions.all()
    ]


def wordings(questions: Iterable[DesignQuestion]) -> list[Wording]:
    return [Wording(question.text, question.choices) for question in questions]


def counterpart(
    asked: Sequence[Wording], number: int, others: Sequence[Wording]
) -> int | None:
    """Return the number of the question of another survey that asks the same.

    The one with the same wording and choices; else that of the same number, if it has
    the same choices. None where there is none.
    """
    sought = asked[number - 1]
    if sought in others:
        return others.index(sought) + 1
    if number <= len(others) and others[number - 1].choices == sought.choices:
        return number
    return None


class OtherSurveys(NamedTuple):
    similar: list[Survey]
    """Those that ask one of its questions."""
    versions: list[Survey]
    """Those that have a question with as many answers, perhaps in other words."""

    @property
    def all(self) -> list[Survey]:
        return [*self.similar, *self.versions]


NO_OTHERS = OtherSurveys([], [])


def find_other_surveys(
    user: Visitor, survey: Survey, questions: Sequence[DesignQuestion]
) -> OtherSurveys:
    asked = wordings(questions)
    sizes = {len(each.choices) for each in asked}
    seen = (
        Survey.objects.for_user(user)
        .listed()
        .exclude(pk=survey.pk)
        .exclude(state=Survey.State.DRAFT)
        .filter(purged_on=None, is_simulated=survey.is_simulated)
        .prefetch_related("questions__choices")
    )
    found = OtherSurveys([], [])
    for other in seen[:MAX_SURVEYS]:
        others = read_wordings(other)
        numbers = range(1, len(asked) + 1)
        if any(counterpart(asked, number, others) for number in numbers):
            found.similar.append(other)
        elif not sizes.isdisjoint(len(each.choices) for each in others):
            found.versions.append(other)
    return found


def compare_surveys(
    survey: Survey,
    other: Survey,
    same: SameQuestion,
    *,
    confidence_level: float,
    method: str,
) -> Comparison:
    return compare_waves(
        read_one_way(survey, (same.number,), seals=False),
        read_one_way(other, (same.other,), seals=False),
        choices=same.choices,
        confidence_level=confidence_level,
        method=method,
    )


def compare_waves(
    survey_counts: SurveyCounts,
    others: SurveyCounts,
    *,
    choices: tuple[int, ...] = (),
    confidence_level: float,
    method: str,
) -> Comparison:
    first, second = map(QuestionCounts.of, (survey_counts, others))
    same = SameQuestion(1, 1, choices)
    found = find_counterpart([first.question], [second.question], same)
    wording = second.question.text
    return compare_samples(
        name_surveys([survey_counts.survey, others.survey]),
        (first, QuestionCounts(found.question, found.reorder(second.report_counts))),
        respondents=survey_counts.respondents + others.respondents,
        wording="" if wording == first.question.text else wording,
        # Reports that are exchanged are not safe in both surveys.
        may_have_cheaters=list(found.answers) == sorted(found.answers)
        and {survey_counts.survey.mode, others.survey.mode} == {Survey.Mode.HAND},
        confidence_level=confidence_level,
        method=method,
    )


def name_surveys(surveys: Sequence[Survey]) -> list[str]:
    titles = [each.title for each in surveys]
    return [
        f"{each.title} ({each.slug})" if titles.count(each.title) > 1 else each.title
        for each in surveys
    ]


def are_comparable(first: DesignQuestion, second: DesignQuestion) -> bool:
    if first.choices != second.choices:
        return False
    have_means = first.scale is not None and first.scale == second.scale
    have_shares = (
        first.mechanism.identifies_shares and second.mechanism.identifies_shares
    )
    return have_means or have_shares


def are_arms(design: Design, first: int, second: int) -> bool:
    """Whether no one was asked both questions, 1 for the survey's first."""
    return first != second and any(
        group.asked == 1 and {first, second} <= set(group.questions)
        for group in design.groups
    )


def compare_arms(
    survey: Survey, first: int, second: int, *, confidence_level: float, method: str
) -> Comparison:
    design = get_design(survey)
    first_read, second_read = (
        read_one_way(survey, (number,), seals=False) for number in (first, second)
    )
    labels = [
        f"{each}. {design.questions[each - 1].full_text}" for each in (first, second)
    ]
    return compare_samples(
        (labels[0], labels[1]),
        (QuestionCounts.of(first_read), QuestionCounts.of(second_read)),
        respondents=first_read.respondents,
        is_split=True,
        may_have_cheaters=survey.mode == Survey.Mode.HAND,
        confidence_level=confidence_level,
        method=method,
    )
