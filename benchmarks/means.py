"""How often intervals of differences between means of a scale hold the true one.

    python -m benchmarks.means [RUNS]

Of scales sent as their points, or one group as points and one as a bit: RUNS seeded
surveys (20,000) of every pair of groups, all at once; of the first of them the interval
itself is worked out, and has to agree. Beside it Welch's interval as textbooks have it.
Two groups sent as a bit are two shares: benchmarks.differences. Then weighted means,
WEIGHTED surveys each, beside the usual normal interval; those
of one bit are weighted shares: benchmarks.weights. Some minutes.
"""

import sys
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from candor.binary import FloatArray
from candor.differences import AT_EACH_END, Difference
from candor.estimands import MEAN, mean_of_points, score_values
from candor.mechanisms import Mechanism, build
from candor.sample import Sample
from candor.weighting import Sums, keyed, weigh
from candor.weighting.sample import WeightedSample

LEVEL, RUNS, SEED = 0.95, 20_000, 12
Z = 1.959964
LOOKED_AT = 5
"""Surveys of each pair whose interval is worked out itself."""

WEIGHTED = 10_000
STRATA = (((30, 90), (0.75, 0.25)), ((30, 170), (0.15, 0.85)), ((100, 100), (0.8, 0.2)))
"""How many of the sample each of two groups is, and how much of the population."""

OWN_WEIGHTS = (0.5, 1.0, 2.0, 5.0)
"""Of a sample of 200 whose chance of being drawn was 1 / weight."""

SIZES = ((10, 10), (30, 30), (30, 300), (100, 100), (100, 1000), (1000, 1000))


def kinds_of(last: int) -> dict[str, FloatArray]:
    """Return how common each point is, in the groups that are tried."""
    points, ends = np.arange(last + 1), np.eye(last + 1)
    found = {
        "flat": np.ones(last + 1),
        "in the middle": np.exp(-(((points - last / 2) / (0.17 * last)) ** 2)),
        "falling": 0.6**points,
        "few at the top": 0.9 * ends[0] + 0.1 * ends[-1],
        "all at 0": ends[0],
        "all at the top": ends[-1],
        "one of 100 high": 0.99 * ends[0] + 0.01 * ends[-1],
        "half at each end": ends[0] + ends[-1],
        "all at 1": ends[1],
    }
    return {name: each / each.sum() for name, each in found.items()}


class Sent(NamedTuple):
    """Of many surveys of one group: reports, mean scores, and their variances."""

    counts: FloatArray
    raw: FloatArray
    plain: FloatArray
    padded: FloatArray


def score_of(mechanism: Mechanism) -> FloatArray:
    """Return the score of each report for the mean."""
    return score_values(mechanism.weights, mean_of_points(len(mechanism.answers)))


def sent(
    seed: int,
    mechanism: Mechanism,
    n: int,
    shares: FloatArray,
    runs: int,
) -> Sent:
    """Draw surveys of n people."""
    source = np.random.default_rng(seed)  # noqa: TID251 - made up on purpose, seeded
    table = np.array(mechanism.weights) / mechanism.total
    score = score_of(mechanism)
    counts = source.multinomial(n, shares @ table, size=runs).astype(float)
    ends = np.array([score.min(), score.max()])
    raw, squares = counts @ score / n, counts @ score**2
    plain = np.maximum(squares / n - raw**2, 0) / (n - 1)
    middle = (n * raw + AT_EACH_END * ends.sum()) / (n + 2 * AT_EACH_END)
    padded = squares + AT_EACH_END * (ends**2).sum() - (n + 2 * AT_EACH_END) * middle**2
    return Sent(counts, raw, plain, padded / n**2)


def reach(
    sizes: tuple[int, int], variances: tuple[FloatArray, FloatArray]
) -> FloatArray:
    """Return half of Welch's interval."""
    total = sum(variances)
    apart = sum(v**2 / (n - 1) for v, n in zip(variances, sizes, strict=True))
    freedom = total**2 / np.maximum(apart, 1e-300)
    t = stdtrit(np.maximum(freedom, 1), (1 + LEVEL) / 2)
    return np.asarray(t * np.sqrt(total), dtype=np.float64)


class Coverage(NamedTuple):
    """Of one pair of groups: how often intervals hold, and how wide they are."""

    held: float
    width: float
    textbook: float
    pair: str


