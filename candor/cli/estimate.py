"""Estimate shares from counts of reports."""

import argparse
import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from candor.cli import notes
from candor.cli.options import (
    add_confidence_level,
    add_format,
    add_mechanism,
    mechanism_of,
    read_counts,
)
from candor.cli.results import Result, Row
from candor.cli.rows import Cell, as_csv, as_json, finite_or_none, share_as_object
from candor.cli.wording import percent
from candor.differences import SCORES, Difference
from candor.intervals import DEFAULT_METHOD, METHODS

HELP = "Estimate the shares of true answers from counts of reports."

TABLE = "{:<9}{:>10}{:>11}{:>11}{:>16}{:>11}{:>11}"
COLUMNS = ("answer", "count", "raw", "share", "standard_error", "low", "high")
DIFFERENCE_TABLE = "{:<9}{:>12}{:>16}{:>11}{:>11}{:>11}"
DIFFERENCE_COLUMNS = (
    "answer", "difference", "standard_error", "low", "high", "p_value",
)  # fmt: skip
FIGURES = ("estimate", "standard_error", "low", "high", "p_value")
"""Those of a difference."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of an estimate."""
    add_mechanism(parser, required=True)
    add_reports(parser)
    parser.add_argument(
        "--method",
        choices=list(METHODS),
        default=DEFAULT_METHOD,
        help=f"kind of interval (default {DEFAULT_METHOD})",
    )
    add_confidence_level(parser)
    add_format(parser)


def add_reports(parser: argparse.ArgumentParser) -> None:
    """Add the counts of reports, and those of a second group."""
    parser.add_argument(
        "--reports",
        nargs="+",
        default=[],
        metavar="REPORT=COUNT",
        help="how many respondents sent each report, such as yes=40 no=60",
    )
    parser.add_argument(
        "--against",
        nargs="+",
        default=[],
        metavar="REPORT=COUNT",
        help="counts of another group, such as yes=30 no=70, for the difference of "
        "the two: first minus second",
    )


def run(options: Mapping[str, Any]) -> str:
    """Return the estimates as they are printed."""
    result, other = read_result("reports", options), None
    differences: list[Difference] = []
    mean = None
    if options["against"]:
        other = read_result("against", options)
        try:
            differences = result.differences(other)
            mean = result.mean_difference(other)
        except ValueError as error:
            raise ValueError(f"--against: {error}") from error
    if options["format"] == "json":
        found = as_object(result)
        if other:
            found |= differences_as_object(result, differences, mean)
        return as_json(found)
    if options["format"] == "csv":
        rows = list(cells(result))
        if other:
            found_by_row: list[Difference | None] = [*differences]
            found_by_row += [mean] if mean else []
            rows = [
                row | difference_cells(each)
                for row, each in zip(rows, found_by_row, strict=True)
            ]
        return as_csv(rows)
    return as_table(result, differences, mean)


def read_result(option: str, options: Mapping[str, Any]) -> Result:
    """Return the estimates from the counts of an option."""
    mechanism = mechanism_of(options)
    counts = read_counts(f"--{option}", options[option], mechanism.reports)
    return Result(mechanism, counts, options["confidence_level"], options["method"])


def as_object(result: Result) -> dict[str, Any]:
    """Return the estimates as plain JSON; null where a figure is not defined."""
    mechanism = result.mechanism
    found: dict[str, Any] = {
        "family": mechanism.family,
        "parameters": dict(mechanism.parameters),
        "weights": [list(row) for row in mechanism.weights],
        "epsilon": finite_or_none(mechanism.epsilon),
        "respondents": result.respondents,
        "estimates": [share_as_object(row) for row in result.rows],
    }
    if result.mean:
        found["mean"] = {
            "estimate": finite_or_none(result.mean.share),
            "standard_error": finite_or_none(result.mean.standard_error),
            "low": result.mean.low,
            "high": result.mean.high,
            "raw": finite_or_none(result.mean.raw),
            "lowest": 0.0,
            "highest": float(len(mechanism.answers) - 1),
            "method": result.mean_method,
        }
    if result.pair:
        found["pair"] = [
            {
                "choices": list(each.choices),
                "raw": finite_or_none(each.raw),
                "share": finite_or_none(each.share),
                "low": each.low,
                "high": each.high,
            }
            for each in result.pair
        ]
    return found | {
        "method": result.method,
        "confidence_level": result.confidence_level,
    }


