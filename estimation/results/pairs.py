"""Two questions that were scrambled as one answer of four: each by itself, and both."""

from dataclasses import dataclass

from candor.estimands import Estimand
from candor.mechanisms.families.linked_pair import (
    BOTH,
    FIRST,
    LINKED_PAIR,
    SECOND,
)
from candor.sample import Sample
from estimation.results.tallies import Counted
from surveys.design import DesignQuestion


@dataclass(frozen=True, kw_only=True)
class SingleResult:
    """The share of yes to one of the two questions: that of two answers together."""

    labels: tuple[str, str]
    raw: float
    share: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class PairResult:
    """Both questions, and how they go together.

    `both` is the maximum-likelihood share of yes to both, `if_unrelated` what it would
    be if the two answers were independent: the product of the single shares.
    """

    singles: tuple[SingleResult, SingleResult]
    both: float
    if_unrelated: float


def pair_result(
    question: DesignQuestion,
    tally: Counted,
    confidence_level: float,
    method: str,
) -> PairResult | None:
    """Return what a linked pair says of its two questions; None of all other tables.

    The two answers with yes to a question are a set, and a set has a dichotomy: the
    count of its reports is binomial, and its interval as exact as that of yes and no.
    """
    if question.mechanism.family != LINKED_PAIR:
        return None
    sample = Sample.of(question.mechanism, dict(tally))
    answers = question.mechanism.answers
    singles = []
    for other in (FIRST, SECOND):
        single = Estimand.share_of(BOTH, other, answers=len(answers))
        low, high = sample.interval(single, confidence_level, method)
        singles.append(
            SingleResult(
                labels=(question.choices[BOTH], question.choices[other]),
                raw=sample.raw(single),
                share=sample.estimate(single),
                low=low,
                high=high,
            )
        )
    first, second = singles
    return PairResult(
        singles=(first, second),
        both=sample.estimate(answers[BOTH]),
        if_unrelated=first.share * second.share,
    )
