"""How fast a regression is, how often its intervals hold, and what R says.

    python -m benchmarks.regression
    python -m benchmarks.regression coverage
    python -m benchmarks.regression NIGERIA.csv

Without a file it takes ../shared/data/nigeria.csv beside the project, where that is.
Times are processor time, the least of some runs: whatever else runs here adds little.
Coverage takes some minutes. The comparison with R needs Rscript on the path; of its
packages rr and RRreg, which is there takes part.
"""

import csv
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from time import process_time

import numpy as np
from numpy.random import Generator  # noqa: TID251 -- simulates, protects nobody
from scipy.special import chdtri, expit, logit, xlog1py, xlogy
from scipy.stats import binom

from estimation.maths import LogisticFit, NoFitError, Scrambled, fit_logistic
from estimation.maths.regression.fit import FEW, TOO_FEW
from estimation.maths.yes_no import FloatArray, IntArray

RUNS = 9
COIN = {"p_yes_given_yes": 3 / 4, "p_yes_given_no": 1 / 4}
STRONG = {"p_yes_given_yes": 0.8808, "p_yes_given_no": 0.1192}
"""Epsilon 2."""
SIXTHS = {"p_yes_given_yes": 5 / 6, "p_yes_given_no": 1 / 6}
"""Forced response: 1 of 6 says yes, 1 of 6 says no."""

# The goals in seconds.
STUDY_LIMIT, LARGE_LIMIT = 0.020, 0.150
LARGE = 100_000

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
"""Chances of counts that are left out."""

NIGERIA = (
    "rr.q1",
    "cov.asset.index",
    "cov.married",
    "cov.age",
    "cov.education",
    ("cov.female"),
)
NIGERIA_NAMES = (
    "Intercept", "asset index", "married", "age/10", "(age/10)^2", "education",
    "female",
)  # fmt: skip

# The design as a link of R's own regression: Fisher scoring, expected information. Then
# the packages, each as its manual has forced response; 9 runs of each.
R_PROGRAM = """
d <- na.omit(read.csv("{path}")[, c({columns})])
d$a <- d$cov.age / 10
formula <- rr.q1 ~ cov.asset.index + cov.married + a + I(a^2) + cov.education +
  cov.female
link <- structure(list(
  linkfun = function(mu) qlogis(pmin(pmax((mu - 1/6) / (2/3), 1e-9), 1 - 1e-9)),
  linkinv = function(eta) 1/6 + 2/3 * plogis(eta),
  mu.eta = function(eta) 2/3 * dlogis(eta),
  valideta = function(eta) TRUE, name = "design"), class = "link-glm")
tell <- function(name, fit, likelihood) {{
  found <- fit()
  times <- sapply(1:9, function(run) sum(system.time(fit())[1:2]))
  numbers <- c(min(times), likelihood(found), coef(found), sqrt(diag(vcov(found))))
  cat(name, format(numbers, digits = 15), sep = ",")
  cat("\\n")
}}
tell("glm", function() glm(formula, data = d, family = binomial(link),
  start = c(-1, 0, 0, 0, 0, 0, 0), epsilon = 1e-12),
  function(found) as.numeric(logLik(found)))
if (requireNamespace("rr", quietly = TRUE)) {{
  # Without a start it draws one, and now and then stops with an error.
  tell("rr", function() rr::rrreg(formula, p = 2/3, p0 = 1/6, p1 = 1/6,
    start = rep(0, 7), design = "forced-known", data = d), function(found) NA)
}}
if (requireNamespace("RRreg", quietly = TRUE)) {{
  vcov.RRlog <- function(object, ...) object$vcov
  tell("RRreg", function() RRreg::RRlog(formula, data = d, model = "FR",
    p = c(1/6, 1/6), LR.test = FALSE, fit.n = 1), function(found) found$logLik)
}}
"""


@dataclass(frozen=True)
class Peer:
    """What a regression of R found."""

    name: str
    seconds: float
    log_likelihood: float
    """NaN where it tells none."""
    estimates: FloatArray
    standard_errors: FloatArray


def say(text: str = "") -> None:
    sys.stdout.write(f"{text}\n")


def seconds(work: Callable[[], object]) -> float:
    """Return the least time of some runs."""
    times = []
    for _run in range(RUNS):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def seeded(seed: int) -> Generator:
    return np.random.default_rng(seed)  # noqa: TID251 -- simulates, protects nobody


def reports_of(
    answers: FloatArray, generator: Generator, law: dict[str, float]
) -> FloatArray:
    """Return 1 for a yes report and 0 for a no."""
    chance = np.where(answers, law["p_yes_given_yes"], law["p_yes_given_no"])
    return (generator.random(answers.shape) < chance).astype(float)


