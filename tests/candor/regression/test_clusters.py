"""Coefficients of respondents who were sampled in clusters."""

import math

import numpy as np
import pandas as pd
import pytest
import scipy

from candor import NoFitError, fit_logistic
from candor.regression.patterns import Obstacle
from tests.candor.regression.surveys import COIN, counts_of, fixture, seeded

DIRECT = {"p_yes_given_yes": 1, "p_yes_given_no": 0}
NAMES = ["Intercept", "x"]


def test_direct_reports_give_the_figures_of_statsmodels():
    # 0.15.0: Logit(y, X).fit(cov_type="cluster", cov_kwds={"groups": g}, use_t=True)
    predictors, yes = fixture()
    clusters = np.arange(400) ** 2 % 23
    found = fit_logistic(
        predictors, counts_of(yes), **DIRECT, names=NAMES, clusters=clusters
    )
    assert found.clusters == 12
    assert found.standard_errors == pytest.approx([0.03827101, 0.12901677], rel=1e-6)
    assert found.p_value("x") == pytest.approx(0.00128427, rel=1e-5)
    ends = found.interval("x")
    assert ends == pytest.approx((0.26908956, 0.83701755), rel=1e-6)
    assert found.table()["x"].method == "Wald, clusters"
    alone = fit_logistic(predictors, counts_of(yes), **DIRECT, names=NAMES)
    assert found.design_effects == pytest.approx(
        (found.standard_errors / alone.standard_errors) ** 2
    )
    assert alone.design_effects.tolist() == [1, 1]


def test_clusters_may_be_split_over_several_rows():
    predictors, yes = fixture()
    x = predictors[:, 1] > 0
    clusters = np.arange(400) % 10
    rows = counts_of(yes)
    single = fit_logistic(
        np.column_stack([np.ones(400), x]), rows, **COIN, names=NAMES, clusters=clusters
    )
    kinds = [(k, value) for k in range(10) for value in (False, True)]
    merged_fit = fit_logistic(
        [[1, value] for _k, value in kinds],
        [rows[(clusters == k) & (x == value)].sum(axis=0) for k, value in kinds],
        **COIN,
        names=NAMES,
        clusters=[k for k, _value in kinds],
    )
    assert merged_fit.standard_errors == pytest.approx(single.standard_errors)


def test_few_clusters_and_groups_of_one_cluster_are_refused():
    predictors = [[1, 0], [1, 0], [1, 1], [1, 1]]
    counts = [[20, 30], [12, 38], [30, 20], [25, 25]]
    for clusters, reason in (
        ("aaaa", "more clusters than the 2 coefficients, and 2 or more; got 1"),
        ("abab", "got 2"),
        # One of the groups of x is one cluster: its share has no spread.
        ("abcc", "this fails for x"),
        ("aabc", "this fails for Intercept"),
    ):
        with pytest.raises(NoFitError, match=reason) as refused:
            fit_logistic(
                predictors, counts, **COIN, names=NAMES, clusters=list(clusters)
            )
        assert refused.value.obstacle is Obstacle.CLUSTERS


@pytest.mark.parametrize(
    "clusters",
    [
        ["a", "b", math.nan, "d"],
        np.array([1, 2, math.nan, 4]),
        np.array(["2026-01-01", "2026-01-02", "NaT", "2026-01-04"], "datetime64[ns]"),
        pd.array([1, 2, None, 4], dtype="Int64").tolist(),
        ["a", "b", None, "d"],
    ],
)
def test_missing_cluster_labels_are_rejected(clusters):
    with pytest.raises(ValueError, match=r"clusters\[2\] must be a label; got the"):
        fit_logistic(
            [[1, 0], [1, 0], [1, 1], [1, 1]],
            [[20, 30], [12, 38], [30, 20], [25, 25]],
            **COIN,
            names=NAMES,
            clusters=clusters,
        )


def test_intervals_cover_member_and_cluster_coefficients():
    """A direct question with a predictor of members and one of whole classes."""
    generator, classes, size = seeded(5), 30, 13
    truth, surveys, covered = [-0.8, 0.5, 0.5], 200, np.zeros(3)
    clusters = np.repeat(np.arange(classes), 2)
    own = np.arange(2 * classes) % 2
    predictors = np.column_stack([np.ones(2 * classes), own, clusters % 2])
    shares = scipy.special.expit(predictors @ truth)
    for _survey in range(surveys):
        # Halves of a class at one quantile of beta distributions; correlation .1
        level = generator.random(classes)[clusters]
        drawn = scipy.special.betaincinv(9 * shares, 9 * (1 - shares), level)
        yes = generator.binomial(size, drawn)
        fit = fit_logistic(
            predictors,
            np.column_stack([yes, size - yes]),
            **DIRECT,
            names=["Intercept", "own", "of class"],
            clusters=clusters,
        )
        ends = np.array([fit.interval(name) for name in fit.names])
        covered += (ends[:, 0] <= truth) & (truth <= ends[:, 1])
    # The test fails by chance once in a million where 93 of 100 are covered.
    assert covered.min() >= scipy.stats.binom.ppf(1e-6, surveys, 0.93)
