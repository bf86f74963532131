"""One question in all surveys that ask it, in the order of opening."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from estimation.rows.comparison import Comparison, QuestionCounts, compare_samples
from estimation.rows.counts import read_one_way
from estimation.rows.groups import GroupResult
from estimation.rows.independent_samples import (
    are_comparable,
    name_surveys,
    read_wordings,
    wordings,
)
from surveys.design import get_design
from surveys.models import Survey
from surveys.versions import SameQuestion, find_counterpart

MAX_WAVES = 12
"""More waves cannot be labelled on one axis."""

WaveQuestion = tuple[Survey, SameQuestion]
"""An opened survey, and its question that equals that of the first survey."""


@dataclass(frozen=True)
class Wave:
    group: GroupResult
    opened: date | None
    """None for an imported study, whose responses are older than its import."""


@dataclass(frozen=True)
class Waves:
    comparison: Comparison
    """The comparison, with a group for each wave."""
    days: dict[str, date | None]
    """The day on which each wave was opened, by its label."""

    @property
    def shown(self) -> list[Wave]:
        return [Wave(each, self.days[each.label]) for each in self.comparison.shown]


def find_waves(
    survey: Survey, number: int, others: Iterable[Survey]
) -> list[WaveQuestion]:
    """Return the other surveys that ask question `number` with the same wording.

    Parameters
    ----------
    others : iterable of Survey
        Surveys with prefetched questions and choices, the newest first. At most
        `MAX_WAVES` - 2 of them are returned, because two waves are known already.
    """
    design = get_design(survey)
    sought = wordings(design.questions)[number - 1]
    question = design.estimated_questions[number - 1]
    found: list[WaveQuestion] = []
    for other in others:
        asked = read_wordings(other)
        if sought not in asked or len(found) == MAX_WAVES - 2:
            continue
        place = asked.index(sought)
        if are_comparable(question, get_design(other).estimated_questions[place]):
            found.append((other, SameQuestion(number, place + 1)))
    return found


def read_waves(
    waves: Sequence[WaveQuestion], *, confidence_level: float, method: str
) -> Waves:
    asked = get_design(waves[0][0]).estimated_questions
    in_order = sorted(waves, key=lambda each: (each[0].opened_on, each[0].pk))
    question_counts, respondents = [], 0
    for survey, same in in_order:
        read = read_one_way(survey, (same.other,), seals=False)
        found = find_counterpart(asked, get_design(survey).estimated_questions, same)
        report_counts = found.reorder(QuestionCounts.of(read).report_counts)
        question_counts.append(QuestionCounts(found.question, report_counts))
        respondents += read.respondents
    labels = name_surveys([survey for survey, _same in in_order])
    comparison = compare_samples(
        labels,
        question_counts,
        respondents=respondents,
        confidence_level=confidence_level,
        method=method,
    )
    days = [
        None if survey.is_imported else survey.opened_on for survey, _same in in_order
    ]
    return Waves(comparison, dict(zip(labels, days, strict=True)))
