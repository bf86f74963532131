"""How often the interval of a scale's mean holds it, and how long it is.

    python -m benchmarks.scales [RUNS]

One bit: added up exactly over all counts. Each point: RUNS seeded surveys (20,000) of
every kind of group, all at once; of the first of them the interval itself is worked
out, has to agree, and gives the width. Beside it the usual halves alone, by chi-squared
and by z. Some minutes.
"""

import sys

import numpy as np
from scipy.special import chdtri, ndtri, stdtrit
from scipy.stats import binom

from candor.binary import FloatArray
from candor.estimands import MEAN, mean_of_points, score_values, score_variance
from candor.likelihood import components_with_value, fit_mixture
from candor.mechanisms import Mechanism, build
from candor.sample import Sample

LAST = 10
"""0 to 10."""

EPSILONS = (0.5, 1, 2, 3, 4)
LEVEL = 0.95
RUNS = 20_000
LOOKED_AT = 40
"""Surveys whose interval is worked out itself."""
BATCH = 500
SEED = 11
MEANS = 401

POINTS = np.arange(LAST + 1)
GROUPS = {
    "flat": np.ones(LAST + 1),
    "in the middle": np.exp(-(((POINTS - LAST / 2) / 1.7) ** 2)),
    "falling": 0.6**POINTS,
    "few at the top": np.r_[0.9, np.zeros(LAST - 1), 0.1],
    "all at 0": np.eye(LAST + 1)[0],
    "one of 100 high": np.r_[0.99, np.zeros(LAST - 1), 0.01],
    "half at each end": np.r_[0.5, np.zeros(LAST - 1), 0.5],
    "all at 3": np.eye(LAST + 1)[3],
}


def say(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def print_variances() -> None:
    """Print n times the variance of the mean, the scale taken from 0 to 1."""
    say("n Var of the mean, 0 to 10, all values equally common")
    say("epsilon   one_bit      grid")
    for epsilon in EPSILONS:
        shares = [1 / (LAST + 1)] * (LAST + 1)
        found = [
            score_variance(
                build(way, epsilon=epsilon, points=LAST + 1).weights,
                shares,
                mean_of_points(LAST + 1),
            )
            / LAST**2
            for way in ("one_bit", "grid")
        ]
        say(f"{epsilon:7}{found[0]:10.3f}{found[1]:10.3f}")


def print_one_bit() -> None:
    """Print the least coverage over the means, exactly, and the mean width."""
    say("\none_bit, Feldman-Cousins 95 %, exact: least coverage; mean width on 0 to 10")
    for epsilon in (1, 4):
        mechanism = build("one_bit", epsilon=epsilon, points=LAST + 1)
        lowest = float(mechanism.probability("high", given="0"))
        for n in (10, 30, 100, 300):
            ends = np.array(
                [
                    Sample.of(mechanism, {"high": x, "low": n - x}).interval(
                        MEAN, LEVEL
                    )
                    for x in range(n + 1)
                ]
            )
            inside = np.unique(ends.round(12))
            # Coverage is smallest next to the ends of intervals.
            means = np.r_[np.linspace(0, LAST, MEANS), inside - 1e-9, inside + 1e-9]
            means = means[(means >= 0) & (means <= LAST)]
            chances = lowest + (1 - 2 * lowest) * means / LAST
            law = binom.pmf(np.arange(n + 1)[:, None], n, chances)
            held = (ends[:, :1] <= means) & (means <= ends[:, 1:])
            covered = (law * held).sum(axis=0)
            grid = law[:, :MEANS].mean(axis=1) / law[:, :MEANS].mean(axis=1).sum()
            width = float(grid @ (ends[:, 1] - ends[:, 0]))
            say(f"epsilon {epsilon}, n = {n:3}: {covered.min():.4f}; {width:.2f}")


def deviances(
    mechanism: Mechanism, counts: FloatArray, mean: float, wanted: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return 2 [l(maximum) - l(maximum with the mean)], and the estimated mean.

    Both are 0 of what is not wanted.
    """
    table = np.array(mechanism.weights) / mechanism.total
    held = components_with_value(mean, mean_of_points(LAST + 1), table)
    found, middle = np.zeros((2, len(counts)))
    places = np.flatnonzero(wanted)
    for start in range(0, len(places), BATCH):
        some = places[start : start + BATCH]
        tops = [
            fit_mixture(np.broadcast_to(each, (len(some), *each.shape)), drawn)
            for each, drawn in ((table, counts[some]), (held, counts[some]))
        ]
        found[some] = 2 * (tops[0][1] - tops[1][1])
        middle[some] = tops[0][0] @ POINTS
    return found, middle


def print_grid(runs: int) -> None:
    """Print coverage and mean width of the interval, and coverage of halves alone."""
    source = np.random.default_rng(SEED)  # noqa: TID251 - made up on purpose, seeded
    z, chi_squared = float(ndtri((1 + LEVEL) / 2)), float(chdtri(1, 1 - LEVEL))
    error = np.sqrt(LEVEL * (1 - LEVEL) / runs)
    say(f"\ngrid, {LEVEL:.0%}, {runs} surveys each (standard error {error:.4f}):")
    say("coverage and mean width on 0 to 10; profile by chi-squared; score +- z se")
    for epsilon in (1, 2, 4):
        mechanism = build("grid", epsilon=epsilon, points=LAST + 1)
        table = np.array(mechanism.weights) / mechanism.total
        score = score_values(mechanism.weights, mean_of_points(LAST + 1))
        for n in (10, 30, 100, 300, 1000):
            t = float(stdtrit(n - 1, (1 + LEVEL) / 2))
            for name, weights in GROUPS.items():
                shares = weights / weights.sum()
                true = float(shares @ POINTS)
                counts = source.multinomial(n, shares @ table, size=runs).astype(float)
                raw = counts @ score / n
                spread = np.maximum(counts @ score**2 / n - raw**2, 0) / (n - 1)
                off = np.abs(raw - true) / np.sqrt(np.maximum(spread, 1e-300))
                # The likelihood is asked where the score alone does not hold it; all of
                # a batch, so that the profile alone is known as well.
                wanted = (off > z) | (np.arange(runs) < runs // 10)
                fallen, estimated = deviances(mechanism, counts, true, wanted)
                held = (off <= t) | (fallen <= t**2)
                # The interval reaches over what lies between the two.
                held |= (raw < true) != (estimated < true)
                alone = (fallen[: runs // 10] <= chi_squared).mean()
                width = looked_at(mechanism, counts[:LOOKED_AT], true, held)
                say(
                    f"epsilon {epsilon}, n = {n:4}, {name:17}{held.mean():.4f} "
                    f"{width:6.2f}   {alone:.3f}   {(off <= z).mean():.4f}"
                )


def looked_at(
    mechanism: Mechanism, counts: FloatArray, true: float, held: FloatArray
) -> float:
    """Return the mean width of the intervals themselves, which have to agree."""
    widths = []
    for drawn, is_held in zip(counts.astype(int).tolist(), held, strict=False):
        tally = dict(zip(mechanism.reports, drawn, strict=True))
        low, high = Sample.of(mechanism, tally).interval(MEAN, LEVEL)
        if bool(is_held) != (low - 1e-6 <= true <= high + 1e-6):
            raise SystemExit(f"{tally}: {low} to {high} is not what was counted")
        widths.append(high - low)
    return float(np.mean(widths))


def main() -> None:
    """Print all three tables."""
    print_variances()
    print_one_bit()
    print_grid(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)


if __name__ == "__main__":
    main()
