"""The covariance of coefficients if respondents were sampled in clusters."""

import numpy as np

from candor.binary import FloatArray, IntArray
from candor.regression.likelihood import Derivatives, Likelihood
from candor.regression.patterns import NoFitError, Obstacle, Patterns

NO_SPREAD = 1e-9
"""Below this part of the variance of independent respondents, a clustered one is 0."""


def compute_clustered_covariance(
    likelihood: Likelihood,
    derived: Derivatives,
    patterns: Patterns,
    clusters: IntArray,
    inverse: FloatArray,
    basis: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Return the covariance of all coordinates, and design effects of coefficients.

    Parameters
    ----------
    likelihood, derived, patterns
        The likelihood of the fit, its derivatives at the maximum, and the patterns.
    clusters : int array, shape (patterns,)
        The number of the cluster of each pattern, from 0; 2 or more clusters.
    inverse : float array, shape (coordinates, coordinates)
        The inverse of the observed information.
    basis : float array, shape (coordinates, coordinates)
        Its first rows are the coefficients as linear functions of the coordinates.

    Returns
    -------
    covariance : float array, shape (coordinates, coordinates)
    effects : float array, shape (coefficients,)
        Variances divided by those of independent respondents; may be below 1.

    Raises
    ------
    NoFitError
        If scores or estimates of a coefficient do not vary between clusters.

    References
    ----------
    Liang & Zeger 1986, Biometrika 73:13; Cameron & Miller 2015, Journal of Human
    Resources 50:317, equation 12 (CR1).
    """
    size = len(patterns.names)
    totals = likelihood.cluster_gradients(derived, clusters)
    c, n = len(totals), patterns.respondents
    factor = c / (c - 1) * (n - 1) / (n - size)
    covariance = factor * inverse @ (totals.T @ totals) @ inverse
    variances, independent = (
        np.diag(basis[:size] @ each @ basis[:size].T) for each in (covariance, inverse)
    )
    effects = variances / independent
    # The gradients of a group that is a single cluster sum to 0 for every share.
    own = np.linalg.inv(basis)[:, :size]
    reports = likelihood.squared_scores(derived, patterns.counts)
    spread = ((totals @ own) ** 2).sum(axis=0) / np.diag(own.T @ reports @ own)
    unknown = [
        name
        for name, part in zip(patterns.names, np.minimum(effects, spread), strict=True)
        if part < NO_SPREAD
    ]
    if unknown:
        raise NoFitError(
            Obstacle.CLUSTERS,
            "each value of a predictor must occur in 2 different clusters or more; "
            f"this fails for {', '.join(unknown)}",
            unknown,
        )
    return covariance, effects
