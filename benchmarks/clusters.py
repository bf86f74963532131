"""Coverage of 95 % intervals for samples of clusters.

Covers shares, differences between two groups and coefficients, with 10 to 100 clusters
whose shares follow a beta distribution. Prints the table of
docs/researchers/weights.md: lowest and highest coverage in percent.

    python -m benchmarks.clusters [SURVEYS]
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import scipy

from candor.binary import FloatArray, IntArray
from candor.clustered_differences import ClusteredDifference
from candor.clusters import ClusteredSample
from candor.dichotomies import find_answer_dichotomy
from candor.estimands import Estimand
from candor.intervals import Interval
from candor.mechanisms import build
from candor.regression.fit import fit_logistic
from candor.regression.patterns import NoFitError

SURVEYS, SEED = 2000, 6
CLUSTERS = 10, 20, 50, 100
SIZES = (25, 25), (10, 40)
SHARES = 0.05, 0.1, 0.3, 0.5
CORRELATIONS = 0.01, 0.05, 0.1, 0.2
DESIGNS = "coin", "direct"

OTHER = 0.1
"""The share of the second group of a difference."""

SLOPE, FEWER = 0.5, 4
"""The true value of coefficients, and the divisor of their number of surveys, because
each takes longer."""

YES = Estimand((1, 0))

Case = tuple[tuple[int, ...], float, float]
"""Sizes of clusters, share and intra-class correlation."""

Survey = Callable[[Any, str, int, Case], list[tuple[Interval, float]]]
"""Returns intervals of one simulated survey with the true values."""


def draw(
    generator: Any, design: str, shares: FloatArray, sizes: IntArray, correlation: float
) -> IntArray:
    """Return yes reports, shape (clusters, parts of a cluster).

    All parts of a cluster are at the same quantile of their beta distributions.
    """
    both = 1 / correlation - 1
    level = generator.random((len(shares), 1))
    drawn = scipy.special.betaincinv(both * shares, both * (1 - shares), level)
    channel = find_answer_dichotomy(build(design), 0).channel
    chances = channel.p_yes_given_no + channel.span * drawn
    return generator.binomial(sizes[:, None], chances)


def draw_sample(
    generator: Any, design: str, clusters: int, case: Case
) -> ClusteredSample:
    sizes, share, correlation = case
    sent = np.resize(np.array(sizes), clusters)
    yes = draw(generator, design, np.full((clusters, 1), share), sent, correlation)
    rows = np.column_stack([yes, sent - yes[:, 0]])
    sums = tuple(rows.sum(axis=0).tolist())
    return ClusteredSample(build(design), sums, tuple(map(tuple, rows.tolist())))


def estimate_share(
    generator: Any, design: str, clusters: int, case: Case
) -> list[tuple[Interval, float]]:
    sample = draw_sample(generator, design, clusters, case)
    return [(sample.interval(YES), case[1])]


def estimate_difference(
    generator: Any, design: str, clusters: int, case: Case
) -> list[tuple[Interval, float]]:
    """Estimate a difference between groups with half of the clusters each."""
    sizes, share, correlation = case
    first, second = (
        draw_sample(generator, design, clusters // 2, (sizes, each, correlation))
        for each in (share, OTHER)
    )
    return [(ClusteredDifference(first, second, YES).interval, share - OTHER)]


def estimate_coefficients(
    generator: Any, design: str, clusters: int, case: Case
) -> list[tuple[Interval, float]]:
    """Estimate coefficients of a predictor within and of one between clusters."""
    sizes, share, correlation = case
    labels = np.repeat(np.arange(clusters), 2)
    own = np.resize([0, 1], 2 * clusters)
    predictors = np.column_stack([np.ones(2 * clusters), own, labels % 4 > 1])
    odds = predictors @ [scipy.special.logit(share), SLOPE, SLOPE]
    sent = np.resize(np.array(sizes) // 2, clusters)
    shares = scipy.special.expit(odds).reshape(clusters, 2)
    yes = draw(generator, design, shares, sent, correlation)
    channel = find_answer_dichotomy(build(design), 0).channel
    try:
        fit = fit_logistic(
            predictors,
            np.stack([yes, sent[:, None] - yes], axis=2).reshape(-1, 2),
            p_yes_given_yes=channel.p_yes_given_yes,
            p_yes_given_no=channel.p_yes_given_no,
            names=["Intercept", "own", "of cluster"],
            clusters=labels,
        )
    except NoFitError:
        return []
    return [(fit.interval(name), SLOPE) for name in fit.names[1:]]


KINDS: dict[str, Survey] = {
    "share": estimate_share,
    "difference": estimate_difference,
    "coefficient": estimate_coefficients,
}


def compute_coverage(
    kind: str, design: str, clusters: int, surveys: int
) -> Iterator[float]:
    """Yield the coverage in each case; for coefficients, that of each."""
    generator = np.random.default_rng(SEED)  # noqa: TID251 - repeats
    few = kind == "coefficient"
    cases = product(
        SIZES,
        SHARES[1:3] if few else SHARES,
        CORRELATIONS[1::2] if few else CORRELATIONS,
    )
    for case in cases:
        simulated = (
            KINDS[kind](generator, design, clusters, case)
            for _survey in range(surveys // FEWER if few else surveys)
        )
        covered = [
            [low <= truth <= high for (low, high), truth in each]
            for each in simulated
            if each
        ]
        yield from np.mean(covered, axis=0)


def format_range(surveys: int, case: tuple[str, str, int]) -> str:
    coverages: Sequence[float] = list(compute_coverage(*case, surveys))
    return f"{100 * min(coverages):.1f} to {100 * max(coverages):.1f}"


def main() -> None:
    surveys = int(sys.argv[1]) if len(sys.argv) > 1 else SURVEYS
    with ProcessPoolExecutor() as pool:
        find = partial(format_range, surveys)
        cells = pool.map(find, product(KINDS, DESIGNS, CLUSTERS))
        sys.stdout.write(f"| clusters | {' | '.join(map(str, CLUSTERS))} |\n")
        sys.stdout.write(f"|{(1 + len(CLUSTERS)) * '---|'}\n")
        for kind, design in product(KINDS, DESIGNS):
            row = " | ".join(next(cells) for _clusters in CLUSTERS)
            sys.stdout.write(f"| {kind}, {design} | {row} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
