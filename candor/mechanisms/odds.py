"""Odds of a table in words that readers understand: 75 of 100, 3 times."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction

from candor.mechanisms.epsilon import shows_answers, worst_ratio

FIRST_BASE = 100
"""People read "75 of 100" better than 3/4 or 0.75 (Gigerenzer & Hoffrage 1995)."""

WEAK_HINT_RATIO = 2
"""Even odds become at most 2 to 1: a guess at the answer is right 2 times in 3."""

HINT_RATIO = 4
"""Even odds become at most 4 to 1: right 4 times in 5; beyond, the hint is strong."""

NEAR_PROOF_RATIO = 10
"""Even odds can become 10 to 1: right 10 times in 11. "Never proof" would mislead."""

RARE_EXCEPTIONS_RATIO = 100
"""100 of 101 answers can be guessed from their reports."""

WHOLE_FROM = 10
"""From 10 times on, decimals are omitted."""


class Exposure(Enum):
    """How much one report reveals about its answer, from little to everything."""

    WEAK_HINT = "weak hint"
    HINT = "hint"
    STRONG_HINT = "strong hint"
    NEAR_PROOF = "some reports are nearly proof"
    SOMETIMES_SHOWN = "some reports show the answer"
    NEARLY_SHOWN = "nearly the answer"
    RARE_EXCEPTIONS = "the answer, with rare exceptions"
    SHOWN = "every report shows the answer"

    @property
    def is_hint(self) -> bool:
        """Whether no report is nearly proof."""
        return self in {Exposure.WEAK_HINT, Exposure.HINT, Exposure.STRONG_HINT}


@dataclass(frozen=True)
class Odds:
    """The expected number of each report from `base` respondents with one answer.

    `base` is a power of ten, 100 or more; every row of `counts` sums to it.
    """

    base: int
    counts: tuple[tuple[int, ...], ...]


def tabulate_odds(weights: Sequence[Sequence[int]]) -> Odds:
    """Return the table per 100 people, or per 1,000 and more where 100 would mislead.

    The base grows until no possible report is shown as 0, no uncertain report as
    certain, and different rows are different. Two coins, Dwork & Roth 2014, section
    3.2:

    >>> tabulate_odds([[3, 1], [1, 3]])
    Odds(base=100, counts=((75, 25), (25, 75)))
    """
    base = FIRST_BASE
    while True:
        counts = tuple(apportion(row, base) for row in weights)
        if is_faithful(weights, counts):
            return Odds(base, counts)
        base *= 10


def apportion(row: Sequence[int], seats: int) -> tuple[int, ...]:
    """Return whole numbers in proportion to `row` that sum to `seats`.

    By largest remainders (Hamilton's method). Among equal remainders the larger weight
    comes first, so that a symmetric table stays symmetric, then the earlier one.
    """
    total = sum(row)
    counts = [weight * seats // total for weight in row]
    by_remainder = sorted(
        range(len(row)), key=lambda i: (-(row[i] * seats % total), -row[i], i)
    )
    for position in by_remainder[: seats - sum(counts)]:
        counts[position] += 1
    return tuple(counts)


def is_faithful(
    weights: Sequence[Sequence[int]], counts: Sequence[Sequence[int]]
) -> bool:
    """Return whether `counts` has the zeros of `weights`, and as many distinct rows."""
    for row, shown in zip(weights, counts, strict=True):
        for weight, count in zip(row, shown, strict=True):
            if (weight == 0) != (count == 0):
                return False
    return len({tuple(row) for row in weights}) == len({tuple(row) for row in counts})


def classify_exposure(weights: Sequence[Sequence[int]]) -> Exposure:
    """Return how much a report by this table reveals about its answer.

    Odds alone exaggerate for uneven tables and many answers. For example, if Yes is
    reported as Yes 2 times in 100, and No as Yes once in 10,000, one report is nearly
    proof, but the other reveals little. So "nearly the answer" also requires that the
    best guess from a report is right 10 times in 11 for every answer. For two answers
    that are treated equally both criteria agree.

    >>> classify_exposure([[3, 1], [1, 3]])
    <Exposure.HINT: 'hint'>
    """
    if shows_answers(weights):
        return Exposure.SHOWN
    for ratio, exposure in (
        (RARE_EXCEPTIONS_RATIO, Exposure.RARE_EXCEPTIONS),
        (NEAR_PROOF_RATIO, Exposure.NEARLY_SHOWN),
    ):
        if compute_guess_probability(weights) >= Fraction(ratio, ratio + 1):
            return exposure
    return classify_odds(worst_ratio(weights))


def classify_odds(ratio: Fraction | None) -> Exposure:
    """Return how much a report reveals if it shifts odds at most `ratio` times.

    None means that there is no limit. At the thresholds, a guess is right 2 times in 3,
    4 in 5, and 10 in 11, given even prior odds.
    """
    if ratio is None:
        return Exposure.SOMETIMES_SHOWN
    if ratio >= NEAR_PROOF_RATIO:
        return Exposure.NEAR_PROOF
    if ratio <= WEAK_HINT_RATIO:
        return Exposure.WEAK_HINT
    return Exposure.HINT if ratio <= HINT_RATIO else Exposure.STRONG_HINT


def compute_guess_probability(weights: Sequence[Sequence[int]]) -> Fraction:
    """Return the probability, for the worst answer, that the best guess is right.

    A report that two answers send equally often allows no guess.
    """
    right = [0] * len(weights)
    for column in zip(*weights, strict=True):
        if column.count(largest := max(column)) == 1:
            right[column.index(largest)] += largest
    return min(
        Fraction(weight, sum(row)) for weight, row in zip(right, weights, strict=True)
    )


def find_largest_shift(answer: int, weights: Sequence[Sequence[int]]) -> Fraction:
    """Return the largest factor by which one report shifts odds towards an answer.

    The odds are relative to the answer that sends the report least often. Every report
    must be possible from every answer.
    """
    return max(
        Fraction(column[answer], min(column))
        for column in zip(*weights, strict=True)
        if any(column)
    )


def find_most_revealing_report(answer: int, weights: Sequence[Sequence[int]]) -> int:
    """Return the report with `find_largest_shift`; it may not be the most frequent."""
    shift = find_largest_shift(answer, weights)
    return next(
        report
        for report, column in enumerate(zip(*weights, strict=True))
        if column[answer] and column[answer] == shift * min(column)
    )


def round_up_times(ratio: Fraction) -> Decimal:
    """Return `ratio` rounded up to one decimal, or to a whole number from 10 on."""
    if ratio >= WHOLE_FROM:
        return Decimal(math.ceil(ratio))
    return Decimal(math.ceil(ratio * 10)) / 10
