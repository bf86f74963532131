"""Formulas for the guarantees of noise: sensitivity, privacy loss, posteriors.

The page "Differential privacy by experiment" shows these numbers. Two data sets are
neighbours if they differ in the data of one person. Noise is continuous unless it is
called geometric. This module draws no noise, because rounded draws can reveal the true
value; `candor.releases.noise` draws exactly.
"""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from candor.binary import binomial
from candor.mechanisms.parameters import check_choice
from candor.planning.privacy import compute_smallest_delta
from candor.releases.counts import EPSILON
from candor.releases.noise import DiscreteLaplace
from candor.validation import DELTA, MAX_RESPONDENTS, SHARE, Range, check_whole

SCALE = Range(low=0, high=1e9, open_low=True, example="2")
PRIOR = Range(low=0, high=1, open_low=True, open_high=True, example="0.4")
MAX_PEOPLE = 10_000
"""Largest group for a posterior, whose table has a column for each count."""

FINE = 1e-12
"""Relative tolerance of the search for sigma, which never returns too small a value."""


def compute_response_delta(
    p_yes_given_yes: float, p_yes_given_no: float, *, epsilon: float
) -> float:
    """Return the smallest delta of a randomised response for an epsilon.

    Parameters
    ----------
    p_yes_given_yes, p_yes_given_no : float
        Probabilities of the report yes, in [0, 1].
    epsilon : float
        In [0.0001, 100].

    Returns
    -------
    float
        0 if it is epsilon-differentially private, 1 if true answers are reported.

    References
    ----------
    Dwork & Roth 2014, definition 2.4, for both reports and both orders of the answers.

    Examples
    --------
    >>> print(f"{compute_response_delta(0.75, 0.25, epsilon=0.5):.4f}")
    0.3378
    """
    p = SHARE.check("p_yes_given_yes", p_yes_given_yes)
    q = SHARE.check("p_yes_given_no", p_yes_given_no)
    reports = np.array([p, 1 - p]), np.array([q, 1 - q])
    return compute_smallest_delta(*reports, EPSILON.check("epsilon", epsilon))


def find_best_response(epsilon: float, *, delta: float = 0.0) -> tuple[float, float]:
    """Return P(yes | yes) and P(yes | no) of the most informative response.

    Parameters
    ----------
    epsilon, delta : float
        In [0.0001, 100] and [0, 1].

    Returns
    -------
    tuple of float
        p = (e^epsilon + delta) / (e^epsilon + 1) and 1 - p: the corner of the region
        that epsilon and delta allow.

    References
    ----------
    Kairouz, Oh & Viswanath 2016, JMLR 17(17); Holohan, Leith & Mason 2017, IEEE
    Transactions on Information Forensics and Security 12:2726.

    Examples
    --------
    >>> find_best_response(math.log(3))
    (0.75, 0.25)
    """
    inverse = math.exp(-EPSILON.check("epsilon", epsilon))
    no = (1 - SHARE.check("delta", delta)) * inverse / (1 + inverse)
    return 1 - no, no


def compute_sensitivity(
    query: str, *, width: float = 1, people: int = 1, queries: int = 1
) -> tuple[float, float]:
    """Return the largest change of a query's result by one person's data.

    Parameters
    ----------
    query : str
        "count", "sum" or "mean" of values, "histogram", or "counts": several counts of
        the same people at once.
    width : float
        For a sum or mean: the largest possible value minus the smallest.
    people : int
        For a mean: the number of people, which is known.
    queries : int
        Number of counts.

    Returns
    -------
    tuple of float
        The largest sum of absolute changes (L1), for Laplace noise, and the largest
        root of the sum of squared changes (L2), for Gaussian noise.

    References
    ----------
    Dwork & Roth 2014, definitions 3.1 and 3.8.

    Examples
    --------
    >>> compute_sensitivity("mean", width=5, people=20)
    (0.25, 0.25)
    """
    width = SCALE.check("width", width)
    n = check_whole("people", people, low=1, high=MAX_RESPONDENTS)
    d = check_whole("queries", queries, low=1, high=MAX_RESPONDENTS)
    found = {
        "count": (1.0, 1.0),
        "sum": (width, width),
        "mean": (width / n, width / n),
        # A changed answer leaves one cell and enters another.
        "histogram": (2.0, math.sqrt(2)),
        "counts": (float(d), math.sqrt(d)),
    }
    check_choice("query", query, found)
    return found[query]


@dataclass(frozen=True)
class Laplace:
    """Laplace noise: the density at x is proportional to exp(-epsilon abs(x) / D).

    D is the sensitivity. The privacy loss is the logarithm of the ratio of the
    densities of the released value, for two neighbours whose results differ by D.

    References
    ----------
    Dwork, McSherry, Nissim & Smith 2006; Dwork & Roth 2014, section 3.5.1.

    Examples
    --------
    >>> print(f"{Laplace(1).standard_deviation:.4f} {Laplace(1).expected_loss:.4f}")
    1.4142 0.3679
    """

    epsilon: float
    sensitivity: float = 1

    def __post_init__(self) -> None:
        EPSILON.check("epsilon", self.epsilon)
        SCALE.check("sensitivity", self.sensitivity)

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(2) * self.sensitivity / self.epsilon

    @property
    def expected_loss(self) -> float:
        """The mean of the privacy loss: epsilon - 1 + e^-epsilon."""
        return self.epsilon + math.expm1(-self.epsilon)

    def loss_at_most(self, loss: float) -> float:
        """Return the probability that the privacy loss is at most `loss`."""
        # L = (|x - D| - |x|) epsilon / D is linear between 0 and D. Its distribution
        # has a jump of 1/2 at epsilon and of e^-epsilon / 2 at -epsilon.
        if not -self.epsilon <= loss < self.epsilon:
            return float(loss > 0)
        return math.exp((loss - self.epsilon) / 2) / 2


