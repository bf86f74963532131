"""How far forged reports can move a share, and intervals that allow for them."""

from dataclasses import dataclass
from fractions import Fraction

from candor.binary import BinomialDesign
from candor.estimands import mean_of_points
from candor.intervals import (
    DEFAULT_CONFIDENCE_LEVEL,
    DEFAULT_METHOD,
    Interval,
    share_interval,
)
from candor.mechanisms import Mechanism
from candor.scores import scores
from candor.validation import (
    check_mechanism,
    check_square,
    check_whole,
)


@dataclass(frozen=True, kw_only=True)
class Poisoning:
    """How far forged reports can move a share.

    Attributes
    ----------
    forged, respondents : int
        The forged reports are among those of all respondents.
    radius : float
        Difference of two shares, 0 or more; above 1 where forgers can say anything.
    """

    forged: int
    respondents: int
    radius: float


def forged_weight(mechanism: Mechanism) -> Fraction:
    """Return by how many respondents' answers one forged report can count.

    A forger sends the report that moves a share most. Beside what the same person's
    honest report would have contributed on average, it shifts the share by at most
    this many n-ths: 1 for a direct question, and the more the stronger the protection.

    Parameters
    ----------
    mechanism : Mechanism
        With as many reports as answers; of one that tells the mean of a scale alone it
        is about the mean, as a part of the scale.

    References
    ----------
    Cheu, Smith & Ullman 2021, IEEE Symposium on Security and Privacy (manipulation
    attacks in local differential privacy).

    Examples
    --------
    Two coins: a report of yes scores (1 - 1/4) / (1/2).

    >>> from candor.mechanisms import build
    >>> forged_weight(build("coin"))
    Fraction(3, 2)
    """
    check_mechanism(mechanism)
    if mechanism.tells_shares:
        check_square(mechanism)
    return weight_of_forged(mechanism)


def weight_of_forged(mechanism: Mechanism, *, of_mean: bool = False) -> Fraction:
    """Return the same of a checked table, or about the mean of its points."""
    if of_mean or not mechanism.tells_shares:
        numerators, denominator = scores(
            mechanism.weights, mean_of_points(len(mechanism.answers))
        )
        denominator *= len(mechanism.answers) - 1
    else:
        numerators, denominator = scores(mechanism.weights)
    # A report's score for an answer, less the 1 or 0 that an honest report scores on
    # average. For k-RR: 1 + (k - 1) / (e^eps - 1)
    largest = max(
        max(max(column), denominator - min(column)) for column in numerators.T.tolist()
    )
    return Fraction(largest, denominator)


def poisoning_by(forged: int, *, weight: Fraction, respondents: int) -> Poisoning:
    """Return how far m forged of n reports can move a share, on average.

    Arguments are checked; `weight` is that of one forged report.
    """
    # m/n times the weight of one forged report
    radius = float(forged * weight / respondents)
    return Poisoning(forged=forged, respondents=respondents, radius=radius)


def forgery_proof_interval(
    counted: int,
    design: BinomialDesign,
    *,
    forged: int,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    method: str = DEFAULT_METHOD,
) -> Interval:
    """Return an interval that holds whatever so many of the reports were forged to be.

    Had everybody been honest, the count would have been one of those from x - m to
    x + m. Limits grow with the count: those of the two ends hold the interval of every
    honest count between, and so keep its promise. The raw share shifts by
    m / (n (a - b)) to either side.

    Parameters
    ----------
    counted : int
        x, the reports that speak for the answer.
    design : BinomialDesign
        Of all reports, the forged ones among them.
    forged : int
        m, in [0, n].
    confidence_level, method
        As for `share_interval`.

    Examples
    --------
    Two coins, 40 of 100 report yes, up to 5 of the 100 forged:

    >>> coins = BinomialDesign(
    ...     respondents=100, p_yes_given_yes=3 / 4, p_yes_given_no=1 / 4
    ... )
    >>> low, high = forgery_proof_interval(40, coins, forged=5)
    >>> print(f"{low:.4f} {high:.4f}")
    0.0414 0.6014
    """
    n = design.respondents
    m = check_whole("forged", forged, low=0, high=n)
    low, high = (
        share_interval(
            min(max(counted + shift, 0), n),
            design,
            confidence_level=confidence_level,
            method=method,
        )
        for shift in (-m, m)
    )
    return Interval(low=low.low, high=high.high)
