"""The source of randomness, and the sampler for a table of whole numbers.

`static/js/collecting/randomise.js` is the twin of this file. Both are tested with the
vectors in `tests/vectors/`: the same random words must give the same reports.
"""

import os
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from itertools import accumulate
from typing import Any

Draw = Callable[[], int]

WORD_BITS = 32


def word() -> int:
    """Return 32 random bits of the operating system, big-endian."""
    return int.from_bytes(os.urandom(WORD_BITS // 8), "big")


def uniform_below(n: int, draw: Draw = word, *, word_bits: int = WORD_BITS) -> int:
    """Draw a whole number that is exactly uniform on [0, n), n in [1, 2**word_bits].

    Words at or above the largest multiple of `n` are rejected, because `u % n` alone
    would favour small remainders. `draw` returns the next word of `word_bits` bits.
    Only tests and the audit pass them, to enumerate small words.

    >>> uniform_below(6, lambda: 13)
    1
    """
    if not isinstance(n, int):
        raise TypeError(f"n must be a whole number; got {n!r}")
    if not 1 <= n <= 2**word_bits:
        raise ValueError(f"n must be in [1, 2**{word_bits}]; got {n}")
    limit = 2**word_bits - 2**word_bits % n
    while (u := draw()) >= limit:
        pass
    return u % n


def randomise(
    weights: Sequence[Sequence[int]],
    answer: int,
    draw: Draw = word,
    *,
    word_bits: int = WORD_BITS,
) -> int:
    """Draw the report for one answer; both are positions in the table.

    Every row of the table sums to the same total of at most 2**word_bits. Two coins
    (Dwork & Roth 2014, section 3.2): of the words 0 to 3, the first three report the
    truth.

    >>> [randomise([[3, 1], [1, 3]], 0, lambda word=word: word) for word in range(4)]
    [0, 0, 0, 1]
    """
    # Draw before reading the answer, so that the draw cannot depend on it.
    u = uniform_below(sum(weights[0]), draw, word_bits=word_bits)
    if not 0 <= answer < len(weights):
        raise ValueError(f"answer must be in [0, {len(weights)}); got {answer}")
    running_sums = accumulate(weights[answer])
    return next(report for report, top in enumerate(running_sums) if top > u)


def shuffle(items: MutableSequence[Any], draw: Draw = word) -> None:
    """Shuffle up to 2**32 items in place; all orders are equally likely."""
    for _settled in shuffling(items, draw):
        pass


def shuffling(items: MutableSequence[Any], draw: Draw = word) -> Iterator[int]:
    """Shuffle `items`, and yield each position when it is final, from the last.

    A caller can use items from the end before all are shuffled. Durstenfeld 1964,
    Communications of the ACM 7:420, algorithm 235.
    """
    for last in range(len(items) - 1, -1, -1):
        if last:
            other = uniform_below(last + 1, draw)
            items[last], items[other] = items[other], items[last]
        yield last
