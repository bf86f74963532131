"""Reports in clusters, and the posterior of multilevel.stan by quadrature."""

import numpy as np

from tests.estimation.exports.exported import make_sealed

COUNTS = ((70, 130), (52, 98), (98, 202), (34, 46), (17, 23), (7, 8))
"""Numbers of Yes and No in each cluster, by two coins."""

CHANCES = np.array([[3 / 4, 1 / 4], [1 / 4, 3 / 4]])
WIDEST, LARGEST_SPREAD, POINTS, NODES = 7.5, 6.0, 200, 80
"""The grid: five standard deviations of the first prior, six of the second. With 300
points no mean changes by 1e-9."""


def make_clusters():
    """Return a survey whose second question, asked directly, is the cluster."""
    counts = {
        bytes([report, cluster]): count
        for cluster, reports in enumerate(COUNTS)
        for report, count in enumerate(reports)
    }
    schools = ("direct_choice", {"choices": len(COUNTS)})
    return make_sealed(counts, ["coin", schools], slug="clusters")


def integrate(counts):
    """Return the posterior mean of the share of Yes in each cluster.

    Given centre and spread, clusters are independent: each is integrated over its
    deviation (Gauss-Hermite), then all over a grid of the two.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    weights /= weights.sum()
    centre = np.linspace(-WIDEST, WIDEST, POINTS)[:, None]
    spread = (np.arange(POINTS) + 0.5) * LARGEST_SPREAD / POINTS
    share = 1 / (1 + np.exp(-(centre[..., None] + spread[:, None] * nodes)))
    logs = np.log(share[..., None] * CHANCES[0] + (1 - share[..., None]) * CHANCES[1])
    total = -((centre / 1.5) ** 2) / 2 - spread**2 / 2
    means = []
    for reports in counts:
        likelihood = (logs * reports).sum(-1)
        largest = likelihood.max(-1, keepdims=True)
        weighted = np.exp(likelihood - largest) * weights
        summed = weighted.sum(-1)
        total = total + largest[..., 0] + np.log(summed)
        means.append((weighted * share).sum(-1) / summed)
    posterior = np.exp(total - total.max())
    posterior /= posterior.sum()
    return [float((posterior * each).sum()) for each in means]
