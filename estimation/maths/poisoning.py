"""How far forged reports can move a share."""

from dataclasses import dataclass
from fractions import Fraction

from estimation.maths.checked import (
    check_mechanism,
    check_respondents,
    check_square,
    check_whole,
)
from estimation.maths.scores import scores
from estimation.maths.targets import mean_of_points
from surveys.mechanisms import Mechanism


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

    >>> from surveys.mechanisms import build
    >>> forged_weight(build("coin"))
    Fraction(3, 2)
    """
    check_mechanism(mechanism)
    if mechanism.tells_shares:
        check_square(mechanism)
    return weight_of_forged(mechanism)


def weight_of_forged(mechanism: Mechanism) -> Fraction:
    """Return the same of a checked table."""
    if not mechanism.tells_shares:
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


def reckon_poisoning(
    mechanism: Mechanism, *, forged: int, respondents: int
) -> Poisoning:
    """Return how far m forged of n reports can move a share, on average.

    The mechanism is as for `forged_weight`, m in [0, n] and n in [1, 10**9].
    """
    n = check_respondents(respondents)
    m = check_whole("forged", forged, low=0, high=n)
    return poisoning_by(m, weight=forged_weight(mechanism), respondents=n)


def poisoning_by(forged: int, *, weight: Fraction, respondents: int) -> Poisoning:
    """Return the same from checked numbers and the weight of one forged report."""
    # m/n times the weight of one forged report
    radius = float(forged * weight / respondents)
    return Poisoning(forged=forged, respondents=respondents, radius=radius)
