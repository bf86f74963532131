"""The effect of forged reports on a share, and intervals that allow for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from candor.estimands import mean_of_points, scores
from candor.intervals import (
    DEFAULT_CONFIDENCE_LEVEL,
    DEFAULT_METHOD,
    Interval,
    share_interval,
)
from candor.mechanisms import Mechanism
from candor.mechanisms.scale import reduce_to_ends
from candor.sample import read_dichotomy
from candor.skipped_scales import MeanAmongAnswered
from candor.validation import check_estimable, check_mechanism, check_whole


@dataclass(frozen=True, kw_only=True)
class Poisoning:
    """How far forged reports can move a share, on average; above 1 any share."""

    forged: int
    respondents: int
    radius: float


def forged_weight(mechanism: Mechanism) -> Fraction:
    """Return how many respondents one forged report can count for.

    A forger sends the report that moves a share most. Compared with what an honest
    report would have contributed on average, it shifts the share by at most this number
    divided by n: 1 for a direct question, and more the stronger the protection (Cheu,
    Smith & Ullman 2021, IEEE Symposium on Security and Privacy). For a mechanism that
    identifies the mean of a scale alone, it is about the mean, as a part of the scale.

    Two coins: a report of yes scores (1 - 1/4) / (1/2).

    >>> from candor.mechanisms import build
    >>> forged_weight(build("coin"))
    Fraction(3, 2)
    """
    check_mechanism(mechanism)
    mechanism = reduce_to_ends(mechanism)
    check_estimable(mechanism)
    return weight_of_forged(mechanism)


def weight_of_forged(mechanism: Mechanism, *, of_mean: bool = False) -> Fraction:
    """Return the same for a checked mechanism, or about the mean of its points."""
    mechanism = reduce_to_ends(mechanism)
    if of_mean and mechanism.can_be_skipped:
        # Where everyone answers, and is at the lowest point, it moves the mean most.
        found = MeanAmongAnswered(mechanism)
        numerators, denominator = scores(mechanism.weights, found.total)
        denominator *= found.last
    elif of_mean or not mechanism.identifies_shares:
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
    """Return m/n times the weight of one forged report."""
    radius = float(forged * weight / respondents)
    return Poisoning(forged=forged, respondents=respondents, radius=radius)


def forgery_proof_interval(
    mechanism: Mechanism,
    counts: Mapping[str, int],
    *,
    forged: int,
    answer: str | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    method: str = DEFAULT_METHOD,
) -> Interval:
    """Return an interval that is valid whatever some of the reports were forged to be.

    If everyone had been honest, the count would have been one of those from x - m to
    x + m. Limits increase with the count: those of the two ends contain the interval of
    every honest count between, and so keep its coverage.

    Parameters
    ----------
    mechanism : Mechanism
        With as many reports as answers.
    counts : mapping of str to int
        How many respondents sent each report, the forged ones included, 0 or more;
        reports left out count 0. At most 10**9 in total.
    forged : int
        m, in [0, n].
    answer : str, optional
        One of the mechanism's answers, by default the first.
    confidence_level : float
        In (0, 1).
    method : str
        A key of `candor.intervals.METHODS`.

    Returns
    -------
    Interval
        (low, high), shares in [0, 1].

    Raises
    ------
    TypeError, ValueError
        For an argument of the wrong type or out of its range, and a mechanism whose
        other answers send the reports of this one with different chances.

    References
    ----------
    Cheu, Smith & Ullman 2021, IEEE Symposium on Security and Privacy (manipulation
    attacks in local differential privacy).

    Examples
    --------
    Two coins, 40 of 100 report yes, up to 5 of the 100 forged:

    >>> import candor
    >>> coin, counts = candor.mechanism("coin"), {"yes": 40, "no": 60}
    >>> low, high = candor.forgery_proof_interval(coin, counts, forged=5)
    >>> print(f"{low:.4f} {high:.4f}")
    0.0414 0.6014
    """
    x, n, dichotomy = read_dichotomy(mechanism, counts, answer)
    m = check_whole("forged", forged, low=0, high=n)
    low, high = (
        share_interval(
            min(max(x + shift, 0), n),
            dichotomy.channel.design(n),
            confidence_level=confidence_level,
            method=method,
        )
        for shift in (-m, m)
    )
    return Interval(low=low.low, high=high.high)
