import math
import re

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar

from candor import NoFitError, fit_logistic
from candor.regression.patterns import Obstacle, count_rows
from tests.candor.regression.surveys import (
    COIN,
    counts_of,
    fixture,
    log_likelihood,
    scramble,
    seeded,
)

NAMES = ["Intercept", "x"]
TWO_GROUPS = [[1, 1], [1, 0]]
DIRECT = {"p_yes_given_yes": 1.0, "p_yes_given_no": 0.0}
DIE = {"p_yes_given_yes": 5 / 6, "p_yes_given_no": 1 / 6}


ROWS = {"respondents": 200}


def fit(predictors, counts, **given):
    names = NAMES[: np.shape(predictors)[1]]
    return fit_logistic(predictors, counts, **{**COIN, "names": names, **given})


@pytest.fixture(scope="module")
def known():
    predictors, yes = fixture()
    return fit(predictors, counts_of(yes))


class TestFixture:
    """Digits of design/2-statistics.md, computed by another program."""

    def test_coefficients_and_likelihood_match_the_recorded_values(self, known):
        assert fixture()[1].sum() == 180
        assert known.estimates == pytest.approx([-0.445340, 1.190479], abs=5e-7)
        assert known.log_likelihood == pytest.approx(-270.242390, abs=5e-7)

    def test_interval_ends_have_the_chi_squared_deviance(self, known):
        predictors, yes = fixture()

        def deviance(slope):
            best = minimize_scalar(
                lambda constant: (
                    -log_likelihood(yes, predictors, [constant, slope], a=0.75, b=0.25)
                ),
                bounds=(-5, 5),
                method="bounded",
                options={"xatol": 1e-9},
            )
            return 2 * (known.log_likelihood + best.fun)

        low, high = known.interval("x", 0.95)
        assert deviance(low) == pytest.approx(3.841459, abs=1e-4)
        assert deviance(high) == pytest.approx(3.841459, abs=1e-4)
        assert low < known.estimates[1] < high
        # P(chi-squared > D) = erfc(sqrt(D / 2))
        expected = math.erfc(math.sqrt(deviance(0.0) / 2))
        assert known.p_value("x") == pytest.approx(expected, rel=1e-5)

    def test_grouped_counts_give_the_same_fit_as_single_rows(self, known):
        predictors, yes = fixture()
        first, kinds = count_rows(predictors.T)
        grouped = np.zeros((len(first), 2))
        np.add.at(grouped, kinds, counts_of(yes))
        found = fit(predictors[first], grouped)
        assert len(first) == 101
        assert found.estimates == pytest.approx(known.estimates, abs=1e-9)
        assert found.covariance == pytest.approx(known.covariance, abs=1e-9)
        assert found.interval("x") == pytest.approx(known.interval("x"), abs=1e-7)
        assert found.respondents == 400


def test_direct_answers_give_the_classical_standard_error():
    # Woolf 1955: 1/a + 1/b + 1/c + 1/d, the variance of a log odds ratio
    found = fit(TWO_GROUPS, [[60, 40], [30, 70]], **DIRECT)
    variance = 1 / 60 + 1 / 40 + 1 / 30 + 1 / 70
    assert found.estimates[1] == pytest.approx(math.log(60 * 70 / (40 * 30)))
    assert found.standard_errors[1] == pytest.approx(math.sqrt(variance))


def test_pooled_designs_maximise_the_joint_likelihood():
    generator = seeded(20260101)
    x = generator.normal(size=300)
    predictors = np.column_stack([np.ones(300), x])
    a = np.where(np.arange(300) < 150, 0.75, 5 / 6)
    b = 1 - a
    answers = generator.random(300) < 1 / (1 + np.exp(0.3 - 0.9 * x))
    yes = scramble(answers, generator, p_yes_given_yes=a, p_yes_given_no=b)
    found = fit(predictors, counts_of(yes), p_yes_given_yes=a, p_yes_given_no=b)
    best = minimize(
        lambda place: -log_likelihood(yes, predictors, place, a=a, b=b), [0, 0]
    )
    assert found.log_likelihood == pytest.approx(-best.fun, abs=1e-6)
    assert found.estimates == pytest.approx(best.x, abs=1e-3)


