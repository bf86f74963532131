"""Closed-form bounds for a binomial chance, and quantiles."""

import scipy


def find_lower_bound(count: int, n: int, tail: float) -> float:
    """Return the one-sided lower bound of Clopper & Pearson 1934 (Biometrika 26:404).

    It is the chance at which P(`count` or more of `n`) equals `tail`.
    """
    # No count is below 0, so no chance is rejected on this side.
    return (
        0.0
        if count == 0
        else float(scipy.special.betaincinv(count, n - count + 1, tail))
    )


def find_upper_bound(count: int, n: int, tail: float) -> float:
    """Return the one-sided upper bound of Clopper & Pearson 1934."""
    return (
        1.0
        if count == n
        else float(scipy.special.betainccinv(count + 1, n - count, tail))
    )


def two_sided_z(confidence_level: float) -> float:
    """Return the normal quantile of a two-sided interval."""
    # Computed from the tail, because (1 + level) / 2 may round to 1.
    return float(-scipy.special.ndtri((1 - confidence_level) / 2))


def two_sided_t(confidence_level: float, freedom: float) -> float:
    """Return the quantile of Student's t; `freedom` may be infinite."""
    return float(-scipy.special.stdtrit(freedom, (1 - confidence_level) / 2))
