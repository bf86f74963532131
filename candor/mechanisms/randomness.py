"""The one source of randomness, and the sampler over a table of whole numbers.

`static/js/answering/randomise.js` is the twin of this file: both read the vectors in
`tests/vectors/` and must give the same reports from the same words.
"""

import secrets
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from itertools import accumulate
from typing import Any

Draw = Callable[[], int]

WORD_BITS = 32


def word() -> int:
    """Return 32 bits of the operating system's randomness, big-endian."""
    return int.from_bytes(secrets.token_bytes(WORD_BITS // 8), "big")


def uniform_below(n: int, draw: Draw = word, *, word_bits: int = WORD_BITS) -> int:
    """Return a whole number that is exactly uniform on [0, n).

    Words at or above the largest multiple of `n` are drawn again: `u % n` alone would
    favour the small remainders.

    Parameters
    ----------
    n : int
        In [1, 2**word_bits].
    draw : callable
        Gives the next word; only tests pass one.
    word_bits : int
        Bits in a word; tests take small words and enumerate every one.

    Raises
    ------
    ValueError
        For an `n` out of range, for which no word would ever do.
    """
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
    """Return the report for one answer: both are positions in the table.

    Parameters
    ----------
    weights : sequence of sequences of int
        Shape (answers, reports); every row sums to the same total <= 2**word_bits.
    answer : int
        Row of the table.
    draw, word_bits
        As in `uniform_below`.
    """
    # Drawn before the answer is read, so that nothing about the draw depends on it.
    u = uniform_below(sum(weights[0]), draw, word_bits=word_bits)
    running_sums = accumulate(weights[answer])
    return next(report for report, top in enumerate(running_sums) if top > u)


def shuffle(items: MutableSequence[Any], draw: Draw = word) -> None:
    """Put `items` into an order drawn from all orders alike.

    Parameters
    ----------
    items : mutable sequence
        At most 2**32 of them.
    draw : callable
        As in `uniform_below`.
    """
    for _settled in shuffling(items, draw):
        pass


def shuffling(items: MutableSequence[Any], draw: Draw = word) -> Iterator[int]:
    """Shuffle `items` and yield each place, the last one first, when it is settled.

    Whoever takes them from the end need not wait until all have their places.
    Parameters are those of `shuffle`.

    References
    ----------
    Durstenfeld 1964, Communications of the ACM 7:420, algorithm 235.
    """
    for last in range(len(items) - 1, -1, -1):
        if last:
            other = uniform_below(last + 1, draw)
            items[last], items[other] = items[other], items[last]
        yield last