class TestWeights:
    def test_the_sandwich_error_matches_weighted_shares_of_groups(self):
        # sum w^2 (y - share)^2 / (sum w)^2, over (share (1 - share))^2 for the log odds
        generator = seeded(7)
        weights = generator.uniform(0.5, 3, size=400)
        weights /= weights.mean()
        x = np.arange(400) % 2
        yes = generator.random(400) < np.where(x, 0.6, 0.35)
        rows = counts_of(yes)
        found = fit(
            np.column_stack([np.ones(400), x]),
            rows * weights[:, None],
            **DIRECT,
            squared_weights=rows * weights[:, None] ** 2,
            respondents=400,
        )
        variance, odds = 0.0, []
        for group in (0, 1):
            w, y = weights[x == group], yes[x == group]
            share = w @ y / w.sum()
            spread = (w**2 @ (y - share) ** 2) / w.sum() ** 2
            variance += spread / (share * (1 - share)) ** 2
            odds.append(share / (1 - share))
        assert found.is_weighted
        assert found.estimates[1] == pytest.approx(math.log(odds[1] / odds[0]))
        assert found.standard_errors[1] == pytest.approx(math.sqrt(variance))
        low, high = found.interval("x")
        assert high - low == pytest.approx(2 * 1.959964 * math.sqrt(variance), rel=1e-6)
        ratio = found.estimates[1] / math.sqrt(variance)
        assert found.p_value("x") == pytest.approx(
            math.erfc(ratio / math.sqrt(2)), rel=1e-6
        )

    @pytest.mark.parametrize("factor", [1, 1e3])
    def test_uneven_weights_reduce_the_information(self, factor):
        # Half the weights 1 and half 3: (sum w)^2 / sum w^2 is .8 of the respondents,
        # and 80 * .8 * .5 * .25 = 8 for one coefficient, below 10.
        weights = np.array([[1.0], [3.0]]) * factor
        counts = np.array([[20.0, 20.0], [20.0, 20.0]])
        found = fit(
            [[1], [1]],
            counts * weights,
            squared_weights=counts * weights**2,
            respondents=80,
        )
        assert found.information == pytest.approx(8)
        assert found.is_uninformative
        assert not fit([[1], [1]], counts).is_uninformative


def find_fit_obstacle(predictors, counts, **given):
    with pytest.raises(NoFitError) as caught:
        fit(predictors, counts, **given)
    return caught.value.obstacle, caught.value.names


class TestObstacles:
    @pytest.mark.parametrize(
        ("counts", "table", "obstacle"),
        [
            ([[0, 60], [30, 30]], DIRECT, Obstacle.SEPARATED),
            # A group that is below all shares separates too.
            ([[60, 40], [10, 90]], COIN, Obstacle.SEPARATED),
            ([[20, 80], [10, 90]], COIN, Obstacle.BOUNDARY),
            ([[90, 10], [92, 8]], COIN, Obstacle.BOUNDARY),
            # 10 of 60 report yes, or no: as many as if no one had that answer
            ([[6, 4], [4, 46]], DIE, Obstacle.BOUNDARY),
            ([[4, 6], [46, 4]], DIE, Obstacle.BOUNDARY),
            ([[1, 0], [0, 1]], COIN, Obstacle.TOO_FEW),
            # n pi (a - b)^2 = 12 * .5 * .25 = 1.5 for two coefficients
            ([[3, 3], [3, 3]], COIN, Obstacle.TOO_FEW),
        ],
    )
    def test_the_obstacle_to_a_fit_is_named(self, counts, table, obstacle):
        found, names = find_fit_obstacle(TWO_GROUPS, counts, **table)
        assert found is obstacle
        assert found is not Obstacle.SEPARATED or names == ("x",)

    def test_only_the_collinear_columns_are_named(self):
        predictors = [[1, 0, 5, 10], [1, 1, 2, 4], [1, 0, 3, 6], [1, 1, 7, 14]]
        with pytest.raises(NoFitError) as caught:
            fit_logistic(predictors, [[60, 40]] * 4, names=[*"abcd"], **COIN)
        assert caught.value.obstacle is Obstacle.COLLINEAR
        assert caught.value.names == ("c", "d")

    def test_fewer_than_ten_reports_per_coefficient_are_uninformative(self):
        # n pi (a - b)^2 = 160 * .5 * .25 = 20 for two coefficients
        assert not fit(TWO_GROUPS, [[20, 20], [60, 60]]).is_uninformative
        assert fit(TWO_GROUPS, [[20, 18], [60, 60]]).is_uninformative

    def test_weighted_rows_are_counted_rather_than_summed(self):
        # Two weights whose mean is 1 but for rounding: their sum is above 2.
        weights = [2 / 3, 4 / 3 + 1e-15]
        assert sum(weights) > 2
        counts = np.diag(weights)
        with pytest.raises(NoFitError, match="more respondents than the 2 coeff"):
            fit(TWO_GROUPS, counts, squared_weights=counts**2, respondents=2)


def simulate_sixty_people(seed):
    """Return a constant and a number for 60 people, and their two-coin reports."""
    generator = seeded(seed)
    x = generator.normal(size=60)
    answers = generator.random(60) < 1 / (1 + np.exp(1 - 0.8 * x))
    return np.column_stack([np.ones(60), x]), scramble(answers, generator, **COIN)


