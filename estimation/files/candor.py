"""Estimates of a Candor survey, computed from its exported codebook and reports.

    python candor.py SURVEY-codebook.json SURVEY-reports.csv

It prints CSV: question, answer, raw, standard_error, share, low, high, n. A scale has
one more row, in the units of the scale, whose answer is "mean" or, if the scale can be
skipped, "mean_among_answered". Cells stay empty where a value is not defined, or where
only a search over all shares finds it: Pratt and Bayesian intervals, the interval of a
mean whose reports score more than two numbers, and that of a mean among those who
answered. The exported estimates (CSV) have these intervals.

The confidence level is that of the export unless an option changes it. This
file is the same for every survey and needs numpy, pandas and scipy, but no part of
Candor. To estimate from some of the reports, import `estimate` and pass these rows.
"""

import argparse
import json
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.optimize import brentq
from scipy.special import expit, xlog1py, xlogy
from scipy.stats import binom

Array = npt.NDArray[np.float64]
Ends = tuple[float, float]


def estimate(
    codebook: dict[str, Any],
    reports: pd.DataFrame,
    level: float | None = None,
) -> pd.DataFrame:
    """Return the estimates from any rows of the reports, one row for each estimate."""
    level = level or codebook["confidence_level"]
    is_exact = codebook["method"] == "feldman-cousins"
    limits = feldman_cousins if is_exact else not_available
    found = []
    for question in codebook["questions"]:
        answers = len(question["answers"])
        level_of_share = level
        if codebook["simultaneous"] and answers > 2:
            # The level holds for all answers together (Bonferroni).
            level_of_share = 1 - (1 - level) / answers
        found += estimate_question(question, reports, level, level_of_share, limits)
    return pd.DataFrame(found)


def estimate_question(
    question: dict[str, Any],
    reports: pd.DataFrame,
    level: float,
    level_of_share: float,
    limits: Callable[..., Ends],
) -> list[dict[str, Any]]:
    """Return the estimates of one question."""
    name = question["code"]["variable"]
    # Columns are codes; chances have a row for each answer, scores for each estimate.
    weights = np.array(question["weights"], dtype=float)
    chances = weights / weights.sum(axis=1, keepdims=True)
    scores = np.array(
        [
            [float(Fraction(score)) for score in each["by_code"].values()]
            for each in question["scores"]
        ]
    )
    codes = range(1, chances.shape[1] + 1)
    counts = reports[name].value_counts().reindex(codes, fill_value=0).to_numpy()
    n = counts.sum()
    raw = scores @ counts / n if n else np.full(len(scores), np.nan)
    scale: Any = question.get("scale")
    # Some tables identify the mean of a scale, but no shares.
    number_of_shares = len(scores) - 1 if scale else len(scores)
    shares = maximum_likelihood(raw[:number_of_shares], counts, chances)
    found = []
    for place, score in enumerate(scores):
        is_share = place < number_of_shares
        # The value of the estimand for a person with each of the answers.
        if is_share:
            values = np.eye(len(chances))[place]
        else:
            ends = float(Fraction(scale["low"])), float(Fraction(scale["high"]))
            values = np.linspace(*ends, len(chances))
        value = np.clip(raw[place], values.min(), values.max())
        if number_of_shares:
            value = values @ shares
        low, high = interval(
            counts,
            chances,
            score,
            values,
            level_of_share if is_share else level,
            limits,
        )
        if n:
            # The interval depends on one count, the estimate on all: they may conflict.
            low, high = np.minimum(low, value), np.maximum(high, value)
        found.append(
            {
                "question": name,
                "answer": question["scores"][place]["variable"].removeprefix(
                    f"{name}_score_"
                ),
                "raw": raw[place],
                "standard_error": standard_error(counts, chances, score, values, value),
                "share": value,
                "low": low,
                "high": high,
                "n": n,
            }
        )
    if scale := question.get("scale_of_answered"):
        # The last answer is "skipped"; the others are its points, or High and Low.
        low, high = float(Fraction(scale["low"])), float(Fraction(scale["high"]))
        points = np.append(np.linspace(0, high - low, len(scores) - 1), 0)
        if question["answers"][0] == "high":
            points = np.array([high - low, 0, 0])
        mean, error, value = mean_among_answered(counts, chances, scores, points)
        found.append(
            {
                "question": name,
                "answer": "mean_among_answered",
                "raw": low + mean,
                "standard_error": error,
                "share": low + value,
                "low": np.nan if n else low,
                "high": np.nan if n else high,
                "n": n,
            }
        )
    return found


def mean_among_answered(
    counts: Array, chances: Array, scores: Array, points: Array
) -> tuple[float, float, float]:
    """Return raw mean, linearised standard error and maximum-likelihood mean.

    The mean among those who answered is the ratio of the sum of their points and of
    their shares. `points` has one number for each answer; the last answer is "skipped".
    """
    n = counts.sum()
    if not n:
        return np.nan, np.nan, np.nan
    raw = scores @ counts / n
    shares = maximum_likelihood(raw, counts, chances)
    answered, most_likely = raw[:-1].sum(), shares[:-1].sum()
    value = points @ shares / most_likely if n > 1 and most_likely > 0 else np.nan
    if answered <= 0:
        return np.nan, np.nan, value
    mean = points @ raw / answered
    total = points @ scores
    residual = total - mean * scores[:-1].sum(axis=0)
    if len(set(residual[counts > 0])) > 1:
        error = standard_error(counts, chances, residual, points, mean) / answered
    else:
        error = standard_error(counts, chances, total, points, np.sum(points * shares))
        error /= max(answered, 1)
    return mean, error, value


