"""The same data analysed by Candor and by R packages: figures and times.

    python -m benchmarks.peers [NIGERIA.csv]

The file is the data set `nigeria` of the R package rr. Rscript must be on the path. Of
the packages RRTCS, rr and RRreg, those that are installed are compared. Processor time,
the minimum of several runs.
"""

import csv
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

import numpy as np

from candor import LogisticFit, fit_logistic
from candor.binary import FloatArray
from candor.mechanisms import build
from candor.sample import Sample

RUNS = 9
NAMES = ("Intercept", "asset", "married", "age", "age^2", "education", "female")
COLUMNS = (
    "rr.q1",
    "cov.asset.index",
    "cov.married",
    "cov.age",
    "cov.education",
    "cov.female",
)
CASES = {
    "ForcedResponse": (
        build("forced_response", forced_yes="1/6", forced_no="1/6"),
        (831, 1604),
    ),
    "Warner": (build("warner", p="3/4"), (40, 60)),
    "Horvitz": (
        build("unrelated_question", p_sensitive="0.6", prevalence="0.3"),
        (150, 250),
    ),
}

# Each design as in the manual of RRTCS, for a simple random sample from a population so
# large that the finite-population correction is negligible.
SHARES = """
if (requireNamespace("RRTCS", quietly = TRUE)) {
  N <- 1e9
  tell <- function(name, yes, no, design) {
    z <- rep(c(1, 0), c(yes, no))
    fit <- function() design(z, rep(length(z) / N, length(z)))
    taken <- system.time(for (run in 1:200) fit())[1] / 200
    cat(name, format(c(taken, fit()$Estimation, sqrt(fit()$Variance)), digits = 15),
        sep = ",")
    cat("\\n")
  }
  tell("ForcedResponse", 831, 1604,
       function(z, pi) RRTCS::ForcedResponse(z, 1/6, 1/6, pi, "mean", .95, N))
  tell("Warner", 40, 60, function(z, pi) RRTCS::Warner(z, 3/4, pi, "mean", .95, N))
  tell("Horvitz", 150, 250,
       function(z, pi) RRTCS::Horvitz(z, .6, .3, pi, "mean", .95, N))
}
"""

# The design as a link of R's glm: Fisher scoring, expected information. Then forced
# response in each package, as in its manual.
REGRESSION = """
d <- na.omit(read.csv("{path}")[, c({columns})])
d$a <- d$cov.age / 10
formula <- rr.q1 ~ cov.asset.index + cov.married + a + I(a^2) + cov.education +
  cov.female
link <- structure(list(
  linkfun = function(mu) qlogis(pmin(pmax((mu - 1/6) / (2/3), 1e-9), 1 - 1e-9)),
  linkinv = function(eta) 1/6 + 2/3 * plogis(eta),
  mu.eta = function(eta) 2/3 * dlogis(eta),
  valideta = function(eta) TRUE, name = "design"), class = "link-glm")
tell <- function(name, fit) {{
  times <- sapply(1:9, function(run) sum(system.time(fit())[1:2]))
  found <- fit()
  cat(name, format(c(min(times), coef(found), sqrt(diag(vcov(found)))), digits = 15),
      sep = ",")
  cat("\\n")
}}
tell("glm", function() glm(formula, data = d, family = binomial(link),
  start = c(-1, 0, 0, 0, 0, 0, 0), epsilon = 1e-12))
if (requireNamespace("rr", quietly = TRUE)) {{
  # Without a start it draws one, and now and then stops with an error.
  tell("rr", function() rr::rrreg(formula, p = 2/3, p0 = 1/6, p1 = 1/6,
    start = rep(0, 7), design = "forced-known", data = d))
}}
if (requireNamespace("RRreg", quietly = TRUE)) {{
  vcov.RRlog <- function(object, ...) object$vcov
  tell("RRreg", function() RRreg::RRlog(formula, data = d, model = "FR",
    p = c(1/6, 1/6), LR.test = FALSE, fit.n = 1))
}}
"""


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def measure_least_time(work: Callable[[], object]) -> float:
    """Return the least processor time of some runs, in seconds."""
    times = []
    for _run in range(RUNS):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def run_r(program: str) -> Iterator[tuple[str, float, FloatArray]]:
    """Yield name, seconds and numbers of each line that R prints."""
    rscript = shutil.which("Rscript")
    if rscript is None:
        raise SystemExit("Rscript is not installed: nothing to compare with")
    run = subprocess.run(  # noqa: S603 -- our own program
        [rscript, "-e", program], capture_output=True, check=True, text=True
    )
    for line in run.stdout.splitlines():
        name, seconds, *figures = line.split(",")
        yield name, float(seconds), np.array(figures, dtype=float)


def compare_shares() -> None:
    for name, seconds, (share, error) in run_r(SHARES):
        mechanism, counts = CASES[name]
        report_counts = dict(zip(mechanism.reports, counts, strict=True))
        sample = Sample.of(mechanism, report_counts)
        ours = measure_least_time(
            lambda m=mechanism, t=report_counts: Sample.of(m, t).interval("yes")
        )
        apart = abs(share - sample.raw("yes"))
        of_error = abs(error / sample.standard_errors["yes"] - 1)
        say(
            f"RRTCS, {name}: share {share:.9f}, difference {apart:.1e}; standard error "
            f"{error:.9f}, relative difference {of_error:.1e}; "
            f"{seconds * 1e3:.2f} ms, Candor {ours * 1e3:.2f} ms"
        )


def read_nigeria(path: Path) -> tuple[FloatArray, FloatArray]:
    """Return predictors and reports of the complete rows."""
    with path.open(newline="") as file:
        rows = [[row[name] for name in COLUMNS] for row in csv.DictReader(file)]
    complete = [list(map(float, row)) for row in rows if not {"", "NA"} & set(row)]
    yes, assets, married, years, education, female = np.array(complete).T
    age = years / 10
    predictors = [np.ones(len(yes)), assets, married, age, age**2, education, female]
    return np.column_stack(predictors), yes


def compare_regressions(path: Path) -> None:
    predictors, yes = read_nigeria(path)

    def fit() -> LogisticFit:
        return fit_logistic(
            predictors,
            np.column_stack([yes, 1 - yes]),
            names=NAMES,
            p_yes_given_yes=5 / 6,
            p_yes_given_no=1 / 6,
        )

    found, ours = fit(), measure_least_time(fit)
    say(f"Candor: {ours * 1e3:.1f} ms\n{found.table()}")
    expected = np.sqrt(np.diag(found.expected_covariance))
    columns = ", ".join(f'"{name}"' for name in COLUMNS)
    for name, seconds, figures in run_r(REGRESSION.format(path=path, columns=columns)):
        estimates, errors = figures.reshape(2, -1)
        apart = [
            np.abs(errors / e - 1).max() for e in (found.standard_errors, expected)
        ]
        difference = np.abs(estimates - found.estimates).max()
        say(
            f"{name}: coefficients differ by {difference:.1e}, standard errors by "
            f"{min(apart):.1e}; {seconds / ours:.1f} times the time"
        )


def main() -> None:
    """Compare shares, and regressions if the file is named."""
    compare_shares()
    if sys.argv[1:]:
        compare_regressions(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