def cells(result: Result) -> Iterator[dict[str, Cell]]:
    """Yield the cells of each answer, and of a mean, by the name of their column."""
    mechanism = result.mechanism
    same: dict[str, Cell] = {
        "question": 1,
        "question_text": "",
        "family": mechanism.family,
        "parameters": json.dumps(dict(mechanism.parameters)),
        "weights": json.dumps(mechanism.weights),
        "epsilon": mechanism.epsilon,
        "respondents": result.respondents,
        "missing": 0,
        "method": result.method,
        "confidence_level": result.confidence_level,
    }
    for row in result.rows:
        probabilities = {
            report: str(mechanism.probability(report, given=row.answer))
            for report in mechanism.reports
        }
        shown: dict[str, Cell] = {
            "choice": row.answer,
            "p_report_given_answer": json.dumps(probabilities),
            "poisoning_radius": result.poisoning_radius,
        }
        yield same | row_cells(result, row, shown)
    if result.mean:
        empty: dict[str, Cell] = dict.fromkeys(
            ("choice", "p_report_given_answer", "poisoning_radius"), ""
        )
        mean = row_cells(result, result.mean, empty)
        yield same | mean | {"method": result.mean_method}


def row_cells(result: Result, row: Row, shown: Mapping[str, Cell]) -> dict[str, Cell]:
    """Return the cells of one row, `shown` among them, in the order of the file."""
    return {
        "answer": row.answer,
        "choice": shown["choice"],
        "p_report_given_answer": shown["p_report_given_answer"],
        "report": row.report,
        "count": row.count,
        "raw": row.raw,
        "share": row.share,
        "standard_error": row.standard_error,
        "low": row.low,
        "high": row.high,
        "standing": result.status(row),
        "poisoning_radius": shown["poisoning_radius"],
    }


def differences_as_object(
    result: Result, differences: list[Difference], mean: Difference | None
) -> dict[str, Any]:
    """Return the differences as plain JSON."""
    found: dict[str, Any] = {
        "difference": [
            {"answer": row.answer, **finite_figures(each)}
            for row, each in zip(result.rows, differences, strict=True)
        ]
    }
    if mean:
        found["mean_difference"] = {**finite_figures(mean), "method": mean.method}
    return found


def finite_figures(found: Difference) -> dict[str, float | None]:
    """Return the figures of a difference by name; None where one is not defined."""
    return {name: finite_or_none(getattr(found, name)) for name in FIGURES}


def difference_cells(found: Difference | None) -> dict[str, Cell]:
    """Return the cells of a difference by the name of their column, or empty ones."""
    names = ("", *(f"_{name}" for name in FIGURES[1:]))
    return {
        f"difference{column}": getattr(found, name) if found else math.nan
        for column, name in zip(names, FIGURES, strict=True)
    }


def as_table(
    result: Result, differences: list[Difference], mean: Difference | None
) -> str:
    """Return the figures in columns with six decimals, and what they mean."""
    lines = [
        *notes.describe(result),
        notes.describe_interval(result),
        notes.describe_mechanism(result),
        *share_lines(result.rows),
    ]
    level = percent(result.confidence_level, trimmed=True)
    if differences:
        lines += [
            f"First minus second, {level} interval, profile likelihood",
            DIFFERENCE_TABLE.format(*DIFFERENCE_COLUMNS),
        ]
    for row, each in zip(result.rows, differences, strict=False):
        lines.append(difference_line(row.answer, each))
    if mean:
        method = "scores" if mean.method == SCORES else "profile likelihood"
        lines += [
            f"Mean, first minus second, {level} interval, {method}",
            DIFFERENCE_TABLE.format("", *DIFFERENCE_COLUMNS[1:]),
            difference_line("mean", mean),
        ]
    return "\n".join([*lines, *(f"! {each}" for each in notes.cautions(result))])


def share_lines(rows: list[Row]) -> list[str]:
    """Return the figures of each answer in columns."""
    lines = [TABLE.format(*COLUMNS)] if rows else []
    for row in rows:
        figures = (row.raw, row.share, row.standard_error, row.low, row.high)
        shown = (f"{each:.6f}" for each in figures)
        lines.append(TABLE.format(row.answer, row.count, *shown))
    return lines


def difference_line(name: str, found: Difference) -> str:
    """Return the figures of a difference in columns."""
    figures = (f"{getattr(found, each):.6f}" for each in FIGURES)
    return DIFFERENCE_TABLE.format(name, *figures)
