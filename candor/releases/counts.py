"""Counts released with noise, and intervals for the true count."""

from dataclasses import dataclass
from fractions import Fraction

from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, Interval
from candor.mechanisms.parameters import exact, shown
from candor.releases.noise import (
    MAX_CONTRIBUTIONS,
    Below,
    DiscreteGaussian,
    DiscreteLaplace,
    Noise,
    below,
)
from candor.table import Estimate, Estimates
from candor.validation import (
    CONFIDENCE_LEVEL,
    DELTA,
    MAX_RESPONDENTS,
    Range,
    check_whole,
)

EPSILON = Range(low=1e-4, high=100, example="0.5")
"""Below, the noise is larger than any survey; above, it is negligible."""

SIGMA = Range(low=0.1, high=10_000, example="4")


@dataclass(frozen=True, kw_only=True)
class Release:
    """A count released with noise, and its privacy budget.

    Attributes
    ----------
    released : int
        The sum of the true count and the noise; may be below 0.
    noise : DiscreteLaplace or DiscreteGaussian
        The distribution of the noise.
    sensitivity : int
        The largest change of the count by one person.
    epsilon, delta : float
        Differential privacy of one person; delta is 0 for discrete Laplace noise.
    """

    released: int
    noise: Noise
    sensitivity: int
    epsilon: float
    delta: float

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the noise, in respondents."""
        return self.noise.standard_deviation

    @property
    def is_gaussian(self) -> bool:
        """Whether the noise is Gaussian, so that the guarantee has a delta."""
        return isinstance(self.noise, DiscreteGaussian)

    @property
    def rho(self) -> float:
        """Zero-concentrated differential privacy of one person."""
        # D^2 / (2 sigma^2), as for continuous noise (Canonne, Kamath & Steinke 2020,
        # theorem 4); epsilon^2 / 2 (Bun & Steinke 2016, proposition 1.4).
        if isinstance(self.noise, DiscreteGaussian):
            return float((self.sensitivity / self.noise.sigma) ** 2 / 2)
        return self.epsilon**2 / 2

    def epsilon_at(self, delta: float) -> float:
        """Return epsilon of this release at another delta, in (0, 1)."""
        if isinstance(self.noise, DiscreteGaussian):
            return self.noise.epsilon(delta)
        return self.epsilon

    def interval(
        self, confidence_level: float = DEFAULT_CONFIDENCE_LEVEL
    ) -> tuple[int, int]:
        """Return an exact interval for the true count: nonnegative, never empty.

        Parameters
        ----------
        confidence_level : float
            In (0, 1). The coverage is at least this level for every true count.

        Returns
        -------
        tuple of int
            (low, high).
        """
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        return compute_count_interval(self.released, self.noise, level)

    def table(
        self,
        confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
        *,
        estimand: str = "count",
    ) -> Estimates:
        """Return the released count as a row, with its interval.

        Parameters
        ----------
        confidence_level : float
            In (0, 1).
        estimand : str
            What was counted.

        Returns
        -------
        Estimates
            One row. `raw` is the released number, `estimate` the same but at least 0.

        Examples
        --------
        >>> from candor.releases.noise import DiscreteLaplace
        >>> noise = DiscreteLaplace(Fraction(1, 2))
        >>> found = Release(
        ...     released=120, noise=noise, sensitivity=1, epsilon=0.5, delta=0.0
        ... )
        >>> row = found.table()["count"]
        >>> row.low, row.high, f"{row.standard_error:.3f}"
        (114.0, 126.0, '2.799')
        """

        def find_interval(level: float) -> Interval:
            low, high = self.interval(level)
            return Interval(float(low), float(high))

        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        ends = find_interval(level)
        row = Estimate(
            estimand=estimand,
            estimate=float(max(self.released, 0)),
            raw=float(self.released),
            standard_error=self.standard_deviation,
            low=ends.low,
            high=ends.high,
            confidence_level=level,
            method=self.noise.name,
            n=max(self.released, 0),
            find_interval=find_interval,
        )
        return Estimates([row])


def compute_count_interval(
    released: int, noise: Noise, level: float
) -> tuple[int, int]:
    """Return an exact interval for the true count; arguments are checked.

    A count c is accepted if the released r is within h(c) of c, or below 0 if
    h(c) >= c. h(c) is c, but at least the one-sided quantile of the noise and at most
    the two-sided one. A c near 0 therefore spends no error on the side without counts.
    It is accepted with probability P(N <= h) >= level, a larger c with
    P(|N| <= h) >= level.
    """
    two_sided, one_sided = noise.reach((1 - level) / 2), noise.reach(1 - level)
    high = max(released, 0) + two_sided
    # The smallest c with r - c <= h(c): c >= r / 2 if h(c) = c.
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
    """Release a count with noise, drawn exactly from whole random numbers.

    With `epsilon` alone the noise is discrete Laplace. With `sigma` it is discrete
    Gaussian: then epsilon follows from `delta`, or delta from `epsilon`. If both are
    given, sigma has to satisfy them.

    Parameters
    ----------
    count : int
        The true count, in [0, 10**9].
    epsilon : number or str
        In [0.0001, 100]; exact: "1/2" and 0.1 are read as fractions.
    sensitivity : int
        The largest change of the count by one person, in [1, 10000]: 1 if each person
        is counted once, c if a person contributes up to c times. For all cells of a
        histogram, use `compute_histogram_sensitivity`.
    sigma : number or str
        In [0.1, 10000], in respondents; exact.
    delta : number or str
        In (0, 1).
    source : callable
        Returns a uniform whole number below its argument; only tests replace it.

    Returns
    -------
    Release
        `table()` returns it as a row.

    Raises
    ------
    TypeError, ValueError
        If an argument is out of range, if the combination of arguments is not one of
        these, or if sigma is too small for the given epsilon and delta.

    Notes
    -----
    Repeated releases of one count compose: their epsilons add, and their deltas.

    References
    ----------
    Ghosh, Roughgarden & Sundararajan 2012, SIAM Journal on Computing 41:1673; Canonne,
    Kamath & Steinke 2020, NeurIPS 33 (arXiv:2004.00010).

    Examples
    --------
    >>> found = release(120, epsilon="1/2")
    >>> print(f"{found.standard_deviation:.3f}")
    2.799
    """
    count = check_whole("count", count, low=0, high=MAX_RESPONDENTS)
    most = check_whole("sensitivity", sensitivity, low=1, high=MAX_CONTRIBUTIONS)
    if not callable(source):
        raise TypeError(f"source must be a function; got {shown(source)}")
    if sigma is None:
        if epsilon is None:
            raise ValueError("release needs epsilon, or sigma with delta or epsilon")
        if delta is not None:
            raise ValueError("delta needs sigma: discrete Laplace noise has none")
        exact_epsilon = check_exact("epsilon", epsilon, EPSILON)
        noise: Noise = DiscreteLaplace(exact_epsilon, most)
        reached = float(exact_epsilon), 0.0
    elif epsilon is None and delta is None:
        raise ValueError("sigma needs delta or epsilon")
    else:
        gaussian = DiscreteGaussian(check_exact("sigma", sigma, SIGMA), most)
        reached = guarantee(gaussian, epsilon=epsilon, delta=delta)
        noise = gaussian
    return Release(
        released=count + noise.draw(source),
        noise=noise,
        sensitivity=most,
        epsilon=reached[0],
        delta=reached[1],
    )


def guarantee(
    gaussian: DiscreteGaussian, *, epsilon: object, delta: object
) -> tuple[float, float]:
    """Return epsilon and delta, and compute the one that is not given."""
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
    """Return `value` as an exact fraction; raise if it is out of range."""
    number = exact(value)
    if number is None:
        problem = f"{name} must be {allowed.allowed}; got {shown(value)}"
        raise ValueError(problem) if isinstance(value, str) else TypeError(problem)
    # Round like the bounds: 1/10000 is less than the float 1e-4. Huge fractions are
    # not converted, because they may overflow.
    is_near = abs(number) <= 2 * allowed.high
    allowed.check(name, float(number) if is_near else number)
    return number


def compute_histogram_sensitivity(
    contributions: int = 1, *, may_change_cell: bool = True
) -> int:
    """Return the largest total change of the cells of a histogram by one person.

    It applies to discrete Laplace noise; the sensitivity for discrete Gaussian noise is
    a sum of squares. A person is counted at most `contributions` times, in [1, 5000].
    If the answer is protected, and not only participation, a changed answer takes one
    from a cell and adds one to another.

    >>> compute_histogram_sensitivity()
    2
    """
    most = check_whole(
        "contributions", contributions, low=1, high=MAX_CONTRIBUTIONS // 2
    )
    return 2 * most if may_change_cell else most
