"""Shares and means among those who were shown a question with a condition."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

from candor.among_asked import MAX_COMPONENTS, estimate_among_asked, list_components
from candor.estimands import Estimand, mean_of_points
from candor.mechanisms.draws import NOT_ASKED
from candor.sample import PROFILE, Sample
from estimation.rows.counts import CACHED_QUESTIONS, SurveyCounts, list_deciding
from estimation.rows.row import (
    Kind,
    Row,
    first_of_two,
    make_mean_row,
    make_share_rows,
)
from respondents.least_responses import least_responses
from surveys.design import DesignQuestion
from surveys.models.conditions import is_satisfied

Counts = tuple[tuple[bytes, int], ...]
"""Patterns of reports to the deciding questions and, last, the question; counts."""


def make_asked_rows(
    survey_counts: SurveyCounts, number: int, confidence_level: float, method: str
) -> tuple[Row, ...]:
    """Return the shares, or the mean of a scale, among those shown a question.

    There are no rows if all respondents are shown the question, if the deciding
    questions were not read, or if fewer people were shown it than results need. There
    are none for a scale that can be skipped: its mean is already one of a subgroup.
    """
    design = survey_counts.design
    if design.questions[number - 1].mechanism.can_be_skipped:
        return ()
    condition = design.questions[number - 1].shown_if
    if condition is None:
        return ()
    deciding = list_deciding(design.questions[number - 1])
    selected = survey_counts.select(*deciding, number)
    if selected is None:
        return ()
    counts = tuple(
        (bytes(pattern), count)
        for pattern, count in sorted(selected.counts.items())
        if NOT_ASKED not in pattern
    )
    questions = tuple(design.questions[each - 1] for each in (*deciding, number))
    asked = frozenset(
        answers
        for answers in product(*(range(len(each.choices)) for each in questions[:-1]))
        if is_satisfied(condition, dict(zip(deciding, answers, strict=True)))
    )
    if any(each.mechanism.is_scrambled for each in questions[:-1]):
        return make_estimated_rows(questions, counts, asked, confidence_level, method)
    return make_counted_rows(
        questions[-1],
        [(each, count) for each, count in counts if tuple(each[:-1]) in asked],
        confidence_level,
        method,
        least=least_responses(survey_counts.survey),
    )


def sample_last(
    question: DesignQuestion, counts: Sequence[tuple[bytes, int]]
) -> Sample:
    report_counts = dict.fromkeys(question.mechanism.reports, 0)
    for pattern, count in counts:
        report_counts[question.mechanism.reports[pattern[-1]]] += count
    return Sample.of(question.mechanism, report_counts)


def make_counted_rows(
    question: DesignQuestion,
    counts: Sequence[tuple[bytes, int]],
    confidence_level: float,
    method: str,
    *,
    least: int,
) -> tuple[Row, ...]:
    """Return the rows if the deciding answers are not randomised."""
    if sum(count for _, count in counts) < least:
        return ()
    sample = sample_last(question, counts)
    mean = make_mean_row(sample, question.scale, confidence_level, method)
    if mean:
        return (replace(mean, kind=Kind.MEAN_AMONG_ASKED),)
    rows = make_share_rows(sample, question.choices, confidence_level, method)
    return tuple(replace(row, kind=Kind.AMONG_ASKED) for row in first_of_two(rows))


@lru_cache(maxsize=CACHED_QUESTIONS)
def make_estimated_rows(
    questions: tuple[DesignQuestion, ...],
    counts: Counts,
    asked: frozenset[tuple[int, ...]],
    confidence_level: float,
    method: str,
) -> tuple[Row, ...]:
    """Return the rows if deciding answers are randomised too."""
    *deciding, question = questions
    hidden = question.hidden_answer
    earlier = [each.mechanism for each in deciding]
    combinations = list_components(earlier, question.mechanism, asked, hidden)
    if len(combinations) > MAX_COMPONENTS:
        return ()
    # Status, number of respondents and labels come from all respondents' reports.
    sample = sample_last(question, counts)
    answers = len(question.choices)
    mean = make_mean_row(sample, question.scale, confidence_level, method)
    if mean:
        wanted = [(mean, mean_of_points(answers))]
    else:
        rows = make_share_rows(sample, question.choices, confidence_level, method)
        shares = (
            Estimand.make_share(place, answers=answers) for place in range(answers)
        )
        wanted = list(zip(first_of_two(rows), shares, strict=False))
    found = []
    for row, estimand in wanted:
        value, (low, high) = estimate_among_asked(
            earlier,
            question.mechanism,
            dict(counts),
            asked,
            hidden,
            estimand,
            confidence_level,
        )
        if row.scale:
            value, low, high = (
                row.scale.at(each / estimand.span) for each in (value, low, high)
            )
        asked_row = replace(
            row,
            kind=Kind.MEAN_AMONG_ASKED if row.scale else Kind.AMONG_ASKED,
            estimate=value,
            raw=math.nan,
            standard_error=math.nan,
            low=low,
            high=high,
            method=PROFILE,
            find_interval=None,
        )
        found.append(asked_row)
    return tuple(found)