def coverages(
    mechanisms: tuple[Mechanism, Mechanism], sizes: tuple[int, int], runs: int
) -> Iterator[Coverage]:
    """Yield what was found of every pair of groups."""
    last = len(mechanisms[0].answers) - 1
    kinds, points = kinds_of(last), np.arange(last + 1)
    groups = [
        {
            name: sent(SEED + place + 2 * number, each, n, of, runs)
            for number, (name, of) in enumerate(kinds.items())
        }
        for place, (each, n) in enumerate(zip(mechanisms, sizes, strict=True))
    ]
    for first, second in product(kinds, kinds):
        true = float((kinds[first] - kinds[second]) @ points)
        here, there = groups[0][first], groups[1][second]
        apart = np.clip(here.raw, 0, last) - np.clip(there.raw, 0, last)
        half = reach(sizes, (here.padded, there.padded))
        low, high = np.maximum(apart - half, -last), np.minimum(apart + half, last)
        held = (low <= true + 1e-9) & (true - 1e-9 <= high)
        look_at(mechanisms, (here, there), np.array([low, high]))
        plain = reach(sizes, (here.plain, there.plain))
        textbook = np.abs(here.raw - there.raw - true) <= plain
        yield Coverage(
            float(held.mean()),
            float((high - low).mean()),
            float(textbook.mean()),
            f"{first} / {second}",
        )


def look_at(
    mechanisms: tuple[Mechanism, Mechanism], groups: tuple[Sent, Sent], ends: FloatArray
) -> None:
    """End with an error where an interval is shorter than the one that was counted."""
    for place in range(LOOKED_AT):
        mean = mean_of_points(len(mechanisms[0].answers))
        low, high = Difference(
            *(
                Sample.of(
                    each,
                    dict(
                        zip(
                            each.reports,
                            group.counts[place].astype(int).tolist(),
                            strict=True,
                        )
                    ),
                )
                for each, group in zip(mechanisms, groups, strict=True)
            ),
            mean,
        ).interval
        # It reaches to the likeliest difference where that lies beside it.
        if low > ends[0, place] + 1e-6 or high < ends[1, place] - 1e-6:
            raise SystemExit(f"{low} to {high} is not {ends[:, place]}")


def of_strata(
    mechanism: Mechanism,
    sizes: tuple[int, int],
    known: tuple[float, float],
    kinds: tuple[FloatArray, FloatArray],
) -> Coverage:
    """Return what was found of surveys of two groups, made true to the population."""
    groups = [
        sent(SEED + place, mechanism, n, shares, WEIGHTED)
        for place, (n, shares) in enumerate(zip(sizes, kinds, strict=True))
    ]
    raw = sum(w * each.raw for w, each in zip(known, groups, strict=True))
    plain, padded = (
        sum(w**2 * each for w, each in zip(known, variances, strict=True))
        for variances in zip(
            *((each.plain, each.padded) for each in groups), strict=True
        )
    )
    parts = np.array(known) ** 2 / np.array(sizes)
    true = sum(w * mean_of(shares) for w, shares in zip(known, kinds, strict=True))
    ends = weighted_ends(mechanism, raw, padded, 1 / parts.sum())
    for place in range(LOOKED_AT):
        tally = {
            (group, report): int(count)
            for group, each in enumerate(groups)
            for report, count in zip(mechanism.reports, each.counts[place], strict=True)
        }
        sample = weigh(mechanism, tally, [dict(enumerate(known))])
        look_at_weighted(sample, ends[:, place])
    return covered(ends, raw, plain, true)


def with_own_weights(
    mechanism: Mechanism, kinds: tuple[FloatArray, FloatArray]
) -> Coverage:
    """Return it of surveys of 200; whoever weighs more is more of the second kind."""
    source = np.random.default_rng(SEED)  # noqa: TID251 - made up on purpose, seeded
    table = np.array(mechanism.weights) / mechanism.total
    score, values = score_of(mechanism), np.array(OWN_WEIGHTS)
    parts = np.linspace(0, 1, len(values))
    of_each = [(1 - part) * kinds[0] + part * kinds[1] for part in parts]
    members = source.multinomial(200, 1 / values / (1 / values).sum(), size=WEIGHTED)
    drawn = np.array(
        [
            source.multinomial(n, shares @ table)
            for n, shares in zip(members.T, of_each, strict=True)
        ]
    )
    weights, squares = (np.tensordot(values**power, drawn, 1) for power in (1, 2))
    total, ends = weights.sum(axis=1), np.isin(score, (score.min(), score.max()))
    raw = weights @ score / total
    largest = AT_EACH_END * np.array(
        [[values[counts.any(axis=1)].max()] for counts in np.moveaxis(drawn, 1, 0)]
    )
    more, more_squares = weights + ends * largest, squares + ends * largest**2
    middle = more @ score / more.sum(axis=1)
    padded = (more_squares * (score - middle[:, None]) ** 2).sum(axis=1) / total**2
    plain = (squares * (score - raw[:, None]) ** 2).sum(axis=1) / total**2 * 200 / 199
    found = weighted_ends(mechanism, raw, padded, total**2 / squares.sum(axis=1))
    for place in range(LOOKED_AT):
        sample = weigh(
            mechanism,
            keyed(
                {
                    report: Sums.of(np.repeat(values, counts).tolist())
                    for report, counts in zip(
                        mechanism.reports, drawn[:, place].T, strict=True
                    )
                }
            ),
            [],
        )
        look_at_weighted(sample, found[:, place])
    return covered(found, raw, plain, (mean_of(kinds[0]) + mean_of(kinds[1])) / 2)


