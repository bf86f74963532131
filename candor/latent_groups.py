"""Differences between latent groups, whose members are not known.

The question that defines the groups was randomised too. Its answers are collapsed into
one group, the other group and the rest. The answers to the compared question are
collapsed into "this answer" and "another". The up to six combinations have one joint
likelihood.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from candor.binary import FloatArray, IntArray
from candor.dichotomies import find_answer_dichotomy
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.joint import JointSample, dichotomise
from candor.likelihood import fit_mixture
from candor.mechanisms import Mechanism
from candor.profile_likelihood import NEXT_TO_EDGE, find_likely_ends, find_roots
from candor.validation import CONFIDENCE_LEVEL

FLAT = 1e-5
"""The search ends if no further step could gain more log likelihood."""


class LatentPair(NamedTuple):
    """An answer and the two groups to compare, as rows of the two tables."""

    answer: int
    group: int
    other: int


class LatentDifference(NamedTuple):
    """The share of an answer within a group minus its share within another group."""

    estimate: float
    """Difference of maximum-likelihood shares; NaN if the share of a group is 0."""
    low: float
    high: float


def find_latent_differences(
    sample: JointSample,
    pairs: Sequence[LatentPair],
    *,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> list[LatentDifference]:
    """Return each difference with its profile-likelihood interval.

    Without reports it is from -1 to 1. Coverage is approximate: see differences.md.
    `ValueError` for a table without dichotomies.

    References: van den Hout & van der Heijden 2002, International Statistical Review
    70:269 (the likelihood); Venzon & Moolgavkar 1988, Applied Statistics 37:87 (the
    interval).
    """
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    if not pairs:
        return []
    within = [
        sample.within[pair.answer, [pair.group, pair.other]].tolist() for pair in pairs
    ]
    estimates = [first - second for first, second in within]
    if not sample.n:
        return [LatentDifference(each, -1.0, 1.0) for each in estimates]
    tables, counts = zip(*(combinations(sample, pair) for pair in pairs), strict=True)
    ends = Profile(np.array(tables), np.array(counts)).interval(level)
    # The maximum-likelihood shares use all reports, an interval only the collapsed
    # ones, so it is extended to contain the estimate.
    return [
        LatentDifference(each, float(np.fmin(low, each)), float(np.fmax(high, each)))
        for each, low, high in zip(estimates, *ends, strict=True)
    ]


def combinations(
    sample: JointSample, pair: LatentPair
) -> tuple[FloatArray, FloatArray]:
    """Return chances and counts of the collapsed reports, shapes (K, K) and (K,).

    Rows are answers, columns reports, both in the order (answer, group), (another,
    group), (answer, other), (another, other) and, with more than two groups, (answer,
    rest), (another, rest): K is 4 or 6.
    """
    sides, chances = dichotomise(sample.first)
    groups, group_chances = dichotomise_groups(sample.second, pair.group, pair.other)
    counts = groups @ np.array(sample.counts, dtype=float).T @ sides[pair.answer].T
    return np.kron(group_chances, chances[pair.answer]), counts.ravel()


def dichotomise_groups(
    mechanism: Mechanism, group: int, other: int
) -> tuple[FloatArray, FloatArray]:
    """Return which reports count for two groups and the rest, and their chances.

    The shapes are (G, reports) and (G, G), where G is 2 or 3. Chances are given the
    group, the other group and the rest.
    """
    sides, given = dichotomise(mechanism)
    if len(mechanism.answers) == 2:
        order = [group, other]
        return sides[order, 0], given[group]
    counted = [
        set(find_answer_dichotomy(mechanism, each).counted) for each in (group, other)
    ]
    if counted[0] & counted[1]:
        raise ValueError("second must have reports that count for one answer each")
    own = sides[[group, other], 0]
    chances = np.array(
        [
            [given[group, 0, 0], given[other, 1, 0]],
            [given[group, 1, 0], given[other, 0, 0]],
            [given[group, 1, 0], given[other, 1, 0]],
        ]
    )
    rest = 1 - chances.sum(axis=1, keepdims=True)
    return (
        np.vstack([own, 1 - own.sum(axis=0)]),
        np.hstack([chances, np.maximum(rest, 0.0)]),
    )


class Profile:
    """The profile likelihood of the difference of an answer's shares in two groups.

    `chances` and `counts` are stacked results of `combinations`, shapes (problems, K,
    K) and (problems, K).
    """

    def __init__(self, chances: FloatArray, counts: FloatArray) -> None:
        self.chances, self.counts = chances, counts
        proportions, self.best = fit_mixture(chances, counts)
        groups = proportions[:, :4].reshape(-1, 2, 2)
        within = groups[..., 0] / groups.sum(axis=2)
        self.middle = within[:, 0] - within[:, 1]

    def interval(self, confidence_level: float) -> tuple[FloatArray, FloatArray]:
        ends = self.likelihood, self.best, self.middle, confidence_level
        return find_likely_ends(*ends, edges=(-1.0, 1.0))

    def likelihood(self, difference: FloatArray, place: IntArray) -> FloatArray:
        """Return the largest log likelihood at each difference, in (-1, 1).

        `place` is the problem of each difference.
        """
        least = np.maximum(0.0, -difference)
        most = np.minimum(1.0, 1.0 - difference)

        def slope(share: FloatArray, place: IntArray, d: FloatArray) -> FloatArray:
            return self._held(share, d, place)[1]

        tolerances = {"xatol": 0.0, "xrtol": 1e-10, "fatol": FLAT}
        share = find_roots(
            slope, (least, most), place, difference, tolerances=tolerances
        )
        if (edge := np.isnan(share)).any():
            falls = slope(least[edge], place[edge], difference[edge]) <= 0
            share[edge] = np.where(falls, least[edge], most[edge])
        return self._held(share, difference, place)[0]

    def _held(
        self, share: FloatArray, difference: FloatArray, place: IntArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the log likelihood and its derivative by the other group's share."""
        chances, counts = self.chances[place], self.counts[place]
        kept = (
            np.clip(each, NEXT_TO_EDGE, 1 - NEXT_TO_EDGE)[:, None]
            for each in (share + difference, share)
        )
        mixed = [
            each * chances[:, row] + (1 - each) * chances[:, row + 1]
            for each, row in zip(kept, (0, 2), strict=True)
        ]
        components = np.concatenate([np.stack(mixed, axis=1), chances[:, 4:]], axis=1)
        proportions, likelihood = fit_mixture(components, counts)
        sent = (proportions[:, None, :] @ components)[:, 0]
        # The proportions maximise the likelihood. So the derivative is that with fixed
        # proportions (envelope theorem).
        steps = proportions[:, [0]] * (chances[:, 0] - chances[:, 1]) + proportions[
            :, [1]
        ] * (chances[:, 2] - chances[:, 3])
        slope = np.divide(counts * steps, sent, where=counts > 0, out=0 * sent)
        return likelihood, slope.sum(axis=1)
