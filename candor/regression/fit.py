"""From counts of reports by pattern to coefficients, intervals and average effects."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy

from candor.binary import FloatArray
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.intervals.closed_form import two_sided_z
from candor.regression.maximum import (
    TOO_FEW,
    check_maximum,
    coordinates,
    highest,
    information,
)
from candor.regression.patterns import (
    NoFitError,
    Obstacle,
    Patterns,
    Scrambled,
    check_patterns,
    matrix,
)
from candor.regression.profile import Profile
from candor.regression.search import Problem
from candor.tolerance import is_below
from candor.validation import CONFIDENCE_LEVEL

FEW = 10.0
"""Below this n min(pi, 1 - pi) (a - b)^2 for each coefficient a caution is due: a rule
of thumb, after the ten events for each variable of Peduzzi et al. 1996 (Journal of
Clinical Epidemiology 49:1373), scrambled ones counting (a - b)^2."""

HELD_AT_LEAST = {"coefficients": 0.94, "effects": 0.92}
"""Of how many surveys the 95 % intervals held the truth wherever it was tried, without
weights and with respondents enough: `benchmarks.slopes`, rounded down."""


@dataclass(frozen=True, kw_only=True)
class Effect:
    """A difference of shares, averaged over the respondents as they are.

    Attributes
    ----------
    estimate, standard_error : float
    """

    estimate: float
    standard_error: float

    def interval(
        self, confidence_level: float = DEFAULT_CONFIDENCE_LEVEL
    ) -> tuple[float, float]:
        """Return the normal interval of a level in (0, 1)."""
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        reach = two_sided_z(level) * self.standard_error
        return self.estimate - reach, self.estimate + reach


@dataclass(frozen=True, kw_only=True)
class LogisticFit:
    """The coefficients that make the reports likeliest.

    Attributes
    ----------
    names : tuple of str
    estimates : array of float
        Shape (parameters,): log odds ratios.
    covariance : array of float
        Shape (parameters, parameters): the inverse of the observed information; of
        weighted rows the sandwich.
    expected_covariance : array of float
        The inverse of the expected information.
    log_likelihood : float
    respondents : int
    is_weighted : bool
        Whether intervals and p-values are normal ones, by the sandwich; otherwise they
        are those of the profile likelihood.
    information : float
        n min(pi, 1 - pi) (a - b)^2 for each coefficient; see `FEW`.
    """

    names: tuple[str, ...]
    estimates: FloatArray
    covariance: FloatArray
    expected_covariance: FloatArray
    log_likelihood: float
    respondents: int
    is_weighted: bool
    information: float
    patterns: Patterns
    problem: Problem
    basis: FloatArray
    place: FloatArray
    spread: FloatArray
    """Covariance of all coordinates, those of the background too."""

    @property
    def standard_errors(self) -> FloatArray:
        """Standard deviations of the estimates, shape (parameters,)."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def tells_little(self) -> bool:
        """Whether there are too few respondents for so many coefficients."""
        return is_below(self.information, FEW)

    def interval(
        self, name: str, confidence_level: float = DEFAULT_CONFIDENCE_LEVEL
    ) -> tuple[float, float]:
        """Return an interval for a coefficient, infinite where nothing limits it.

        By the profile likelihood (Venzon & Moolgavkar 1988, Applied Statistics 37:87),
        of weighted rows the normal one.

        Parameters
        ----------
        name : str
            One of `names`.
        confidence_level : float
            In (0, 1): aimed at, not guaranteed; regression.md has what was found.
        """
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        place = self._place(name)
        if self.is_weighted:
            error = float(self.standard_errors[place])
            reach = two_sided_z(level) * error
            middle = float(self.estimates[place])
            return middle - reach, middle + reach
        profile = self._profiles[place]
        limit = float(scipy.special.chdtri(1, 1 - level))
        return profile.end(limit, side=-1), profile.end(limit, side=1)

    def p_value(self, name: str) -> float:
        """Return the p-value of "this coefficient is 0".

        Of the likelihood ratio; of weighted rows Wald's.
        """
        place = self._place(name)
        if self.is_weighted:
            ratio = (self.estimates[place] / self.standard_errors[place]) ** 2
        else:
            ratio = self._profiles[place].at(0.0).deviance
        return float(scipy.special.chdtrc(1, max(ratio, 0.0)))

    def effect(
        self,
        high: npt.ArrayLike,
        low: npt.ArrayLike,
        *,
        high_if_yes: npt.ArrayLike | None = None,
        low_if_yes: npt.ArrayLike | None = None,
        step: float = 1.0,
    ) -> Effect:
        """Return how the share changes from one set of predictors to another.

        Everybody once has the predictors `high` and once `low`; the difference of the
        shares, averaged over respondents, with a standard error by the delta method.

        Parameters
        ----------
        high, low : array of float
            Shape (patterns, parameters), for the patterns that were fitted.
        high_if_yes, low_if_yes : array of float, optional
            The same for whoever has yes to the scrambled predictor; left out, these
            predictors hold for all.
        step : float
            What the difference is divided by: a slope per unit, where `high` and `low`
            are close by.

        Raises
        ------
        TypeError, ValueError
            For predictors that are no finite numbers, or of another shape.
        """
        people = self.patterns.people / self.patterns.people.sum()
        ends = [matrix("high", high), matrix("low", low)]
        shape = (len(people), len(self.names))
        if {end.shape for end in ends} != {shape}:
            raise ValueError(f"high and low must have shape {shape}")
        ends_if_yes = [
            end if given is None else matrix("high and low if yes", given)
            for end, given in zip(ends, (high_if_yes, low_if_yes), strict=True)
        ]
        share, gradient = self._average(ends, people)
        if self.patterns.background is not None:
            background = self.patterns.background
            size = len(self.names)
            having = scipy.special.expit(background @ self._parameters[size:])
            no, slope = self._average(ends, people * (1 - having))
            yes, slope_if_yes = self._average(ends_if_yes, people * having)
            differences = [
                scipy.special.expit(if_yes @ self.estimates)
                - scipy.special.expit(end @ self.estimates)
                for end, if_yes in zip(ends, ends_if_yes, strict=True)
            ]
            # How the change differs between them, times how many of both there are
            moved = people * having * (1 - having) * (differences[0] - differences[1])
            share = yes + no
            gradient = np.concatenate([slope + slope_if_yes, moved @ background])
        variance = gradient @ self._parameter_covariance @ gradient
        return Effect(
            estimate=share / step, standard_error=math.sqrt(variance) / abs(step)
        )

    def _average(
        self, ends: Sequence[FloatArray], people: FloatArray
    ) -> tuple[float, FloatArray]:
        """Return the mean difference of shares, and its gradient."""
        share, gradient = 0.0, np.zeros(len(self.names))
        for sign, end in zip((1, -1), ends, strict=True):
            predictor = end @ self.estimates
            chances = scipy.special.expit(predictor)
            share += sign * float(people @ chances)
            # ds/db = s (1 - s) x
            gradient += (
                sign * (people * chances * scipy.special.expit(-predictor)) @ end
            )
        return share, gradient

    @property
    def _parameters(self) -> FloatArray:
        return self.basis @ self.place

    @property
    def _parameter_covariance(self) -> FloatArray:
        return self.basis @ self.spread @ self.basis.T

    @cached_property
    def _profiles(self) -> list[Profile]:
        alone = np.asarray(np.linalg.inv(self.basis), dtype=np.float64)
        return [
            Profile.of(
                self.basis[place],
                self.problem,
                alone=alone[:, place],
                place=self.place,
                spread=self.spread,
                best=self.log_likelihood,
            )
            for place, _ in enumerate(self.names)
        ]

    def _place(self, name: str) -> int:
        if name not in self.names:
            raise ValueError(f"name must be one of {list(self.names)}; got {name!r}")
        return self.names.index(name)


