"""What a released count tells of the persons who may be counted in it."""

from collections.abc import Sequence

import numpy as np

from candor.binary import FloatArray
from candor.mechanisms.parameters import shown
from candor.releases.noise import Noise
from candor.validation import SHARE, is_whole

MOST_SUSPECTS = 1_000


def suspicions_after(
    released: int, noise: Noise, suspicions: Sequence[float]
) -> tuple[float, ...]:
    """Return how much each person is suspected once a count over them is released.

    Parameters
    ----------
    released : int
        The released number of those who have the trait.
    noise : Noise
        Its law.
    suspicions : sequence of float
        For each person the probability, before, that they have the trait, each by
        itself; up to 1,000 persons.

    Returns
    -------
    tuple of float
        The probabilities after. For discrete Laplace noise the odds of each have moved
        by a factor of e^(epsilon / sensitivity) at most.

    Raises
    ------
    TypeError
        For a released number that is not whole.
    ValueError
        For no suspicions, more than 1,000, one outside [0, 1], and a released number
        that the noise cannot make of such a count.

    Examples
    --------
    Two persons of whom each is suspected at 40 %; the noise is 0 with chance .25, 1 and
    -1 with .15, 2 and -2 with .09 (q = .6). A released 1 tells next to nothing of
    either: .084 / .198.

    >>> from fractions import Fraction
    >>> from math import log
    >>> from candor.releases.noise import DiscreteLaplace
    >>> noise = DiscreteLaplace(Fraction(log(5 / 3)))
    >>> print(f"{suspicions_after(1, noise, [0.4, 0.4])[0]:.5f}")
    0.42424
    """
    if not is_whole(released):
        message = f"released must be a whole number; got {shown(released)}"
        raise TypeError(message)
    if not 1 <= len(suspicions) <= MOST_SUSPECTS:
        raise ValueError(
            f"suspicions must be 1 to {MOST_SUSPECTS} numbers; got {len(suspicions)}"
        )
    before = [SHARE.check("a suspicion", each) for each in suspicions]
    # P(released | so many others have it), without and with this person.
    chances = noise.probability(released - np.arange(len(before) + 1))
    if not chances.any():
        raise ValueError(
            "released must be a number that the noise can make of such a count; got "
            f"{shown(released)}"
        )
    after = []
    for place, p in enumerate(before):
        others = counts_of(before[:place] + before[place + 1 :])
        without = (1 - p) * float(others @ chances[:-1])
        within = p * float(others @ chances[1:])
        after.append(within / (within + without))
    return tuple(after)


def counts_of(suspicions: Sequence[float]) -> FloatArray:
    """Return the chance of each number of persons who have the trait, 0 to all."""
    found = np.ones(1)
    for p in suspicions:
        found = np.convolve(found, [1 - p, p])
    return found
