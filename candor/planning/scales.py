"""How precise the mean of a scale will be, and by which of the two ways more so."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from candor.assumptions import NormalMargins
from candor.dichotomies import one_against_the_rest
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.mechanisms import Mechanism, ParameterError, build
from candor.planning.assumed_mean import AssumedMean
from candor.planning.precision import margin_of_error
from candor.validation import (
    CONFIDENCE_LEVEL,
    MARGIN,
    MAX_RESPONDENTS,
    check_mechanism,
    check_respondents,
)

WAYS = ("one_bit", "grid")
"""The families that scramble a scale."""


@dataclass(frozen=True, kw_only=True)
class ScalePlan:
    """The precision of the mean of a scale, taken from 0 to 1.

    Attributes
    ----------
    variances : mapping of str to float
        n times the variance of the mean by each family that takes this many points, at
        the same epsilon.
    family : str
        The one that is planned with.
    assumed : AssumedMean
    confidence_level : float
    """

    variances: Mapping[str, float]
    family: str
    assumed: AssumedMean
    confidence_level: float

    @property
    def best(self) -> str:
        """The most precise family."""
        return min(self.variances, key=lambda name: self.variances[name])

    def margins(self, *, family: str = "") -> NormalMargins:
        """Return the margins of the mean, in parts of the scale.

        `family` is a key of `variances`; left out, the one that is planned with.
        """
        return NormalMargins(
            variance=self.variances[family or self.family],
            confidence_level=self.confidence_level,
        )

    @property
    def direct_variance(self) -> float:
        """That of honest answers to a direct question."""
        return (self.assumed.sd / self.assumed.last) ** 2

    @property
    def direct_margins(self) -> NormalMargins:
        """The same of honest answers to a direct question."""
        return NormalMargins(
            variance=self.direct_variance, confidence_level=self.confidence_level
        )

    def margin(self, respondents: int, *, family: str = "") -> float:
        """Return half the width of the normal interval, as a part of the scale.

        Parameters
        ----------
        respondents : int
            n, in [1, 10**9].
        family : str
            As in `margins`.
        """
        return self.margins(family=family).margin(check_respondents(respondents))

    def needed(self, margin: float, *, family: str = "") -> int | None:
        """Return how many respondents a margin needs, None for more than 10**9.

        Parameters
        ----------
        margin : float
            A part of the scale, in [1e-6, 1).
        family : str
            As in `margins`.
        """
        wanted = MARGIN.check("margin", margin)
        found = self.margins(family=family).needed(wanted)
        return found if found <= MAX_RESPONDENTS else None

    @property
    def cost_of_privacy(self) -> float:
        """How many times the respondents of a direct question are needed.

        Infinite where all answers are alike: a direct question then has no spread.
        """
        if self.direct_variance == 0:
            return math.inf
        return self.variances[self.family] / self.direct_variance


def margin_of_question(
    mechanism: Mechanism,
    *,
    respondents: int,
    share: float,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> float:
    """Return the margin of what a question is asked for.

    That is the mean of a scale, in parts of the scale, and else the share of one
    answer, whichever it is.

    Parameters
    ----------
    mechanism : Mechanism
    respondents : int
        n, in [1, 10**9].
    share : float
        Of that answer, in [0, 1]; the mean of a scale needs none.
    confidence_level : float
        In (0, 1).

    Raises
    ------
    ValueError
        Where the shape of the table allows no plan.
    """
    if mechanism.family in WAYS:
        plan = plan_scale(mechanism, confidence_level=confidence_level)
        return plan.margin(respondents)
    return margin_of_error(
        one_against_the_rest(mechanism),
        respondents=respondents,
        share=share,
        confidence_level=confidence_level,
    )


def plan_scale(
    mechanism: Mechanism,
    *,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    mean: float | None = None,
    sd: float | None = None,
) -> ScalePlan:
    """Return how precise the mean of a scale will be.

    Parameters
    ----------
    mechanism : Mechanism
        Of one of `WAYS`.
    confidence_level : float
        In (0, 1).
    mean, sd : float, optional
        Of the answers, in points, as `AssumedMean.of` takes them.

    Raises
    ------
    ValueError
        For a mechanism of another family.

    Examples
    --------
    Epsilon 1 and 0 to 10: one bit; epsilon 4: each point.

    >>> from candor.mechanisms import build
    >>> for epsilon in (1, 4):
    ...     plan = plan_scale(build("one_bit", epsilon=epsilon, points=11))
    ...     print(plan.best, {way: round(v, 2) for way, v in plan.variances.items()})
    one_bit {'one_bit': 1.17, 'grid': 5.48}
    grid {'one_bit': 0.27, 'grid': 0.15}
    """
    check_mechanism(mechanism)
    if mechanism.family not in WAYS:
        allowed = " or ".join(WAYS)
        raise ValueError(f"mechanism must be of {allowed}; got {mechanism.family}")
    assumed = AssumedMean.of(len(mechanism.answers), mean=mean, sd=sd)
    tables = {mechanism.family: mechanism}
    for family in WAYS:
        try:
            tables.setdefault(family, build(family, **mechanism.parameters))
        except ParameterError:
            continue
    return ScalePlan(
        variances={
            name: assumed.variance(tables[name].weights) / assumed.last**2
            for name in WAYS
            if name in tables
        },
        family=mechanism.family,
        assumed=assumed,
        confidence_level=CONFIDENCE_LEVEL.check("confidence_level", confidence_level),
    )
