"""Whether rows lie in the order in which people came, as far as chance allows."""

from scipy.stats import spearmanr

SEEN_BY_CHANCE = 6.467  # once in 10**10, two-sided


def order(arrivals, rows):
    """Return the rank correlation in its standard deviations, nearly a normal value.

    Kendall and Gibbons, Rank Correlation Methods (5th ed. 1990): under
    random order the variance of Spearman's coefficient is 1 / (n - 1).
    """
    assert sorted(rows) == sorted(arrivals)
    return abs(spearmanr(arrivals, rows).statistic) * (len(rows) - 1) ** 0.5
