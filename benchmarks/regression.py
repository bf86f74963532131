"""How fast a regression is, and what R says.

    python -m benchmarks.regression
    python -m benchmarks.regression NIGERIA.csv

Without a file it takes ../shared/data/nigeria.csv beside the project, where that is.
Times are processor time, the least of some runs: whatever else runs here adds little.
The comparison with R needs Rscript on the path; of its packages rr and RRreg, which is
there takes part.
"""

import csv
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np
from numpy.random import Generator  # noqa: TID251 -- simulates, protects nobody
from scipy.special import expit

from candor import LogisticFit, fit_logistic
from candor.binary import FloatArray

RUNS = 9
COIN = {"p_yes_given_yes": 3 / 4, "p_yes_given_no": 1 / 4}
SIXTHS = {"p_yes_given_yes": 5 / 6, "p_yes_given_no": 1 / 6}
"""Forced response: 1 of 6 says yes, 1 of 6 says no."""

# The goals in seconds.
STUDY_LIMIT, LARGE_LIMIT = 0.020, 0.150
LARGE = 100_000
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
        name, *text = line.split(",")
        times, likelihood, *numbers = [
            float("nan" if each.strip() == "NA" else each) for each in text
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
    text = "" if limit is None else f"   goal {limit * 1e3:.0f} ms"
    say(f"{what:<48}{measured * 1e3:>8.2f} ms{text}")


def main() -> None:
    beside = Path(__file__).resolve().parents[2] / "shared" / "data" / "nigeria.csv"
    path = Path(sys.argv[1]) if sys.argv[1:] else beside
    if path.is_file():
        study(path)
    else:
        say(f"{path} is not here: the study is left out")
    speed()


if __name__ == "__main__":
    main()
