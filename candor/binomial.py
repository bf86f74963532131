"""Chances of binomial counts."""

import numpy as np
import numpy.typing as npt
import scipy

Numbers = float | npt.NDArray[np.integer] | npt.NDArray[np.float64]


def binomial(
    counts: Numbers, respondents: Numbers, chance: Numbers
) -> npt.NDArray[np.float64]:
    """Return P(count) of so many respondents, each counted with this chance.

    Counts are whole numbers. Arguments are broadcast: 0 for a count that cannot be, NaN
    where there is no such chance.
    """
    # Of scipy's part `special`. What `stats` calls for this is the same function, but
    # loading that part takes half a second more, and the first plan would wait for it.
    chances = scipy.special._ufuncs._binom_pmf(counts, respondents, chance)
    counts = np.asarray(counts)
    return np.where((counts < 0) | (counts > respondents), 0.0, chances)