def fit_logistic(
    predictors: npt.ArrayLike,
    counts: npt.ArrayLike,
    *,
    p_yes_given_yes: npt.ArrayLike,
    p_yes_given_no: npt.ArrayLike,
    names: Sequence[str],
    scrambled: Scrambled | None = None,
    squared_weights: npt.ArrayLike | None = None,
    respondents: int | None = None,
) -> LogisticFit:
    """Return the logistic regression of an answer that was randomised.

    P(answer = yes) = 1 / (1 + exp(-x b)) for predictors x, and a yes report comes with
    the chance b + (a - b) P(answer = yes). Respondents with the same predictors and the
    same table are one pattern: the time depends on patterns alone.

    Parameters
    ----------
    predictors : array of float
        Shape (patterns, parameters), with a column of 1 for the constant. With a
        scrambled predictor: where its answer is no.
    counts : array of float
        Shape (patterns, 2): yes and no reports. With a scrambled predictor shape
        (patterns, 4): reports yes-yes, yes-no, no-yes, no-no, the predictor's first. Of
        weighted rows the sums of weights, whose mean over rows is 1.
    p_yes_given_yes, p_yes_given_no : float or array of float
        a and b of the outcome, 0 <= b < a <= 1; shape (patterns,) where the tables of
        respondents differ, as in pooled designs. Of one answer of several those of its
        `dichotomy_of_answer`.
    names : sequence of str
        Of the parameters.
    scrambled : Scrambled, optional
        A predictor that was randomised too. Its share is logistic in those columns of
        `predictors` that are not all 0.
    squared_weights : array of float, optional
        Sums of squared weights, of the shape of `counts`: rows are then weighted.
    respondents : int, optional
        How many rows; needed where these are weighted.

    Raises
    ------
    NoFitError
        Where no coefficients can be relied on: too few respondents, collinear columns,
        a share at its edge, columns that separate yes and no, no convergence.

    References
    ----------
    Maddala 1983, Limited-Dependent and Qualitative Variables in Econometrics; van den
    Hout, van der Heijden & Gilchrist 2007, Computational Statistics & Data Analysis
    51:6060; Blair, Imai & Zhou 2015, Journal of the American Statistical Association
    110:1304; White 1982, Econometrica 50:1 (sandwich).

    Examples
    --------
    Two coins, one predictor of yes and no: 60 of 100 and 40 of 100 report yes, so that
    shares are .7 and .3, and the odds ratio is (7/3) / (3/7).

    >>> fit = fit_logistic(
    ...     [[1, 1], [1, 0]],
    ...     [[60, 40], [40, 60]],
    ...     p_yes_given_yes=3 / 4,
    ...     p_yes_given_no=1 / 4,
    ...     names=["Intercept", "x"],
    ... )
    >>> print(f"{np.exp(fit.estimates[1]):.4f}")
    5.4444
    """
    patterns = check_patterns(
        predictors,
        counts,
        p_yes_given_yes=p_yes_given_yes,
        p_yes_given_no=p_yes_given_no,
        names=names,
        scrambled=scrambled,
        respondents=respondents,
    )
    squares = None
    if squared_weights is not None:
        squares = matrix("squared_weights", squared_weights)
        if squares.shape != np.shape(counts) or squares.min(initial=0) < 0:
            raise ValueError(
                "squared_weights must be 0 or more, of the shape of counts; got shape "
                f"{squares.shape}"
            )
        squares = squares[np.asarray(counts).sum(axis=1) > 0].T
    size = len(names)
    basis, problem = coordinates(patterns)
    found = highest(problem, patterns, basis)
    derived = problem.derivatives(found.place)
    observed = problem.observed(derived)
    check_maximum(found, observed, problem, patterns, basis)
    spread = np.asarray(np.linalg.inv(observed), dtype=np.float64)
    if squares is not None:
        # A^-1 B A^-1 (White 1982)
        spread = spread @ problem.squared_scores(derived, squares) @ spread
    n = round(patterns.people.sum()) if respondents is None else respondents
    told = information(problem, found.place, patterns)
    if is_below(told, TOO_FEW):
        raise NoFitError(
            Obstacle.TOO_FEW,
            f"{n} respondents tell too little for {size} coefficients: n min(pi, 1 - "
            f"pi) (a - b)^2 must be {TOO_FEW:g} or more for each; got "
            f"{told:.2g}",
        )
    outcome = basis[:size]
    expected = np.linalg.inv(problem.expected(derived))
    return LogisticFit(
        names=patterns.names,
        estimates=outcome @ found.place,
        covariance=outcome @ spread @ outcome.T,
        expected_covariance=outcome @ expected @ outcome.T,
        log_likelihood=found.log_likelihood,
        respondents=n,
        is_weighted=squares is not None,
        information=told,
        patterns=patterns,
        problem=problem,
        basis=basis,
        place=found.place,
        spread=spread,
    )
