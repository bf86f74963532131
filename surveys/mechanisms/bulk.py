"""Many reports at once: the sampler of `randomness` over arrays of words.

From the same words it gives the same reports, one after the other; only the respondents
of simulations and audits come by the million. The others are spared numpy.
"""

import secrets
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from surveys.mechanisms.randomness import WORD_BITS

Word = np.uint8 | np.uint16 | np.uint32
Words = Callable[[int], npt.NDArray[Word]]
"""Gives as many of the next words as are asked for."""

WIDTHS = (8, 16, WORD_BITS)
MOST_PASSED_OVER = 8
"""One in 8 words: drawing that many again costs less than drawing wider ones."""


def words(count: int, word_bits: int = WORD_BITS) -> npt.NDArray[Word]:
    """Return words of the operating system's randomness, as `randomness.word` does.

    `word_bits` is one of `WIDTHS`.
    """
    size = word_bits // 8
    drawn = np.frombuffer(secrets.token_bytes(count * size), dtype=f">u{size}")
    return drawn.astype(drawn.dtype.newbyteorder("="))


def width_for(n: int) -> int:
    """Return how wide words are that choose among `n` without many being passed over.

    Any width is exact; the system's randomness is what most of the time goes into.
    """
    return next(
        (
            bits
            for bits in WIDTHS
            if n <= 2**bits and 2**bits % n * MOST_PASSED_OVER <= 2**bits
        ),
        WORD_BITS,
    )


def many_below(
    n: int, count: int, draw: Words = words, *, word_bits: int = WORD_BITS
) -> npt.NDArray[Word]:
    """Return whole numbers that are exactly uniform on [0, n), shape (count,).

    `randomness.uniform_below` for each of them: a word at or above the largest multiple
    of `n` is passed over, and as many more are drawn as are then missing.

    Parameters
    ----------
    n : int
        In [1, 2**word_bits].
    count : int
        At least 0.
    draw, word_bits
        As there, for arrays of words; word_bits in [1, 32].

    Raises
    ------
    ValueError
        For an `n` out of range.
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


def largest_of(drawn: npt.NDArray[Word]) -> int:
    """Return the largest word of this width."""
    return int(np.iinfo(drawn.dtype).max)


def randomise_many(
    weights: Sequence[Sequence[int]],
    answers: npt.NDArray[np.integer],
    draw: Words | None = None,
    *,
    word_bits: int = WORD_BITS,
) -> npt.NDArray[np.uint8]:
    """Return the report for each answer: both are positions in the table.

    Parameters
    ----------
    weights : sequence of sequences of int
        Shape (answers, reports), at most 256 reports; every row sums to the same total
        <= 2**word_bits.
    answers : array of int
        Rows of the table, shape (respondents,).
    draw, word_bits
        As in `many_below`; without `draw`, words as wide as the table needs.
    """
    total = sum(weights[0])
    if draw is None:
        word_bits = width_for(total)
        draw = partial(words, word_bits=word_bits)
    # Drawn before an answer is read, so that nothing about the draw depends on it.
    u = many_below(total, len(answers), draw, word_bits=word_bits)
    tops = np.array([list(accumulate(row)) for row in weights], dtype=np.uint64)
    # The first report whose running sum exceeds u: as many as do not, stand before it.
    # The last sum is the total, above every u.
    reports = np.zeros(len(answers), dtype=np.uint8)
    for top in tops[:, :-1].T:
        # A sum of all words is above every u as well, and no word itself.
        is_total = top > largest_of(u)
        is_beyond = u >= top.astype(u.dtype).take(answers)
        if is_total.any():
            is_beyond &= ~is_total[answers]
        reports += is_beyond
    return reports
