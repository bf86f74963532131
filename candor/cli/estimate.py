"""Estimate shares, from counts of reports or a file with a row per respondent."""

import argparse
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from candor.cli.options import (
    UsageError,
    add_confidence_level,
    add_format,
    add_mechanism,
    add_pairs,
    read_bytes,
    read_counts,
    read_mechanism,
)
from candor.cli.rows import (
    OF_DIFFERENCES,
    OF_MEANS,
    OF_SHARES,
    Cell,
    figures,
    format_as,
    format_columns,
    make_difference_cells,
    serialize_mechanism,
)
from candor.differences import SCORES, difference
from candor.estimands import Estimand
from candor.files.margins import read_margins
from candor.files.weighted import Columns, read_sample
from candor.files.workbook import read_table
from candor.intervals import DEFAULT_METHOD, METHODS, NEARLY_EVERYTHING, ROUNDING
from candor.mechanisms import load_families
from candor.mechanisms.epsilon import epsilon_rounded_up
from candor.mechanisms.families.symmetric import BOTH, FIRST, LINKED_PAIR, SECOND
from candor.poisoning import forged_weight
from candor.sample import PROFILE, BaseSample, Sample
from candor.table import Estimate, Estimates, Status
from candor.tolerance import is_below
from candor.weighting.sample import WeightedSample

FEW_RESPONDENTS = 30
"""With fewer respondents, the interval of a share is almost uninformative."""

MIN_P_VALUE = 0.0001
"""Smaller p-values are printed as "P < 0.0001"."""

MEAN = "mean"

NO_REPORTS, MISFIT = "no reports", "does not fit the design"
UNINFORMATIVE, ESTIMATED = "tells nothing", "estimate"
"""Values of the column `display_status`."""


@dataclass(frozen=True)
class Result:
    """The estimates from a sample, with a method and a confidence level.

    A file also has the estimates without weights, and the number of rows with a gap.
    Two groups have differences.
    """

    sample: BaseSample
    confidence_level: float
    method: str
    unweighted: "Result | None" = None
    left_out: int = 0
    differences: Estimates | None = None

    @cached_property
    def rows(self) -> list[Estimate]:
        """A row for each share that can be estimated, then a row for the mean."""
        table = self.sample.table(None, self.confidence_level, self.method)
        return sorted(table, key=lambda row: row.estimand == MEAN)

    @property
    def shares(self) -> list[Estimate]:
        return [row for row in self.rows if row.estimand != MEAN]

    @property
    def mean(self) -> Estimate | None:
        """The mean of a scale in points, 0 to K; None for all other mechanisms."""
        return self.rows[-1] if self.rows[-1].estimand == MEAN else None

    @property
    def pair(self) -> dict[tuple[str, str], Estimate]:
        """Shares of yes to both questions of a linked pair, by the answers with yes."""
        mechanism = self.sample.mechanism
        if mechanism.family != LINKED_PAIR:
            return {}
        answers, found = mechanism.answers, {}
        for other in (FIRST, SECOND):
            estimand = Estimand.make_share(BOTH, other, answers=len(answers))
            (row,) = self.sample.table(estimand, self.confidence_level, self.method)
            found[answers[BOTH], answers[other]] = row
        return found

    @property
    def weights(self) -> dict[str, float]:
        """The cost of weighting; empty for samples without weights."""
        sample = self.sample
        if not isinstance(sample, WeightedSample):
            return {}
        return {
            "effective_respondents": sample.effective_n,
            "design_effect": sample.design_effect,
            "largest_weight": sample.largest_weight,
        }

    def report(self, row: Estimate) -> str:
        mechanism = self.sample.mechanism
        if row is self.mean:
            return ""
        return mechanism.reports[mechanism.answers.index(row.estimand)]

    def count(self, row: Estimate) -> int:
        if row is self.mean:
            return self.sample.n
        place = self.sample.mechanism.answers.index(row.estimand)
        return self.sample.report_counts[place]

    def length(self, row: Estimate) -> int:
        return len(self.sample.mechanism.answers) - 1 if row is self.mean else 1

    def status(self, row: Estimate) -> str:
        if row.status == Status.NO_REPORTS:
            return NO_REPORTS
        if row.status == Status.MISFIT:
            return MISFIT
        is_everything = (row.high - row.low) / self.length(row) >= NEARLY_EVERYTHING
        return UNINFORMATIVE if row.n == 1 or is_everything else ESTIMATED

    def cautions(self) -> Iterator[str]:
        mechanism, sample = self.sample.mechanism, self.sample
        if not mechanism.is_scrambled:
            yield "Not protected: reports are true answers, and epsilon is unbounded."
        elif not mechanism.is_protected:
            yield "Partly protected: some reports are proof, and epsilon is unbounded."
        for report, answer in mechanism.proofs.items():
            if mechanism.is_scrambled:
                yield f"The report “{report}” proves the answer “{answer}”."
        if not sample.n:
            yield "No reports."
            return
        rows = [self.mean] if self.mean else self.shares
        if self.status(rows[0]) == MISFIT:
            yield self._describe_misfit()
        else:
            yield from self._list_uninterpretable(rows)
        if sample.n < FEW_RESPONDENTS:
            yield f"Fewer than {FEW_RESPONDENTS} reports: the interval is very wide."
        if isinstance(sample, WeightedSample):
            if is_below(sample.effective_n, FEW_RESPONDENTS):
                yield f"The effective sample size is below {FEW_RESPONDENTS}."
            if sample.has_extreme_weight:
                yield (
                    f"One respondent counts as much as {sample.largest_weight:.1f} "
                    "others: a few people decide the result."
                )

    def _describe_misfit(self) -> str:
        p_value = self.sample.design_fit
        shown = f"P = {p_value:.1g}"
        if p_value < MIN_P_VALUE:
            shown = f"P < {MIN_P_VALUE}"
        return (
            f"The reports do not fit the design ({shown}): no shares explain them. "
            "Reports may be forged, or respondents may not have followed the "
            "instructions. The intervals do not allow for that."
        )

    def _list_uninterpretable(self, rows: list[Estimate]) -> Iterator[str]:
        for row in rows if len(rows) != 2 else rows[:1]:
            last = self.length(row)
            if not 0 <= row.raw <= last:
                yield (
                    f"The raw estimate of “{row.estimand}” is {row.raw:.4f}, outside "
                    f"[0, {last}]. This happens by chance near the ends of the range "
                    "or in small samples; the estimate is the maximum-likelihood one."
                )
            if self.status(row) == UNINFORMATIVE:
                yield f"The interval of “{row.estimand}” is too wide to interpret."


