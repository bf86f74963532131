"""Times of intervals, of a page of intervals, and of regressions, and their limits.

    python -m benchmarks.mathematics

Processor time, the minimum of several runs. The interval for a million reports is
compared with a search over all shares.
"""

import sys
from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.special import expit

from benchmarks.peers import measure_least_time
from candor import fit_logistic
from candor.binary import BinomialDesign
from candor.intervals import share_interval
from candor.mechanisms import build
from candor.sample import Sample
from tests.candor.intervals import dense_scan

A, B = 3 / 4, 1 / 4
COIN = {"p_yes_given_yes": A, "p_yes_given_no": B}
RATES = (0.10, 0.24, 0.26, 0.40, 0.50, 0.74)
"""Rates of yes reports outside, at and inside the range of two coins."""

GOALS = {10_000: 0.020, 1_000_000: 0.100}
"""Seconds for one interval by number of respondents."""
PAGE_GOAL, PAGE_QUESTIONS, PAGE_RESPONDENTS = 0.5, 20, 10_000
REGRESSION_GOAL, ROWS = 0.150, 100_000


def row(what: str, measured: float, goal: float | None = None) -> None:
    ends = "" if goal is None else f"{goal * 1e3:>10.0f} ms"
    sys.stdout.write(f"{what:<52}{measured * 1e3:>10.2f} ms{ends}\n")


def compute_page() -> None:
    coin = build("coin")
    for question in range(PAGE_QUESTIONS):
        yes = PAGE_RESPONDENTS * (question + 1) // (PAGE_QUESTIONS + 1)
        Sample.of(coin, {"yes": yes, "no": PAGE_RESPONDENTS - yes}).interval("yes")


def measure_intervals() -> None:
    for n, goal in GOALS.items():
        design = BinomialDesign(respondents=n, **COIN)
        for method in ("feldman-cousins", "pratt", "bayes"):
            slowest = max(
                measure_least_time(
                    partial(share_interval, round(n * rate), design, method=method)
                )
                for rate in RATES
            )
            row(f"{method}, n = {n:,}", slowest, goal)
        x = round(0.4 * n)
        weights = dense_scan.log_weights("feldman-cousins", n, a=A, b=B)
        expected = dense_scan.interval(x, weights, a=A, b=B, alpha=0.05)
        if np.abs(np.subtract(share_interval(x, design), expected)).max() > 1e-8:
            raise SystemExit(f"n = {n}: not {expected}")
    row(
        f"page of {PAGE_QUESTIONS} questions",
        measure_least_time(compute_page),
        PAGE_GOAL,
    )


def measure_regressions() -> None:
    source = np.random.default_rng(1)  # noqa: TID251 -- simulates, protects no one
    names = ["Intercept", "x", "z"]
    rows = np.column_stack([np.ones(ROWS), source.normal(size=(ROWS, 2))])
    answers = source.random(ROWS) < expit(rows @ [-1, 0.8, -0.3])
    yes = (source.random(ROWS) < np.where(answers, A, B)).astype(float)

    def fit_rows() -> object:
        return fit_logistic(rows, np.column_stack([yes, 1 - yes]), names=names, **COIN)

    row(
        f"regression, {ROWS:,} different rows",
        measure_least_time(fit_rows),
        REGRESSION_GOAL,
    )
    patterns = np.array([[1.0, u, v] for u in range(5) for v in range(4)])
    shares = expit(patterns @ [-1, 0.4, -0.2])
    for n in (10**4, 10**7):
        yes_of = np.round(n / 20 * (0.25 + 0.5 * shares))
        counts = np.column_stack([yes_of, n / 20 - yes_of])
        fit: Callable[[], object] = partial(
            fit_logistic, patterns, counts, names=names, **COIN
        )
        row(f"regression, {n:,} respondents in 20 patterns", measure_least_time(fit))


def main() -> None:
    """Print a row for each measurement."""
    measure_intervals()
    measure_regressions()


if __name__ == "__main__":
    main()
