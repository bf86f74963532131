"""Logistic regression of randomised answers: coefficients, intervals, effects."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt
import scipy

from candor.binary import FloatArray, IntArray
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, Interval
from candor.intervals.closed_form import two_sided_t
from candor.mechanisms.parameters import check_choice, shown
from candor.regression.clusters import compute_clustered_covariance
from candor.regression.likelihood import TINY, Likelihood
from candor.regression.maximum import (
    TOO_FEW,
    Profile,
    check_maximum,
    compute_information,
    find_maximum,
    make_coordinates,
)
from candor.regression.patterns import (
    NoFitError,
    Obstacle,
    Patterns,
    Scrambled,
    check_patterns,
    check_predictors,
    make_convergence_error,
)
from candor.table import Estimate, Estimates
from candor.tolerance import is_below
from candor.validation import CONFIDENCE_LEVEL, is_number

FEW = 10.0
"""Below this n min(pi, 1 - pi) (a - b)^2 per coefficient, results carry a caution. This
rule of thumb follows the ten events per variable of Peduzzi et al. 1996 (Journal of
Clinical Epidemiology 49:1373), where a scrambled event counts as (a - b)^2 events."""

HELD_AT_LEAST = {"coefficients": 0.94, "effects": 0.92}
"""Smallest coverage of 95 % intervals in simulated surveys without weights and with
enough respondents, rounded down (docs/reference/validation.md)."""

PROFILE, SANDWICH, DELTA = "profile likelihood", "Wald, sandwich", "Wald, delta method"
CLUSTERED = "Wald, clusters"
"""Names of the interval methods in tables."""


@dataclass(frozen=True, kw_only=True)
class LogisticFit:
    """A logistic regression of randomised answers, by maximum likelihood.

    Attributes
    ----------
    names : tuple of str
    estimates : array of float
        Shape (parameters,): log odds ratios.
    covariance : array of float
        Shape (parameters, parameters): the inverse of the observed information; the
        sandwich for weighted rows or clusters.
    expected_covariance : array of float
        The inverse of the expected information.
    log_likelihood : float
    is_weighted : bool
        Whether rows have weights.
    clusters : int or None
        Number of clusters; None without clusters.
    design_effects : array of float
        Variances with clusters divided by those of independent respondents; 1 without
        clusters.
    information : float
        n min(pi, 1 - pi) (a - b)^2 for each coefficient, n the effective sample size;
        see `FEW`.
    """

    names: tuple[str, ...]
    estimates: FloatArray
    covariance: FloatArray
    expected_covariance: FloatArray
    log_likelihood: float
    is_weighted: bool
    clusters: int | None
    design_effects: FloatArray
    information: float
    patterns: Patterns
    likelihood: Likelihood
    basis: FloatArray
    place: FloatArray
    place_covariance: FloatArray
    """Covariance of all coordinates, including those of the background."""

    @property
    def respondents(self) -> int:
        """Number of respondents."""
        return self.patterns.respondents

    @property
    def standard_errors(self) -> FloatArray:
        """Standard deviations of the estimates, shape (parameters,)."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def method(self) -> str:
        """Method of the intervals and p-values of coefficients."""
        if self.clusters:
            return CLUSTERED
        return SANDWICH if self.is_weighted else PROFILE

    @property
    def is_uninformative(self) -> bool:
        """Whether there are too few respondents for the number of coefficients."""
        return is_below(self.information, FEW)

    def table(self, confidence_level: float = DEFAULT_CONFIDENCE_LEVEL) -> Estimates:
        """Return a row for each coefficient, with its interval and p-value.

        Parameters
        ----------
        confidence_level : float
            In (0, 1).

        Returns
        -------
        Estimates
            Log odds ratios; ends of intervals may be infinite.

        Raises
        ------
        NoFitError
            If a profile has a higher maximum than the one that was found.

        Examples
        --------
        >>> fit = fit_logistic(
        ...     [[1, 1], [1, 0]],
        ...     [[60, 40], [40, 60]],
        ...     p_yes_given_yes=3 / 4,
        ...     p_yes_given_no=1 / 4,
        ...     names=["Intercept", "x"],
        ... )
        >>> row = fit.table()["x"]
        >>> print(f"{row.estimate:.4f} ({row.low:.2f} to {row.high:.2f}), {row.method}")
        1.6946 (0.50 to 3.21), profile likelihood
        """
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        rows = []
        for place, name in enumerate(self.names):
            low, high = self.interval(name, level)
            estimate = float(self.estimates[place])
            rows.append(
                Estimate(
                    estimand=name,
                    estimate=estimate,
                    raw=estimate,
                    standard_error=float(self.standard_errors[place]),
                    low=low,
                    high=high,
                    confidence_level=level,
                    method=self.method,
                    p_value=self.p_value(name),
                    n=self.respondents,
                    find_interval=partial(self.interval, name),
                )
            )
        return Estimates(rows, title="Log odds ratios")

    def interval(
        self, name: str, confidence_level: float = DEFAULT_CONFIDENCE_LEVEL
    ) -> Interval:
        """Return an interval for a coefficient; unbounded ends are infinite.

        The method is the profile likelihood (Venzon & Moolgavkar 1988, Applied
        Statistics 37:87). For weighted rows it is Wald's, for clusters Wald's with
        C - 1 degrees of freedom.

        Parameters
        ----------
        name : str
            One of `names`.
        confidence_level : float
            In (0, 1): approximate; see regression.md for the observed coverage.
        """
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        place = self._find_index(name)
        if self.method != PROFILE:
            error = float(self.standard_errors[place])
            return self._wald(float(self.estimates[place]), error, level)
        profile = self._profiles[place]
        limit = float(scipy.special.chdtri(1, 1 - level))
        return Interval(profile.end(limit, side=-1), profile.end(limit, side=1))

    def p_value(self, name: str) -> float:
        """Return the p-value of "this coefficient is 0".

        The test is the likelihood-ratio test; Wald's for weighted rows and clusters.
        """
        place = self._find_index(name)
        if self.method != PROFILE:
            return self._wald_test(self.estimates[place], self.standard_errors[place])
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
        name: str = "average effect",
        confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    ) -> Estimate:
        """Return how the share changes from one set of predictors to another.

        The effect is the mean over all respondents of the share with predictors `high`
        minus the share with `low`. Its standard error follows from the delta method.

        Parameters
        ----------
        high, low : array of float
            Shape (patterns, parameters), for the patterns that were fitted.
        high_if_yes, low_if_yes : array of float, optional
            The same for respondents whose answer to the scrambled predictor is yes. By
            default `high` and `low` apply to all.
        step : float
            Divisor of the difference, not 0. If `high` and `low` are close to each
            other, the result is a slope per unit.
        name : str
            The estimand of the row.
        confidence_level : float
            In (0, 1).

        Returns
        -------
        Estimate
            A row with the normal interval and the p-value of "there is no effect".

        Raises
        ------
        TypeError, ValueError
            If predictors are not finite numbers or have the wrong shape.
        """
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        if not is_number(step):
            raise TypeError(f"step must be a number; got {shown(step)}")
        if not math.isfinite(step) or step == 0:
            raise ValueError(f"step must be finite and not 0; got {shown(step)}")
        size = len(self.names)
        people = self.patterns.people / self.patterns.people.sum()
        given = {
            "high": high,
            "low": low,
            "high_if_yes": high if high_if_yes is None else high_if_yes,
            "low_if_yes": low if low_if_yes is None else low_if_yes,
        }
        first, second, *if_yes = (
            check_predictors(argument, values, self.names, size=len(people))
            for argument, values in given.items()
        )
        share, gradient = self._average_shares((first, second), people)
        if self.patterns.background is not None:
            background = self.patterns.background
            having = scipy.special.expit(background @ (self.basis @ self.place)[size:])
            no, slope = self._average_shares((first, second), people * (1 - having))
            yes, slope_if_yes = self._average_shares(if_yes, people * having)
            differences = [
                scipy.special.expit(yes_end @ self.estimates)
                - scipy.special.expit(no_end @ self.estimates)
                for no_end, yes_end in zip((first, second), if_yes, strict=True)
            ]
            # The difference of the effects on both, times the proportions of both
            moved = people * having * (1 - having) * (differences[0] - differences[1])
            share = yes + no
            gradient = np.concatenate([slope + slope_if_yes, moved @ background])
        covariance = self.basis @ self.place_covariance @ self.basis.T
        estimate = share / step
        error = math.sqrt(gradient @ covariance @ gradient) / abs(step)
        ends = self._wald(estimate, error, level)
        return Estimate(
            estimand=name,
            estimate=estimate,
            raw=estimate,
            standard_error=error,
            low=ends.low,
            high=ends.high,
            confidence_level=level,
            method=DELTA,
            p_value=self._wald_test(estimate, error),
            n=self.respondents,
            find_interval=partial(self._wald, estimate, error),
        )

    def _average_shares(
        self, ends: Sequence[FloatArray], people: FloatArray
    ) -> tuple[float, FloatArray]:
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
    def _freedom(self) -> float:
        """Degrees of freedom; infinite for the normal distribution."""
        return self.clusters - 1 if self.clusters else math.inf

    def _wald(self, estimate: float, error: float, level: float) -> Interval:
        reach = two_sided_t(level, self._freedom) * error
        return Interval(estimate - reach, estimate + reach)

    def _wald_test(self, estimate: float, error: float) -> float:
        ratio = abs(estimate) / max(error, TINY)
        return float(2 * scipy.special.stdtr(self._freedom, -ratio))

    @cached_property
    def _profiles(self) -> list[Profile]:
        alone = np.asarray(np.linalg.inv(self.basis), dtype=np.float64)
        return [
            Profile(
                self.basis[place],
                self.likelihood,
                alone=alone[:, place],
                place=self.place,
                covariance=self.place_covariance,
                best=self.log_likelihood,
            )
            for place, _ in enumerate(self.names)
        ]

    def _find_index(self, name: str) -> int:
        check_choice("name", name, self.names)
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
    clusters: Sequence[Hashable] | IntArray | None = None,
) -> LogisticFit:
    """Fit a logistic regression to reports of an answer that was randomised.

    P(answer = yes) = 1 / (1 + exp(-x b)) for predictors x, and the probability of a yes
    report is b + (a - b) P(answer = yes). Respondents with the same predictors and the
    same table form one pattern; the time depends only on the number of patterns.

    Parameters
    ----------
    predictors : array of float
        Shape (patterns, parameters), with a column of 1 for the constant. With a
        scrambled predictor, the values if its answer is no.
    counts : array of float
        Shape (patterns, 2): yes and no reports. With a scrambled predictor, shape
        (patterns, 4): reports yes-yes, yes-no, no-yes, no-no, the predictor's first.
        For weighted rows, the sums of weights, which may have any mean.
    p_yes_given_yes, p_yes_given_no : float or array of float
        a and b of the outcome, 0 <= b < a <= 1; shape (patterns,) if the tables of
        respondents differ, as in pooled designs. For one of several answers, the values
        of its `find_answer_dichotomy`.
    names : sequence of str
        Names of the parameters.
    scrambled : Scrambled, optional
        A predictor that was randomised, too. Its share is logistic in the columns of
        `predictors` that are not all 0.
    squared_weights : array of float, optional
        Sums of squared weights, with the shape of `counts`, if rows are weighted.
    respondents : int, optional
        Number of rows; required if rows are weighted.
    clusters : sequence of Hashable, optional
        The cluster of each pattern, such as a school: respondents with the same
        predictors in two clusters are two patterns. Missing values such as NaN are
        rejected. The covariance is then

            C/(C - 1) (N - 1)/(N - K) A^-1 (sum_c u_c u_c') A^-1

        for C clusters, N respondents and K coefficients (CR1). A is the observed
        information, u_c the gradient of cluster c. t has C - 1 degrees of freedom.

    Returns
    -------
    LogisticFit
        `table()` has a row for each coefficient.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number, is out of range, or has the wrong shape. The
        message names row and column.
    NoFitError
        If no coefficients are reliable: too few respondents, collinear columns, a share
        at the edge of its range, columns that separate yes and no, no convergence, at
        most as many clusters as coefficients, or a coefficient that the clusters do not
        identify, such as the coefficient of a cluster.

    References
    ----------
    Maddala 1983, Limited-Dependent and Qualitative Variables in Econometrics; van den
    Hout, van der Heijden & Gilchrist 2007, Computational Statistics & Data Analysis
    51:6060; Blair, Imai & Zhou 2015, Journal of the American Statistical Association
    110:1304; White 1982, Econometrica 50:1 (sandwich); Liang & Zeger 1986, Biometrika
    73:13, and Cameron & Miller 2015, Journal of Human Resources 50:317 (clusters).

    Examples
    --------
    Contact with armed groups in the Niger Delta by sex (Blair, Imai & Zhou 2015, data
    of forced response with a die): 334 of 1,123 women and 497 of 1,312 men report yes.
    The shares (334/1123 - 1/6) / (2/3) = .196 and .318 have an odds ratio of .523.

    >>> fit = fit_logistic(
    ...     [[1, 1], [1, 0]],
    ...     [[334, 789], [497, 815]],
    ...     p_yes_given_yes=5 / 6,
    ...     p_yes_given_no=1 / 6,
    ...     names=["Intercept", "female"],
    ... )
    >>> low, high = fit.interval("female")
    >>> print(f"{fit.estimates[1]:.4f} ({low:.4f} to {high:.4f})")
    -0.6487 (-0.9718 to -0.3433)
    >>> effect = fit.effect([[1, 1], [1, 1]], [[1, 0], [1, 0]])
    >>> print(f"{effect.estimate:.4f} ({effect.standard_error:.4f})")
    -0.1221 (0.0287)
    """
    patterns = check_patterns(
        predictors,
        counts,
        p_yes_given_yes=p_yes_given_yes,
        p_yes_given_no=p_yes_given_no,
        names=names,
        scrambled=scrambled,
        squared_weights=squared_weights,
        respondents=respondents,
        clusters=clusters,
    )
    try:
        return _fit(patterns)
    except np.linalg.LinAlgError as error:
        raise make_convergence_error() from error


