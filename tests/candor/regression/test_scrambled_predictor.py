import math

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from candor import NoFitError, Scrambled, fit_logistic
from candor.regression.patterns import Obstacle
from tests.candor.regression.surveys import COIN, counts_of, scramble, seeded

NAMES = ["Intercept", "x", "z"]


def designs(z):
    """Return the predictors for "no" to x and for "yes"."""
    ones, zeros = np.ones(len(z)), np.zeros(len(z))
    return np.column_stack([ones, zeros, z]), np.column_stack([ones, ones, z])


def fit(z, counts, outcome=COIN):
    no, yes = designs(z)
    return fit_logistic(
        no, counts, names=NAMES, scrambled=Scrambled(predictors=yes, **COIN), **outcome
    )


def drawn(respondents, generator, *, slope, outcome=COIN):
    z = generator.integers(0, 2, respondents)
    x = generator.random(respondents) < expit(-0.5 + 0.6 * z)
    y = generator.random(respondents) < expit(-0.7 + slope * x + 0.3 * z)
    reports = scramble(x, generator, **COIN), scramble(y, generator, **outcome)
    rows = counts_of(*reports)
    counts = np.array([rows[z == group].sum(axis=0) for group in (0, 1)])
    return counts, reports


def minus_log_likelihood(place, counts, *, outcome, predictor):
    """Return minus the log likelihood of two groups."""
    (a, b), (yes, no) = outcome.values(), predictor.values()
    total = 0.0
    for z, row in zip((0, 1), counts, strict=True):
        share = expit(place[3] + place[4] * z)
        cells = []
        for x_report in (1, 0):
            for y_report in (1, 0):
                chance = 0.0
                for x, part, seen in ((1, share, yes), (0, 1 - share, no)):
                    reported = b + (a - b) * expit(
                        place[0] + place[1] * x + place[2] * z
                    )
                    part *= seen if x_report else 1 - seen
                    chance += part * (reported if y_report else 1 - reported)
                cells.append(chance)
        total -= row @ np.log(cells)
    return total


def approximate_hessian(function, place):
    """Return the second derivative by differences."""
    steps = 1e-3 * np.eye(len(place))
    return np.array(
        [
            [
                sum(
                    i * j * function(place + i * one + j * other)
                    for i in (1, -1)
                    for j in (1, -1)
                )
                / 4e-6
                for other in steps
            ]
            for one in steps
        ]
    )


def test_coefficients_maximise_the_likelihood_of_single_rows():
    generator = seeded(5)
    counts, _ = drawn(4000, generator, slope=1.5)
    found = fit(np.array([0, 1]), counts)

    def minus(place):
        return minus_log_likelihood(place, counts, outcome=COIN, predictor=COIN)

    best = minimize(minus, np.zeros(5), method="BFGS", options={"gtol": 1e-5})
    assert found.log_likelihood == pytest.approx(-best.fun, abs=1e-5)
    assert found.estimates == pytest.approx(best.x[:3], abs=1e-2)
    errors = np.sqrt(np.diag(np.linalg.inv(approximate_hessian(minus, best.x))))[:3]
    assert found.standard_errors == pytest.approx(errors, rel=0.01)


def test_an_end_is_exact_if_other_coefficients_have_no_maximum():
    """Along the profile of z the log odds of x tend to minus infinity."""
    counts = np.array([[250, 661, 398, 461], [254, 780, 233, 788]])
    outcome = {"p_yes_given_yes": 0.787, "p_yes_given_no": 0.1065}
    predictor = {"p_yes_given_yes": 2 / 3, "p_yes_given_no": 1 / 3}
    no, yes = designs(np.array([0, 1]))
    found = fit_logistic(
        no,
        counts,
        names=NAMES,
        scrambled=Scrambled(predictors=yes, **predictor),
        **outcome,
    )

    def deviance(z):
        best = minimize(
            lambda rest: minus_log_likelihood(
                [rest[0], -30.0, z, *rest[1:]],
                counts,
                outcome=outcome,
                predictor=predictor,
            ),
            [-z, 0.0, 0.0],
            method="BFGS",
            options={"gtol": 1e-4},
        )
        return 2 * (found.log_likelihood + best.fun)

    assert deviance(found.interval("z", 0.95)[0]) == pytest.approx(3.841459, abs=1e-5)
    assert deviance(found.interval("z", 0.98)[0]) == pytest.approx(5.411894, abs=1e-5)
    # The deviance never reaches 6.634897.
    assert deviance(-20.0) < 6.25
    assert found.interval("z", 0.99)[0] == -math.inf


def test_intervals_cover_the_slope_if_both_answers_are_scrambled():
    # 60 surveys of 3000 people: fewer than 49 covered at 95 % have chance below 1e-4
    generator = seeded(6)
    covered = 0
    for _survey in range(60):
        counts, _ = drawn(3000, generator, slope=0.8)
        low, high = fit(np.array([0, 1]), counts).interval("x")
        covered += low <= 0.8 <= high
    assert covered >= 49


def test_an_average_effect_averages_over_the_scrambled_predictor():
    generator = seeded(8)
    counts, _ = drawn(200_000, generator, slope=1.0)
    z = np.array([0, 1])
    found = fit(z, counts)
    ones = np.ones_like(z)
    (no_high, yes_high), (no_low, yes_low) = designs(ones), designs(0 * ones)
    effect = found.effect(no_high, no_low, high_if_yes=yes_high, low_if_yes=yes_low)
    people = counts.sum(axis=1) / counts.sum()
    expected = 0.0
    for part, group in zip(people, z, strict=True):
        share = expit(-0.5 + 0.6 * group)
        for x, having in ((1, share), (0, 1 - share)):
            expected += part * having * (expit(-0.4 + x) - expit(-0.7 + x))
    assert effect.estimate == pytest.approx(expected, abs=4 * effect.standard_error)


def test_counts_without_the_scrambled_predictor_are_rejected():
    with pytest.raises(ValueError, match=r"counts must have shape \(2, 4\)"):
        fit(np.array([0, 1]), [[60, 40], [40, 60]])


def test_a_predictor_with_an_estimated_share_of_0_is_rejected():
    # Reports to x are yes in a fifth: fewer than if no one's answer is
    counts = [[90, 110, 380, 420], [95, 105, 360, 440]]
    with pytest.raises(NoFitError) as caught:
        fit(np.array([0, 1]), counts)
    assert "x" in caught.value.names


def test_reports_with_an_infinite_maximum_are_rejected():
    # The search from shares of one half ends with a slope of 1.35 for x.
    generator = seeded(43)
    n = int(generator.choice([200, 500]))
    z = generator.normal(size=n)
    x = generator.random(n) < expit(0.4 * z)
    y = generator.random(n) < expit(-0.7 + 0.8 * x + 0.5 * z)
    reports = scramble(x, generator, **COIN), scramble(y, generator, **COIN)
    with pytest.raises(NoFitError) as caught:
        fit(z, counts_of(*reports))
    assert caught.value.obstacle is Obstacle.SEPARATED
    assert caught.value.names == ("x", "z")
