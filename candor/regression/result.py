"""A regression with all its figures: coefficients, average effects, rows left out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from candor.binary import FloatArray
from candor.regression.fit import LogisticFit
from candor.table import Estimate, Estimates


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """Two sets of predictors of every pattern, between which an effect is taken.

    `against` is what the effect is compared with; empty for a slope. Arrays have shape
    (patterns, coefficients); the last two hold for yes to the scrambled predictor.
    """

    name: str
    against: str
    high: FloatArray
    low: FloatArray
    high_if_yes: FloatArray | None = None
    low_if_yes: FloatArray | None = None
    step: float = 1.0

    def effect(self, fit: LogisticFit, confidence_level: float) -> Estimate:
        """Return the row of the average effect, as a group against another."""
        row = fit.effect(
            self.high,
            self.low,
            high_if_yes=self.high_if_yes,
            low_if_yes=self.low_if_yes,
            step=self.step,
            name=self.name,
            confidence_level=confidence_level,
        )
        if not self.against:
            return row
        # No difference of two shares is larger; a slope may be.
        low, high = max(row.low, -1.0), min(row.high, 1.0)
        return replace(row, group=self.against, low=low, high=high)


@dataclass(frozen=True, kw_only=True)
class Regression:
    """The figures of one regression; `left_out` rows have gaps.

    The group of an effect is what it is compared with; a slope has none.
    """

    fit: LogisticFit
    coefficients: Estimates
    effects: Estimates
    left_out: int
    confidence_level: float

    @property
    def interval_name(self) -> str:
        """The method of the intervals of the coefficients."""
        return "wald-sandwich" if self.fit.is_weighted else "profile-likelihood"


def make_regression(
    fit: LogisticFit,
    contrasts: Sequence[Contrast],
    *,
    left_out: int,
    confidence_level: float,
) -> Regression:
    """Return all figures of a fit."""
    return Regression(
        fit=fit,
        coefficients=fit.table(confidence_level),
        effects=Estimates(each.effect(fit, confidence_level) for each in contrasts),
        left_out=left_out,
        confidence_level=confidence_level,
    )
