"""How fast the default interval is, beside its limits and beside looking everywhere.

    python -m benchmarks.intervals
    python -m benchmarks.intervals RRTCS

Figures are medians of runs on this machine; the ratios are what counts. With RRTCS the
estimates of that package of R stand beside those here, for the same reports; it needs
Rscript on the path, and the package where R looks for it (R_LIBS).
"""

import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter

from candor.binary import BinomialDesign
from candor.intervals import share_interval
from candor.mechanisms import Mechanism, build
from candor.sample import Sample
from tests.candor.intervals import dense_scan

RUNS = 7
A, B = 3 / 4, 1 / 4
"""Two coins."""

# Rates of yes reports: outside, at and inside the range that two coins allow.
RATES = (0.10, 0.24, 0.26, 0.40, 0.50, 0.74)

# The goals: seconds for one interval by number of respondents, and for a whole page.
LIMITS = {10_000: 0.020, 1_000_000: 0.100}
PAGE_LIMIT = 0.5
PAGE_QUESTIONS = 20
PAGE_RESPONDENTS = 10_000

# Looking everywhere takes seconds at a million: once is enough to see the ratio.
PEER_RUNS = 1
AGREEMENT = 1e-8

# Each design as the manual of RRTCS has it, of a simple sample from so many that next
# to nothing is left of the correction for a finite population.
R_PROGRAM = """
if (!requireNamespace("RRTCS", quietly = TRUE)) quit(status = 3)
N <- 1e9
tell <- function(yes, no, design) {
  z <- rep(c(1, 0), c(yes, no))
  pi <- rep(length(z) / N, length(z))
  taken <- system.time(for (run in 1:200) design(z, pi))[1] / 200
  found <- design(z, pi)
  numbers <- c(found$Estimation, sqrt(found$Variance), taken)
  cat(format(numbers, digits = 15), sep = ",")
  cat("\\n")
}
tell(831, 1604,
     function(z, pi) RRTCS::ForcedResponse(z, 1/6, 1/6, pi, "mean", .95, N))
tell(40, 60, function(z, pi) RRTCS::Warner(z, 3/4, pi, "mean", .95, N))
tell(150, 250, function(z, pi) RRTCS::Horvitz(z, .6, .3, pi, "mean", .95, N))
"""
PEER_CASES = (
    (build("forced_response", forced_yes="1/6", forced_no="1/6"), 831, 1604),
    (build("warner", p="3/4"), 40, 60),
    (build("unrelated_question", p_sensitive="0.6", prevalence="0.3"), 150, 250),
)


def seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """Return the median time of `runs` calls."""
    times = []
    for _ in range(runs):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return median(times)


def slowest_interval(n: int, method: str) -> float:
    """Return the time of the slowest of the counts tried."""
    design = BinomialDesign(respondents=n, p_yes_given_yes=A, p_yes_given_no=B)
    return max(
        seconds(partial(share_interval, round(n * rate), design, method=method))
        for rate in RATES
    )


def dense_interval(n: int, x: int) -> tuple[float, float]:
    weights = dense_scan.log_weights("feldman-cousins", n, a=A, b=B)
    return dense_scan.interval(x, weights, a=A, b=B, alpha=0.05)


def page() -> None:
    coin = build("coin")
    for question in range(PAGE_QUESTIONS):
        yes = PAGE_RESPONDENTS * (question + 1) // (PAGE_QUESTIONS + 1)
        tally = {"yes": yes, "no": PAGE_RESPONDENTS - yes}
        Sample.of(coin, tally).interval("yes")


def row(what: str, measured: float, reference: float) -> None:
    sys.stdout.write(
        f"{what:<58}{measured * 1e3:>10.2f}{reference * 1e3:>12.2f}"
        f"{measured / reference:>9.4f}\n"
    )


def beside_r() -> None:
    """Print how far R's package RRTCS agrees, and how much longer it takes."""
    program = shutil.which("Rscript")
    if program is None:
        raise SystemExit("Rscript is not here: nothing to compare with")
    run = subprocess.run(  # noqa: S603 -- our own program
        [program, "-e", R_PROGRAM], capture_output=True, check=False, text=True
    )
    if run.returncode:
        text = "R's package RRTCS is not here: nothing to compare with"
        raise SystemExit(f"{text}\n{run.stderr}")
    for (mechanism, yes, no), line in zip(
        PEER_CASES, run.stdout.splitlines(), strict=True
    ):
        share, error, taken = map(float, line.split(","))
        tally = {"yes": yes, "no": no}
        found = Sample.of(mechanism, tally)

        def work(
            mechanism: Mechanism = mechanism, tally: dict[str, int] = tally
        ) -> None:
            sample = Sample.of(mechanism, tally)
            _ = sample.raw_shares, sample.standard_errors, sample.interval("yes")

        sys.stdout.write(
            f"{mechanism.family}, {yes} yes of {yes + no}: share {share:.9f}, apart by "
            f"{abs(share - found.raw('yes')):.1e}; standard error {error:.9f}, apart "
            f"by {abs(error / found.standard_errors['yes'] - 1):.1e} of it; "
            f"{taken * 1e3:.2f} ms, here {seconds(work) * 1e3:.2f} ms with the exact "
            "interval\n"
        )


def main() -> None:
    """Print one row for each goal and each peer."""
    if sys.argv[1:] == ["RRTCS"]:
        beside_r()
        return
    sys.stdout.write(f"{'':<58}{'ms':>10}{'against ms':>12}{'ratio':>9}\n")
    for n, limit in LIMITS.items():
        for method in ("feldman-cousins", "pratt", "bayes"):
            measured = slowest_interval(n, method)
            row(f"{method}, n = {n:,}, against the limit", measured, limit)
    row(
        f"page of {PAGE_QUESTIONS} questions, n = {PAGE_RESPONDENTS:,}, against limit",
        seconds(page),
        PAGE_LIMIT,
    )
    for n in LIMITS:
        x = round(0.4 * n)
        design = BinomialDesign(respondents=n, p_yes_given_yes=A, p_yes_given_no=B)
        found, expected = share_interval(x, design), dense_interval(n, x)
        for limit, peer in zip(found, expected, strict=True):
            if abs(limit - peer) > AGREEMENT:
                raise SystemExit(f"n = {n}: {found} is not {expected}")
        row(
            f"feldman-cousins, n = {n:,}, against looking everywhere",
            seconds(partial(share_interval, x, design)),
            seconds(partial(dense_interval, n, x), PEER_RUNS),
        )


if __name__ == "__main__":
    main()
