"""What the unordered pile of all reports tells of one person: a smaller epsilon.

Who sees nothing but the counts of a survey's reports learns less than the table's
epsilon allows. This holds against nobody else: whoever runs the survey, or sees a
report arrive, is held off by the table's own epsilon alone.
"""

import math
from dataclasses import dataclass

import numpy as np

from candor.binary import BinaryChannel, FloatArray, likely_counts
from candor.binomial import binomial
from candor.dichotomies import channel_of
from candor.mechanisms import Mechanism
from candor.validation import Range, check_respondents, check_two_by_two

DEFAULT_DELTA = 1e-6
"""Chance granted to a count that tells more: one in a million."""

DELTA = Range(low=1e-9, high=0.01, example="1e-6")
"""Below, the rounding of a float would be felt; above, the bound protects nobody."""

LEFT_OUT = 1e-16
"""Less than a float can tell of the sums below."""

FINE = 1e-9
"""The bisection ends here: far finer than any epsilon is shown."""

MOST_PARTS = 250
"""Up to so many respondents the maximum is exact. Of more, the answers of every 250th
part are bounded together, which adds one part in 200 at most (measured)."""

MOST_RESPONDENTS = 10**5
"""Half a second. More respondents hide each other better still, so that the epsilon of
this number holds for them."""


@dataclass(frozen=True, kw_only=True)
class ShuffledPrivacy:
    """What the counts of all reports tell of one person.

    Attributes
    ----------
    respondents : int
    delta, epsilon : float
        Epsilon is in [0, the table's epsilon], never less than the true one; infinite
        where the table's is.
    """

    respondents: int
    delta: float
    epsilon: float


def pile_privacy(
    mechanism: Mechanism, *, respondents: int, delta: float = DEFAULT_DELTA
) -> ShuffledPrivacy:
    """Return the epsilon of the counts of all reports, exact, for one question.

    The reader of the counts may know the answers of all respondents but one. Two
    answers of that one must give counts that are alike up to e**epsilon and `delta`
    (Dwork & Roth 2014, definition 2.4), whatever the others' answers.

    Parameters
    ----------
    mechanism : Mechanism
        Two answers, two reports.
    respondents : int
        n, in [1, 10**9]: of the smallest group whose counts are shown.
    delta : float
        In [1e-9, 0.01].

    Notes
    -----
    Of the other n - 1, let m answer yes: they send Bin(m, a) + Bin(n - 1 - m, b) yes
    reports. The worst m need not be 0 or n - 1, because counts are whole. All m from
    m1 to m2 are bounded together by the law without these m2 - m1 people, of whom the
    count is that law's and independent noise (post-processing, Dwork & Roth 2014,
    proposition 2.1). Where even that bound is below an epsilon already found, they
    need no closer look.

    References
    ----------
    Erlingsson et al. 2019, SODA, and Balle et al. 2019, CRYPTO (privacy by shuffling).
    """
    check_two_by_two(mechanism)
    return pile_of(
        channel_of(mechanism),
        respondents=check_respondents(respondents),
        delta=DELTA.check("delta", delta),
        most=mechanism.epsilon,
    )


def pile_of(
    law: BinaryChannel, *, respondents: int, most: float, delta: float = DEFAULT_DELTA
) -> ShuffledPrivacy:
    """Return the same of checked numbers, `most` being the epsilon of the table."""
    epsilon = most
    if math.isfinite(most):
        others = min(respondents, MOST_RESPONDENTS) - 1
        epsilon = _worst_epsilon(law, others, delta=delta, most=most)
    return ShuffledPrivacy(respondents=respondents, delta=delta, epsilon=epsilon)


def _worst_epsilon(
    law: BinaryChannel, others: int, *, delta: float, most: float
) -> float:
    """Return the largest epsilon over all numbers of yes among the others."""
    worst, narrow = 0.0, others // MOST_PARTS
    # The ends first: they are mostly the worst, and spare the rest a closer look.
    blocks = [(0, others), (others, others), (0, 0)]
    while blocks:
        fewest, largest = blocks.pop()
        laws = _laws(law, yes=fewest, no=others - largest)
        if _delta(*laws, worst) <= delta:
            continue
        if largest - fewest <= narrow:
            worst = _epsilon(*laws, delta=delta, low=worst, high=most)
        else:
            middle = (fewest + largest) // 2
            blocks += [(fewest, middle), (middle + 1, largest)]
    return worst


def _laws(law: BinaryChannel, *, yes: int, no: int) -> tuple[FloatArray, FloatArray]:
    """Return the laws of the count with one person more, of answer yes and of no."""
    a, b = law.p_yes_given_yes, law.p_yes_given_no
    reported = np.ones(1)
    for people, chance in ((yes, a), (no, b)):
        if people:
            counts = likely_counts(people, chance, left_out=LEFT_OUT)
            reported = np.convolve(reported, binomial(counts, people, chance))
    silent, reporting = np.append(reported, 0.0), np.append(0.0, reported)
    return (1 - a) * silent + a * reporting, (1 - b) * silent + b * reporting


def _epsilon(
    one: FloatArray, other: FloatArray, *, delta: float, low: float, high: float
) -> float:
    """Return the smallest epsilon for `delta`, between one too small and one enough."""
    while high - low > FINE:
        middle = (low + high) / 2
        if _delta(one, other, middle) <= delta:
            high = middle
        else:
            low = middle
    return high


def _delta(one: FloatArray, other: FloatArray, epsilon: float) -> float:
    """Return by how much one law exceeds e**epsilon times the other, at most."""
    # max of sum over x of [P(x) - e^eps Q(x)]_+ and the same with P and Q exchanged
    factor = math.exp(epsilon)
    return max(
        float(np.clip(one - factor * other, 0, None).sum()),
        float(np.clip(other - factor * one, 0, None).sum()),
    )
