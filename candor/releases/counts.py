"""A count, released with noise; and what the released one says of the true one."""

from dataclasses import dataclass
from fractions import Fraction

from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.mechanisms.parameters import exact, shown
from candor.releases.noise import DiscreteGaussian, DiscreteLaplace, Noise
from candor.releases.sampling import Below, below
from candor.validation import (
    CONFIDENCE_LEVEL,
    MAX_RESPONDENTS,
    Range,
    check_whole,
)

EPSILON = Range(low=1e-4, high=100, example="0.5")
"""Below, the noise is larger than any survey; above, there is none to speak of."""

SIGMA = Range(low=0.1, high=10_000, example="4")
DELTA = Range(low=0, high=1, open_low=True, open_high=True, example="1e-6")

MOST_CONTRIBUTIONS = 10_000
"""More often than that nobody is counted."""


@dataclass(frozen=True, kw_only=True)
class Release:
    """A released count, which may be below 0, and what its release gives away.

    Attributes
    ----------
    released : int
        The true count and the noise.
    noise : DiscreteLaplace or DiscreteGaussian
        The law of the noise, with the sensitivity it is meant for.
    epsilon, delta : float
        What holds for one person: delta is 0 for the discrete Laplace law.
    """

    released: int
    noise: Noise
    sensitivity: int
    epsilon: float
    delta: float

    @property
    def standard_deviation(self) -> float:
        """Of the noise, in people."""
        return self.noise.standard_deviation

    def interval(
        self, confidence_level: float = DEFAULT_CONFIDENCE_LEVEL
    ) -> tuple[int, int]:
        """Return an interval for the true count, of 0 or more and never empty.

        Parameters
        ----------
        confidence_level : float
            In (0, 1). The interval holds the true count at least so often, whatever it
            is: exact.

        Returns
        -------
        tuple of int
            (low, high).
        """
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        return interval_of_count(self.released, self.noise, level)


def interval_of_count(released: int, noise: Noise, level: float) -> tuple[int, int]:
    """Return the same from checked arguments.

    Counts c are accepted where the released r lies within h(c) of c, or below 0 where
    h(c) >= c; h(c) is c, but no less than a one-sided reach and no more than a
    two-sided one. So a c near 0 gives up nothing on the side where no count is, and its
    chance to be accepted is P(N <= h) >= level there and P(|N| <= h) >= level beyond.
    """
    two_sided, one_sided = noise.reach((1 - level) / 2), noise.reach(1 - level)
    high = max(released, 0) + two_sided
    # The smallest c with r - c <= h(c): c >= r / 2 where h(c) = c.
    down = min(max(one_sided, released // 2), two_sided)
    return max(0, released - down), high


def release(
    count: int,
    *,
    epsilon: object = None,
    sensitivity: int = 1,
    sigma: object = None,
    delta: object = None,
    source: Below = below,
) -> Release:
    """Return a count with noise, drawn exactly from whole random numbers.

    With `epsilon` alone the noise is discrete Laplace. With `sigma` it is discrete
    Gaussian: with `delta` the epsilon that holds is worked out, with `epsilon` the
    delta, and with both that is held to what was allowed.

    Parameters
    ----------
    count : int
        The true count, in [0, 10**9].
    epsilon : number or str
        In [0.0001, 100]; exact, "1/2" and 0.1 are fractions.
    sensitivity : int
        By how much one person can change the count at most, in [1, 10000]: 1 where
        everybody is counted once; c where somebody contributes up to c times. For all
        cells of a histogram together it is `sensitivity_of_histogram`.
    sigma : number or str
        In [0.1, 10000], in people; exact.
    delta : number or str
        In (0, 1).
    source : callable
        Gives uniform whole numbers below a number; only tests pass one.

    Raises
    ------
    TypeError, ValueError
        For arguments out of range, for a choice that is none of these, and where sigma
        is too small for the epsilon and delta that are given.

    Notes
    -----
    Every release of the same count is one more: their epsilons add (and the deltas).

    Examples
    --------
    >>> found = release(120, epsilon="1/2")
    >>> print(f"{found.standard_deviation:.3f}")
    2.799
    """
    count = check_whole("count", count, low=0, high=MAX_RESPONDENTS)
    most = check_whole("sensitivity", sensitivity, low=1, high=MOST_CONTRIBUTIONS)
    if sigma is None:
        if epsilon is None:
            raise ValueError("release needs epsilon, or sigma with delta or epsilon")
        if delta is not None:
            raise ValueError("delta needs sigma: the discrete Laplace law has none")
        laplace = DiscreteLaplace(check_exact("epsilon", epsilon, EPSILON), most)
        return Release(
            released=count + laplace.draw(source),
            noise=laplace,
            sensitivity=most,
            epsilon=float(laplace.epsilon),
            delta=0.0,
        )
    if epsilon is None and delta is None:
        raise ValueError("sigma needs delta or epsilon")
    gaussian = DiscreteGaussian(check_exact("sigma", sigma, SIGMA), most)
    kept, lost = promise_of(gaussian, epsilon=epsilon, delta=delta)
    return Release(
        released=count + gaussian.draw(source),
        noise=gaussian,
        sensitivity=most,
        epsilon=kept,
        delta=lost,
    )


def promise_of(
    gaussian: DiscreteGaussian, *, epsilon: object, delta: object
) -> tuple[float, float]:
    """Return epsilon and delta: one of them is worked out, or both are held to."""
    allowed = None if delta is None else float(check_exact("delta", delta, DELTA))
    if epsilon is None and allowed is not None:
        return gaussian.epsilon(allowed), allowed
    given = float(check_exact("epsilon", epsilon, EPSILON))
    reached = gaussian.delta(given)
    if allowed is not None and reached > allowed:
        raise ValueError(
            f"sigma must be larger for epsilon {given:g} and delta {allowed:g}; got "
            f"{float(gaussian.sigma):g}, with which delta is {reached:.3g}"
        )
    return given, reached


def check_exact(name: str, value: object, allowed: Range) -> Fraction:
    """Return `value` as an exact fraction within the range, or raise."""
    number = exact(value)
    if number is None:
        problem = f"{name} must be {allowed.allowed}; got {shown(value)}"
        raise ValueError(problem) if isinstance(value, str) else TypeError(problem)
    # Rounded as the bounds are: 1/10000 is less than the float 1e-4. What is far too
    # large may be no float.
    is_near = abs(number) <= 2 * allowed.high
    allowed.check(name, float(number) if is_near else number)  # type: ignore[arg-type]
    return number


def sensitivity_of_histogram(
    contributions: int = 1, *, may_change_cell: bool = True
) -> int:
    """Return by how much one person can change all cells of a histogram together.

    Parameters
    ----------
    contributions : int
        How often somebody is counted at most, in [1, 5000].
    may_change_cell : bool
        Whether the answer is protected too, and not only whether somebody took part: a
        changed answer takes one from a cell and adds one to another.

    Notes
    -----
    For the discrete Laplace law alone: the discrete Gaussian one goes by the sum of
    squares.
    """
    most = check_whole(
        "contributions", contributions, low=1, high=MOST_CONTRIBUTIONS // 2
    )
    return 2 * most if may_change_cell else most
