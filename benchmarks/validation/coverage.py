"""Coverage of intervals, by enumeration or simulation."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple, TypeVar

import numpy as np
from scipy.special import gammaln, xlogy

from candor.binary import FloatArray
from candor.mechanisms import Mechanism

LEVEL = 0.95
ROUNDING = 1e-7
"""Tolerance of floating-point numbers for a value at the end of an interval."""

RARE = 1e-10
"""Outcomes with a smaller probability are omitted and count as not covered."""

Source = np.random.Generator  # noqa: TID251 -- simulates, protects no one
Ends = tuple[float, float]
Outcome = TypeVar("Outcome")


class Coverage(NamedTuple):
    """The coverages of one interval in a number of cases."""

    interval: str
    promised: float | None
    """The coverage that pages and documents state, or None."""
    found: Sequence[float]
    surveys: int = 0
    """Simulated surveys for each coverage; 0 if all outcomes were enumerated."""

    @property
    def is_kept(self) -> bool:
        """Whether no coverage is below the promise by more than three errors."""
        error = 0.0
        if self.promised and self.surveys:
            error = 3 * np.sqrt(self.promised * (1 - self.promised) / self.surveys)
        return self.promised is None or min(self.found) >= self.promised - error - 1e-9


def covers(ends: FloatArray, true: float) -> FloatArray:
    """Return whether intervals, shape (..., 2), cover the true value."""
    low, high = np.moveaxis(np.asarray(ends), -1, 0)
    return (low <= true + ROUNDING) & (true - ROUNDING <= high)


def list_outcomes(cells: int, n: int) -> FloatArray:
    """Return all counts in `cells` cells with the sum n, shape (outcomes, cells)."""
    if cells == 1:
        return np.array([[float(n)]])
    return np.concatenate(
        [
            np.column_stack([np.full(len(rest), float(first)), rest])
            for first in range(n + 1)
            for rest in [list_outcomes(cells - 1, n - first)]
        ]
    )


def multinomial(outcomes: FloatArray, chances: FloatArray) -> FloatArray:
    """Return the probability of each outcome."""
    logs = gammaln(outcomes[0].sum() + 1) - gammaln(outcomes + 1).sum(axis=1)
    return np.exp(logs + xlogy(outcomes, chances).sum(axis=1))


def chances_of(mechanism: Mechanism) -> FloatArray:
    """Return P(report | answer), shape (answers, reports)."""
    return np.array(mechanism.weights) / mechanism.total


def name_counts(
    mechanism: Mechanism, counts: Sequence[float] | FloatArray
) -> dict[str, int]:
    """Return counts by the names of the reports."""
    return dict(zip(mechanism.reports, map(int, counts), strict=True))


def add_up(
    outcomes: FloatArray,
    find_ends: Callable[[FloatArray], Ends],
    cases: Sequence[tuple[FloatArray, float]],
) -> list[float]:
    """Return the coverage in each case (chances of the reports, true value)."""
    distributions = [multinomial(outcomes, chances) for chances, _true in cases]
    likely = np.max(distributions, axis=0) > RARE
    ends = np.array([find_ends(each) for each in outcomes[likely]])
    return [
        float(distribution[likely] @ covers(ends, true))
        for distribution, (_chances, true) in zip(distributions, cases, strict=True)
    ]


def simulate(
    surveys: int,
    seed: int,
    draw: Callable[[Source], Outcome],
    find_ends: Callable[[Outcome], Ends | None],
    true: float,
) -> float:
    """Return the proportion of simulated intervals that cover the true value."""
    source = np.random.default_rng(seed)  # noqa: TID251 -- simulates, protects no one
    found = [find_ends(draw(source)) for _survey in range(surveys)]
    ends = np.array([each for each in found if each is not None])
    return float(covers(ends, true).mean())


def groups_of(points: int) -> Mapping[str, FloatArray]:
    """Return the shares of the points of a scale in several groups, by name."""
    places, ends = np.linspace(0, 1, points), np.eye(points)
    shares = {
        "flat": np.ones(points),
        "falling": 0.6 ** np.arange(points),
        "few at the top": 0.9 * ends[0] + 0.1 * ends[-1],
        "all at 0": ends[0],
        "half at each end": ends[0] + ends[-1],
        "in the middle": np.exp(-(((places - 0.5) / 0.17) ** 2)),
    }
    return {name: each / each.sum() for name, each in shares.items()}


def list_populations(answers: int) -> Iterator[FloatArray]:
    """Yield shares of the answers on a grid that includes 0 and 1."""
    for parts in product((0.0, 0.1, 0.3, 0.6, 1.0), repeat=answers - 1):
        if sum(parts) <= 1:
            yield np.array([*parts, 1 - sum(parts)])
