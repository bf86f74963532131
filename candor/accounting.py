"""The privacy budget of several surveys and releases that include the same person."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from candor.validation import DELTA, Range, check_sequence

EPSILON = Range(low=0, high=math.inf, example="1.1")


@runtime_checkable
class Part(Protocol):
    """A release with noise, such as `candor.Release`."""

    @property
    def epsilon(self) -> float: ...
    @property
    def is_gaussian(self) -> bool: ...
    @property
    def rho(self) -> float: ...
    def epsilon_at(self, delta: float) -> float: ...


@dataclass(frozen=True, kw_only=True)
class TotalEpsilon:
    """The total epsilon of several parts, by two ways of accounting.

    Both are valid at the same `delta`, and so is the smaller one.

    Attributes
    ----------
    basic : float
        The sum of all epsilons. Gaussian releases share delta equally.
    concentrated : float
        Epsilon by zero-concentrated differential privacy; at most the sum of the
        epsilons where no release is Gaussian.
    rho : float
        Total rho of zero-concentrated differential privacy.
    delta : float
        Probability that the loss exceeds epsilon; 0 if no part has a delta.
    """

    basic: float
    concentrated: float
    rho: float
    delta: float

    @property
    def epsilon(self) -> float:
        """The smaller of `basic` and `concentrated`."""
        return min(self.basic, self.concentrated)


def total_epsilon(
    parts: Sequence[float | Part], *, delta: float | None = None
) -> TotalEpsilon:
    """Return the privacy budget of surveys and releases that include the same person.

    Parameters
    ----------
    parts : sequence of float or Release
        Numbers are epsilons in [0, inf], such as the epsilon of all reports of one
        respondent to a survey. A release with Gaussian noise counts by its sigma and
        sensitivity, not by the epsilon and delta that it was drawn with.
    delta : float, optional
        Total delta of all parts, in (0, 1). Gaussian releases need it. Without delta,
        the epsilons of the other parts are added up.

    Returns
    -------
    TotalEpsilon
        Its `epsilon` is the smaller total of both ways of accounting.

    Raises
    ------
    TypeError, ValueError
        For arguments out of range, and for Gaussian releases without delta.

    References
    ----------
    Dwork & Roth 2014, The Algorithmic Foundations of Differential Privacy, theorem 3.16
    (epsilons and deltas add). Bun & Steinke 2016, TCC, "Concentrated differential
    privacy: simplifications, extensions, and lower bounds", propositions 1.3, 1.4 and
    1.6 and lemma 1.7. Canonne, Kamath & Steinke 2020, NeurIPS 33, theorem 4 (rho of
    discrete Gaussian noise is that of the continuous one).

    Examples
    --------
    Two waves of a question by a coin, and one release with epsilon 1/2:

    >>> from candor import release, total_epsilon
    >>> total = total_epsilon([1.0986, 1.0986, release(120, epsilon="1/2")])
    >>> print(f"{total.epsilon:.4f}")
    2.6972

    Twelve releases with Gaussian noise:

    >>> releases = [release(120, sigma=8, delta="1e-6") for _month in range(12)]
    >>> total = total_epsilon(releases, delta=1e-6)
    >>> print(f"{total.basic:.2f} {total.concentrated:.2f} {total.rho:.5f}")
    6.84 2.37 0.09375
    """
    check_sequence("parts", parts, of="epsilons and releases")
    if delta is not None:
        delta = DELTA.check("delta", delta)
    releases = [part for part in parts if isinstance(part, Part)]
    gaussian = [part for part in releases if part.is_gaussian]
    pure = [part.epsilon for part in releases if not part.is_gaussian]
    for part in parts:
        if not isinstance(part, Part):
            pure.append(EPSILON.check("an epsilon in parts", part))
    if gaussian and delta is None:
        raise ValueError("Gaussian releases need delta; got None")
    added = basic = concentrated = math.fsum(pure)
    # Rhos add; an epsilon has the rho epsilon^2 / 2 (Bun & Steinke 2016, lemma 1.7
    # and proposition 1.4).
    rho_of_gaussian = math.fsum(part.rho for part in gaussian)
    rho = rho_of_gaussian + math.fsum(epsilon**2 / 2 for epsilon in pure)
    if delta is not None:
        basic += math.fsum(part.epsilon_at(delta / len(gaussian)) for part in gaussian)
        # Other epsilons are added to the epsilon of the Gaussian releases, or their
        # rhos are added first: both are valid.
        concentrated = min(
            added + convert_rho(rho_of_gaussian, delta), convert_rho(rho, delta)
        )
    return TotalEpsilon(
        basic=basic, concentrated=concentrated, rho=rho, delta=delta or 0.0
    )


def convert_rho(rho: float, delta: float) -> float:
    """Return the epsilon at delta, in (0, 1), of zero-concentrated privacy."""
    # rho + 2 sqrt(rho ln(1 / delta)) (Bun & Steinke 2016, proposition 1.3)
    return rho + 2 * math.sqrt(rho * math.log(1 / delta))
