"""The two chances of a yes/no table, and what follows from them alone."""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from estimation.maths.checked import check_two_by_two
from estimation.maths.yes_no import BinomialDesign
from surveys.mechanisms import Mechanism

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Chances:
    """How often a yes and a no are reported by the report that speaks for yes.

    Arguments of the methods are checked by the callers.

    Attributes
    ----------
    p_yes_given_yes, p_yes_given_no : float
        a and b of the formulas, 0 <= b < a <= 1.
    """

    p_yes_given_yes: float
    p_yes_given_no: float

    @classmethod
    def of(cls, mechanism: Mechanism) -> Self:
        """Return the chances of a 2 x 2 table; "yes" is its first answer.

        Raises
        ------
        TypeError, ValueError
            As `estimation.maths.checked.check_two_by_two` says.
        """
        check_two_by_two(mechanism)
        column = mechanism.reports.index(report_for_yes(mechanism))
        given_yes, given_no = (row[column] for row in mechanism.weights)
        return cls(
            p_yes_given_yes=given_yes / mechanism.total,
            p_yes_given_no=given_no / mechanism.total,
        )

    @property
    def span(self) -> float:
        """How much more often a yes than a no is reported yes: a - b."""
        return self.p_yes_given_yes - self.p_yes_given_no

    def mirrored(self) -> Self:
        """Return the same table told of "no": its reports, and the share of no."""
        return type(self)(
            p_yes_given_yes=1 - self.p_yes_given_no,
            p_yes_given_no=1 - self.p_yes_given_yes,
        )

    def design(self, respondents: int) -> BinomialDesign:
        """Return the law of the number of yes reports of so many respondents."""
        return BinomialDesign(
            respondents=respondents,
            p_yes_given_yes=self.p_yes_given_yes,
            p_yes_given_no=self.p_yes_given_no,
        )

    def of_report(self, share: float) -> float:
        """Return the chance that a respondent drawn at random reports yes."""
        # lam = b + (a - b) pi, Warner 1965. At share 1 the sum may round past a.
        return min(self.p_yes_given_no + self.span * share, self.p_yes_given_yes)

    def variance(self, share: float) -> float:
        """Return the variance of the raw share, times the number of respondents."""
        # lam (1 - lam) / (a - b)^2, Warner 1965
        chance = self.of_report(share)
        return chance * (1 - chance) / self.span**2


DIRECT = Chances(p_yes_given_yes=1.0, p_yes_given_no=0.0)
"""A question that is answered as it is."""


def report_for_yes(mechanism: Mechanism) -> str:
    """Return the report that the first answer makes likelier than the second does."""
    (on_yes, _), (on_no, _) = mechanism.weights
    return mechanism.reports[0 if on_yes > on_no else 1]


def report_for_no(mechanism: Mechanism) -> str:
    """Return the report that the second answer makes likelier."""
    (on_yes, _), (on_no, _) = mechanism.weights
    return mechanism.reports[1 if on_yes > on_no else 0]


def symmetric_noise(epsilon: float) -> float:
    """Return what the best table at `epsilon` adds to `variance`; 0 at infinity.

    Kairouz, Oh & Viswanath 2016, Journal of Machine Learning Research 17(17): no
    table at the same epsilon adds less.
    """
    # e^eps / (e^eps - 1)^2, with e^-eps, which never overflows
    return math.exp(-epsilon) / math.expm1(-epsilon) ** 2


def likely_counts(respondents: int, chance: float, *, left_out: float) -> IntArray:
    """Return a run of counts outside of which a binomial count falls hardly ever.

    Parameters
    ----------
    respondents : int
        n, 1 or more.
    chance : float
        In [0, 1].
    left_out : float
        In (0, 1): bound of the chance on either side of the run.
    """
    # Bernstein's inequality (Boucheron, Lugosi & Massart 2013, corollary 2.11):
    # P(X - n p >= t) <= exp(-t^2 / (2 (v + t/3))), solved for t.
    logarithm = -math.log(left_out)
    variance = respondents * chance * (1 - chance)
    third = logarithm / 3
    reach = third + math.sqrt(third**2 + 2 * variance * logarithm)
    middle = respondents * chance
    first = max(0, math.floor(middle - reach))
    last = min(respondents, math.ceil(middle + reach))
    return np.arange(first, last + 1)
