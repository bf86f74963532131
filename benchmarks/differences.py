"""How often intervals of differences hold the true one, beside other formulas.

    python -m benchmarks.differences

Nothing is drawn: for each pair of true shares the chances of all pairs of counts are
added up whose interval holds the difference. Counts that come less often than once in
a hundred million are left out.
"""

import sys
from collections.abc import Iterator
from itertools import product
from time import perf_counter
from typing import NamedTuple

import numpy as np
from scipy.special import chdtri, gammaln, ndtri, xlog1py, xlogy

from candor.binary import FloatArray
from candor.dichotomies import make_channel
from candor.joint import JointSample
from candor.latent_groups import LatentPair, Profile, combinations
from candor.mechanisms import Mechanism, build
from candor.profile_likelihood import TwoSampleLikelihood

LEVEL = 0.95
REACH = float(chdtri(1, 1 - LEVEL))
SHARES = np.array([0, 0.01, 0.03, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 1])
LEFT_OUT = 1e-8

TABLES = {
    "coin": build("coin"),
    "epsilon 2": build("epsilon", epsilon=2),
    "direct": build("direct"),
}
SIZES = ((30, 30), (30, 100), (100, 100), (30, 1000), (300, 300), (1000, 1000))

HIDDEN = {
    "coin x coin": (("coin", "coin"), (24, 60)),
    "direct x coin": (("direct", "coin"), (24, 60)),
    "coin x direct": (("coin", "direct"), (24, 60)),
}
"""The question asked, the one that makes the groups, and how many are asked; those of
60 take some minutes each."""
WITHIN, GROUPS = (0, 0.1, 0.3, 0.5, 0.8, 1), (0.3, 0.5, 0.7)


class Coverage(NamedTuple):
    """Over all pairs of true shares."""

    smallest: float
    mean: float
    width: float
    """Mean length of the intervals, over all pairs of shares."""


def all_intervals(
    mechanism: Mechanism, first: int, second: int
) -> tuple[FloatArray, FloatArray]:
    """Return both ends for each pair of counts of two groups of these sizes."""
    law = make_channel(mechanism)
    yes = np.indices((first + 1, second + 1), dtype=float).reshape(2, -1)
    found = TwoSampleLikelihood(
        yes=yes,
        no=np.array([[first], [second]]) - yes,
        least=np.full((2, 1), law.p_yes_given_no),
        most=np.full((2, 1), law.p_yes_given_yes),
        reach=REACH,
    ).differences()
    low, high = (each.reshape(first + 1, second + 1) for each in found)
    return low, high


def newcombe(mechanism: Mechanism, first: int, second: int) -> tuple[FloatArray, ...]:
    """Return the interval of Newcombe 1998, method 10, cut off at -1 and 1."""
    z, span, ends = float(ndtri((1 + LEVEL) / 2)), make_channel(mechanism).span, []
    for size in (first, second):
        x = np.arange(size + 1)
        root = z * np.sqrt(x * (size - x) / size + z**2 / 4)
        middle, total = x + z**2 / 2, size + z**2
        ends.append((x / size, (middle - root) / total, (middle + root) / total))
    (p, p_low, p_high), (q, q_low, q_high) = ends
    apart = np.subtract.outer(p, q)
    low = apart - np.hypot.outer(p - p_low, q_high - q)
    high = apart + np.hypot.outer(p_high - p, q - q_low)
    return tuple(np.clip(each / span, -1, 1) for each in (low, high))


def chances(mechanism: Mechanism, size: int) -> FloatArray:
    """Return the chance of each count at each of `SHARES`."""
    law, x = make_channel(mechanism), np.arange(size + 1)
    lam = (law.p_yes_given_no + law.span * SHARES)[:, None]
    logs = gammaln(size + 1) - gammaln(x + 1) - gammaln(size - x + 1)
    return np.exp(logs + xlogy(x, lam) + xlog1py(size - x, -lam))


def coverage(
    mechanism: Mechanism,
    first: int,
    second: int,
    intervals: tuple[FloatArray, ...] | None = None,
) -> Coverage:
    """Add up how often intervals hold the true difference, and how wide they are."""
    low, high = intervals or all_intervals(mechanism, first, second)
    laws = chances(mechanism, first), chances(mechanism, second)
    held, widths = [], []
    for (i, share), (j, other) in product(enumerate(SHARES), repeat=2):
        rows, columns = (
            np.flatnonzero(law[place] > LEFT_OUT)
            for law, place in zip(laws, (i, j), strict=True)
        )
        chance = np.outer(laws[0][i, rows], laws[1][j, columns])
        ends = low[np.ix_(rows, columns)], high[np.ix_(rows, columns)]
        distance = share - other
        inside = (ends[0] <= distance + 1e-9) & (distance - 1e-9 <= ends[1])
        held.append(chance[inside].sum())
        widths.append((chance * (ends[1] - ends[0])).sum())
    return Coverage(min(held), float(np.mean(held)), float(np.mean(widths)))


def hidden_coverage(first: str, second: str, size: int) -> Coverage:
    """Add up the same for groups that nobody knows the members of."""
    mechanisms = build(first), build(second)
    sample = JointSample.of(*mechanisms, {("yes", "yes"): 1})
    table, _counts = combinations(sample, LatentPair(0, 0, 1))
    outcomes = np.array(list(every_outcome(size)), dtype=float)
    tables = np.broadcast_to(table, (len(outcomes), *table.shape))
    low, high = Profile(tables, outcomes).interval(LEVEL)
    held, widths = [], []
    for share, other, group in product(WITHIN, WITHIN, GROUPS):
        population = np.array([
            group * share, group * (1 - share),
            (1 - group) * other, (1 - group) * (1 - other),
        ])  # fmt: skip
        logs = gammaln(size + 1) - gammaln(outcomes + 1).sum(axis=1)
        chance = np.exp(logs + xlogy(outcomes, population @ table).sum(axis=1))
        distance = share - other
        inside = (low <= distance + 1e-7) & (distance - 1e-7 <= high)
        held.append(chance[inside].sum())
        widths.append(chance @ (high - low))
    return Coverage(min(held), float(np.mean(held)), float(np.mean(widths)))


def every_outcome(size: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield all counts of four combinations with this sum."""
    for a in range(size + 1):
        for b in range(size + 1 - a):
            for c in range(size + 1 - a - b):
                yield a, b, c, size - a - b - c


def row(what: str, found: Coverage, seconds: float) -> None:
    sys.stdout.write(
        f"{what:<44}{found.smallest:>9.3f}{found.mean:>8.3f}{found.width:>8.3f}"
        f"{seconds:>9.1f}\n"
    )


def main() -> None:
    """Print one row for each table and pair of sizes."""
    sys.stdout.write(f"{'':<44}{'smallest':>9}{'mean':>8}{'width':>8}{'seconds':>9}\n")
    for (name, mechanism), sizes in product(TABLES.items(), SIZES):
        start = perf_counter()
        found = coverage(mechanism, *sizes)
        what = f"{name}, {sizes[0]} and {sizes[1]}"
        row(f"{what}, profile", found, perf_counter() - start)
        start = perf_counter()
        found = coverage(mechanism, *sizes, newcombe(mechanism, *sizes))
        row(f"{what}, Newcombe", found, perf_counter() - start)
    for name, (families, totals) in HIDDEN.items():
        for total in totals:
            start = perf_counter()
            found = hidden_coverage(*families, total)
            row(f"{name}, {total} in all", found, perf_counter() - start)


if __name__ == "__main__":
    main()
