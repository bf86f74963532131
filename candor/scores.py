"""What each report tells of a target: numbers whose mean is an unbiased estimate."""

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from candor.estimands import Estimand, every_share
from candor.mechanisms.table import Weights, eliminated, identifies

CACHED_TABLES = 256


@lru_cache(maxsize=CACHED_TABLES)
def scores(weights: Weights, *targets: Estimand) -> tuple[npt.NDArray[np.object_], int]:
    """Return what each report tells of each target, in whole numbers.

    Given an answer, the mean score of its reports is the answer's coefficient. Where
    several numbers do that, as may be with more reports than answers, these vary least
    when all answers have equal shares. Of as many reports as answers they are the
    inverse of the table of chances (van den Hout & van der Heijden 2002, International
    Statistical Review 70:269).

    Parameters
    ----------
    weights : tuple of tuples of int
        Shape (answers, reports), rows of one sum.
    targets : Estimand
        Left out: the share of every answer, in their order.

    Returns
    -------
    numerators : array of int
        Shape (reports, targets), of Python's whole numbers, which never overflow.
    denominator : int
        1 or more: the mean of numerators[report][target] / denominator over all
        respondents is an unbiased estimate of the target.

    Raises
    ------
    ValueError
        Where the table does not identify a target.
    """
    wanted = [each.coefficients for each in targets or every_share(len(weights))]
    if not identifies(weights, *wanted):
        lost = next(each for each in wanted if not identifies(weights, each))
        raise ValueError(
            "mechanism must identify the sum of the shares of its answers times "
            f"{lost}; no numbers for its reports do"
        )
    table = np.array(weights, dtype=object)
    sent = table.sum(axis=0).tolist()
    # Least squares: s = D^-1 P' y with (P D^-1 P') y = c, D the chances of the reports
    # under equal shares. A report that nobody can send scores 0.
    common = math.lcm(*filter(None, sent))
    scaled = table * [common // each if each else 0 for each in sent]
    normal = np.hstack([scaled @ table.T, np.array(wanted, dtype=object).T])
    rows, leading = eliminated(normal.tolist(), columns=len(weights))
    solved = np.zeros((len(weights), len(wanted)), dtype=object)
    for place, row in zip(leading, rows, strict=False):
        solved[place] = row[len(weights) :]
    numerators = sum(weights[0]) * scaled.T @ solved
    # A table of sums of squares leads with numbers above 0.
    denominator = rows[0][leading[0]]
    divisor = math.gcd(denominator, *numerators.flat)
    return numerators // divisor, denominator // divisor