def find_log_likelihood_at_infinity(x, yes):
    """Return the best fit with yes for all above, or all below, some number."""
    ordered = yes[np.argsort(x)]
    above = np.arange(60) >= np.arange(61)[:, None]
    chances = np.where(np.vstack([above, ~above]), 0.75, 0.25)
    return np.log(np.where(ordered, chances, 1 - chances)).sum(axis=1).max()


class TestFarOut:
    def test_reports_with_an_infinite_maximum_are_rejected(self):
        # The search from shares of one half ends at -39.38, with a slope of -.10.
        predictors, yes = simulate_sixty_people(3)
        assert find_log_likelihood_at_infinity(predictors[:, 1], yes) > -38.6
        found = find_fit_obstacle(predictors, counts_of(yes))
        assert found == (Obstacle.SEPARATED, ("x",))

    def test_a_fit_is_at_least_as_likely_as_any_infinite_slope(self):
        fits = 0
        for seed in range(40):
            predictors, yes = simulate_sixty_people(seed)
            try:
                found = fit(predictors, counts_of(yes))
            except NoFitError:
                continue
            fits += 1
            assert found.log_likelihood >= find_log_likelihood_at_infinity(
                predictors[:, 1], yes
            )
        assert fits > 12

    def test_outliers_do_not_hide_the_higher_maximum(self):
        # The search from shares of one half ends with a slope of -.0006, 6.1 lower.
        generator = seeded(887)
        x = generator.standard_t(1.2, size=300)
        predictors = np.column_stack([np.ones(300), x])
        answers = generator.random(300) < 1 / (
            1 + np.exp(np.clip(1 - 0.6 * x, -50, 50))
        )
        yes = scramble(answers, generator, **COIN)
        found = fit(predictors, counts_of(yes))
        likeliest = minimize(
            lambda place: -log_likelihood(yes, predictors, place, a=0.75, b=0.25),
            [-1, 0.6],
        )
        assert found.estimates == pytest.approx(likeliest.x, abs=1e-3)
        assert found.estimates[1] == pytest.approx(0.917, abs=1e-3)
        assert found.log_likelihood == pytest.approx(-likeliest.fun, abs=1e-6)


class TestConditioning:
    def test_years_and_their_squares_are_not_collinear(self):
        years = np.arange(1990, 2021.0)
        predictors = np.column_stack([np.ones(31), years, years**2])
        middle = (years - 2005) / 15
        centred = np.column_stack([np.ones(31), middle, middle**2])
        yes = np.round(450 + 100 * middle - 60 * middle**2)
        counts = np.column_stack([yes, 1000 - yes])
        names = ["Intercept", "year", "square"]
        raw, other = (
            fit_logistic(each, counts, names=names, **COIN)
            for each in (predictors, centred)
        )
        assert raw.log_likelihood == pytest.approx(other.log_likelihood, abs=1e-6)
        # The square has the same coefficient in other units
        assert raw.estimates[2] * 225 == pytest.approx(other.estimates[2], rel=1e-4)
        assert raw.p_value("square") == pytest.approx(other.p_value("square"), rel=1e-4)


# test_bad_input.py covers refused arguments.
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"predictors": [[1, 1e300], [1, 0]]}, "1e+300 in row 0, column 'x'"),
        ({"predictors": [[1, 1], [1, math.nan]]}, "got nan in row 1, column 'x'"),
        ({"counts": [[60, 40], [40, -2]]}, "got -2 in row 1, column 'no'"),
        ({"p_yes_given_yes": 0.2}, "<= 1; got 0.2 and 0.25 in row 0"),
        ({"p_yes_given_yes": [0.7, 0.8, 0.9]}, "one for each of 2 patterns; got the"),
        ({"squared_weights": [[60, 0], [40, 60]], **ROWS}, "[0, 1] must be above"),
        ({"squared_weights": [[6, 4], [4, 6]], **ROWS}, "is at most 200; got 2000"),
    ],
    ids=str,
)
def test_bad_numbers_are_named_with_their_place(given, message):
    arguments = {"predictors": TWO_GROUPS, "counts": [[60, 40], [40, 60]], **given}
    with pytest.raises(ValueError, match=re.escape(message)):
        fit(**arguments)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"high": [[1, 1]]}, ValueError, "high must have shape (2, 2); got (1, 2)"),
        ({"low": [[1, "a"]] * 2}, TypeError, "low must hold numbers"),
        ({"low": [[1, math.inf]] * 2}, ValueError, "got inf in row 0, column 'x'"),
        ({"step": 0}, ValueError, "step must be finite and not 0; got 0"),
        ({"step": "1"}, TypeError, "step must be a number; got '1'"),
        ({"confidence_level": 1}, ValueError, "confidence_level must be"),
    ],
)
def test_bad_arguments_of_an_effect_are_named(given, error, message):
    found = fit(TWO_GROUPS, [[60, 40], [40, 60]])
    arguments = {"high": TWO_GROUPS, "low": TWO_GROUPS, **given}
    with pytest.raises(error, match=re.escape(message)):
        found.effect(**arguments)


