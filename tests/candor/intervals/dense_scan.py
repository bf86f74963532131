"""Likelihood-ratio intervals by exhaustive search.

A slow version of `intervals.likelihood_ratio`: it computes every tie of every count and
checks every piece between two ties. Tests compare the two, and the benchmark measures
the time saved.
"""

import numpy as np
from scipy.special import betainc, betaincc, betaln, expit, xlog1py, xlogy
from scipy.stats import binom

# Halvings of a range of at most 1, down to the rounding of a float.
HALVINGS = 53


def log_weights(ordering, n, *, a, b):
    """Return ln w(y) without the binomial coefficient, for every count y = 0..n."""
    y = np.arange(n + 1)
    if ordering == "feldman-cousins":
        likeliest = np.clip(y / n, b, a)
        return xlogy(y, likeliest) + xlog1py(n - y, -likeliest)
    # Integral of the beta density between b and a, as a difference of small tails.
    beta = (y + 1, n - y + 1)
    below = betainc(*beta, a) - betainc(*beta, b)
    above = betaincc(*beta, b) - betaincc(*beta, a)
    return betaln(*beta) + np.log(np.where(y > n * (a + b) / 2, below, above))


def upper_share(x, weights, *, a, b, alpha):
    """Return the largest share with p > alpha, given ln w of every count."""
    n = len(weights) - 1
    later = np.arange(x + 1, n + 1)
    ties = np.clip(expit((weights[x + 1 :] - weights[x]) / (later - x)), b, a)
    left, right = np.append(b, ties), np.append(ties, a)
    # Beyond the last tie there is no right tail: P(Y > n) = 0.
    tails = np.arange(x, n + 1)

    def p_value(piece, chance):
        return binom.cdf(x, n, chance) + binom.sf(tails[piece], n, chance)

    every = np.arange(len(left))
    at_right = p_value(every, right) > alpha
    at_left = (p_value(every, left) > alpha) & (left < right)
    piece = np.flatnonzero(at_right | at_left)[-1]
    low, high = left[piece], right[piece]
    if not at_right[piece]:
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if p_value(piece, middle) > alpha:
                low = middle
            else:
                high = middle
    return (high - b) / (a - b)


def interval(x, weights, *, a, b, alpha):
    """Return the limits for the share of yes, given ln w of every count."""
    n = len(weights) - 1
    # Seen from "no", count y becomes n - y, and the chances 1 - b and 1 - a.
    from_no = upper_share(n - x, weights[::-1], a=1 - b, b=1 - a, alpha=alpha)
    return 1 - from_no, upper_share(x, weights, a=a, b=b, alpha=alpha)