def two_columns(yes: FloatArray) -> FloatArray:
    return np.column_stack([yes, 1 - yes])


def read_nigeria(path: Path) -> tuple[FloatArray, FloatArray, int]:
    """Return predictors, reports, and how many rows have gaps."""
    with path.open(newline="") as file:
        rows = [[row[name] for name in NIGERIA] for row in csv.DictReader(file)]
    complete = np.array(
        [list(map(float, row)) for row in rows if not {"", "NA"} & set(row)]
    )
    yes, assets, married, years, education, female = complete.T
    age = years / 10
    predictors = np.column_stack(
        [np.ones(len(yes)), assets, married, age, age**2, education, female]
    )
    return predictors, yes, len(rows) - len(complete)


def study(path: Path) -> None:
    """Print the regression of the study, its time, and R's."""
    predictors, yes, left_out = read_nigeria(path)

    def fit() -> LogisticFit:
        return fit_logistic(predictors, two_columns(yes), names=NIGERIA_NAMES, **SIXTHS)

    found = fit()
    say(
        f"Contact with armed groups: {found.respondents} respondents, {left_out} left "
        f"out, log likelihood {found.log_likelihood:.6f}"
    )
    say(f"{'':<14}{'estimate':>10}{'error':>10}{'low':>10}{'high':>10}{'p':>10}")
    for name, estimate, error in zip(
        found.names, found.estimates, found.standard_errors, strict=True
    ):
        low, high = found.interval(name)
        numbers = (estimate, error, low, high, found.p_value(name))
        say(f"{name:<14}" + "".join(f"{number:>10.5f}" for number in numbers))
    taken = seconds(fit)
    row("the study", taken, STUDY_LIMIT)

    def intervals() -> None:
        again = fit()
        for name in again.names:
            again.interval(name)
            again.p_value(name)

    row("the same with all intervals and p-values", seconds(intervals))
    if shutil.which("Rscript") is None:
        say("Rscript is not here: nothing to compare with")
        return
    peers = in_r(path)
    for peer in peers:
        compare(found, peer, taken)
    for name in {"rr", "RRreg"} - {peer.name for peer in peers}:
        say(f"R's package {name} is not here: nothing to compare with")


def compare(found: LogisticFit, peer: Peer, taken: float) -> None:
    """Print how far a regression of R agrees, and how much longer it takes."""
    errors = {
        "observed": found.standard_errors,
        "expected": np.sqrt(np.diag(found.expected_covariance)),
    }
    apart = {
        name: float(np.abs(peer.standard_errors / ours - 1).max())
        for name, ours in errors.items()
    }
    nearest = min(apart, key=apart.__getitem__)
    likelihood = abs(peer.log_likelihood - found.log_likelihood)
    say(
        f"R's {peer.name}: coefficients differ by at most "
        f"{np.abs(peer.estimates - found.estimates).max():.1e}, standard errors by "
        f"{apart[nearest]:.1e} of those of the {nearest} information"
        + ("" if np.isnan(likelihood) else f", log likelihood by {likelihood:.1e}")
        + f"; {peer.seconds * 1e3:.0f} ms, {peer.seconds / taken:.1f} times as long"
    )


def in_r(path: Path) -> list[Peer]:
    """Return what R's own regression finds, and its packages that are there."""
    columns = ", ".join(f'"{name}"' for name in NIGERIA)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "fit.R"
        program.write_text(R_PROGRAM.format(path=path, columns=columns))
        run = subprocess.run(  # noqa: S603 -- our own program
            [shutil.which("Rscript") or "Rscript", program],
            capture_output=True,
            check=True,
            text=True,
        )
    peers = []
    for line in run.stdout.splitlines():
        name, *told = line.split(",")
        times, likelihood, *numbers = [
            float("nan" if each.strip() == "NA" else each) for each in told
        ]
        table = np.array(numbers).reshape(2, -1)
        peers.append(Peer(name, times, likelihood, *table))
    return peers


