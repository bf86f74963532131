"""Regress a randomised answer on predictors, from a CSV with a row per respondent."""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from candor.cli.options import (
    UsageError,
    add_confidence_level,
    add_format,
    add_mechanism,
    add_pairs,
    read_bytes,
    read_mechanism,
    read_pairs,
)
from candor.cli.rows import (
    figures,
    format_columns,
    format_csv,
    format_json,
    serialize_mechanism,
)
from candor.clusters import FEW_CLUSTERS, TOO_FEW_CLUSTERS
from candor.files.rows import read_header
from candor.files.workbook import read_table
from candor.mechanisms import Mechanism, build
from candor.regression.fit import HELD_AT_LEAST, PROFILE
from candor.regression.formula import read_formula
from candor.regression.regress import Regression, collect_rows, regress
from candor.table import Estimate

HELP = "Regress a randomised answer on predictors in a CSV file."

OF_EFFECTS = ("estimate", "standard_error", "low", "high")
COLUMNS = (*OF_EFFECTS, "p_value")

LITTLE = (
    "n min(pi, 1 - pi) (a - b)^2 is {:.1f} for each coefficient; below 10 coefficients "
    "and intervals are imprecise."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="DATA.csv", type=Path)
    parser.add_argument(
        "--outcome",
        required=True,
        help="the column of the reports",
    )
    parser.add_argument(
        "--formula",
        required=True,
        help="the predictors, such as 'assets + age + I(age**2)'",
    )
    parser.add_argument(
        "--answer", help="the answer to regress, if there are more than two"
    )
    parser.add_argument(
        "--scrambled", help="a predictor of the formula that was randomised too"
    )
    add_mechanism(parser, required=True)
    parser.add_argument("--weights", help="a column of weights")
    parser.add_argument("--clusters", help="a column of clusters, such as schools")
    parser.add_argument(
        "--scrambled-family", help="its family, if it differs from that of the outcome"
    )
    add_pairs(parser, "--scrambled-set", "the parameters of that family")
    add_confidence_level(parser)
    add_format(parser)


def run(options: Mapping[str, Any]) -> str:
    mechanism = read_mechanism(options)
    table = read_table(read_bytes(options["source"]))
    formula = read_formula(options["formula"], read_header(table))
    hidden, scrambled = options["scrambled"], None
    if hidden:
        predictor = mechanism
        if options["scrambled_family"]:
            given = read_pairs("--scrambled-set", options["scrambled_set"])
            predictor = build(options["scrambled_family"], **given)
        find_answer(hidden, predictor, None)
        scrambled = hidden, predictor
    rows = collect_rows(
        table,
        formula,
        outcome=options["outcome"],
        mechanism=mechanism,
        place=find_answer(options["outcome"], mechanism, options["answer"]),
        scrambled=scrambled,
        weights=options["weights"] or "",
        clusters=options["clusters"] or "",
    )
    found = regress(rows, formula, confidence_level=options["confidence_level"])
    about = {
        "outcome": options["outcome"],
        "answer": options["answer"] or mechanism.answers[0],
        "formula": options["formula"],
        "scrambled": options["scrambled"],
        **serialize_mechanism(mechanism),
    }
    if options["format"] == "json":
        return format_json(serialize(found, about))
    is_csv = options["format"] == "csv"
    return format_coefficients(found) if is_csv else format_table(found)


def find_answer(name: str, mechanism: Mechanism, answer: str | None) -> int:
    """Return the index of an answer; by default the first of two."""
    if not mechanism.identifies_shares:
        raise UsageError(f"{name} has only a mean: choose a question with shares")
    if answer is None and len(mechanism.answers) > 2:
        allowed = ", ".join(mechanism.answers)
        raise UsageError(f"--answer must say which answer to {name}: {allowed}")
    if answer is not None and answer not in mechanism.answers:
        raise UsageError(
            f"--answer must be one of {', '.join(mechanism.answers)}; got {answer!r}"
        )
    return 0 if answer is None else mechanism.answers.index(answer)


def serialize(found: Regression, about: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **about,
        "respondents": found.fit.respondents,
        "left_out": found.left_out,
        "patterns": len(found.fit.patterns.people),
        "clusters": found.fit.clusters,
        "coefficients": [
            {"name": name, **cells} for name, cells in make_coefficient_cells(found)
        ],
        "effects": [
            {
                "name": row.estimand,
                "against": row.group,
                **figures(row, OF_EFFECTS),
            }
            for row in found.effects
        ],
        "log_likelihood": found.fit.log_likelihood,
        "information": found.fit.information,
        "interval": found.interval_name,
        "held_at_least": HELD_AT_LEAST if found.fit.method == PROFILE else None,
        "confidence_level": found.confidence_level,
        "cautions": list_cautions(found),
    }


def make_coefficient_cells(found: Regression) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield name and figures of each coefficient; with clusters also design effects."""
    effects = found.fit.design_effects.tolist()
    for row, effect in zip(found.coefficients, effects, strict=True):
        cells = figures(row, COLUMNS)
        if found.fit.clusters:
            cells["design_effect"] = effect
        yield row.estimand, cells


def list_cautions(found: Regression) -> list[str]:
    notes = []
    if found.fit.is_uninformative:
        notes.append(LITTLE.format(found.fit.information))
    if found.fit.clusters and found.fit.clusters < FEW_CLUSTERS:
        notes.append(TOO_FEW_CLUSTERS)
    unlimited = [
        row.estimand
        for row in found.coefficients
        if np.isinf([row.low, row.high]).any()
    ]
    if unlimited:
        notes.append(f"Nothing limits the intervals of {', '.join(unlimited)}.")
    return notes


def format_table(found: Regression) -> str:
    patterns = len(found.fit.patterns.people)
    lines = [
        f"{found.fit.respondents} respondents in {patterns} patterns, "
        f"{found.left_out} left out; log likelihood {found.fit.log_likelihood:.6f}",
        f"Coefficients (log odds ratios), {found.confidence_level:.4g} intervals: "
        f"{found.interval_name}",
        *format_columns(
            [{"": name, **cells} for name, cells in make_coefficient_cells(found)]
        ),
    ]
    if found.effects:
        lines.append("Average effects on the share")
        lines += format_columns(
            [
                {"": describe_effect(row), **figures(row, OF_EFFECTS)}
                for row in found.effects
            ]
        )
    return "\n".join([*lines, *(f"! {each}" for each in list_cautions(found))])


def describe_effect(row: Estimate) -> str:
    return f"{row.estimand}, {f'not {row.group}' if row.group else 'per unit'}"


def format_coefficients(found: Regression) -> str:
    rows = [
        {"kind": "coefficient", "name": name, "against": "", **cells}
        for name, cells in make_coefficient_cells(found)
    ]
    rows += [
        {"kind": "average effect", "name": row.estimand, "against": row.group or ""}
        | figures(row, OF_EFFECTS)
        | {"p_value": ""}
        for row in found.effects
    ]
    return format_csv(rows)
