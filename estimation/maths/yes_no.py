"""The law of the number of yes reports, and its likelihood."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, betaincc, xlog1py, xlogy

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class BinomialDesign:
    """Respondents, and the range over which the chance of a yes report can lie.

    Each respondent sends "yes" with chance lam = b + (a - b) * share, so that lam lies
    in [b, a] whatever the share. Arguments of the methods are checked by the callers.

    Attributes
    ----------
    respondents : int
        n, 0 or more; the methods that divide by it need at least 1.
    p_yes_given_yes, p_yes_given_no : float
        a and b of the formulas, 0 <= b < a <= 1. Where "no" makes the report likelier
        than "yes" does, count the other report.

    Raises
    ------
    ValueError
        Where a and b are out of range or order.
    """

    respondents: int
    p_yes_given_yes: float
    p_yes_given_no: float

    def __post_init__(self) -> None:
        if not 0 <= self.p_yes_given_no < self.p_yes_given_yes <= 1:
            raise ValueError(
                "chances must have 0 <= p_yes_given_no < p_yes_given_yes <= 1; got "
                f"{self.p_yes_given_no} and {self.p_yes_given_yes}"
            )

    def mirrored(self) -> Self:
        """Return the same design told of "no": its reports, and the share of no."""
        return type(self)(
            respondents=self.respondents,
            p_yes_given_yes=1 - self.p_yes_given_no,
            p_yes_given_no=1 - self.p_yes_given_yes,
        )

    def share(self, chance: float) -> float:
        """Return the share behind a chance of a yes report, cut off at [0, 1]."""
        # Warner 1965, equation for the estimate: (lam - b) / (a - b)
        above = chance - self.p_yes_given_no
        share = above / (self.p_yes_given_yes - self.p_yes_given_no)
        return float(min(max(share, 0.0), 1.0))

    def peak(self, yes: int) -> float:
        """Return the likeliest chance of a yes report: yes / n, cut off at [b, a]."""
        observed = yes / self.respondents
        return min(max(observed, self.p_yes_given_no), self.p_yes_given_yes)

    def log_likelihood(self, yes: int, chance: float) -> float:
        """Return ln[lam^x (1 - lam)^(n - x)], the binomial coefficient left out."""
        no = self.respondents - yes
        return float(xlogy(yes, chance) + xlog1py(no, -chance))

    def log_likelihoods(self, yes: int, chances: FloatArray) -> FloatArray:
        """Return `log_likelihood` at each of `chances`."""
        no = self.respondents - yes
        return xlogy(yes, chances) + xlog1py(no, -chances)

    # scipy's bdtr keeps only nine digits at n = 10**6; betainc and betaincc keep
    # fifteen (measured against exact sums).

    def at_most(self, yes: int, chance: float) -> float:
        """Return P(X <= yes); DLMF 8.17.5 gives it as an incomplete beta function."""
        if yes >= self.respondents:
            return 1.0
        return float(betaincc(yes + 1, self.respondents - yes, chance))

    def at_least(self, yes: int, chance: float) -> float:
        """Return P(X >= yes), 0 where `yes` is more than all respondents."""
        if yes > self.respondents:
            return 0.0
        if yes <= 0:
            return 1.0
        return float(betainc(yes, self.respondents - yes + 1, chance))
