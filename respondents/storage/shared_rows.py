"""Store several ciphertexts in one row, since no two are equal.

One row per ciphertext took a fifth of the CPU time of a visit: each row changes three
B-trees of the database at random places.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

MAX_ROW_BYTES = 2_400
"""Bytes. An index entry of PostgreSQL can have 2,704."""


def join(ciphertexts: Mapping[bytes, int]) -> Counter[bytes]:
    """Return {concatenated ciphertexts of a row, sorted: their number}.

    All ciphertexts have the same length.
    """
    every = sorted(Counter(ciphertexts).elements())
    length = max(1, MAX_ROW_BYTES // len(every[0])) if every else 1
    rows = Counter[bytes]()
    for start in range(0, len(every), length):
        row = every[start : start + length]
        rows[b"".join(row)] += len(row)
    return rows


def split(rows: Iterable[tuple[bytes, int]], *, size: int) -> Counter[bytes]:
    """Return {ciphertext: count}; each ciphertext has `size` bytes."""
    counts = Counter[bytes]()
    for row, count in rows:
        starts = range(0, len(row), size)
        # More than once if an identical row of copies was stored again.
        for _ in range(count // len(starts)):
            counts.update(row[start : start + size] for start in starts)
    return counts