class TestTable:
    def test_an_effect_row_has_the_p_value_of_no_effect(self):
        found = fit(TWO_GROUPS, [[60, 40], [40, 60]])
        row = found.effect([[1, 1]] * 2, [[1, 0]] * 2, name="x", step=2)
        # The difference .4 has the standard error sqrt(2 (.6)(.4) / 100) / .5
        ratio = 0.4 / (math.sqrt(2 * 0.6 * 0.4 / 100) / 0.5)
        assert (row.estimand, row.n) == ("x", 200)
        assert row.estimate == pytest.approx(0.2)
        assert row.p_value == pytest.approx(math.erfc(ratio / math.sqrt(2)))
        assert row.interval(0.5) != row.interval() == (row.low, row.high)


def test_intervals_cover_the_slope():
    # Of 120 surveys fewer than 104 covered have chance below 1e-4 at 95 %
    generator = seeded(11)
    covered = 0
    for _survey in range(120):
        x = generator.normal(size=300)
        predictors = np.column_stack([np.ones(300), x])
        answers = generator.random(300) < 1 / (1 + np.exp(1 - 0.8 * x))
        yes = scramble(answers, generator, **COIN)
        low, high = fit(predictors, counts_of(yes)).interval("x")
        covered += low <= 0.8 <= high
    assert covered >= 104


def test_interval_ends_of_dummies_match_two_group_comparisons():
    """Next to dummies of all groups, only a group and the reference move together."""
    generator = seeded(9)
    ends = infinite = 0
    while ends < 60:
        groups = int(generator.integers(3, 6))
        sizes = generator.integers(15, 300, groups)
        yes = generator.binomial(sizes, 0.25 + 0.5 * generator.uniform(0, 0.7, groups))
        names = [*"abcde"[:groups]]
        dummies = np.column_stack([np.ones(groups), np.eye(groups)[:, 1:]])
        try:
            found = fit_logistic(
                dummies, np.column_stack([yes, sizes - yes]), names=names, **COIN
            )
        except NoFitError:
            continue
        constants = np.concatenate(
            [np.linspace(-90, -8, 900), np.linspace(-8, 9, 2000)]
        )

        def log_likelihood_of(group, log_odds, yes=yes, sizes=sizes):
            chance = 0.25 + 0.5 / (1 + np.exp(-log_odds))
            rest = sizes[group] - yes[group]
            return yes[group] * np.log(chance) + rest * np.log(1 - chance)

        for group in range(1, groups):
            best = sum(log_likelihood_of(each, constants).max() for each in (0, group))
            for side, end in zip((-40, 40), found.interval(names[group]), strict=True):
                tried = end if math.isfinite(end) else side
                both = log_likelihood_of(0, constants) + log_likelihood_of(
                    group, constants + tried
                )
                deviance = 2 * (best - both.max())
                ends += 1
                if math.isfinite(end):
                    # As exact as the grid of constants
                    assert deviance == pytest.approx(3.841459, abs=5e-3)
                else:
                    infinite += 1
                    assert deviance < 3.8415
    assert infinite > 5


@pytest.mark.parametrize("seed", range(24))
def test_finite_numbers_never_give_nan(seed):
    """Extreme counts, units and tables give finite numbers or an error."""
    generator = seeded(seed)
    n = int(generator.integers(2, 9))
    unit = 10.0 ** generator.integers(-90, 90)
    predictors = np.column_stack([np.ones(n), generator.integers(0, 3, n) * unit])
    counts = np.floor(10 ** generator.uniform(0, 15, (n, 2)))
    low = float(generator.choice([0, 1e-12, 0.25, 0.5]))
    high = min(1.0, low + float(generator.choice([1e-12, 1e-6, 0.1, 0.5, 1])))
    given = {"p_yes_given_yes": high, "p_yes_given_no": low}
    if seed % 2:
        weight = 10 ** generator.uniform(-6, 6)
        counts = np.minimum(counts, 10**7)
        given |= {"squared_weights": counts * weight**2, "respondents": 10**9}
        counts = counts * weight
    try:
        found = fit(predictors, counts, **given)
        rows = [*found.table(), found.effect(predictors / 2, predictors)]
    except NoFitError:
        return
    for row in rows:
        assert math.isfinite(row.estimate)
        assert math.isfinite(row.standard_error)
        assert row.low <= row.estimate <= row.high
        assert 0 <= row.p_value <= 1
