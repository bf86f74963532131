"""Tables of whole numbers: checks, identification, and 2 x 2 tables."""

import math
from collections.abc import Sequence
from fractions import Fraction

from candor.mechanisms.parameters import MAX_TOTAL

Weights = tuple[tuple[int, ...], ...]

MAX_REPORTS = 255
"""A stored report is one byte, and 255 means "not asked"."""


class TableError(ValueError):
    """Raised for an invalid table: its shape, its rows, or their sums."""


class UninformativeTableError(TableError):
    """Raised for rows that do not identify the estimands."""


def check_table(
    weights: Weights,
    *,
    answers: int,
    reports: int,
    targets: Sequence[Sequence[int]] = (),
) -> None:
    """Raise `TableError` unless `weights` is the table of a mechanism.

    `targets` are the estimands that it must identify; by default all shares.
    """
    if answers < 2:
        raise TableError(f"a table needs 2 or more answers; got {answers}")
    if not 2 <= reports <= MAX_REPORTS:
        raise TableError(f"a table needs 2 to {MAX_REPORTS} reports; got {reports}")
    if len(weights) != answers or any(len(row) != reports for row in weights):
        raise TableError(f"weights must have the shape ({answers}, {reports})")
    if any(type(weight) is not int or weight < 0 for row in weights for weight in row):
        raise TableError("weights must be whole numbers, 0 or more")
    totals = {sum(row) for row in weights}
    if len(totals) != 1:
        raise TableError(f"rows must have one sum; got {sorted(totals)}")
    # A sum of 1 is a direct question, without randomness.
    if not 1 <= (total := totals.pop()) <= MAX_TOTAL:
        raise TableError(f"rows must sum to 1 to {MAX_TOTAL}; got {total}")
    if not identifies(weights, *(targets or identity(answers))):
        raise UninformativeTableError("the rows do not tell the answers apart")


def identity(size: int) -> Weights:
    """Return the table of a direct question."""
    return tuple(tuple(int(a == b) for b in range(size)) for a in range(size))


def identifies(weights: Weights, *targets: Sequence[int]) -> bool:
    """Return whether the reports identify linear functions of the shares.

    They do if the coefficients lie in the span of the columns: then scores of the
    reports exist whose mean, given an answer, is the coefficient of the answer.
    """
    reports = len(weights[0])
    coefficients = zip(*targets, strict=True)
    rows, leading = eliminate_rows(
        [[*row, *more] for row, more in zip(weights, coefficients, strict=True)],
        columns=reports,
    )
    return not any(any(row[reports:]) for row in rows[len(leading) :])


def eliminate_rows(
    rows: Sequence[Sequence[int]], *, columns: int
) -> tuple[list[list[int]], list[int]]:
    """Return the rows in reduced echelon form, and the leading column of each.

    A leading column is 0 except in its own row, and all leading numbers are equal. Rows
    after the leading ones are 0 in all `columns`. Numbers stay whole, because all
    divisions are exact: Bareiss 1968, Mathematics of Computation 22:565.
    """
    found, leading, last = [list(row) for row in rows], list[int](), 1
    for column in range(columns):
        place = len(leading)
        below = range(place, len(found))
        pivot = next((r for r in below if found[r][column]), None)
        if pivot is None:
            continue
        found[place], found[pivot] = found[pivot], found[place]
        top = found[place]
        for r, row in enumerate(found):
            if r != place:
                pairs = zip(row, top, strict=True)
                found[r] = [
                    (top[column] * cell - row[column] * other) // last
                    for cell, other in pairs
                ]
        last = top[column]
        leading.append(column)
    return found, leading


def find_truth_and_other(weights: Weights) -> tuple[int, int] | None:
    """Return the weight of true reports and the weight of other reports.

    None if the table is not square or does not treat all answers equally.
    """
    if len(weights) != len(weights[0]):
        return None
    elsewhere = {
        weight
        for answer, row in enumerate(weights)
        for report, weight in enumerate(row)
        if report != answer
    }
    if len(elsewhere) > 1:
        return None
    # All rows have the same sum, so the weights of the true reports are equal.
    return weights[0][0], elsewhere.pop()


def make_two_by_two(first_given_yes: Fraction, first_given_no: Fraction) -> Weights:
    """Return the table of whole numbers for two answers and two reports.

    The arguments are P(first report | yes) and P(first report | no), each in [0, 1].
    The table is exact if their common denominator is at most 2**32. Otherwise both are
    rounded to multiples of 2**-32 towards each other. This lowers every ratio in the
    table, so that the real epsilon does not exceed that of the given numbers.
    """
    a, b = first_given_yes, first_given_no
    total = math.lcm(a.denominator, b.denominator)
    if total <= MAX_TOTAL:
        first, second = int(a * total), int(b * total)
    else:
        total = MAX_TOTAL
        low = math.ceil(min(a, b) * total)
        # Probabilities between the same two multiples would swap, which would reverse
        # the meaning of the report. `check_table` rejects the equal rows instead.
        high = max(low, math.floor(max(a, b) * total))
        first, second = (high, low) if a > b else (low, high)
    return ((first, total - first), (second, total - second))
