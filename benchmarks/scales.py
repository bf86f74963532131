"""How often the interval of a scale's mean holds it, and how long it is.

    python -m benchmarks.scales [RUNS]

One bit: added up exactly over all counts. Each point: RUNS seeded surveys (100) of
every kind of group, and beside the interval its two halves alone. Some minutes.
"""

import sys

import numpy as np
from scipy.stats import binom

from estimation.maths.intervals.closed_form import two_sided_z
from estimation.maths.means import estimate_mean, profile_interval, variance_of_mean
from surveys.mechanisms import build

LAST = 10
"""0 to 10."""

EPSILONS = (0.5, 1, 2, 3, 4)
LEVEL = 0.95
RUNS = 100
SEED = 11
MEANS = 401

POINTS = np.arange(LAST + 1)
GROUPS = {
    "all alike": np.ones(LAST + 1),
    "in the middle": np.exp(-(((POINTS - LAST / 2) / 1.7) ** 2)),
    "falling": 0.6**POINTS,
    "few at the top": np.r_[0.9, np.zeros(LAST - 1), 0.1],
    "all at 0": np.eye(LAST + 1)[0],
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
            variance_of_mean(
                build(way, epsilon=epsilon, points=LAST + 1).weights, shares
            )
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
                    estimate_mean(mechanism, {"high": x, "low": n - x}).interval(LEVEL)
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


def print_grid(runs: int) -> None:
    """Print coverage and mean width of the interval, and of its halves alone."""
    source = np.random.default_rng(SEED)  # noqa: TID251 - made up on purpose, seeded
    z = two_sided_z(LEVEL)
    say(f"\ngrid, 95 %, {runs} surveys each: coverage, mean width on 0 to 10")
    say("                               interval     profile alone  score +- z se")
    for epsilon in (1, 2, 4):
        mechanism = build("grid", epsilon=epsilon, points=LAST + 1)
        table = np.array(mechanism.weights) / mechanism.total
        for n in (30, 300):
            for name, weights in GROUPS.items():
                shares = weights / weights.sum()
                true = float(shares @ POINTS)
                held, width = np.zeros(3), np.zeros(3)
                for _ in range(runs):
                    counts = source.multinomial(n, shares @ table)
                    tally = dict(zip(mechanism.reports, map(int, counts), strict=True))
                    found = estimate_mean(mechanism, tally)
                    reach = z * found.standard_error
                    score = np.clip([found.raw - reach, found.raw + reach], 0, LAST)
                    profile = profile_interval(
                        mechanism.weights, found.counts, confidence_level=LEVEL
                    )
                    for place, (low, high) in enumerate(
                        (found.interval(LEVEL), profile, score)
                    ):
                        held[place] += low - 1e-6 <= true <= high + 1e-6
                        width[place] += high - low
                cells = "   ".join(
                    f"{share:.3f} {mean:6.2f}"
                    for share, mean in zip(held / runs, width / runs, strict=True)
                )
                say(f"epsilon {epsilon}, n = {n:3}, {name:15}{cells}")


def main() -> None:
    """Print all three tables."""
    print_variances()
    print_one_bit()
    print_grid(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)


if __name__ == "__main__":
    main()
