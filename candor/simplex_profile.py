"""Profile likelihood of an estimand over all shares of the answers.

For estimands without a dichotomy: no count of reports is binomial in them.
"""

from collections.abc import Sequence

import numpy as np
import scipy

from candor.binary import FloatArray
from candor.estimands import Estimand
from candor.intervals import Interval
from candor.likelihood import fit_mixture
from candor.mechanisms.table import Weights
from candor.scores import compute_chances

ROOT_TOLERANCE = 1e-9
"""Of an end of an interval, as a part of the span of the estimand."""


IMPOSSIBLE = 1e12
"""Replaces the infinite deviance of a value under which the reports cannot occur: the
search needs a finite number."""


def profile_interval(
    weights: Weights,
    counts: Sequence[int],
    estimand: Estimand,
    *,
    confidence_level: float,
    drop: float | None = None,
) -> Interval:
    """Return the values of the estimand that a likelihood-ratio test does not reject.

    2 [l(maximum) - l(maximum with the true value)] has nearly a chi-squared
    distribution with one degree of freedom (Wilks 1938, Annals of Mathematical
    Statistics 9:60; Venzon & Moolgavkar 1988, Applied Statistics 37:87). `drop`
    replaces its quantile.
    """
    table = compute_chances(weights)
    counted = np.array(counts, dtype=np.float64)
    found, top = fit_mixture(table[None], counted[None])
    middle = float(np.array(estimand.coefficients) @ found[0])
    limit = (
        float(scipy.special.chdtri(1, 1 - confidence_level)) if drop is None else drop
    )

    def excess(value: float) -> float:
        fixed = components_with_value(value, estimand, table)
        _, likelihood = fit_mixture(fixed[None], counted[None])
        lack = 2 * float(top[0] - likelihood[0]) - limit
        return min(lack, IMPOSSIBLE)

    ends = []
    for edge in (float(estimand.low), float(estimand.high)):
        if edge == middle or excess(edge) <= 0:
            ends.append(edge)
        else:
            tolerance = ROOT_TOLERANCE * estimand.span
            ends.append(scipy.optimize.brentq(excess, edge, middle, xtol=tolerance))
    return Interval(*ends)


def components_with_value(
    value: float, estimand: Estimand, table: FloatArray
) -> FloatArray:
    """Return the chances of the reports under all pairs of answers with this value.

    Shares with a given value of the estimand are mixtures of such pairs: one answer
    whose coefficient is not above the value, one whose coefficient is above it, in the
    proportions that give the value. Shape (pairs, reports).
    """
    coefficients = np.array(estimand.coefficients)
    # The largest value itself is a mixture in which the lower answer has no part.
    is_below = (coefficients <= value) & (coefficients < estimand.high)
    below = coefficients[is_below][:, None]
    above = coefficients[~is_below][None, :]
    part = ((above - value) / (above - below))[..., None]
    mixed = part * table[is_below][:, None] + (1 - part) * table[~is_below][None]
    return mixed.reshape(-1, table.shape[1])