HELP = (
    "Estimate the shares of true answers: from counts of reports, or from a file with "
    "a row for each respondent."
)

REPORTS = {
    "reports": "how many respondents sent each report, such as yes=40 no=60",
    "against": "counts of a second group, such as yes=30 no=70, for the difference of "
    "the two: first minus second",
}
"""Options that take counts."""

OF_DATA = ("outcome", "weights", "margins")
"""Options that need a file."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_mechanism(parser, required=True)
    for name, text in REPORTS.items():
        add_pairs(parser, f"--{name}", text, metavar="REPORT=COUNT")
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DATA.csv",
        help="a CSV file with a row for each respondent, instead of --reports",
    )
    parser.add_argument(
        "--outcome", metavar="COLUMN", help="the column of reports in --data"
    )
    parser.add_argument(
        "--weights", metavar="COLUMN", help="the column of weights in --data"
    )
    parser.add_argument(
        "--margins",
        type=Path,
        metavar="MARGINS.csv",
        help="of --data: known shares of the population, with the columns question "
        "(a column of --data), answer, share",
    )
    parser.add_argument(
        "--method",
        choices=list(METHODS),
        default=DEFAULT_METHOD,
        help=f"kind of interval (default {DEFAULT_METHOD})",
    )
    add_confidence_level(parser)
    add_format(parser)


def run(options: Mapping[str, Any]) -> str:
    result = read_file(options) if options["data"] else read_groups(options)
    rows = [make_cells(result, row) for row in result.rows]
    return format_as(options, serialize(result), rows, format_table(result))


def read_groups(options: Mapping[str, Any]) -> Result:
    """Return the estimates from counts of reports, of one group or of two."""
    for name in OF_DATA:
        if options[name]:
            raise UsageError(f"--{name} needs --data")
    mechanism, level = read_mechanism(options), options["confidence_level"]
    counts = read_counts("--reports", options["reports"], mechanism.reports)
    result = Result(Sample.of(mechanism, counts), level, options["method"])
    if not options["against"]:
        return result
    other = read_counts("--against", options["against"], mechanism.reports)
    for option, each in (("reports", counts), ("against", other)):
        if not any(each.values()):
            raise UsageError(f"--{option} must have at least one report; got none")
    found = difference(mechanism, counts, other, confidence_level=level)
    return replace(result, differences=found)


def read_file(options: Mapping[str, Any]) -> Result:
    """Return the estimates from a file, also without weights."""
    if not options["outcome"]:
        raise UsageError("--data needs --outcome")
    for name in REPORTS:
        if options[name]:
            raise UsageError(f"--{name} does not go with --data")
    margins = options["margins"] and read_margins(read_bytes(options["margins"]))
    columns = Columns(
        mechanism=read_mechanism(options),
        outcome=options["outcome"],
        weights=options["weights"],
        margins=margins or {},
    )
    sample, left_out = read_sample(read_table(read_bytes(options["data"])), columns)
    plain = Sample(sample.mechanism, sample.report_counts)
    how = options["confidence_level"], options["method"]
    return Result(sample, *how, unweighted=Result(plain, *how), left_out=left_out)


def serialize(result: Result) -> dict[str, Any]:
    sample, mean = result.sample, result.mean
    found = serialize_mechanism(sample.mechanism) | {
        "respondents": sample.n,
        "estimates": [
            {"answer": row.estimand, "count": result.count(row)}
            | figures(row, OF_SHARES)
            for row in result.shares
        ],
    }
    if mean:
        found["mean"] = figures(mean, OF_MEANS) | {
            "lowest": 0.0,
            "highest": float(result.length(mean)),
            "method": mean.method,
        }
    if result.pair:
        found["pair"] = [
            {
                "choices": list(choices),
                **figures(row, ("share=estimate", "raw", "low", "high")),
            }
            for choices, row in result.pair.items()
        ]
    if result.unweighted:
        found |= {**result.weights, "left_out": result.left_out}
        described = [*found["estimates"], *([found["mean"]] if mean else [])]
        for each, row in zip(described, result.unweighted.rows, strict=True):
            each["unweighted"] = row.estimate
    found |= {"method": result.method, "confidence_level": result.confidence_level}
    if result.differences:
        found["difference"] = []
        for row in result.differences:
            compared = figures(row, OF_DIFFERENCES)
            if row.estimand == MEAN:
                found["mean_difference"] = compared | {"method": row.method}
            else:
                found["difference"].append({"answer": row.estimand, **compared})
    return found


def make_cells(result: Result, row: Estimate) -> dict[str, Cell]:
    """Return the cells of an answer or a mean by the names of their columns."""
    mechanism, n = result.sample.mechanism, result.sample.n
    choice = probabilities = ""
    radius: Cell = ""
    if row is not result.mean:
        choice = row.estimand
        given = {
            report: str(mechanism.probability(report, given=choice))
            for report in mechanism.reports
        }
        probabilities = json.dumps(given)
        radius = float(forged_weight(mechanism) / n) if n else math.nan
    found: dict[str, Cell] = {
        "question": 1,
        "question_text": "",
        "family": mechanism.family,
        "parameters": json.dumps(dict(mechanism.parameters)),
        "weights": json.dumps(mechanism.weights),
        "epsilon": mechanism.epsilon,
        "respondents": n,
        "missing": result.left_out,
        "method": row.method,
        "confidence_level": result.confidence_level,
        "answer": row.estimand,
        "choice": choice,
        "p_report_given_answer": probabilities,
        "report": result.report(row),
        "count": result.count(row),
        **figures(row, OF_SHARES),
        "standing": result.status(row),
        "poisoning_radius": radius,
    }
    if result.unweighted:
        # The effect of a forged report depends on its weight, which is unknown.
        del found["poisoning_radius"]
        found |= {"weighted_respondents": n, **result.weights}
        plain = figures(result.unweighted.rows[result.rows.index(row)], OF_SHARES)
        found |= {f"unweighted_{name}": each for name, each in plain.items()}
    if result.differences:
        found |= make_difference_cells(result.differences[row.estimand])
    return found


def format_table(result: Result) -> str:
    mechanism, n, level = (
        result.sample.mechanism,
        result.sample.n,
        result.confidence_level,
    )
    first = mechanism.reports[0]
    # For scales and symmetric tables the first and the last answer imply the others.
    chances = []
    for answer in (mechanism.answers[0], mechanism.answers[-1]):
        chance = float(mechanism.probability(first, given=answer))
        chances.append(f"P({first} | {answer}) = {chance:.4g}")
    kind = "credible" if result.method == "bayes" else "confidence"
    methods = ", ".join(dict.fromkeys(row.method for row in result.rows))
    lines = [
        f"{load_families()[mechanism.family].label}: epsilon "
        f"{epsilon_rounded_up(mechanism.worst_ratio)}, {', '.join(chances)}",
        f"{level:g} {kind} intervals, {methods}, {n:,} report{'' if n == 1 else 's'}",
    ]
    if isinstance(result.sample, WeightedSample):
        sample = result.sample
        lines.append(
            f"Effective sample size {int(sample.effective_n + ROUNDING):,} of {n:,} "
            f"(design effect {sample.design_effect:.2f}); the largest weight is "
            f"{sample.largest_weight:.2f} times the mean"
        )
    if result.left_out:
        lines.append(f"{result.left_out:,} rows are left out, because a cell is empty")
    rows = []
    for place, row in enumerate(result.rows):
        cells: dict[str, Cell] = {"answer": row.estimand, "count": result.count(row)}
        if result.unweighted:
            cells["unweighted"] = result.unweighted.rows[place].estimate
        rows.append({**cells, **figures(row, OF_SHARES)})
    lines += format_columns(rows)
    for method, title in (PROFILE, "profile likelihood"), (SCORES, "Welch's t"):
        compared: list[dict[str, Cell]] = []
        for row in result.differences or ():
            if row.method == method:
                columns = ("difference=estimate", *OF_DIFFERENCES[1:])
                compared.append({"answer": row.estimand, **figures(row, columns)})
        if compared:
            lines.append(f"First minus second, {level:g} intervals, {title}")
            lines += format_columns(compared)
    return "\n".join([*lines, *(f"! {caution}" for caution in result.cautions())])
