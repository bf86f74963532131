"""How often intervals of the coefficients of a regression hold what they are about.

    python -m benchmarks.slopes

Two groups are added up exactly, the rest is seeded. It takes some minutes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.special import chdtri, expit, logit, xlog1py, xlogy
from scipy.stats import binom

from benchmarks.regression import COIN, reports_of, say, seeded, two_columns
from candor import LogisticFit, NoFitError, Scrambled, fit_logistic
from candor.binary import FloatArray, IntArray
from candor.regression.fit import FEW
from candor.regression.maximum import TOO_FEW

STRONG = {"p_yes_given_yes": 0.8808, "p_yes_given_no": 0.1192}
"""Epsilon 2."""

SURVEYS = 20_000
SURVEYS_HIDDEN = 2_000
"""Of a scrambled predictor: each takes a fit and a search for two ends."""
SURVEYS_WEIGHTED = 10_000
SLOPE, LEVEL = 0.8, 0.95
REACH = float(chdtri(1, 1 - LEVEL))
OTHER_SLOPES = (0.5, -0.3, 0.2, 0)
LOOKED_AT = 40
"""Surveys of each kind whose interval is worked out itself, and has to agree."""
FISHER_STEPS, HALVINGS, GOLDEN_STEPS = 40, 10, 22
RUNS_AWAY = 8.0

LAWS = {
    "coin": COIN,
    "epsilon 2": STRONG,
    "direct": {"p_yes_given_yes": 1 - 1e-9, "p_yes_given_no": 1e-9},
}
MANY = {
    "coin": ((2, 400), (4, 800)),
    "epsilon 2": ((2, 170), (4, 350)),
    "direct": ((2, 100), (4, 200)),
}
"""Predictors beside the first, and about the fewest respondents without a caution."""
WEIGHTED = {"coin": (300, 1000), "epsilon 2": (100, 300, 1000), "direct": (100, 300)}
WEIGHTS = np.array([0.5, 1.0, 2.0, 4.0])
"""Of four groups of respondents, one as large as the other among who has the trait."""
GROUP_SIZES = ((60, 40), (100, 100), (180, 120), (360, 240))
SHARES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
LEFT_OUT = 1e-9


def main() -> None:
    """Print how often intervals of a slope hold it: added up exactly, and seeded."""
    two_groups()
    error = np.sqrt(LEVEL * (1 - LEVEL) / SURVEYS)
    say(
        f"\n{SURVEYS} surveys each, slope {SLOPE}, constant -1, {LEVEL:.0%} intervals; "
        f"standard error of a figure {error:.4f}"
    )
    say(
        f"{'table, predictors, n':<34}{'held':>8}{'p < .05':>9}{'median':>8}"
        f"{'no fit':>8}"
    )
    for seed, (name, law) in enumerate(LAWS.items()):
        for others, n in ((0, 100), (0, 300), *MANY[name]):
            Seeded(f"{name}, {1 + others}, {n}", others, n).show(law, seed)
    for n in (1000, 10_000):
        hidden_predictor(n)
    for name, sizes in WEIGHTED.items():
        for n in sizes:
            weighted(name, n)


def two_groups() -> None:
    """Print the least coverage over pairs of shares in two groups, added up exactly.

    Of those shares at which there are respondents enough: no caution is due.
    """
    say("two groups, 8 x 8 shares, exact, of surveys that have a fit:")
    say(f"{'':<34}{'slope':>16}{'points':>16}")
    say(f"{'table, sizes':<34}" + f"{'least':>8}{'mean':>8}" * 2)
    for (name, law), sizes in product(LAWS.items(), GROUP_SIZES):
        no, span = law["p_yes_given_no"], law["p_yes_given_yes"] - law["p_yes_given_no"]
        yes = np.indices([size + 1 for size in sizes]).reshape(2, -1).astype(float)
        size = np.array(sizes, dtype=float)[:, None]
        raw = (yes / size - no) / span
        kept = np.clip(raw, 0, 1)
        share = (size * kept).sum(axis=0) / size.sum()
        text = size.sum() * np.minimum(share, 1 - share) * span**2 / 2
        has_fit = ((raw > 0) & (raw < 1)).all(axis=0) & (text >= TOO_FEW)
        top = of_groups(yes, size, no + span * kept).sum(axis=0)
        found = []
        for pair in product(SHARES, repeat=2):
            true = np.array(pair)[:, None]
            average = float((size * true).sum() / size.sum())
            if size.sum() * min(average, 1 - average) * span**2 / 2 < FEW:
                continue
            chance = binom.pmf(yes, size, no + span * true).prod(axis=0)
            some = has_fit & (chance > LEFT_OUT)
            slope = float(np.diff(logit(np.array(pair)))[0])
            fallen = 2 * (top[some] - best_with(slope, yes[:, some], size, no, span))
            # The effect of a predictor of yes and no: the difference of both shares
            reported = no + span * raw[:, some]
            error = np.sqrt((reported * (1 - reported) / size).sum(axis=0)) / span
            off = np.abs(np.diff(raw[:, some], axis=0)[0] - np.diff(true, axis=0)[0])
            is_held = np.array([fallen <= REACH, off <= np.sqrt(REACH) * error])
            found.append(is_held @ chance[some] / chance[some].sum())
        if not found:
            continue
        least, mean = np.min(found, axis=0), np.mean(found, axis=0)
        say(
            f"{name}, {sizes[0]} and {sizes[1]}".ljust(34)
            + "".join(
                f"{each:>8.4f}{other:>8.4f}"
                for each, other in zip(least, mean, strict=True)
            )
        )


def of_groups(yes: FloatArray, size: FloatArray, chance: FloatArray) -> FloatArray:
    """Return the log likelihood of each group."""
    found: FloatArray = xlogy(yes, chance) + xlog1py(size - yes, -chance)
    return found


def best_with(
    slope: float, yes: FloatArray, size: FloatArray, no: float, span: float
) -> FloatArray:
    """Return the largest log likelihood with a slope, over the constant."""

    def at(constant: FloatArray) -> FloatArray:
        odds = np.stack([constant, constant + slope])
        found: FloatArray = of_groups(yes, size, no + span * expit(odds)).sum(axis=0)
        return found

    grid = np.linspace(-12, 12, 121)
    places = np.argmax([at(np.full(yes.shape[1], each)) for each in grid], axis=0)
    low, high = grid[np.maximum(places - 1, 0)], grid[np.minimum(places + 1, 120)]
    golden = (np.sqrt(5) - 1) / 2
    for _step in range(GOLDEN_STEPS):
        left, right = high - golden * (high - low), low + golden * (high - low)
        is_left = at(left) > at(right)
        low, high = np.where(is_left, low, left), np.where(is_left, right, high)
    return at((low + high) / 2)


@dataclass
class Seeded:
    """Surveys with numbers and one question of yes and no for predictors."""

    name: str
    others: int
    """How many predictors there are beside the one that is looked at."""
    n: int

    def show(self, law: dict[str, float], seed: int) -> None:
        generator = seeded(1000 * seed + self.n + self.others)
        slopes = np.array([-1, SLOPE, *OTHER_SLOPES[: self.others]])
        size = len(slopes)
        batch = max(10, 1_000_000 // (self.n * size))
        fallen, at_none, estimates = [], [], []
        looked = LOOKED_AT
        for start in range(0, SURVEYS, batch):
            count = min(batch, SURVEYS - start)
            x = generator.normal(size=(count, self.n, size))
            x[..., 0] = 1
            if self.others:
                x[..., 2] = generator.random((count, self.n)) < 0.4
            answers = generator.random((count, self.n)) < expit(x @ slopes)
            yes = reports_of(answers, generator, law).astype(bool)
            places, top = highest_of(x, yes, np.zeros((count, self.n)), law)
            rest = np.delete(x, 1, axis=2)
            held = [
                highest_of(rest, yes, slope * x[..., 1], law)[1] for slope in (SLOPE, 0)
            ]
            # Log odds that run off are no estimate: `check_maximum`.
            has_fit = np.abs(places).max(axis=1) < RUNS_AWAY
            if not self.others:
                has_fit &= top >= likeliest_far_out(x[..., 1], yes, law)
            for survey in np.flatnonzero(has_fit)[:looked]:
                self.check(x[survey], yes[survey], law, 2 * (top - held[0])[survey])
            looked = max(0, looked - count)
            fallen.append(2 * (top - held[0])[has_fit])
            at_none.append(2 * (top - held[1])[has_fit])
            estimates.append(places[has_fit, 1])
        text = np.concatenate(fallen)
        say(
            f"{self.name:<34}{(text <= REACH).mean():>8.4f}"
            f"{(np.concatenate(at_none) > REACH).mean():>9.3f}"
            f"{np.median(np.concatenate(estimates)):>8.3f}"
            f"{1 - len(text) / SURVEYS:>8.3f}"
        )

    def check(
        self, x: FloatArray, yes: FloatArray, law: dict[str, float], fallen: float
    ) -> None:
        """Stop where the interval itself does not say the same."""
        names = ["Intercept", *(f"x{place}" for place in range(1, x.shape[1]))]
        try:
            low, high = fit_logistic(
                x, two_columns(yes.astype(float)), names=names, **law
            ).interval("x1", LEVEL)
        except NoFitError:
            return
        if (low <= SLOPE <= high) != (fallen <= REACH) and abs(fallen - REACH) > 1e-3:
            raise SystemExit(f"{self.name}: {low} to {high}, and {fallen}")


def likeliest_far_out(
    x: FloatArray, yes: FloatArray, law: dict[str, float]
) -> FloatArray:
    """Return how likely reports are where a number parts who has yes from who has no.

    The largest log likelihood over all numbers, of either side: shape (surveys,).
    """
    chances = np.array([law["p_yes_given_no"], law["p_yes_given_yes"]])
    ordered = np.take_along_axis(yes, np.argsort(x, axis=1), axis=1)[..., None]
    logs = np.where(ordered, np.log(chances), np.log1p(-chances))
    moved = np.cumsum(logs[..., 0] - logs[..., 1], axis=1)
    # Below the number no, above it yes, which is the same at no number at all
    above = logs[..., 1].sum(axis=1) + np.maximum(moved.max(axis=1), 0)
    below = logs[..., 0].sum(axis=1) - np.minimum(moved.min(axis=1), 0)
    found: FloatArray = np.maximum(above, below)
    return found


def highest_of(
    x: FloatArray, yes: FloatArray, offset: FloatArray, law: dict[str, float]
) -> tuple[FloatArray, FloatArray]:
    """Return the likeliest coefficients of many surveys at once, by Fisher scoring.

    Parameters
    ----------
    x : array of float
        Shape (surveys, n, coefficients).
    yes : array of bool
        Shape (surveys, n).
    offset : array of float
        Added to the linear predictor.
    """
    no, span = law["p_yes_given_no"], law["p_yes_given_yes"] - law["p_yes_given_no"]
    places, top = np.zeros(x.shape[::2]), np.zeros(len(x))
    active = np.arange(len(x))

    def of(surveys: IntArray, tried: FloatArray) -> tuple[FloatArray, ...]:
        s = expit((x[surveys] @ tried[..., None])[..., 0] + offset[surveys])
        chance = no + span * s
        logs = np.log(np.where(yes[surveys], chance, 1 - chance)).sum(axis=1)
        return logs, s, chance

    for _step in range(FISHER_STEPS):
        some = x[active]
        before, s, chance = of(active, places[active])
        slope, spread = span * s * (1 - s), chance * (1 - chance)
        gradient = np.einsum(
            "mnp,mn->mp", some, slope * (yes[active] - chance) / spread
        )
        weighted = some * (slope**2 / spread)[..., None]
        information = np.swapaxes(weighted, 1, 2) @ some + 1e-9 * np.eye(x.shape[2])
        step = np.linalg.solve(information, gradient[..., None])[..., 0]
        promised = (step * gradient).sum(axis=1)
        step /= np.maximum(1, np.abs(step).max(axis=1, keepdims=True) / 2)
        after = of(active, places[active] + step)[0]
        for _halving in range(HALVINGS):
            worse = np.flatnonzero(after < before - 1e-12)
            if not len(worse):
                break
            step[worse] /= 2
            after[worse] = of(active[worse], places[active[worse]] + step[worse])[0]
        places[active] += step
        top[active] = after
        active = active[
            (promised > 1e-8) & (np.abs(places[active]).max(axis=1) < 2 * RUNS_AWAY)
        ]
        if not len(active):
            break
    return places, top


def show(what: str, surveys: int, fit: Callable[[], LogisticFit]) -> None:
    """Print the same of so many surveys, each drawn and fitted by `fit`."""
    held = rejected = refused = 0
    estimates = []
    for _survey in range(surveys):
        try:
            found = fit()
            low, high = found.interval("x", LEVEL)
        except NoFitError:
            refused += 1
            continue
        held += low <= SLOPE <= high
        rejected += not low <= 0 <= high
        estimates.append(float(found.estimates[1]))
    text = len(estimates)
    say(
        f"{f'{what} ({surveys} surveys)':<34}{held / text:>8.4f}"
        f"{rejected / text:>9.3f}{np.median(estimates):>8.3f}{refused / surveys:>8.3f}"
    )


def hidden_predictor(n: int) -> None:
    """Print the same where the predictor is scrambled too, by the fit itself."""
    generator = seeded(n)

    def fit() -> LogisticFit:
        x = generator.random(n) < 0.4
        answers = generator.random(n) < expit(SLOPE * x - 1)
        pair = 2 * (1 - reports_of(x, generator, COIN))
        pair += 1 - reports_of(answers, generator, COIN)
        return fit_logistic(
            [[1, 0]],
            np.bincount(pair.astype(int), minlength=4)[None].astype(float),
            names=["Intercept", "x"],
            scrambled=Scrambled(predictors=[[1, 1]], **COIN),
            **COIN,
        )

    show(f"coin, one by coin, {n}", SURVEYS_HIDDEN, fit)


def weighted(name: str, n: int) -> None:
    """Print the same of rows with weights, larger ones the rarer without the trait."""
    generator, law = seeded(n), LAWS[name]

    def fit() -> LogisticFit:
        x = generator.random(n) < 0.4
        rarer = generator.choice(WEIGHTS, size=n, p=[0.4, 0.3, 0.2, 0.1])
        weights = np.where(x, generator.choice(WEIGHTS, size=n), rarer)
        weights /= weights.mean()
        answers = generator.random(n) < expit(SLOPE * x - 1)
        place = 2 * x + 1 - reports_of(answers, generator, law)
        sums, squares = (
            np.bincount(place.astype(int), each, minlength=4).reshape(2, 2)
            for each in (weights, weights**2)
        )
        return fit_logistic(
            [[1, 0], [1, 1]],
            sums,
            names=["Intercept", "x"],
            squared_weights=squares,
            respondents=n,
            **law,
        )

    show(f"{name}, weights, {n}", SURVEYS_WEIGHTED, fit)


if __name__ == "__main__":
    main()
