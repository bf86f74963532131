"""Chances of binomial counts."""

import numpy as np
import numpy.typing as npt

# Not its part `stats`: that is loaded when first used, and takes longer than all of
# Django. Pages without a plan or a test do without it.
import scipy

Numbers = float | npt.NDArray[np.integer] | npt.NDArray[np.float64]


def binomial(
    counts: Numbers, respondents: Numbers, chance: Numbers
) -> npt.NDArray[np.float64]:
    """Return P(count) of so many respondents, each counted with this chance.

    Arguments are checked by `scipy.stats.binom.pmf`, and broadcast: NaN where there is
    no such chance.
    """
    return np.asarray(scipy.stats.binom.pmf(counts, respondents, chance))
