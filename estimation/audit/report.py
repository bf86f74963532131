"""Reports of an audit, as JSON and as text."""

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from unicodedata import category

from candor.mechanisms.epsilon import epsilon_rounded_up
from surveys.design import Design
from surveys.version import get_software_version


class Outcome(StrEnum):
    PASSED = "passed"
    FOUND = "found"
    UNCHECKED = "not checked"


@dataclass(frozen=True)
class Check:
    name: str
    promise: str
    outcome: Outcome
    faults: list[str] = field(default_factory=list)
    numbers: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    address: str
    checks: list[Check]
    design: Design | None
    files: dict[str, str]
    """SHA-256 of every file that came, by its address."""

    @property
    def outcome(self) -> Outcome:
        worst_first = [Outcome.FOUND, Outcome.UNCHECKED, Outcome.PASSED]
        return min((each.outcome for each in self.checks), key=worst_first.index)


def checked(name: str, promise: str, faults: Iterable[str], **numbers: Any) -> Check:
    found = list(faults)
    outcome = Outcome.FOUND if found else Outcome.PASSED
    return Check(name, promise, outcome, found, numbers)


def unchecked(name: str, promise: str, why: str) -> Check:
    return Check(name, promise, Outcome.UNCHECKED, [why])


WIDTH = 78
OBEYED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode's categories of controls, marks of direction, halves, and ends of lines."""

MAX_LISTED = 6
"""Faults of one check on the page of text; the JSON has all of them."""

VERDICT = {
    Outcome.PASSED: "Nothing was found: all that can be checked from outside is as "
    "promised.",
    Outcome.FOUND: "FAULTS WERE FOUND. Do not answer, and ask who runs the survey.",
    Outcome.UNCHECKED: "Nothing was found, but not everything could be checked.",
}

MARK = {Outcome.PASSED: "passed", Outcome.FOUND: "FOUND", Outcome.UNCHECKED: "open"}

LIMITS = (
    "What this cannot show: what the server does with a report once it has it, and "
    "what its answer to one brings, such as a cookie; that everybody gets, at any "
    "time, what was served now (run it again from another network); that the server "
    "keeps to the group sizes that it promises; and, where answers are scrambled on "
    "the server or by hand, how they are. A script that "
    "scrambles otherwise when it is watched would pass the draws, and not the "
    "comparison of its file with that of the release."
)


def report_json(report: Report) -> dict[str, Any]:
    holder: dict[str, Any] = {}
    if report.design and report.design.holder:
        holder = {
            "key_holder": report.design.holder.holder,
            "key_fingerprint": report.design.holder.fingerprint,
            "tables": report.design.tables,
        }
    return {
        "address": report.address,
        "release": get_software_version(),
        "outcome": str(report.outcome),
        "design_digest": report.design.digest if report.design else "",
        **holder,
        "checks": [
            {
                "name": check.name,
                "promise": check.promise,
                "outcome": str(check.outcome),
                "faults": check.faults,
                **check.numbers,
            }
            for check in report.checks
        ],
        "sha256": report.files,
    }


def report_text(report: Report) -> str:
    lines = [
        f"Audit of {report.address}",
        f"by {get_software_version()}; nothing was submitted",
        "",
        *wrapped(VERDICT[report.outcome]),
        "",
    ]
    for check in report.checks:
        lines += describe_check(check)
    lines += ["", *describe_design(report), "", *wrapped(LIMITS)]
    return "\n".join(map(harmless, lines))


def harmless(text: str) -> str:
    """Return `text` with what a terminal would obey spelled out.

    Much of a report was written by the server that is audited: with orders to the
    terminal, or lines of its own, it could write over what was found.
    """
    return "".join(
        ascii(each)[1:-1] if category(each) in OBEYED else each for each in text
    )


def describe_check(check: Check) -> list[str]:
    lines = [f"{MARK[check.outcome]:<8}{check.promise}"]
    for fault in check.faults[:MAX_LISTED]:
        lines += wrapped(fault, indent=10)
    if (more := len(check.faults) - MAX_LISTED) > 0:
        lines.append(f"{'':10}and {more} more")
    for number, table in enumerate(check.numbers.get("tables", ()), start=1):
        p_value = min(table["chi_square_p_values"])
        line = (
            f"table {number}: {check.numbers['draws']:,} draws for each answer; "
            f"epsilon {table['least_epsilon']:.2f} or more, stated "
            f"{table['epsilon_rounded_up']}; chi-square of the rows: smallest p "
            f"{p_value:.2g}"
        )
        lines += wrapped(line, indent=10)
    return lines


def describe_design(report: Report) -> list[str]:
    if report.design is None:
        return ["The design could not be read."]
    design = report.design
    total = epsilon_rounded_up(design.composition.ratio)
    group_sizes = []
    if promised := design.group_sizes:
        when = f"in steps of {promised.batch_size}" if not design.holder else "once"
        line = f"Results     {when}, from {promised.least_responses} responses on"
        if promised.least_links is not None:
            line += f"; at least {promised.least_links} one-time links"
        group_sizes.append(line)
    sealed = []
    if holder := design.holder:
        tables = "whole responses"
        if design.tables:
            most = max(map(len, design.tables))
            tables = f"{len(design.tables)} tables, of at most {most} questions each"
        sealed = [
            f"Sealed to   {holder.holder}, who opens all reports after closing",
            f"Key         {holder.fingerprint}",
            f"Opened as   {tables}",
        ]
    return [
        f"Survey      {design.title}, mode {design.mode}",
        f"Questions   {len(design.questions)}; epsilon of all together at most {total}",
        *group_sizes,
        *sealed,
        f"Design      {design.digest}",
    ]


def wrapped(text: str, *, indent: int = 0) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,  # of commands and digests
    )