def speed() -> None:
    """Print times of single rows and of patterns."""
    generator = seeded(1)
    x = generator.normal(size=(LARGE, 2))
    predictors = np.column_stack([np.ones(LARGE), x])
    answers = generator.random(LARGE) < expit(predictors @ [-1, 0.8, -0.3])
    counts = two_columns(reports_of(answers, generator, COIN))
    names = ["Intercept", "x", "z"]
    row(
        f"n = {LARGE:,}, two numbers, no two rows alike",
        seconds(lambda: fit_logistic(predictors, counts, names=names, **COIN)),
        LARGE_LIMIT,
    )
    groups = np.array([[1.0, u, v] for u in range(5) for v in range(4)])
    shares = expit(groups @ [-1, 0.4, -0.2])
    for n in (10**4, 10**7):
        yes = np.round(n / 20 * (0.25 + 0.5 * shares))
        grouped = np.column_stack([yes, n / 20 - yes])
        row(
            f"n = {n:,} in 20 patterns",
            seconds(
                lambda grouped=grouped: fit_logistic(
                    groups, grouped, names=names, **COIN
                )
            ),
        )


def row(what: str, measured: float, limit: float | None = None) -> None:
    told = "" if limit is None else f"   goal {limit * 1e3:.0f} ms"
    say(f"{what:<48}{measured * 1e3:>8.2f} ms{told}")


def coverage() -> None:
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
        told = size.sum() * np.minimum(share, 1 - share) * span**2 / 2
        has_fit = ((raw > 0) & (raw < 1)).all(axis=0) & (told >= TOO_FEW)
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
            for survey in np.flatnonzero(has_fit)[:looked]:
                self.check(x[survey], yes[survey], law, 2 * (top - held[0])[survey])
            looked = max(0, looked - count)
            fallen.append(2 * (top - held[0])[has_fit])
            at_none.append(2 * (top - held[1])[has_fit])
            estimates.append(places[has_fit, 1])
        told = np.concatenate(fallen)
        say(
            f"{self.name:<34}{(told <= REACH).mean():>8.4f}"
            f"{(np.concatenate(at_none) > REACH).mean():>9.3f}"
            f"{np.median(np.concatenate(estimates)):>8.3f}"
            f"{1 - len(told) / SURVEYS:>8.3f}"
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


def hidden_predictor(n: int) -> None:
    """Print the same where the predictor is scrambled too, by the fit itself."""
    generator = seeded(n)
    held = refused = 0
    estimates, rejected = [], 0
    for _survey in range(SURVEYS_HIDDEN):
        x = generator.random(n) < 0.4
        answers = generator.random(n) < expit(SLOPE * x - 1)
        pair = 2 * (1 - reports_of(x, generator, COIN))
        pair += 1 - reports_of(answers, generator, COIN)
        counts = np.bincount(pair.astype(int), minlength=4)[None].astype(float)
        try:
            found = fit_logistic(
                [[1, 0]],
                counts,
                names=["Intercept", "x"],
                scrambled=Scrambled(predictors=[[1, 1]], **COIN),
                **COIN,
            )
            low, high = found.interval("x", LEVEL)
        except NoFitError:
            refused += 1
            continue
        held += low <= SLOPE <= high
        rejected += not low <= 0 <= high
        estimates.append(float(found.estimates[1]))
    told = len(estimates)
    say(
        f"{f'coin, one by coin, {n} ({SURVEYS_HIDDEN} surveys)':<34}{held / told:>8.4f}"
        f"{rejected / told:>9.3f}{np.median(estimates):>8.3f}"
        f"{refused / SURVEYS_HIDDEN:>8.3f}"
    )


def weighted(name: str, n: int) -> None:
    """Print the same of rows with weights, larger ones the rarer without the trait."""
    generator, law = seeded(n), LAWS[name]
    held = rejected = refused = 0
    estimates = []
    for _survey in range(SURVEYS_WEIGHTED):
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
        try:
            found = fit_logistic(
                [[1, 0], [1, 1]],
                sums,
                names=["Intercept", "x"],
                squared_weights=squares,
                respondents=n,
                **law,
            )
        except NoFitError:
            refused += 1
            continue
        low, high = found.interval("x", LEVEL)
        held += low <= SLOPE <= high
        rejected += not low <= 0 <= high
        estimates.append(float(found.estimates[1]))
    told = len(estimates)
    say(
        f"{f'{name}, weights, {n} ({SURVEYS_WEIGHTED} surveys)':<34}{held / told:>8.4f}"
        f"{rejected / told:>9.3f}{np.median(estimates):>8.3f}"
        f"{refused / SURVEYS_WEIGHTED:>8.3f}"
    )


def main() -> None:
    if sys.argv[1:] == ["coverage"]:
        coverage()
        return
    beside = Path(__file__).resolve().parents[2] / "shared" / "data" / "nigeria.csv"
    path = Path(sys.argv[1]) if sys.argv[1:] else beside
    if path.is_file():
        study(path)
    else:
        say(f"{path} is not here: the study is left out")
    speed()


if __name__ == "__main__":
    main()
