"""Tests of "all groups are alike" on tables of counted reports, and many of them.

Where the groups were randomised by one table, their answers are alike just where their
reports are, so an ordinary test of the reports is a test of the answers. None of these
needs large counts.
"""

from collections.abc import Sequence

import numpy as np
from scipy.stats import chi2_contingency, random_table

from estimation.maths.yes_no import FloatArray, IntArray, likely_counts

LEAST_EXPECTED = 5
"""Expected counts below make Pearson's test too ready to see something (Cochran 1954,
Biometrics 10:417)."""

MOST_EXACT = 10**9
"""Where all sums are larger, Pearson's test agrees to four digits and costs nothing."""

NEVER = 1e-300
"""Chances below are given as this: floating point ends soon after."""

SAME_CHANCE = 1e-7
"""Two chances that differ by less, relatively, differ by rounding."""

TABLES_DRAWN = 9999
"""The error of a p-value of .05 is then .002 (Davison & Hinkley 1997, section 4.2)."""

SEED = 1
"""The same reports give the same p-value. Nothing that is drawn belongs to anybody."""


def exact_test(table: Sequence[Sequence[int]]) -> float:
    """Return the two-sided p-value of Fisher's exact test of two groups.

    Parameters
    ----------
    table : sequence of sequences of int
        Shape (2, 2), 0 or more: of each group, how many sent the report and how many
        did not.

    Returns
    -------
    float
        In (0, 1]: the chance of all tables with the same sums that are no likelier than
        this one. 1 where all reports are alike.

    References
    ----------
    Fisher 1935, Journal of the Royal Statistical Society 98:39; Hoeffding 1963, Journal
    of the American Statistical Association 58:13, section 6 (what may be left out).
    """
    (yes, no), (other_yes, other_no) = table
    # The smaller group has fewer terms. (scipy's own test loses digits, and seconds,
    # where one group is in the millions.)
    drawn, rest = sorted((yes + no, other_yes + other_no))
    marked = yes + other_yes
    total = drawn + rest
    if drawn == 0 or marked in (0, total):
        return 1.0
    if min(drawn, marked, total - marked) > MOST_EXACT:
        return float(chi2_contingency(table, correction=False).pvalue)
    found = yes if yes + no == drawn else other_yes
    # Drawing without replacement, the count strays no farther than a binomial one.
    counts = likely_counts(drawn, marked / total, left_out=NEVER)
    counts = counts[(counts >= max(0, marked - rest)) & (counts <= marked)]
    if not counts[0] <= found <= counts[-1]:
        return NEVER
    logs = hypergeometric_logs(counts, drawn=drawn, marked=marked, total=total)
    chances = np.exp(logs - logs.max())
    limit = chances[found - counts[0]] * (1 + SAME_CHANCE)
    return max(NEVER, float(chances[chances <= limit].sum() / chances.sum()))


def hypergeometric_logs(
    counts: IntArray, *, drawn: int, marked: int, total: int
) -> FloatArray:
    """Return ln of the chance of each of a run of counts, up to a constant."""
    k = counts[1:].astype(float)
    spare = total - marked - drawn
    # P(k) / P(k - 1) = (marked - k + 1) / k * (drawn - k + 1) / (spare + k)
    ratios = np.log((marked - k + 1) / k) + np.log((drawn - k + 1) / (spare + k))
    return np.concatenate([[0.0], np.cumsum(ratios)])


def independence_test(table: Sequence[Sequence[int]]) -> tuple[float, bool] | None:
    """Return the p-value of "rows and columns have nothing to do with each other".

    Pearson's test where all expected counts are large enough for it, else an exact one:
    Fisher's of two rows and columns, else by tables drawn at random with the same sums.

    Parameters
    ----------
    table : sequence of sequences of int
        Two dimensions, 0 or more.

    Returns
    -------
    tuple of float and bool, or None
        The p-value, in (0, 1], and whether the test was exact; None where all counts
        stand in one row or column, so that there is nothing to test.
    """
    kept = np.array(table)
    kept = kept[kept.any(axis=1)][:, kept.any(axis=0)]
    if min(kept.shape, default=0) < 2:
        return None
    found = chi2_contingency(kept, correction=False)
    if found.expected_freq.min() >= LEAST_EXPECTED:
        return float(found.pvalue), False
    if kept.shape == (2, 2):
        return exact_test(kept.tolist()), True
    return drawn_test(kept, found.expected_freq), True


def drawn_test(table: IntArray, expected: FloatArray) -> float:
    """Return the p-value of Pearson's statistic among tables with the same sums.

    Parameters
    ----------
    table, expected : array
        Of one shape: counts, and what is expected of them, above 0.

    References
    ----------
    Patefield 1981, Applied Statistics 30:91 (how tables are drawn); Davison & Hinkley
    1997, Bootstrap Methods and their Application, section 4.2: counting the table
    itself makes the test valid whatever number of tables is drawn.
    """
    tables = random_table.rvs(
        table.sum(axis=1),
        table.sum(axis=0),
        size=TABLES_DRAWN,
        random_state=SEED,
    )
    drawn = ((tables - expected) ** 2 / expected).sum(axis=(1, 2))
    limit = ((table - expected) ** 2 / expected).sum() * (1 - SAME_CHANCE)
    return float((1 + (drawn >= limit).sum()) / (1 + TABLES_DRAWN))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for being several: at most 5 in 100 *lists* err.

    Parameters
    ----------
    p_values : sequence of float
        In [0, 1], in any order.

    Returns
    -------
    list of float
        In the same order, each at most 1.

    References
    ----------
    Holm 1979, Scandinavian Journal of Statistics 6:65.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted, largest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(np.argsort(p_values, kind="stable").tolist()):
        # The smallest counts as often as there are values, the next once less, ...
        largest = max(largest, (len(p_values) - rank) * p_values[place])
        adjusted[place] = min(1.0, largest)
    return adjusted