def maximum_likelihood(raw: Array, counts: Array, chances: Array) -> Array:
    """Return the shares, none below 0, that make the reports most likely.

    NaN where they need a search: some raw share is negative, and the table does not
    treat all answers equally.
    """
    if not len(raw) or not counts.any() or raw.min() >= 0:
        return raw
    if len(raw) == 2:
        return np.clip(raw, 0, 1)
    p, q = chances[0, 0], chances[0, 1]
    if not np.array_equal(chances, np.where(np.eye(len(raw)), p, q)):
        return np.full(len(raw), np.nan)
    # Answers with a negative share get 0, until the others have no negative share.
    kept = np.full(len(raw), True)
    while True:
        likelihood = counts[kept].sum() / (p - q + kept.sum() * q)
        shares = np.where(kept, (counts / likelihood - q) / (p - q), 0)
        if shares.min() >= 0:
            return shares
        kept &= shares >= 0


def standard_error(
    counts: Array, chances: Array, score: Array, values: Array, value: float
) -> float:
    """Return the standard error of the mean score; NaN for fewer than two reports.

    Identical reports have no spread. They get the largest standard error among all
    shares with this estimate, which is kept half a report inside its range. For yes and
    no it is the formula of Warner 1965.
    """
    n = counts.sum()
    if n < 2:
        return np.nan
    if len(set(score[counts > 0])) > 1:
        mean = score @ counts / n
        return np.sqrt((score - mean) ** 2 @ counts / (n - 1) / n)
    if np.isnan(value):
        return np.nan
    low, high = values.min(), values.max()
    value = np.clip(value, *(low + (high - low) * np.array([0.5, n - 0.5]) / n))
    # Shares of two answers, one on each side of the value, have the largest variance.
    squares = chances @ score**2
    below, above = values <= value, values > value
    part = (value - values[below, None]) / (values[above] - values[below, None])
    largest = np.max((1 - part) * squares[below, None] + part * squares[above])
    return np.sqrt((largest - value**2) / n)


def interval(
    counts: Array,
    chances: Array,
    score: Array,
    values: Array,
    level: float,
    limits: Callable[..., Ends],
) -> Ends:
    """Return the confidence interval of an estimand; NaN where it needs a search.

    Where the possible reports score only two numbers, the count of those with the
    larger one is binomial. Its chance is a where the estimand is largest, and b where
    it is smallest.
    """
    n, low, high = counts.sum(), values.min(), values.max()
    if not n:
        return low, high
    possible = chances.any(axis=0)
    if len(set(score[possible])) != 2:
        return np.nan, np.nan
    counted = possible & (score == score[possible].max())
    a = chances[values.argmax(), counted].sum()
    b = chances[values.argmin(), counted].sum()
    chance = np.array(limits(counts[counted].sum(), n, a, b, level))
    first, last = low + (high - low) * np.clip((chance - b) / (a - b), 0, 1)
    return first, last


def feldman_cousins(count: int, n: int, a: float, b: float, level: float) -> Ends:
    """Feldman & Cousins 1998: chances that a likelihood-ratio test does not reject."""
    low = 1 - largest_chance(n - count, n, 1 - b, 1 - a, level)
    return low, largest_chance(count, n, a, b, level)


def largest_chance(count: int, n: int, a: float, b: float, level: float) -> float:
    """Return the largest chance from b to a that the test does not reject.

    The test adds up the probabilities of all counts whose likelihood, relative to that
    of the best chance, is not larger than that of `count`.
    """
    counts = np.arange(n + 1)
    best = np.clip(counts / n, b, a)
    weight = xlogy(counts, best) + xlog1py(n - counts, -best)
    # From the chance ties[i] on, starts[i] is no more likely than `count`. Between two
    # ties, the counts that are no more likely stay the same.
    starts = np.arange(count + 1, n + 2)
    ties = expit((weight[count + 1 :] - weight[count]) / (starts[:-1] - count))
    right = np.append(np.minimum(ties, a), a)
    left = np.append(b, np.clip(ties, b, a))

    def p_value(start: Any, chance: Any) -> Any:
        return binom.cdf(count, n, chance) + binom.sf(start - 1, n, chance)

    at_right = p_value(starts, right)
    kept = np.maximum(at_right, p_value(starts, left)) > 1 - level
    last = np.flatnonzero(kept).max(initial=0)
    if last == 0 or at_right[last] > 1 - level:
        return right[last]
    ends = left[last], right[last]
    return brentq(lambda chance: p_value(starts[last], chance) - 1 + level, *ends)


def not_available(count: int, n: int, a: float, b: float, level: float) -> Ends:
    """Pratt and Bayesian intervals integrate the likelihood."""
    return np.nan, np.nan


def main() -> None:
    """Print the estimates; what the reports are goes to standard error."""
    parser = argparse.ArgumentParser(description="Reproduce the estimates of a survey.")
    parser.add_argument("codebook", type=Path)
    parser.add_argument("reports", type=Path)
    parser.add_argument("--level", type=float, help="confidence level, such as 0.95")
    options = parser.parse_args()
    codebook = json.loads(options.codebook.read_text(encoding="utf-8"))
    sys.stderr.write("\n".join([codebook["design_digest"], *codebook["note"], ""]))
    reports = pd.read_csv(options.reports)
    found = estimate(codebook, reports, options.level)
    sys.stdout.write(found.to_csv(index=False))


if __name__ == "__main__":
    main()
