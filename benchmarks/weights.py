"""How often intervals of weighted shares hold the true one: exactly, and by seed.

    python -m benchmarks.weights

Two groups are added up over all their counts; raking and weights of a sample are drawn
with one seed. Beside each figure stands that of the two usual ways: Kish's number of
respondents in the same interval, and the normal interval cut off at 0 and 1.
"""

import math
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product

import numpy as np
from scipy.stats import binom

from candor.binary import FloatArray
from candor.dichotomies import make_channel
from candor.intervals import share_interval
from candor.mechanisms import Mechanism, build
from candor.weighting import Sums, keyed, weigh
from candor.weighting.sample import WeightedSample

MECHANISMS = {
    "direct": build("direct"),
    "epsilon 4": build("epsilon", epsilon="4"),
    "epsilon 2": build("epsilon", epsilon="2"),
    "coin": build("coin"),
}
GROUPS = (
    ((30, 60), (0.5, 0.5)),
    ((30, 90), (0.75, 0.25)),
    ((30, 170), (0.15, 0.85)),
    ((100, 100), (0.8, 0.2)),
)
"""How many of the sample each group is, and how much of the population."""

SHARES = (0, 0.005, 0.01, 0.02, 0.05, 0.08, 0.1, 0.2, 0.3, 0.5, 0.8, 1)

SEED, DRAWN, SAMPLE = 20250601, 1_000, 200
"""Seeded with numpy, so that everybody finds the same figures."""

Z = 1.959964
WAYS = ("here", "Kish", "normal")


@cache
def exact(count: int, n: int, mechanism: Mechanism) -> tuple[float, float]:
    return share_interval(count, make_channel(mechanism).design(n))


def ways(found: WeightedSample) -> Iterator[tuple[float, float]]:
    """Yield the interval here, that of Kish's number, and the normal one."""
    yield found.interval("yes")
    n = math.floor(found.effective_n + 1e-9)
    yes = found.weights[:, 0].sum() / found.total
    yield exact(round(yes * n), n, found.mechanism)
    share, error = found.raw("yes"), Z * found.standard_error("yes")
    yield min(max(share - error, 0), 1), max(min(share + error, 1), 0)


def strata(
    mechanism: Mechanism, sizes: tuple[int, int], shares: tuple[float, float]
) -> FloatArray:
    """Return the intervals of all counts: shape (ways, n + 1, m + 1, 2)."""
    known = {"a": shares[0], "b": shares[1]}
    found = []
    for counts in product(*(range(size + 1) for size in sizes)):
        tally = {}
        for group, yes, size in zip(known, counts, sizes, strict=True):
            tally |= {(group, "yes"): yes, (group, "no"): size - yes}
        found.append(list(ways(weigh(mechanism, tally, [known]))))
    first, second = sizes
    return np.moveaxis(np.reshape(found, (first + 1, second + 1, 3, 2)), 2, 0)


def of_two_groups(
    mechanism: Mechanism, sizes: tuple[int, int], shares: tuple[float, float]
) -> list[FloatArray]:
    """Return coverage and mean width of each way, shape (populations, 2)."""
    intervals, law = strata(mechanism, sizes, shares), make_channel(mechanism)
    found: list[list[tuple[float, float]]] = [[] for _way in WAYS]
    for of_each in product(SHARES, SHARES):
        true = sum(w * pi for w, pi in zip(shares, of_each, strict=True))
        chances = np.outer(
            *(
                binom.pmf(range(size + 1), size, law.report_chance(pi))
                for size, pi in zip(sizes, of_each, strict=True)
            )
        )
        for results, (low, high) in zip(
            found, np.moveaxis(intervals, 3, 1), strict=True
        ):
            holds = (low <= true + 1e-12) & (high >= true - 1e-12)
            width = float((chances * (high - low)).sum())
            results.append((float(chances[holds].sum()), width))
    return [np.array(each) for each in found]


def drawn(samples: Iterable[WeightedSample], true: float) -> list[tuple[float, float]]:
    """Return how many intervals of each way hold the true share, and their width."""
    ends = np.array([list(ways(each)) for each in samples])
    low, high = ends[..., 0], ends[..., 1]
    holds = (low <= true + 1e-12) & (high >= true - 1e-12)
    return list(zip(holds.mean(axis=0), (high - low).mean(axis=0), strict=True))


