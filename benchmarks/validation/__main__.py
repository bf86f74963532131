"""Compute the tables and figures of docs/reference/validation.md.

    python -m benchmarks.validation [--check]

Replaces only the rows of the tables. --check writes nothing: it computes and compares
the rows that take a few seconds.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import perf_counter

from benchmarks.validation import figures, tables
from benchmarks.validation.coverage import Coverage
from benchmarks.validation.exact import EXACT, QUICK
from benchmarks.validation.simulated import SIMULATED
from benchmarks.validation.studies import studies

DOCS = Path(__file__).resolve().parents[2] / "docs"
REPORT = DOCS / "reference" / "validation.md"
TABLE = r"(\*\*Table {}\..*?\n\n(?:\|[^\n]*\n){{2}})((?:\|[^\n]*\n)*)"
METHODS, INTERVALS, STUDIES = range(1, 4)
"""The numbers of the tables in the report."""


def compute(name: str) -> tuple[str, list[Coverage], float]:
    """Return the rows of one name in `EXACT` or `SIMULATED`, the name and seconds."""
    start = perf_counter()
    if name in EXACT:
        found = EXACT[name]()
        rows = [found] if isinstance(found, Coverage) else list(found)
    else:
        simulation, surveys = SIMULATED[name]
        rows = [simulation(surveys)]
    return name, rows, perf_counter() - start


def compute_all() -> Iterator[Coverage]:
    """Yield all rows in their order; two processes or more share the work."""
    with ProcessPoolExecutor() as pool:
        for name, rows, seconds in pool.map(compute, [*EXACT, *SIMULATED]):
            sys.stdout.write(f"{seconds:7.1f} s  {name}\n")
            sys.stdout.flush()
            yield from rows


def format_rows(rows: Sequence[tables.Row]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def find_table(text: str, number: int) -> re.Match[str]:
    found = re.search(TABLE.format(number), text, re.DOTALL)
    if found is None:
        raise SystemExit(f"{REPORT.name} has no table {number}")
    return found


def check(text: str) -> list[str]:
    """Return the quickly computed rows that are not in the report."""
    tables.check_families()
    expected = {
        METHODS: tables.methods(),
        INTERVALS: tables.intervals(
            [row for name in QUICK for row in compute(name)[1]]
        ),
        STUDIES: studies(),
    }
    return [
        row
        for number, rows in expected.items()
        for row in format_rows(rows).splitlines()
        if row not in find_table(text, number)[2].splitlines()
    ]


def write_tables(text: str, found: Sequence[Coverage]) -> str:
    """Return the report with new tables; `found` has all rows of intervals."""
    tables.check_families()
    written = {
        METHODS: tables.methods(),
        INTERVALS: tables.intervals(found),
        STUDIES: studies(),
    }
    for number, rows in written.items():
        place = find_table(text, number)
        text = text[: place.start(2)] + format_rows(rows) + text[place.end(2) :]
    return text


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 1 if the report differs or an interval covers less than promised."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true")
    if parser.parse_args(arguments).check:
        wrong = check(REPORT.read_text("utf-8"))
        sys.stdout.writelines(f"not in the report: {row}\n" for row in wrong)
        return int(bool(wrong))
    found = list(compute_all())
    REPORT.write_text(write_tables(REPORT.read_text("utf-8"), found), "utf-8")
    figures.draw_shares(DOCS / "images" / "validation-shares.png")
    figures.draw_intervals(
        tables.intervals(found), DOCS / "images" / "validation-intervals.png"
    )
    broken = [each.interval for each in found if not each.is_kept]
    sys.stdout.writelines(f"below what is promised: {each}\n" for each in broken)
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
