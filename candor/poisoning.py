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
from candor.validation import check_whole, reduce_to_estimable


@dataclass(frozen=True, kw_only=True)
class Poisoning:
    """The shift of a share that forged reports can cause on average.

    `radius` is the shift in either direction; above 1, any estimate is possible.
    """

    forged: int
    respondents: int
    radius: float


def forged_weight(mechanism: Mechanism) -> Fraction:
    """Return the number of respondents that one forged report can count for.

    A forger sends the report that moves a share most. Compared with an honest report,
    it shifts the share by at most this number divided by n on average. The number is 1
    for a direct question, and increases with the protection (Cheu, Smith & Ullman 2021,
    IEEE Symposium on Security and Privacy). For a mechanism that identifies only the
    mean of a scale, it applies to the mean as a part of the scale.

    With two coins, a report of yes scores (1 - 1/4) / (1/2):

    >>> from candor.mechanisms import build
    >>> forged_weight(build("coin"))
    Fraction(3, 2)
    """
    return compute_forged_weight(reduce_to_estimable(mechanism))


def compute_forged_weight(mechanism: Mechanism, *, of_mean: bool = False) -> Fraction:
    """Return the weight for a checked mechanism, for a share or the mean."""
    mechanism = reduce_to_ends(mechanism)
    if of_mean and mechanism.can_be_skipped:
        # The mean moves most if everyone answers with the lowest point.
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
    # The score of a report minus the average score of an honest report, 1 or 0. For
    # k-RR: 1 + (k - 1) / (e^eps - 1)
    largest = max(
        max(max(column), denominator - min(column)) for column in numerators.T.tolist()
    )
    return Fraction(largest, denominator)


def compute_poisoning(forged: int, *, weight: Fraction, respondents: int) -> Poisoning:
    """Return the shift by m forged reports: m/n times the weight of one."""
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
    """Return an interval that is valid if up to m of the reports were forged.

    If all reports had been honest, the count would be between x - m and x + m. The
    limits of an interval increase with the count. So the lower limit for x - m and the
    upper limit for x + m contain the interval of the honest count.

    Parameters
    ----------
    mechanism : Mechanism
        With as many reports as answers.
    counts : mapping of str to int
        How many respondents sent each report, the forged ones included, 0 or more;
        reports left out count 0. At most 10**9 in total.
    forged : int
        Largest number of forged reports, m, in [0, n].
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
        If an argument has the wrong type or is out of its range, or other answers of
        the mechanism send the reports of this answer with different chances.

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
