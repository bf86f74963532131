"""What a share would be without "Prefer not to answer", as far as it is known."""

from dataclasses import dataclass

from candor.sample import Sample
from estimation.rows.counts import Counted
from surveys.design import DesignQuestion


@dataclass(frozen=True, kw_only=True)
class BoundsResult:
    """The share of an answer had nobody preferred not to answer, as far as it is known.

    `least` counts none of those who did, `most` all of them; low and high are the
    bounds of both with their confidence.
    """

    answer: str
    label: str
    least: float
    most: float
    low: float
    high: float


def bounds_results(
    question: DesignQuestion,
    tally: Counted,
    confidence_level: float,
    method: str,
    declined: int | None,
) -> tuple[BoundsResult, ...]:
    """Return what is known of every answer whatever those who declined would say."""
    mechanism = question.mechanism
    if declined is None or not mechanism.is_scrambled or len(mechanism.answers) < 3:
        return ()
    sample = Sample.of(mechanism, dict(tally))
    kept = mechanism.answers[declined]
    found = []
    for answer, label in zip(mechanism.answers, question.choices, strict=True):
        if answer == kept:
            continue
        low, high = sample.bounds(answer, kept, confidence_level, method)
        found.append(
            BoundsResult(
                answer=answer,
                label=label,
                least=sample.shares[answer],
                most=sample.shares[answer] + sample.shares[kept],
                low=low,
                high=high,
            )
        )
    return tuple(found)
