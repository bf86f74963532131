"""How fast the default interval is, beside its limits and beside looking everywhere.

    python -m benchmarks.intervals

Figures are medians of runs on this machine; the ratios are what counts.
"""

import sys
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter

from estimation.maths.intervals import share_interval
from estimation.maths.shares import estimate_shares
from estimation.maths.yes_no import BinomialDesign
from surveys.mechanisms import build
from tests.estimation.maths.intervals import dense_scan

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
        estimate_shares(coin, tally).interval("yes")


def row(what: str, measured: float, reference: float) -> None:
    sys.stdout.write(
        f"{what:<58}{measured * 1e3:>10.2f}{reference * 1e3:>12.2f}"
        f"{measured / reference:>9.4f}\n"
    )


def main() -> None:
    """Print one row for each goal and each peer."""
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