def mean_of(shares: FloatArray) -> float:
    """Return the mean of the points."""
    return float(shares @ np.arange(len(shares)))


def weighted_ends(
    mechanism: Mechanism, raw: FloatArray, padded: FloatArray, effective: Any
) -> FloatArray:
    """Return both ends of the intervals, shape (2, surveys)."""
    last = len(mechanism.answers) - 1
    half = stdtrit(effective - 1, (1 + LEVEL) / 2) * np.sqrt(padded)
    middle = np.clip(raw, 0, last)
    return np.array([np.maximum(middle - half, 0), np.minimum(middle + half, last)])


def look_at_weighted(sample: WeightedSample, ends: FloatArray) -> None:
    """End with an error where an interval is shorter than the one that was counted."""
    low, high = sample.interval(MEAN, LEVEL)
    if low > ends[0] + 1e-6 or high < ends[1] - 1e-6:
        raise SystemExit(f"{low} to {high} is not {ends}")


def covered(
    ends: FloatArray, raw: FloatArray, plain: FloatArray, true: float
) -> Coverage:
    """Return how often intervals hold the true mean, and z standard errors do."""
    low, high = ends
    return Coverage(
        float(((low <= true + 1e-9) & (true - 1e-9 <= high)).mean()),
        float((high - low).mean()),
        float((np.abs(raw - true) <= Z * np.sqrt(plain)).mean()),
        "",
    )


def print_weighted(points: int = 11) -> None:
    """Print the least and the mean coverage over pairs of kinds of groups."""
    kinds = kinds_of(points - 1)
    names = ("flat", "falling", "few at the top", "all at 0", "half at each end")
    sys.stdout.write(
        f"\nweighted means, {WEIGHTED} surveys of each of 25 pairs; "
        "beside them z standard errors\n"
        f"{'':<43}{'least':>8}{'mean':>8}{'width':>8}{'usual':>8}  least with\n"
    )
    for epsilon in (1, 2, 4, 8):
        mechanism = build("grid", epsilon=epsilon, points=points)
        for sizes, known in (*STRATA, (None, None)):
            found = []
            for first, second in product(names, names):
                both = kinds[first], kinds[second]
                each = (
                    of_strata(mechanism, sizes, known, both)
                    if sizes and known
                    else with_own_weights(mechanism, both)
                )
                found.append(each._replace(pair=f"{first} / {second}"))
            what = f"n = {sizes}, population {known}" if sizes else "own weights, 200"
            print_row(f"grid {epsilon}, {what}", found)


def print_row(what: str, found: list[Coverage]) -> None:
    """Print what was found of all pairs."""
    worst = min(found)
    sys.stdout.write(
        f"{what:<43}{worst.held:>8.4f}{np.mean([each.held for each in found]):>8.4f}"
        f"{np.mean([each.width for each in found]):>8.2f}"
        f"{min(each.textbook for each in found):>8.4f}  {worst.pair}\n"
    )
    sys.stdout.flush()


def main() -> None:
    """Print the least and the mean coverage of every pair of tables and sizes."""
    print_differences()
    print_weighted()


def print_differences() -> None:
    """Print those of differences."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    error = np.sqrt(LEVEL * (1 - LEVEL) / runs)
    sys.stdout.write(
        f"{LEVEL:.0%} intervals, {runs} surveys of each of 81 pairs of groups "
        f"(standard error {error:.4f}); beside them Welch's\n"
        f"{'':<43}{'least':>8}{'mean':>8}{'width':>8}{'Welch':>8}  least with\n"
    )
    for points in (11, 5, 3):
        grids = [build("grid", epsilon=e, points=points) for e in (1, 2, 4, 8)]
        pairs = [(grid, grid) for grid in grids]
        pairs.append((grids[2], build("one_bit", epsilon=1, points=points)))
        for pair, sizes in product(pairs, SIZES):
            found = list(coverages(pair, sizes, runs))
            names = dict.fromkeys(
                f"{each.family} {each.parameters['epsilon']}" for each in pair
            )
            what = f"{points} points, {', '.join(names)}, {sizes[0]} and {sizes[1]}"
            print_row(what, found)


if __name__ == "__main__":
    main()
