"""The sampler of `randomness` over arrays, for simulations and audits.

The same random words give the same reports. It is a separate module, so that
`randomness` does not load numpy.
"""

import os
from collections.abc import Callable, Sequence
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from candor.mechanisms.randomness import WORD_BITS

Word = np.uint8 | np.uint16 | np.uint32
Words = Callable[[int], npt.NDArray[Word]]
"""Returns the given number of random words."""

FIRST_BITS = 8
"""Bits of a draw that are used first: with k reports, under k in 256 need more."""

UNSETTLED = 255
"""Marks a report that needs more than the first byte of its draw."""

AT_ONCE = 2**16
"""Respondents in one block, whose indices fit the processor cache."""


def words(count: int, word_bits: int = WORD_BITS) -> npt.NDArray[Word]:
    """Return random words of 8, 16 or 32 bits from the operating system."""
    size = word_bits // 8
    drawn = np.frombuffer(os.urandom(count * size), dtype=f">u{size}")
    return drawn.astype(drawn.dtype.newbyteorder("="), copy=False)


def draw_many_below(
    n: int, count: int, draw: Words = words, *, word_bits: int = WORD_BITS
) -> npt.NDArray[Word]:
    """Draw whole numbers that are exactly uniform on [0, n), shape (count,).

    As in `randomness.uniform_below`, words at or above the largest multiple of `n` are
    rejected and replaced by further words.
    """
    if not 1 <= n <= 2**word_bits:
        raise ValueError(f"n must be in [1, 2**{word_bits}]; got {n}")
    largest = 2**word_bits - 2**word_bits % n - 1
    accepted = draw(count)
    if count and accepted.max() > largest:
        accepted = accepted[accepted <= largest]
        while missing := count - len(accepted):
            more = draw(missing)
            accepted = np.concatenate([accepted, more[more <= largest]])
    if n & (n - 1) == 0:  # a power of 2: the same remainder, from the last bits
        return accepted & accepted.dtype.type(n - 1)
    return accepted % accepted.dtype.type(n)


def randomise_many(
    weights: Sequence[Sequence[int]],
    answers: npt.NDArray[np.integer],
    draw: Words | None = None,
    *,
    word_bits: int = WORD_BITS,
) -> npt.NDArray[np.uint8]:
    """Draw the report for each answer; both are positions in the table.

    The table has at most 256 reports, and all rows have the same sum of at most
    2**word_bits. Without `draw`, each report uses a random byte, and a word only if the
    byte is not enough.

    The reports to a direct question are the answers:

    >>> randomise_many([[1, 0], [0, 1]], np.array([0, 1, 1]))
    array([0, 1, 1], dtype=uint8)
    """
    # Draw before reading the answers, so that the draw cannot depend on them.
    if draw is None:
        first = words(len(answers), FIRST_BITS)
        check_answers(answers, weights)
        return randomise_by_byte(weights, answers, first)
    u = draw_many_below(sum(weights[0]), len(answers), draw, word_bits=word_bits)
    check_answers(answers, weights)
    return find_reports(weights, answers, u)


def check_answers(
    answers: npt.NDArray[np.integer], weights: Sequence[Sequence[int]]
) -> None:
    """Raise `TypeError` or `ValueError` unless each answer is a row of the table."""
    if answers.dtype.kind not in "iu":
        raise TypeError(f"answers must be whole numbers; got {answers.dtype}")
    least, largest = answers.min(initial=0), answers.max(initial=0)
    if least < 0 or largest >= len(weights):
        bad = least if least < 0 else largest
        raise ValueError(f"answers must be in [0, {len(weights)}); got {bad}")


def randomise_by_byte(
    weights: Sequence[Sequence[int]],
    answers: npt.NDArray[np.integer],
    first: npt.NDArray[Word],
    draw: Words = words,
) -> npt.NDArray[np.uint8]:
    """Draw the report for each answer, by one byte of `first` if it is enough.

    For a random byte `b` and `v` uniform on [0, total), `b * total + v` is uniform on
    [0, 256 * total). So `u = (b * total + v) // 256` is uniform on [0, total). If the
    smallest and the largest `v` lead to the same report, `v` need not be drawn.
    """
    total = sum(weights[0])
    each_row = np.repeat(np.arange(len(weights)), 2**FIRST_BITS)
    lowest = np.tile(np.arange(2**FIRST_BITS) * total, len(weights))
    least = find_reports(weights, each_row, lowest >> FIRST_BITS)
    largest = find_reports(weights, each_row, (lowest + total - 1) >> FIRST_BITS)
    by_byte = np.where(least == largest, least, np.uint8(UNSETTLED))
    reports = np.empty(len(answers), dtype=np.uint8)
    for start in range(0, len(answers), AT_ONCE):
        block = slice(start, start + AT_ONCE)
        places = answers[block].astype(np.intp) << FIRST_BITS
        places |= first[block]
        reports[block] = by_byte.take(places)
    # With 256 reports, report 255 equals the mark; it is drawn again, which is slower.
    rest = np.flatnonzero(reports == UNSETTLED)
    v = draw_many_below(total, len(rest), draw)
    u = (first[rest].astype(np.int64) * total + v) >> FIRST_BITS
    reports[rest] = find_reports(weights, answers[rest], u)
    return reports


def find_reports(
    weights: Sequence[Sequence[int]],
    answers: npt.NDArray[np.integer],
    u: npt.NDArray[np.integer],
) -> npt.NDArray[np.uint8]:
    """Return the first report whose running sum exceeds `u`, for each answer.

    Its position is the number of running sums that do not exceed `u`; the last one
    exceeds every `u`.
    """
    tops = np.array([list(accumulate(row)) for row in weights], dtype=np.int64)
    reports = np.zeros(len(answers), dtype=np.uint8)
    for top in tops[:, :-1].T:
        reports += u >= top.take(answers)
    return reports
