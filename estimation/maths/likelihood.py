"""Mixing proportions under which counts are most likely, many problems at once.

Arguments are checked by the callers.
"""

import numpy as np

from estimation.maths.yes_no import FloatArray

GAP = 1e-8
"""The search ends where no proportions could raise the log likelihood by more."""

ROUNDING = 1e-13
"""What rounding may add to a condition of the maximum, as a part of all reports."""

MOST_STEPS = 100
"""Some twenty are needed; the rest is for tables that hide nearly everything."""

CENTRING = 0.1
"""Each step aims at a tenth of the gap that is left."""

INSIDE = 0.99
"""Part of the way to the nearest edge that one step may take."""


def likeliest_mixture(
    components: FloatArray, counts: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the proportions that make counts most likely, and how likely.

    Maximises l(m) = sum over reports r of C_r log(sum over j of m_j P_jr) over all m of
    at least 0 that sum to 1. l is concave; a primal-dual interior point method finds
    its maximum to within `GAP`. The sum needs no constraint of its own: it is 1 at the
    maximum of l(m) - n sum(m), because l grows by n log(s) when m is scaled by s.

    Parameters
    ----------
    components : array of float
        Shape (problems, K, R): the chances of R reports under each of K components;
        rows sum to 1, and every report that was counted is possible under one.
    counts : array of float
        Shape (problems, R), 0 or more, not all 0.

    Returns
    -------
    proportions : array of float
        Shape (problems, K), above 0; those that belong to 0 end near 1e-12.
    log_likelihood : array of float
        Shape (problems,).

    References
    ----------
    Boyd & Vandenberghe 2004, Convex Optimization, section 11.7; Koenker & Mizera 2014,
    Journal of the American Statistical Association 109:674 (mixtures in this way).
    """
    problems, size, _reports = components.shape
    total = counts.sum(axis=1, keepdims=True)
    transposed = np.swapaxes(components, 1, 2)
    proportions = np.full((problems, size), 1 / size)
    slack = np.broadcast_to(total, proportions.shape).copy()
    for _step in range(MOST_STEPS):
        chances = (transposed @ proportions[..., None])[..., 0]
        ratios = counts / chances
        gradient = (components @ ratios[..., None])[..., 0]
        gap = (proportions * slack).sum(axis=1, keepdims=True)
        lack = np.abs(gradient - total + slack) * proportions
        if np.all(
            np.maximum(gap[:, 0], lack.sum(axis=1)) < GAP + ROUNDING * total[:, 0]
        ):
            break
        # Problems that are done wait for the others where they are.
        target = np.maximum(CENTRING * gap, CENTRING * GAP) / size
        curvature = (components * (ratios / chances)[:, None, :]) @ transposed
        curvature += (slack / proportions)[..., None] * np.eye(size)
        slope = gradient - total + target / proportions
        step = np.linalg.solve(curvature, slope[..., None])[..., 0]
        slack_step = target / proportions - slack - slack / proportions * step
        proportions = proportions + reach(proportions, step) * step
        slack = slack + reach(slack, slack_step) * slack_step
    proportions = proportions / proportions.sum(axis=1, keepdims=True)
    chances = (transposed @ proportions[..., None])[..., 0]
    # A report that nobody sent may be impossible: 0 log 0 is 0 here.
    logs = np.log(chances, where=counts > 0, out=np.zeros_like(chances))
    return proportions, (counts * logs).sum(axis=1)


def reach(values: FloatArray, step: FloatArray) -> FloatArray:
    """Return how much of the step keeps all values above 0, at most all of it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.where(step < 0, -INSIDE * values / step, 1.0)
    return np.minimum(1.0, ends.min(axis=1, keepdims=True))