def raked_samples(
    mechanism: Mechanism, shares: FloatArray, seed: int
) -> Iterator[WeightedSample]:
    """Yield samples of SAMPLE people in six cells, raked to both margins.

    The first row of cells takes part a third as often as the second.
    """
    numbers = np.random.default_rng(seed)  # noqa: TID251
    population = np.array([[0.2, 0.2, 0.1], [0.1, 0.15, 0.25]])
    margins = [
        dict(enumerate(population.sum(axis=1))),
        dict(enumerate(population.sum(axis=0))),
    ]
    taking = population * np.array([[1.0], [3.0]])
    taking /= taking.sum()
    law = make_channel(mechanism)
    chance = np.vectorize(law.report_chance)(shares)
    made = 0
    while made < DRAWN:
        members = numbers.multinomial(SAMPLE, taking.ravel()).reshape(2, 3)
        if min(members.sum(axis=0).min(), members.sum(axis=1).min()) < 1:
            continue
        made += 1
        yes = numbers.binomial(members, chance)
        tally = {}
        for i, j in np.ndindex(2, 3):
            tally |= {(i, j, "yes"): int(yes[i, j])}
            tally |= {(i, j, "no"): int(members[i, j] - yes[i, j])}
        yield weigh(mechanism, tally, margins)


def weighted_samples(
    mechanism: Mechanism, share: float, slope: float, seed: int
) -> Iterator[WeightedSample]:
    """Yield samples of SAMPLE people whose chance of being drawn was 1 / weight.

    The share among those with weight w is share + slope (rank of w - mean rank).
    """
    numbers = np.random.default_rng(seed)  # noqa: TID251
    values, law = np.array([0.5, 1.0, 2.0, 5.0]), make_channel(mechanism)
    of_each = of_weights(share, slope)
    chances = 1 / values / (1 / values).sum()
    for _ in range(DRAWN):
        members = numbers.multinomial(SAMPLE, chances)
        yes = numbers.binomial(members, [law.report_chance(each) for each in of_each])
        sums = {
            "yes": Sums.of(np.repeat(values, yes).tolist()),
            "no": Sums.of(np.repeat(values, members - yes).tolist()),
        }
        yield weigh(mechanism, keyed(sums), [])


def of_weights(share: float, slope: float) -> FloatArray:
    return share + slope * (np.arange(4) - 1.5)


def row(name: str, results: Iterable[tuple[float, float]]) -> None:
    figures = "".join(f"{coverage:>8.3f} {width:.3f}" for coverage, width in results)
    sys.stdout.write(f"{name:<52}{figures}\n")


def main() -> None:
    heads = "".join(f"{way:>14}" for way in WAYS)
    text = "two groups, all counts: smallest coverage, mean width"
    sys.stdout.write(f"{text:<52}{heads}\n")
    for (sizes, shares), (name, mechanism) in product(GROUPS, MECHANISMS.items()):
        found = of_two_groups(mechanism, sizes, shares)
        figures = [(each[:, 0].min(), each[:, 1].mean()) for each in found]
        row(f"{name}, n = {sizes}, population {shares}", figures)
    sys.stdout.write(f"\nseed {SEED}, {DRAWN} samples of {SAMPLE}\n")
    cells = {
        "rare everywhere": np.full((2, 3), 0.03),
        "rare, in one cell": np.array([[0.2, 0, 0], [0, 0, 0.0]]),
        "by margins": np.array([[0.1, 0.3, 0.5], [0.3, 0.5, 0.7]]),
        "across margins": np.array([[0.7, 0.1, 0.1], [0.1, 0.1, 0.7]]),
    }
    population = np.array([[0.2, 0.2, 0.1], [0.1, 0.15, 0.25]])
    for (text, shares), (name, mechanism) in product(cells.items(), MECHANISMS.items()):
        true = float((population * shares).sum())
        samples = raked_samples(mechanism, shares, SEED)
        row(f"raking, {name}, {text} ({true:.3f})", drawn(samples, true))
    for (share, slope), (name, mechanism) in product(
        ((0.05, 0.0), (0.06, 0.04), (0.3, 0.0), (0.4, 0.2)), MECHANISMS.items()
    ):
        true = float(of_weights(share, slope).mean())
        samples = weighted_samples(mechanism, share, slope, SEED)
        row(f"weights, {name}, {share:g}, slope {slope:g}", drawn(samples, true))


if __name__ == "__main__":
    main()