@dataclass(frozen=True)
class Gaussian:
    """Normal noise with standard deviation `sigma`.

    The privacy loss is normal, with mean mu = sensitivity^2 / (2 sigma^2) and variance
    2 mu.

    References
    ----------
    Dwork & Roth 2014, appendix A; Balle & Wang 2018, ICML, theorem 8.

    Examples
    --------
    >>> print(f"{Gaussian(2).delta(1):.5f} {Gaussian(2).expected_loss:.3f}")
    0.00683 0.125
    """

    sigma: float
    sensitivity: float = 1

    def __post_init__(self) -> None:
        SCALE.check("sigma", self.sigma)
        SCALE.check("sensitivity", self.sensitivity)

    @property
    def expected_loss(self) -> float:
        """The mean of the privacy loss: sensitivity^2 / (2 sigma^2)."""
        return (self.sensitivity / self.sigma) ** 2 / 2

    def loss_at_most(self, loss: float) -> float:
        """Return the probability that the privacy loss is at most `loss`."""
        mean = self.expected_loss
        return float(scipy.special.ndtr((loss - mean) / math.sqrt(2 * mean)))

    def delta(self, epsilon: float) -> float:
        """Return the smallest delta: P(L > epsilon) - e^epsilon P(L' < -epsilon)."""
        # Balle & Wang 2018, theorem 8; L' is the loss of the neighbour
        mean = self.expected_loss
        spread = math.sqrt(2 * mean)
        above = scipy.special.ndtr((mean - epsilon) / spread)
        log_below = scipy.special.log_ndtr((-mean - epsilon) / spread)
        return max(0.0, float(above - math.exp(epsilon + log_below)))


def compute_gaussian_sigma(
    *, epsilon: float, delta: float, sensitivity: float = 1
) -> float:
    """Return the smallest sigma of Gaussian noise for an epsilon and a delta.

    Parameters
    ----------
    epsilon, delta : float
        In [0.0001, 100] and (0, 1).
    sensitivity : float
        Root of the sum of squared changes.

    Returns
    -------
    float

    References
    ----------
    Balle & Wang 2018, ICML, theorem 8, solved for sigma. For epsilon below 1, Dwork &
    Roth 2014, theorem A.1, has the larger sqrt(2 ln(1.25 / delta)) / epsilon.

    Examples
    --------
    >>> print(f"{compute_gaussian_sigma(epsilon=0.5, delta=1e-5):.3f}")
    7.032
    """
    wanted = EPSILON.check("epsilon", epsilon)
    allowed = DELTA.check("delta", delta)
    low, high = 0.0, 1.0
    while Gaussian(high).delta(wanted) > allowed:
        low, high = high, 2 * high
    while high - low > FINE * high:
        middle = (low + high) / 2
        is_small = Gaussian(middle).delta(wanted) > allowed
        low, high = (middle, high) if is_small else (low, middle)
    return high * SCALE.check("sensitivity", sensitivity)


def compute_expected_maximum(answers: int, *, scale: float = 1) -> float:
    """Return the expected largest absolute value of Laplace noise on d answers.

    Parameters
    ----------
    answers : int
        Number d of answers with independent noise, in [1, 10**9].
    scale : float
        Lambda, the sensitivity divided by epsilon.

    Returns
    -------
    float
        lambda (1 + 1/2 + ... + 1/d), at most lambda (ln d + 1).

    References
    ----------
    Rényi 1953, Acta Mathematica Hungarica 4:191: absolute values are exponential.

    Examples
    --------
    >>> print(f"{compute_expected_maximum(10):.4f}")
    2.9290
    """
    d = check_whole("answers", answers, low=1, high=MAX_RESPONDENTS)
    harmonic = float(scipy.special.digamma(d + 1)) + np.euler_gamma
    return SCALE.check("scale", scale) * harmonic


def compute_count_posterior(
    released: int, *, people: int, prior: float, noise: DiscreteLaplace
) -> float:
    """Return the probability that one person is counted, given a count with noise.

    Parameters
    ----------
    released : int
        The count with noise, which may be below 0.
    people : int
        Number of people in the data, in [1, 10000].
    prior : float
        The probability that each person is counted, independently, in (0, 1). If this
        person's data are not used, the posterior equals the prior.
    noise : DiscreteLaplace
        The distribution of the geometric noise.

    Returns
    -------
    float
        The odds differ from the prior odds by a factor of at most e^epsilon.

    References
    ----------
    Kasiviswanathan & Smith 2014, Journal of Privacy and Confidentiality 6(1).

    Examples
    --------
    Two people, q = 0.6: .084 / .198

    >>> from fractions import Fraction
    >>> noise = DiscreteLaplace(Fraction(-math.log(0.6)))
    >>> found = compute_count_posterior(1, people=2, prior=0.4, noise=noise)
    >>> print(f"{found:.5f}")
    0.42424
    """
    others = check_whole("people", people, low=1, high=MAX_PEOPLE) - 1
    prior = PRIOR.check("prior", prior)
    counts = np.arange(others + 1)
    chances = binomial(counts, others, prior)
    with_yes = prior * float(chances @ noise.probability(released - counts - 1))
    with_no = (1 - prior) * float(chances @ noise.probability(released - counts))
    return with_yes / (with_yes + with_no)