def _fit(patterns: Patterns) -> LogisticFit:
    """Return the regression of checked arguments."""
    size = len(patterns.names)
    basis, likelihood = make_coordinates(patterns)
    found = find_maximum(likelihood, patterns, basis)
    derived = likelihood.derivatives(found.place)
    observed = likelihood.observed(derived)
    check_maximum(found, observed, likelihood, patterns, basis)
    covariance = np.asarray(np.linalg.inv(observed), dtype=np.float64)
    effects = np.ones(size)
    if patterns.clusters is not None:
        covariance, effects = compute_clustered_covariance(
            likelihood, derived, patterns, patterns.clusters, covariance, basis
        )
    elif patterns.squares is not None:
        # A^-1 B A^-1 (White 1982)
        squared = likelihood.squared_scores(derived, patterns.squares)
        covariance = covariance @ squared @ covariance
    if not np.isfinite(covariance).all():
        raise make_convergence_error()
    known = compute_information(likelihood, found.place, patterns)
    if is_below(known, TOO_FEW):
        raise NoFitError(
            Obstacle.TOO_FEW,
            f"{patterns.respondents} respondents are too few for {size} "
            "coefficients: n min(pi, 1 - pi) (a - b)^2 must be "
            f"{TOO_FEW:g} or more for each; got {known:.2g}",
        )
    outcome = basis[:size]
    expected = np.linalg.inv(likelihood.expected(derived))
    return LogisticFit(
        names=patterns.names,
        estimates=outcome @ found.place,
        covariance=outcome @ covariance @ outcome.T,
        expected_covariance=outcome @ expected @ outcome.T,
        log_likelihood=found.log_likelihood,
        is_weighted=patterns.squares is not None,
        clusters=patterns.cluster_count,
        design_effects=effects,
        information=known,
        patterns=patterns,
        likelihood=likelihood,
        basis=basis,
        place=found.place,
        place_covariance=covariance,
    )
