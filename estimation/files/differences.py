"""Differences of two groups, surveys or waves in files: cells and plain JSON."""

import math
from dataclasses import dataclass
from typing import Any

from candor.cli.rows import Cell, finite_or_none
from candor.differences import Difference
from candor.estimands import every_share, mean_of_points
from candor.sample import Sample
from estimation.rows.shares import QuestionResult


@dataclass(frozen=True)
class Told:
    """By how much two results of one question differ."""

    shares: tuple[Difference, ...] = ()
    """One for each answer; none where a table tells the mean alone."""
    mean: Difference | None = None
    """Of a scale, in points."""
    step: float = 1.0
    """How many units of the scale a point is."""

    def __bool__(self) -> bool:
        return bool(self.shares or self.mean)

    def of(self, place: int, *, is_mean: bool) -> tuple[Difference | None, float]:
        """Return the difference of the mean, or of a row's answer, and its unit."""
        if is_mean:
            return self.mean, self.step
        return (self.shares[place] if self.shares else None), 1.0


def differences_of(first: QuestionResult, second: QuestionResult) -> Told:
    """Return the differences of shares and of the mean, first less second.

    Raises
    ------
    ValueError
        Where one of them has no reports, or another number of answers.
    """
    level, size = first.confidence_level, len(first.mechanism.answers)
    groups = sample_of(first), sample_of(second)
    shares = [
        Difference(*groups, share, level)
        for share in every_share(size)
        if first.rows and second.rows
    ]
    scales = [each.mean and each.mean.scale for each in (first, second)]
    if not scales[0] or scales[0] != scales[1]:
        return Told(tuple(shares))
    mean = Difference(*groups, mean_of_points(size), level)
    return Told(tuple(shares), mean, float(scales[0].step))


def sample_of(result: QuestionResult) -> Sample:
    """Return the sample behind a result."""
    return Sample.of(result.mechanism, dict(result.tally))


def difference_cells(found: Difference | None, unit: float = 1.0) -> dict[str, Cell]:
    """Return the cells of a difference by the name of their column, or empty ones."""
    numbers = list(numbers_of(found, unit).values()) if found else [math.nan] * 5
    names = ("", "_standard_error", "_low", "_high", "_p_value")
    return {
        f"difference{name}": number for name, number in zip(names, numbers, strict=True)
    }


def numbers_of(found: Difference, unit: float = 1.0) -> dict[str, float]:
    """Return a difference in its units, its interval and its p-value."""
    return {
        "estimate": found.estimate * unit,
        "standard_error": found.standard_error * unit,
        "low": found.low * unit,
        "high": found.high * unit,
        "p_value": found.p_value,
    }


def differences_as_object(question: QuestionResult, found: Told) -> dict[str, Any]:
    """Return the differences of a question's answers, and of its mean, as JSON."""
    told: dict[str, Any] = {
        "difference": [
            {"answer": row.estimand, **as_json_numbers(numbers_of(each))}
            for row, each in zip(question.rows, found.shares, strict=bool(found.shares))
        ]
    }
    if found.mean:
        numbers = as_json_numbers(numbers_of(found.mean, found.step))
        told["mean_difference"] = {**numbers, "method": found.mean.method}
    return told


def as_json_numbers(numbers: dict[str, float]) -> dict[str, float | None]:
    """Return numbers as JSON can write them."""
    return {name: finite_or_none(number) for name, number in numbers.items()}
