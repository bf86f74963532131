"""How often the interval of a mean among those who answered covers it.

    python -m benchmarks.skipped_scales [RUNS]

RUNS seeded surveys (3,000) of every kind of group, all at once; of the first of them
the interval itself is computed, has to agree, and gives the width. Some minutes.
"""

import sys
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from benchmarks.scales import BATCH, GROUPS, LAST, LEVEL, POINTS, SEED, say
from candor.binary import FloatArray, IntArray
from candor.estimands import Estimand
from candor.intervals import Interval
from candor.likelihood import AT_EDGE, components_with_value, fit_mixture
from candor.mechanisms import Mechanism, build
from candor.mechanisms.scale import reduce_to_ends
from candor.sample import Sample
from candor.skipped_scales import FEW_AT_END, HALF_A_REPORT, MeanAmongAnswered

BoolArray = npt.NDArray[np.bool_]

FAMILIES = ("one_bit_skip", "grid_skip")
EPSILONS = (0.5, 1, 4, 8)
RESPONDENTS = (30, 200)
SKIPPED = (0, 0.2, 0.8)
RUNS = 3000
LOOKED_AT = 20
"""Surveys whose interval is computed itself."""


def fit_all(components: FloatArray, counts: FloatArray) -> tuple[FloatArray, ...]:
    """Return shares and log likelihood of all surveys, batch by batch."""
    found = []
    for start in range(0, len(counts), BATCH):
        some = counts[start : start + BATCH]
        found.append(
            fit_mixture(
                np.broadcast_to(components, (len(some), *components.shape)), some
            )
        )
    return tuple(map(np.concatenate, zip(*found, strict=True)))


def find_covered(mechanism: Mechanism, counts: IntArray, true: float) -> BoolArray:
    """Return whether the interval of each survey covers the true mean."""
    reduced = reduce_to_ends(mechanism)
    wanted = MeanAmongAnswered(reduced)
    drawn, n = counts.astype(float), float(counts[0].sum())
    is_grid = len(wanted.points) > 2
    means = drawn @ wanted.find_scores().T / n
    freedom = np.full(len(drawn), n - 1)
    middle = drawn @ wanted.residual_score(true) / n
    covered = np.zeros(len(drawn), dtype=bool)
    if is_grid:
        freedom = np.clip(n * means[:, 1] - 1, 1, n - 1)
    t = stdtrit(freedom, (1 + LEVEL) / 2)
    if is_grid:
        variances = [
            np.maximum(drawn @ score**2 / n - mean**2, 0) / (n - 1)
            for score, mean in (
                (wanted.residual_score(true), middle),
                (wanted.find_scores()[1], means[:, 1]),
            )
        ]
        covered = middle**2 <= t**2 * variances[0]
        # Perhaps no one answered: the interval is the whole scale.
        covered |= (means[:, 1] <= 0) | (means[:, 1] ** 2 <= t**2 * variances[1])
    table = np.array(reduced.weights) / reduced.total
    held = np.vstack(
        [table[-1:], components_with_value(true, Estimand(wanted.points), table[:-1])]
    )
    places = np.flatnonzero(~covered)
    shares, top = fit_all(table, drawn[places])
    _, limited = fit_all(held, drawn[places])
    answered = shares[:, :-1].sum(axis=1)
    covered[places] = (2 * (top - limited) <= t[places] ** 2) | (answered < AT_EDGE)
    if is_grid:
        # The interval reaches over what lies between its two parts.
        totals = shares[:, :-1] @ np.array(wanted.points)
        is_below = totals < true * answered
        covered[places] |= (middle[places] < 0) != is_below
        for end in (0, LAST):
            more = drawn[places] + HALF_A_REPORT * (np.arange(LAST + 2) == end)
            shares, top = fit_all(table, more)
            _, limited = fit_all(held, more)
            answered = shares[:, :-1].sum(axis=1)
            totals = shares[:, :-1] @ np.array(wanted.points)
            is_few = drawn[places, end] < FEW_AT_END
            # An end is moved outwards only.
            is_held = 2 * (top - limited) <= t[places] ** 2
            is_held |= (totals < true * answered) != is_below
            covered[places] |= is_few & is_held & (is_below == (end > 0))
        return covered
    for place in np.flatnonzero(~covered):
        low, high = find_interval(mechanism, tuple(counts[place].tolist()))
        covered[place] = low <= true <= high
    return covered


@cache
def find_interval(mechanism: Mechanism, counts: tuple[int, ...]) -> Interval:
    tally = dict(zip(mechanism.reports, counts, strict=True))
    return Sample.of(mechanism, tally).mean_among_answered(LEVEL)[1]


def measure_width(
    mechanism: Mechanism, counts: IntArray, true: float, covered: BoolArray
) -> float:
    """Return the mean width of the intervals themselves, which have to agree."""
    widths = []
    for drawn, is_covered in zip(counts.tolist(), covered, strict=False):
        low, high = find_interval(mechanism, tuple(drawn))
        if bool(is_covered) != (low - 1e-6 <= true <= high + 1e-6):
            raise SystemExit(f"{drawn}: {low} to {high} is not what was counted")
        widths.append(high - low)
    return float(np.mean(widths))


def main() -> None:
    """Print coverage and mean width in every kind of group."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    source = np.random.default_rng(SEED)  # noqa: TID251 - made up on purpose, seeded
    say(f"{LEVEL:.0%}, {runs} surveys each; coverage and mean width on 0 to {LAST}")
    for family in FAMILIES:
        for epsilon in EPSILONS:
            mechanism = build(family, epsilon=epsilon, points=LAST + 1)
            table = np.array(mechanism.weights) / mechanism.total
            for n in RESPONDENTS:
                for skipped in SKIPPED:
                    for name, weights in GROUPS.items():
                        answers = weights / weights.sum()
                        shares = np.r_[(1 - skipped) * answers, skipped]
                        true = float(answers @ POINTS)
                        counts = source.multinomial(n, shares @ table, size=runs)
                        covered = find_covered(mechanism, counts, true)
                        width = measure_width(
                            mechanism, counts[:LOOKED_AT], true, covered
                        )
                        say(
                            f"{family:12} epsilon {epsilon:3}, n = {n:3}, "
                            f"{skipped:3.0%} skip, {name:17}{covered.mean():.4f} "
                            f"{width:6.2f}"
                        )


if __name__ == "__main__":
    main()
