"""Weights from known population margins: post-stratification and raking."""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from candor.binary import FloatArray, IntArray
from candor.mechanisms.parameters import shown
from candor.tolerance import is_at_most
from candor.validation import is_number

Margin = Mapping[Any, float]
"""{answer: its share of the population}."""

SUM_TOLERANCE = 0.005
"""Allowed error of the sum of shares, since published shares are rounded. Shares are
then scaled to sum to 1."""

CLOSE_ENOUGH = 1e-10
"""Raking ends once the error of every share is smaller."""

MAX_SWEEPS = 2_000
"""About ten are usual; if groups do not occur together, raking may never converge."""


class MarginsError(ValueError):
    """Shares of the population to which the sample cannot be weighted."""


class EmptyGroupError(MarginsError):
    """A group of the population, at a margin, without a member in the sample."""

    def __init__(self, question: int, answer: Hashable, share: float) -> None:
        self.question, self.answer = question, answer
        super().__init__(
            f"no one in the sample has {answer!r}, which is {share:.2%} of the "
            "population: no weight makes up for that; merge it with another group"
        )


class NotRakedError(MarginsError):
    """No weights satisfy all margins."""


def check_margin(margin: Margin, *, name: str = "margin") -> dict[Hashable, float]:
    """Return the shares of the population, scaled to sum to 1.

    `MarginsError` if a share is not in [0, 1], or the sum not within `SUM_TOLERANCE`
    of 1.
    """
    if not isinstance(margin, Mapping):
        raise TypeError(f"{name} must map answers to shares; got {margin!r}")
    for answer, share in margin.items():
        problem = f"{name}[{answer!r}] must be a share in [0, 1], such as 0.25; got "
        if not is_number(share):
            raise TypeError(problem + shown(share))
        if not 0 <= share <= 1:
            raise MarginsError(problem + shown(share))
    total = math.fsum(margin.values())
    if not sums_to_one(margin.values()):
        raise MarginsError(f"{name} must sum to 1 (100 %); its shares sum to {total:g}")
    return {answer: float(share) / total for answer, share in margin.items()}


def sums_to_one(shares: Iterable[float | Fraction]) -> bool:
    """Return whether shares sum to 1 within `SUM_TOLERANCE`."""
    return is_at_most(abs(math.fsum(shares) - 1), SUM_TOLERANCE)


def rake_cells(
    totals: FloatArray, places: Sequence[IntArray], margins: Sequence[Margin]
) -> FloatArray:
    """Return the share of the population that each cell represents.

    The members of a cell have the same answers, and so the same weight. `places` has
    an array of shape (cells,) for each margin: the positions of their answers. The
    cells' shares of the sample are scaled to one margin after the other until all are
    satisfied (iterative proportional fitting). Among all shares with these margins, the
    result is the nearest to the sample by relative entropy. `totals`, above 0, are the
    numbers of respondents in each cell, or the sums of their weights.

    References: Deming & Stephan 1940, Annals of Mathematical Statistics 11:427; Ireland
    & Kullback 1968, Biometrika 55:179.
    """
    shares = totals / totals.sum()
    wanted = [np.array(list(margin.values())) for margin in margins]
    for number, margin in enumerate(margins):
        found = np.bincount(places[number], shares, minlength=len(margin))
        for (answer, share), sampled in zip(margin.items(), found, strict=True):
            if share > 0 and sampled == 0:
                raise EmptyGroupError(number, answer, share)
            if share == 0 and sampled > 0:
                raise MarginsError(
                    f"the population has no one with {answer!r}, the sample has: leave "
                    "these respondents out, or give their share"
                )
    for _sweep in range(MAX_SWEEPS):
        missed = 0.0
        for place, known in zip(places, wanted, strict=True):
            found = np.bincount(place, shares, minlength=len(known))
            missed = max(missed, float(np.abs(found - known).max()))
            scale = np.divide(known, found, where=found > 0, out=np.zeros_like(known))
            shares = shares * scale[place]
        if missed < CLOSE_ENOUGH:
            return shares / shares.sum()
    raise NotRakedError(
        "raking does not converge: some answers do not meet in the sample, so that no "
        "weights make all margins true at once; merge groups, or use fewer margins"
    )
