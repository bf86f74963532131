"""A regression with all its numbers: coefficients, average effects, what was left out.

Nothing here is about one person, and nothing speaks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from candor.binary import FloatArray
from candor.regression.fit import LogisticFit


@dataclass(frozen=True, kw_only=True)
class Coefficient:
    """The log odds ratio of one predictor; ends may be infinite."""

    name: str
    estimate: float
    standard_error: float
    low: float
    high: float
    p_value: float


@dataclass(frozen=True, kw_only=True)
class AverageEffect:
    """By how much the share differs, averaged over the respondents as they are."""

    name: str
    against: str
    """What it is compared with; empty where it is a slope for each unit."""
    estimate: float
    standard_error: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """Two sets of predictors of every pattern, between which an effect is taken.

    Attributes
    ----------
    name, against : str
    high, low : array of float
        Shape (patterns, coefficients).
    high_if_yes, low_if_yes : array of float or None
        The same for whoever has yes to the scrambled predictor.
    step : float
    """

    name: str
    against: str
    high: FloatArray
    low: FloatArray
    high_if_yes: FloatArray | None = None
    low_if_yes: FloatArray | None = None
    step: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Regression:
    """The numbers of one regression."""

    coefficients: tuple[Coefficient, ...]
    effects: tuple[AverageEffect, ...]
    log_likelihood: float
    respondents: int
    left_out: int
    """Rows with gaps."""
    patterns: int
    information: float
    tells_little: bool
    is_weighted: bool
    confidence_level: float

    @property
    def interval_name(self) -> str:
        """How the intervals of the coefficients are made."""
        return "wald-sandwich" if self.is_weighted else "profile-likelihood"


def regression_of(
    fit: LogisticFit,
    contrasts: Sequence[Contrast],
    *,
    left_out: int,
    confidence_level: float,
) -> Regression:
    """Return all numbers of a fit.

    Parameters
    ----------
    fit : LogisticFit
    contrasts : sequence of Contrast
    left_out : int
    confidence_level : float
        In (0, 1).
    """
    coefficients, effects = [], []
    for name, estimate, error in zip(
        fit.names, fit.estimates, fit.standard_errors, strict=True
    ):
        low, high = fit.interval(name, confidence_level)
        coefficients.append(
            Coefficient(
                name=name,
                estimate=float(estimate),
                standard_error=float(error),
                low=low,
                high=high,
                p_value=fit.p_value(name),
            )
        )
    for contrast in contrasts:
        effect = fit.effect(
            contrast.high,
            contrast.low,
            high_if_yes=contrast.high_if_yes,
            low_if_yes=contrast.low_if_yes,
            step=contrast.step,
        )
        low, high = effect.interval(confidence_level)
        if contrast.against:
            # No difference of two shares is larger; a slope may be.
            low, high = max(low, -1.0), min(high, 1.0)
        effects.append(
            AverageEffect(
                name=contrast.name,
                against=contrast.against,
                estimate=effect.estimate,
                standard_error=effect.standard_error,
                low=low,
                high=high,
            )
        )
    return Regression(
        coefficients=tuple(coefficients),
        effects=tuple(effects),
        log_likelihood=fit.log_likelihood,
        respondents=fit.respondents,
        left_out=left_out,
        patterns=len(fit.patterns.people),
        information=fit.information,
        tells_little=fit.tells_little,
        is_weighted=fit.is_weighted,
        confidence_level=confidence_level,
    )
