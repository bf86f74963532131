"""Seconds to tabulate questions of archives of 10^7 and 10^8 rows.

DuckDB and Spark (local mode) evaluate the same expression. The peer is pandas, which
reads the requested columns and groups them. Each row is a different pattern of 30
yes-no questions. Wall time, because all three use every core: medians of several
interleaved rounds, with the load of the machine. The start of Spark is measured
separately. Libraries that are not installed are left out.

    make check-spark
    var/spark/bin/python -m benchmarks.archives [--rows 10000000 100000000]
        [--without spark]
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.database import set_up

QUESTIONS, ROUNDS = 30, 3
ASKED = {"one question": [1], "two questions": [3, 28], "four": [2, 9, 21, 30]}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[10**7, 10**8])
    parser.add_argument("--without", nargs="*", default=[])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        set_up(folder)
        from estimation.rows.archives import ENGINES
        from respondents.imports.archives.archive import PATTERNS

        engines = {}
        for engine, library in (("duckdb", "duckdb"), ("spark", "pyspark")):
            if find_spec(library) and engine not in options.without:
                begin = time.perf_counter()
                engines[engine] = stack.enter_context(ENGINES[engine]())
                report(f"{engine}: starts in {time.perf_counter() - begin:.1f} s")
        for rows in options.rows:
            begin = time.perf_counter()
            write(folder / PATTERNS, rows)
            took = time.perf_counter() - begin
            size = (folder / PATTERNS).stat().st_size / 1e6
            report(f"\n{rows:,} rows, {QUESTIONS} questions, {size:.0f} MB")
            report(f"written in {took:.0f} s; load {os.getloadavg()[0]:.1f}")
            for asked, numbers in ASKED.items():
                runs: dict[str, Callable[[], Any]] = {
                    name: partial(count_cells, engine, folder, numbers)
                    for name, engine in engines.items()
                }
                if "pandas" not in options.without:
                    runs["pandas"] = partial(
                        count_in_pandas, folder / PATTERNS, numbers
                    )
                compare(asked, runs)
            report(f"load {os.getloadavg()[0]:.1f}")


def write(file: Path, rows: int) -> None:
    from candor.mechanisms import build
    from respondents.imports.archives.rows import ROWS_AT_ONCE, write_rows
    from surveys.design import parse_design
    from surveys.models import Survey

    question = {
        "text": "", "innocuous_question": "", "choices": ["Yes", "No"],
        "table": build("coin").to_dict(),
    }  # fmt: skip
    definition = {
        **dict.fromkeys(Survey.DEFINED, ""),
        "questions": [question] * QUESTIONS,
    }
    design = parse_design(definition, survey_id=0, digest="", is_rehearsal=False)

    def draw_batches() -> Iterator[tuple[Any, Any]]:
        """Yield random patterns in ascending order, with small counts."""
        draw = np.random.default_rng(5)  # noqa: TID251 - the same file each time
        last, left = -1, rows
        widest = 2 * (2**QUESTIONS // rows) - 1
        while left:
            size = min(left, ROWS_AT_ONCE)
            steps = draw.integers(1, widest, size=size, endpoint=True)
            patterns = last + np.cumsum(steps)
            last, left = int(patterns[-1]), left - size
            places = np.arange(QUESTIONS - 1, -1, -1)
            bits = (patterns[:, np.newaxis] >> places) & 1
            yield bits.astype(np.uint8), draw.geometric(0.5, size=size)

    write_rows(file, design, draw_batches())


def count_cells(engine: Any, folder: Path, numbers: list[int]) -> dict[Any, int]:
    cells = engine.cells([folder], numbers)
    return {cell.reports: cell.count for cell in cells}


def count_in_pandas(file: Path, numbers: list[int]) -> dict[Any, int]:
    import pandas as pd

    names = [f"q{number}" for number in numbers]
    table = pd.read_parquet(file, columns=[*names, "count"])
    sums = table.groupby(names)["count"].agg(["sum", "min", "max"])["sum"]
    return {
        (key if isinstance(key, tuple) else (key,)): int(total)
        for key, total in sums.items()
    }


def compare(asked: str, runs: dict[str, Callable[[], Any]]) -> None:
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    results: dict[str, Any] = {}
    for _ in range(ROUNDS):
        for name, run in runs.items():
            begin = time.perf_counter()
            results[name] = run()
            seconds[name].append(time.perf_counter() - begin)
    first = next(iter(runs))
    for name, taken in seconds.items():
        if results[name] != results[first]:
            raise RuntimeError(f"{name} and {first} count differently")
        ratio = statistics.median(taken) / statistics.median(seconds[first])
        report(
            f"  {asked}, {name}: {statistics.median(taken):.2f} s "
            f"({min(taken):.2f} to {max(taken):.2f}), {ratio:.1f} times {first}"
        )


def report(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
