"""The public names of the maths."""

from estimation.maths.regression.fit import LogisticFit, fit_logistic
from estimation.maths.regression.patterns import NoFitError, Scrambled

__all__ = ["LogisticFit", "NoFitError", "Scrambled", "fit_logistic"]
