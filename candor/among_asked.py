"""Shares of answers and means among the respondents who were asked a question.

Answers to earlier questions decide which respondents are asked, and may be randomised
too. Respondents who are not asked report a declared answer.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import product

import numpy as np
import scipy

from candor.binary import FloatArray
from candor.estimands import Estimand, compute_chances
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, Interval
from candor.likelihood import profile_ratio
from candor.mechanisms import Mechanism
from candor.validation import CONFIDENCE_LEVEL

MAX_COMPONENTS = 50
"""One interval of more components may take seconds."""


def estimate_among_asked(
    earlier: Sequence[Mechanism],
    question: Mechanism,
    counts: Mapping[Sequence[int], int],
    asked: Collection[Sequence[int]],
    hidden_answer: int,
    estimand: Estimand,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> tuple[float, Interval]:
    """Estimate a share or a mean among respondents who were asked, with interval.

    The share of an answer is P(answer and asked) / P(asked). The interval is by profile
    likelihood; its limit is the square of Student's t, as for a mean. Respondents who
    are not asked have the declared answer. Combinations with any other answer have the
    probability 0, which adds precision.

    Parameters
    ----------
    earlier : sequence of Mechanism
        The mechanisms of the deciding questions, each applied independently.
    question : Mechanism
        The mechanism of the question.
    counts : mapping of sequence of int to int
        Number of respondents by their reports to the earlier questions and, last, to
        the question. Reports are positions in the tables.
    asked : collection of sequence of int
        Combinations of answers to the earlier questions, as positions, that lead to
        the question.
    hidden_answer : int
        The position of the declared answer of respondents who are not asked.
    estimand : Estimand
        A share or mean of the answers to the question.
    confidence_level : float
        The confidence level of the interval, in (0, 1).

    Returns
    -------
    float
        In the range of the estimand; NaN with fewer than 2 respondents, or where the
        maximum-likelihood estimate of the share asked is 0.
    Interval
        Its lower and upper end, in the same range; the whole range where the estimate
        is NaN.

    Raises
    ------
    ValueError
        If there are more than `MAX_COMPONENTS` combinations of answers, or the
        confidence level is out of range.

    References
    ----------
    Wilks 1938, Annals of Mathematical Statistics 9:60, the test that is inverted.
    """
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    components = list_components(earlier, question, asked, hidden_answer)
    if len(components) > MAX_COMPONENTS:
        message = f"answers must have at most {MAX_COMPONENTS} combinations"
        raise ValueError(f"{message}; got {len(components)}")
    n = sum(counts.values())
    if n < 2:
        return math.nan, Interval(float(estimand.low), float(estimand.high))
    reports = [tuple(each) for each in counts]
    table = compute_joint_chances([*earlier, question], components, reports)
    is_asked = set(map(tuple, asked))
    among = [place for place, each in enumerate(components) if each[:-1] in is_asked]
    coefficients = [estimand.coefficients[components[place][-1]] for place in among]
    t = float(scipy.special.stdtrit(n - 1, (1 + level) / 2))
    return profile_ratio(
        table, list(counts.values()), among, Estimand(tuple(coefficients)), drop=t**2
    )


def list_components(
    earlier: Sequence[Mechanism],
    question: Mechanism,
    asked: Collection[Sequence[int]],
    hidden_answer: int,
) -> list[tuple[int, ...]]:
    """Return the possible combinations of answers, as positions."""
    is_asked = set(map(tuple, asked))
    components = []
    for before in product(*(range(len(each.answers)) for each in earlier)):
        possible = range(len(question.answers))
        for answer in possible if before in is_asked else [hidden_answer]:
            components.append((*before, answer))
    return components


def compute_joint_chances(
    mechanisms: Sequence[Mechanism],
    answers: Sequence[tuple[int, ...]],
    reports: Sequence[tuple[int, ...]],
) -> FloatArray:
    """Return the chances of combined reports, shape (answers, reports)."""
    table = np.ones((len(answers), len(reports)))
    for place, mechanism in enumerate(mechanisms):
        chances = compute_chances(mechanism.weights)
        rows = [each[place] for each in answers]
        columns = [each[place] for each in reports]
        table *= chances[np.ix_(rows, columns)]
    return table
