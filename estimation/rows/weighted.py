"""Weighted estimates from known population margins."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import Enum
from fractions import Fraction

import numpy as np
from django.utils.translation import gettext as _

from candor.files.margins import ALL
from candor.files.table import FileError
from candor.mechanisms import Mechanism
from candor.mechanisms.draws import NOT_ASKED
from candor.mechanisms.parameters import shown
from candor.table import Status
from candor.weighting import weigh
from candor.weighting.margins import NotRakedError
from candor.weighting.sample import WeightedSample
from estimation.rows.counts import SurveyCounts
from estimation.rows.groups import MIN_GROUP_SIZE
from estimation.rows.row import (
    Kind,
    Row,
    first_of_two,
    make_answered_mean_row,
    make_mean_row,
    make_share_rows,
)
from estimation.rows.shares import (
    QuestionResult,
    SurveyResults,
    survey_results,
)
from surveys.design import DesignQuestion


@dataclass(frozen=True, kw_only=True)
class WeightedQuestion:
    unweighted: QuestionResult
    rows: tuple[Row, ...]
    """One for each answer; empty if reports identify no shares."""
    mean: Row | None
    respondents: int
    """Number with a report to it and an answer to every question with a margin."""
    effective_respondents: float
    design_effect: float
    largest_weight: float
    """Largest weight, where the mean weight is 1."""
    has_extreme_weight: bool

    @property
    def headlines(self) -> tuple[Row, ...]:
        return (self.mean,) if self.mean else first_of_two(self.rows)

    @property
    def all_rows(self) -> list[Row]:
        return [*filter(None, (self.mean,)), *self.rows]

    @property
    def pairs(self) -> list[tuple[Row, Row]]:
        sample = self.unweighted
        found = [*zip(self.rows, sample.rows, strict=True)]
        if self.mean and sample.mean:
            found.append((self.mean, sample.mean))
        return found

    @property
    def left_out(self) -> int:
        return self.unweighted.respondents - self.respondents


class Trouble(Enum):
    NOBODY = "nobody has a report to all of them"
    SMALL = "a group is too small"
    EMPTY = "nobody in the sample is in a group of the population"
    ABSENT = "nobody in the population is in a group of the sample"
    CROSSED = "groups that several answers make together are too small"
    NOT_RAKED = "no weights make all margins true"
    UNDECLARED = "the key holder did not count them together"


@dataclass(frozen=True, kw_only=True)
class Refused:
    trouble: Trouble
    question: str = ""
    answer: str = ""


@dataclass(frozen=True, kw_only=True)
class WeightedResults:
    unweighted: SurveyResults
    margins: Mapping[int, Sequence[float]]
    """{number of a direct question: share of the population with each answer}."""
    questions: tuple[WeightedQuestion, ...]
    refused: tuple[Refused, ...]
    """Reasons for which questions are left out, without repetitions."""

    @property
    def weighted_by(self) -> list[tuple[int, str]]:
        asked = self.unweighted.design.questions
        return [(number, asked[number - 1].text) for number in self.margins]


def weight_question(
    question: QuestionResult, sample: WeightedSample
) -> WeightedQuestion:
    level, method = question.confidence_level, question.method
    unweighted = [*question.rows, *filter(None, (question.mean,))]
    # The fit is judged by the unweighted reports.
    status = unweighted[0].status
    if status not in {Status.NO_REPORTS, Status.MISFIT}:
        status = Status.OK
    labels = tuple(row.label for row in question.rows)
    mean = None
    if question.mean:
        of_answered = question.mean.kind is Kind.MEAN_AMONG_ANSWERED
        mean = (
            make_answered_mean_row(sample, question.mean.scale, level)
            if of_answered
            else make_mean_row(sample, question.mean.scale, level, method)
        )
    rows = make_share_rows(sample, labels, level, method) if labels else ()
    return WeightedQuestion(
        unweighted=question,
        rows=tuple(row.with_status(status) for row in rows),
        mean=mean and mean.with_status(status),
        respondents=sample.n,
        effective_respondents=sample.effective_n,
        design_effect=sample.design_effect,
        largest_weight=sample.largest_weight,
        has_extreme_weight=sample.has_extreme_weight,
    )


def estimate_weighted_results(
    survey_counts: SurveyCounts,
    margins: Mapping[int, Sequence[float]],
    *,
    sees_reports: bool,
    confidence_level: float,
    method: str,
) -> WeightedResults:
    """Return the results of all other questions, weighted to these margins.

    Parameters
    ----------
    survey_counts : SurveyCounts
        Counts of all questions.
    margins : mapping of int to sequence of float
        {number of a direct question: share of the population with each answer}, each
        summing to 1.
    sees_reports : bool
        Whether cross-classified groups may be small. Small changes of the margins of
        such a group disclose what its members reported, which users who may download
        the reports know anyway.
    confidence_level, method
        As in `survey_results`.
    """
    unweighted = survey_results(survey_counts, confidence_level, method)
    found, refused = [], []
    for question in unweighted.questions:
        if question.number in margins:
            continue
        result = _weighted(
            survey_counts,
            margins,
            question,
            smallest=1 if sees_reports else MIN_GROUP_SIZE,
        )
        if isinstance(result, Refused):
            refused.append(result)
        else:
            found.append(result)
    return WeightedResults(
        unweighted=unweighted,
        margins=margins,
        questions=tuple(found),
        refused=tuple(dict.fromkeys(refused)),
    )


def _weighted(
    survey_counts: SurveyCounts,
    margins: Mapping[int, Sequence[float]],
    question: QuestionResult,
    *,
    smallest: int,
) -> WeightedQuestion | Refused:
    counts = count_cells(survey_counts, margins, question.number)
    if not counts:
        is_known = counts is not None
        return Refused(trouble=Trouble.NOBODY if is_known else Trouble.UNDECLARED)
    crossed: Counter[tuple[int, ...]] = Counter()
    for key, count in counts.items():
        crossed[key[:-1]] += count
    for place, (number, shares) in enumerate(margins.items()):
        asked = survey_counts.design.questions[number - 1]
        sizes: Counter[int] = Counter()
        for answers, count in crossed.items():
            sizes[answers[place]] += count
        if trouble := _find_refusal(asked, shares, sizes):
            return trouble
    if min(crossed.values()) < smallest:
        return Refused(trouble=Trouble.CROSSED)
    reports = question.mechanism.reports
    named = {(*key[:-1], reports[key[-1]]): count for key, count in counts.items()}
    known = [dict(enumerate(shares)) for shares in margins.values()]
    try:
        return weight_question(question, weigh(question.mechanism, named, known))
    except NotRakedError:
        return Refused(trouble=Trouble.NOT_RAKED)


def _find_refusal(
    asked: DesignQuestion, shares: Sequence[float], sizes: Counter[int]
) -> Refused | None:
    for place, (label, share) in enumerate(zip(asked.choices, shares, strict=True)):
        size = sizes[place]
        too_small = Refused(
            trouble=Trouble.SMALL, question=asked.full_text, answer=label
        )
        if size == 0 and share > 0:
            return replace(too_small, trouble=Trouble.EMPTY)
        if size > 0 and share == 0:
            return replace(too_small, trouble=Trouble.ABSENT)
        if 0 < size < MIN_GROUP_SIZE:
            return too_small
    return None


def count_cells(
    survey_counts: SurveyCounts, margins: Collection[int], number: int
) -> dict[tuple[int, ...], int] | None:
    """Return {answers to direct questions, ..., report to this question: count}.

    Respondents without a report to one of them are left out. None if these questions
    were not counted jointly.
    """
    if (read := survey_counts.select(*margins, number)) is None:
        return None
    shown = [list_shown_answers(each.mechanism) for each in read.questions[:-1]]
    found = Counter[tuple[int, ...]]()
    for cells, count in read.counts.items():
        if NOT_ASKED not in cells:
            answers = (of[cell] for of, cell in zip(shown, cells[:-1], strict=True))
            found[*answers, cells[-1]] += count
    return found


def list_shown_answers(mechanism: Mechanism) -> list[int]:
    """Return the answer that each report of a direct question shows."""
    return [int(np.argmax(column)) for column in zip(*mechanism.weights, strict=True)]


DECIMALS_OF_PERCENT = 4


def to_percent(share: Fraction | float) -> Decimal:
    percent = round(Decimal(repr(float(ALL * share))), DECIMALS_OF_PERCENT)
    return Decimal(f"{percent.normalize():f}")


def find_places(
    margins: Mapping[str, Mapping[str, float]], questions: Mapping[int, DesignQuestion]
) -> dict[tuple[int, int], float]:
    """Return {(number of a question, number of its answer): share}, both from 1.

    Parameters
    ----------
    margins : mapping
        From `read_margins`: keys are the number or text of a question, and the wording
        of an answer.
    questions : mapping of int to DesignQuestion
        The direct questions by their numbers.

    Raises
    ------
    FileError
        Names each question or answer that does not exist.
    """
    found: dict[tuple[int, int], float] = {}
    problems = []
    for asked, margin in margins.items():
        number = find_question(asked, questions)
        if number is None:
            text = _("No direct question has this number or text: %s.")
            problems.append(text % shown(asked))
            continue
        labels = [label.casefold() for label in questions[number].choices]
        for answer, share in margin.items():
            if answer.casefold() in labels:
                found[number, labels.index(answer.casefold()) + 1] = share
            else:
                text = _("Question %(number)s has no answer %(answer)s.")
                values = {"number": number, "answer": shown(answer)}
                problems.append(text % values)
    if problems:
        raise FileError(problems)
    return found


def find_question(asked: str, questions: Mapping[int, DesignQuestion]) -> int | None:
    for number, question in questions.items():
        if asked.casefold() in {str(number), question.text.strip().casefold()}:
            return number
    return None
