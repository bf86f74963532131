"""Store several ciphertexts in one row, since no two are equal.

A row for each cost a fifth of a visit's processor time: three trees of the database
changed at a random place.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

LARGEST_ROW = 2_400
"""Bytes. An index of PostgreSQL takes 2,704."""


def join(ciphertexts: Mapping[bytes, int]) -> Counter[bytes]:
    """Return {ciphertexts of a row, sorted: how many they are}; all have one length."""
    every = sorted(Counter(ciphertexts).elements())
    length = max(1, LARGEST_ROW // len(every[0])) if every else 1
    rows = Counter[bytes]()
    for start in range(0, len(every), length):
        some = every[start : start + length]
        rows[b"".join(some)] += len(some)
    return rows


def split(rows: Iterable[tuple[bytes, int]], *, size: int) -> Counter[bytes]:
    """Return {ciphertext: how often it came}, each of `size` bytes."""
    found = Counter[bytes]()
    for row, count in rows:
        starts = range(0, len(row), size)
        # More than once where a row of copies came again.
        for _ in range(count // len(starts)):
            found.update(row[start : start + size] for start in starts)
    return found
