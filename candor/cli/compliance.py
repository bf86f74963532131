"""Estimate how many respondents do not comply, and the share among the others."""

import argparse
from collections.abc import Mapping
from typing import Any

from candor.cli.options import (
    UsageError,
    add_confidence_level,
    add_format,
    add_mechanism,
    add_pairs,
    read_counts,
    read_mechanism,
    read_pairs,
)
from candor.cli.rows import OF_SHARES, figures, format_as, format_columns
from candor.compliance import estimate_attentive, estimate_cheating
from candor.mechanisms import Mechanism, build
from candor.pooling import pool
from candor.table import Estimates

HELP = (
    "Estimate non-compliance: from two groups that were asked with different chances, "
    "or from an anchor question."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_mechanism(parser, required=True)
    add_pairs(
        parser,
        "--second-set",
        "parameters of the second group, or of the anchor question",
    )
    counted = {
        "reports": "counts of the first group, such as yes=310 no=490",
        "second-reports": "counts of the second group",
        "pairs": "instead: counts of pairs of reports, first the sensitive question "
        "and then the anchor, such as same,same=1160",
    }
    for name, text in counted.items():
        add_pairs(parser, f"--{name}", text, metavar="REPORT=COUNT")
    parser.add_argument(
        "--safe-report",
        metavar="REPORT",
        help="the report of cheaters in both groups (default: the last report)",
    )
    parser.add_argument(
        "--anchor-answer",
        metavar="ANSWER",
        help="everyone's answer to the anchor question (default: the last answer)",
    )
    add_confidence_level(parser)
    add_format(parser)


def run(options: Mapping[str, Any]) -> str:
    first = read_mechanism(options)
    second = first
    if options["second_set"]:
        given = read_pairs("--second-set", options["second_set"])
        second = build(options["family"], **given)
    if options["pairs"]:
        if options["reports"] or options["second_reports"]:
            raise UsageError("--pairs does not go with --reports and --second-reports")
        return print_rows(read_anchor(first, second, options), options)
    counts = [
        read_counts(f"--{name}", options[name.replace("-", "_")], table.reports)
        for name, table in (("reports", first), ("second-reports", second))
    ]
    level = options["confidence_level"]
    table = estimate_cheating(
        first,
        counts[0],
        second,
        counts[1],
        safe_report=options["safe_report"],
        confidence_level=level,
    )
    pooled = pool(
        list(zip((first, second), counts, strict=True)), confidence_level=level
    )
    return print_rows(table, options, homogeneity=pooled.homogeneity)


def read_anchor(
    first: Mechanism, anchor: Mechanism, options: Mapping[str, Any]
) -> Estimates:
    pairs = [(one, other) for one in first.reports for other in anchor.reports]
    names = [",".join(pair) for pair in pairs]
    counts = read_counts("--pairs", options["pairs"], names)
    return estimate_attentive(
        first,
        anchor,
        {pair: counts[name] for pair, name in zip(pairs, names, strict=True)},
        anchor_answer=options["anchor_answer"],
        confidence_level=options["confidence_level"],
    )


def print_rows(
    table: Estimates, options: Mapping[str, Any], homogeneity: float | None = None
) -> str:
    """Return the formatted rows.

    `homogeneity` is the p-value of equal shares in both groups if all comply.
    """
    rows = [
        {
            "estimand": row.estimand,
            **figures(row, OF_SHARES),
            "status": str(row.status),
        }
        for row in table
    ]
    found: dict[str, Any] = {"estimates": rows}
    lines = format_columns(rows)
    if homogeneity is not None:
        found["homogeneity"] = homogeneity
        lines.append(f"Both groups have one share if all comply: P = {homogeneity:.3g}")
    found["confidence_level"] = options["confidence_level"]
    return format_as(options, found, rows, "\n".join(lines))
