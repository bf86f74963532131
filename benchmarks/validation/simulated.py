"""Coverage by seeded simulation, where enumeration takes too long."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
from scipy.special import chdtri, expit, stdtrit

from benchmarks.validation.coverage import (
    LEVEL,
    Coverage,
    Ends,
    Source,
    chances_of,
    groups_of,
    name_counts,
    simulate,
)
from candor import LogisticFit, NoFitError, Scrambled, fit_logistic
from candor.among_asked import estimate_among_asked
from candor.binary import FloatArray
from candor.dichotomies import make_channel
from candor.differences import Difference
from candor.estimands import MEAN, every_share, mean_of_points
from candor.mechanisms import Mechanism, build
from candor.regression.fit import HELD_AT_LEAST
from candor.sample import Sample
from candor.weighting import Sums, key_by_pattern, weigh

SEED = 20261127
POINTS = 11
"""0 to 10."""


def draw_sample(
    source: Source, mechanism: Mechanism, n: int, shares: FloatArray
) -> Sample:
    """Return a survey of n respondents with these shares of the answers."""
    counts = source.multinomial(n, shares @ chances_of(mechanism))
    return Sample.of(mechanism, name_counts(mechanism, counts))


def compute_mean(shares: FloatArray) -> float:
    return float(shares @ np.arange(len(shares)))


def mean(surveys: int) -> Coverage:
    found = []
    for epsilon, n, shares in product((1, 4), (30, 300), groups_of(POINTS).values()):
        mechanism = build("grid", epsilon=epsilon, points=POINTS)
        true = compute_mean(shares)
        t = float(stdtrit(n - 1, (1 + LEVEL) / 2))

        def find(sample: Sample, true: float = true, t: float = t) -> Ends:
            # The interval contains that of the score, which is fast to compute: if that
            # one covers the mean, the interval does too.
            raw, error = sample.raw(MEAN), sample.spread_error(MEAN)
            if abs(raw - true) <= t * error:
                return raw - t * error, raw + t * error
            return sample.interval(MEAN, LEVEL)

        found.append(
            simulate(
                surveys,
                SEED,
                lambda source, n=n, m=mechanism, s=shares: draw_sample(source, m, n, s),
                find,
                true,
            )
        )
    return Coverage("the mean of a scale sent as points", LEVEL, found, surveys)


def mean_among_answered(surveys: int) -> Coverage:
    found = []
    for family, epsilon, skipped, shares in product(
        ("one_bit_skip", "grid_skip"),
        (1, 4),
        (0.2, 0.8),
        list(groups_of(POINTS).values())[:3],
    ):
        mechanism = build(family, epsilon=epsilon, points=POINTS)
        everyone = np.r_[(1 - skipped) * shares, skipped]
        found.append(
            simulate(
                surveys,
                SEED,
                lambda source, m=mechanism, s=everyone: draw_sample(source, m, 200, s),
                lambda sample: sample.mean_among_answered(LEVEL)[1],
                compute_mean(shares),
            )
        )
    return Coverage("a mean among those who answered", LEVEL, found, surveys)


def difference_of_means(surveys: int) -> Coverage:
    found = []
    groups = list(groups_of(POINTS).values())
    for epsilon, sizes, first, second in product(
        (1, 4), ((30, 30), (30, 300), (100, 100)), groups[:3], groups[:4]
    ):
        mechanism = build("grid", epsilon=epsilon, points=POINTS)

        def draw(
            source: Source,
            mechanism: Mechanism = mechanism,
            sizes: tuple[int, int] = sizes,
            both: tuple[FloatArray, FloatArray] = (first, second),
        ) -> Difference:
            samples = [
                draw_sample(source, mechanism, n, shares)
                for n, shares in zip(sizes, both, strict=True)
            ]
            return Difference(*samples, mean_of_points(POINTS))

        true = compute_mean(first) - compute_mean(second)
        found.append(simulate(surveys, SEED, draw, lambda x: x.interval, true))
    return Coverage("a difference of means, sent as points", 0.93, found, surveys)


def among_asked(surveys: int) -> Coverage:
    """Return coverage if a scrambled question decides who is asked."""
    coin, found = build("coin"), []
    table = chances_of(coin)
    for asked, share, n in product((0.2, 0.5), (0.0, 0.3, 1.0), (100, 1000)):
        pairs = np.array([[asked * share, asked * (1 - share)], [0, 1 - asked]])
        chances = np.einsum("ab,ar,bs->rs", pairs, table, table).ravel()

        def find(counts: FloatArray) -> Ends:
            sent = dict(zip(product((0, 1), repeat=2), counts.tolist(), strict=True))
            return estimate_among_asked(
                [coin], coin, sent, [(0,)], 1, every_share(2)[0]
            )[1]

        found.append(
            simulate(
                surveys,
                SEED,
                lambda source, n=n, p=chances: source.multinomial(n, p),
                find,
                share,
            )
        )
    return Coverage("a share among those asked", 0.94, found, surveys)


def weighted_mean(surveys: int) -> Coverage:
    found = []
    groups = list(groups_of(POINTS).values())[:4]
    for epsilon, (sizes, known), first, second in product(
        (1, 4), (((30, 90), (0.75, 0.25)), ((100, 100), (0.8, 0.2))), groups, groups
    ):
        mechanism = build("grid", epsilon=epsilon, points=POINTS)
        table = chances_of(mechanism)

        def find(
            counts: Sequence[FloatArray],
            mechanism: Mechanism = mechanism,
            known: tuple[float, float] = known,
        ) -> Ends:
            cells = {
                (group, report): int(count)
                for group, each in enumerate(counts)
                for report, count in zip(mechanism.reports, each, strict=True)
            }
            sample = weigh(mechanism, cells, [dict(enumerate(known))])
            return sample.interval(MEAN, LEVEL)

        found.append(
            simulate(
                surveys,
                SEED,
                lambda source, s=sizes, both=(first, second), p=table: [
                    source.multinomial(n, shares @ p)
                    for n, shares in zip(s, both, strict=True)
                ],
                find,
                known[0] * compute_mean(first) + known[1] * compute_mean(second),
            )
        )
    return Coverage("a weighted mean, sent as points", 0.93, found, surveys)


WEIGHTS = np.array([0.5, 1.0, 2.0, 5.0])
"""Inverse sampling probabilities of respondents."""


def own_weights(surveys: int) -> Coverage:
    """Return coverage for samples of 200; the share may grow with the weight."""
    found = []
    chances = 1 / WEIGHTS / (1 / WEIGHTS).sum()
    for family, share, slope in product(("coin", "direct"), (0.05, 0.3), (0.0, 0.03)):
        mechanism = build(family)
        shares = share + slope * (np.arange(4) - 1.5)
        channel = make_channel(mechanism)
        sent = channel.p_yes_given_no + channel.span * shares

        def draw(source: Source, sent: FloatArray = sent) -> tuple[Any, Any]:
            members = source.multinomial(200, chances)
            return members, source.binomial(members, sent)

        def find(counts: tuple[Any, Any], mechanism: Mechanism = mechanism) -> Ends:
            members, yes = counts
            sums = {
                "yes": Sums.of(np.repeat(WEIGHTS, yes).tolist()),
                "no": Sums.of(np.repeat(WEIGHTS, members - yes).tolist()),
            }
            return weigh(mechanism, key_by_pattern(sums), []).interval("yes")

        found.append(simulate(surveys, SEED, draw, find, float(shares.mean())))
    return Coverage("a share with each respondent's weight", 0.91, found, surveys)


SLOPE, OTHER_SLOPES = 0.8, (0.5, -0.3)


def coefficients(surveys: int) -> Coverage:
    """Return coverage near the smallest samples for which pages show no caution."""
    found = []
    for epsilon, others, n in ((2, 0, 300), (2, 2, 170), (1, 0, 600)):
        mechanism = build("epsilon", epsilon=epsilon)
        slopes = np.array([-1, SLOPE, *OTHER_SLOPES[:others]])

        def draw(
            source: Source,
            n: int = n,
            slopes: FloatArray = slopes,
            mechanism: Mechanism = mechanism,
        ) -> tuple[FloatArray, FloatArray]:
            x = source.normal(size=(n, len(slopes)))
            x[:, 0] = 1
            answers = source.random(n) < expit(x @ slopes)
            return x, draw_reports(source, mechanism, answers)

        def find(
            survey: tuple[FloatArray, FloatArray],
            mechanism: Mechanism = mechanism,
        ) -> Ends | None:
            x, yes = survey
            names = ["Intercept", *(f"x{place}" for place in range(1, x.shape[1]))]
            return find_ends(
                lambda: fit_logistic(
                    x,
                    np.column_stack([yes, 1 - yes]),
                    names=names,
                    **find_channel(mechanism),
                ),
                "x1",
            )

        found.append(simulate(surveys, SEED + n, draw, find, SLOPE))
    held = HELD_AT_LEAST["coefficients"]
    return Coverage("a coefficient, numbers as predictors", held, found, surveys)


def find_channel(mechanism: Mechanism) -> dict[str, float]:
    channel = make_channel(mechanism)
    return {
        "p_yes_given_yes": channel.p_yes_given_yes,
        "p_yes_given_no": channel.p_yes_given_no,
    }


def draw_reports(source: Source, mechanism: Mechanism, answers: Any) -> FloatArray:
    """Return 1 for a yes report and 0 for a no."""
    channel = find_channel(mechanism)
    chance = np.where(answers, channel["p_yes_given_yes"], channel["p_yes_given_no"])
    return (source.random(len(answers)) < chance).astype(float)


REACH = float(chdtri(1, 1 - LEVEL))


def find_ends(fit: Callable[[], LogisticFit], name: str) -> Ends | None:
    """Return an interval that covers `SLOPE` if that of the coefficient does.

    None without a fit. Testing one value of a profile takes one maximum, while its ends
    need a search.
    """
    try:
        found = fit()
        if found.is_weighted:
            return found.interval(name, LEVEL)
        deviance = found._profiles[found.names.index(name)].at(SLOPE).deviance
    except NoFitError:
        return None
    return (SLOPE, SLOPE) if deviance <= REACH else (np.nan, np.nan)


def scrambled_predictor(surveys: int) -> Coverage:
    coin = build("coin")
    n = 1000

    def draw(source: Source) -> FloatArray:
        x = source.random(n) < 0.4
        answers = source.random(n) < expit(SLOPE * x - 1)
        pair = 2 * (1 - draw_reports(source, coin, x))
        pair += 1 - draw_reports(source, coin, answers)
        return np.bincount(pair.astype(int), minlength=4)[None].astype(float)

    def find(counts: FloatArray) -> Ends | None:
        return find_ends(
            lambda: fit_logistic(
                [[1, 0]],
                counts,
                names=["Intercept", "x"],
                scrambled=Scrambled(predictors=[[1, 1]], **find_channel(coin)),
                **find_channel(coin),
            ),
            "x",
        )

    found = [simulate(surveys, SEED, draw, find, SLOPE)]
    held = HELD_AT_LEAST["coefficients"]
    return Coverage("a coefficient of a scrambled predictor", held, found, surveys)


def weighted_coefficient(surveys: int) -> Coverage:
    """Return coverage if larger weights are more common with the predictor."""
    found = []
    for family, n in (("coin", 1000), ("direct", 300)):
        mechanism = build(family)
        channel = find_channel(mechanism)
        if not mechanism.is_scrambled:
            channel = {"p_yes_given_yes": 1 - 1e-9, "p_yes_given_no": 1e-9}

        def draw(
            source: Source, n: int = n, mechanism: Mechanism = mechanism
        ) -> tuple[FloatArray, FloatArray]:
            x = source.random(n) < 0.4
            rarer = source.choice(WEIGHTS, size=n, p=[0.4, 0.3, 0.2, 0.1])
            weights = np.where(x, source.choice(WEIGHTS, size=n), rarer)
            answers = source.random(n) < expit(SLOPE * x - 1)
            place = 2 * x + 1 - draw_reports(source, mechanism, answers)
            return place.astype(int), weights / weights.mean()

        def find(
            rows: tuple[FloatArray, FloatArray], channel: dict[str, float] = channel
        ) -> Ends | None:
            place, weights = rows
            sums, squares = (
                np.bincount(place, each, minlength=4).reshape(2, 2)
                for each in (weights, weights**2)
            )
            return find_ends(
                lambda: fit_logistic(
                    [[1, 0], [1, 1]],
                    sums,
                    names=["Intercept", "x"],
                    squared_weights=squares,
                    respondents=len(place),
                    **channel,
                ),
                "x",
            )

        found.append(simulate(surveys, SEED + n, draw, find, SLOPE))
    return Coverage("a coefficient of weighted rows", 0.94, found, surveys)


SIMULATED: dict[str, tuple[Callable[[int], Coverage], int]] = {
    "mean": (mean, 2000),
    "mean among answered": (mean_among_answered, 250),
    "difference of means": (difference_of_means, 1000),
    "among asked": (among_asked, 500),
    "weighted mean": (weighted_mean, 1000),
    "own weights": (own_weights, 2000),
    "coefficients": (coefficients, 1000),
    "scrambled predictor": (scrambled_predictor, 1000),
    "weighted coefficient": (weighted_coefficient, 2000),
}
"""Functions that compute a row of the table, with the number of surveys per case."""
