"""Count the responses in archives of any size, and check the counts."""

import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from candor.files.table import FileError
from candor.mechanisms.draws import encode_pattern
from estimation.rows.counts import ContingencyTable
from respondents.imports.archives.archive import PATTERNS, import_optional
from respondents.imports.archives.merge import Sites
from respondents.imports.archives.rows import COUNT, name_column
from respondents.storage.sealed_tally import MAX_COUNT
from surveys.design import Design
from surveys.models import Survey

NO_JAVA = "Spark needs Java: apt-get install -y default-jre-headless"


@dataclass(frozen=True)
class Cell:
    reports: tuple[int | None, ...]
    """The place of each in its question's table; None where there is no report."""
    count: int
    least: int
    most: int


@dataclass(frozen=True)
class Engine:
    database: Any
    errors: tuple[type[Exception], ...]
    named: Callable[[Path], str] = str
    """Returns how the engine names a file."""

    def cells(self, folders: Sequence[Path], numbers: Sequence[int]) -> list[Cell]:
        """Return the contingency counts of these questions, over all archives' rows.

        Parameters
        ----------
        folders : sequence of Path
            Of archives whose columns were checked.
        numbers : sequence of int
            Numbers of questions, 1 for the first; one or more.

        Raises
        ------
        FileError
            Where the engine cannot read what it finds.
        """
        files = [(folder / PATTERNS).resolve() for folder in folders]
        try:
            tables = [self.database.read_parquet(self.named(file)) for file in files]
            found = contingency(tables, numbers).to_pyarrow().to_pylist()
        except self.errors as error:
            text = (
                f"{', '.join(map(str, files))} cannot be read: {without_trace(error)}"
            )
            raise FileError([text]) from error
        columns = [name_column(number) for number in numbers]
        return [
            Cell(
                reports=tuple(row[column] for column in columns),
                count=int(row["total"]),
                least=int(row["least"]),
                most=int(row["most"]),
            )
            for row in found
        ]


def contingency(tables: Sequence[Any], numbers: Sequence[int]) -> Any:
    table = tables[0] if len(tables) == 1 else import_optional("ibis").union(*tables)
    # Nothing is no count: 0, which no archive has. Sums of floats are exact to 2**53,
    # far above what one has, and beyond that no error that names no file.
    count = table[COUNT].fill_null(0)
    return table.group_by([table[name_column(number)] for number in numbers]).agg(
        total=count.cast("float64").sum(), least=count.min(), most=count.max()
    )


def without_trace(error: Exception) -> str:
    """Return what is wrong; Java adds by which calls that was found."""
    lines = str(error).splitlines()
    return " ".join(line for line in lines if not line.startswith("\t"))


@contextmanager
def duckdb() -> Iterator[Engine]:
    library = import_optional("duckdb")
    database = import_optional("ibis").duckdb.connect()
    try:
        yield Engine(database, (library.Error,))
    finally:
        database.disconnect()


@contextmanager
def spark() -> Iterator[Engine]:
    library = import_optional("pyspark.sql", "spark")
    is_remote = "SPARK_REMOTE" in os.environ
    if not (is_remote or "JAVA_HOME" in os.environ or shutil.which("java")):
        raise FileError([NO_JAVA])
    builder = library.SparkSession.builder.appName("candor")
    for name in ("spark.ui.enabled", "spark.ui.showConsoleProgress"):
        builder = builder.config(name, "false")
    session = builder.getOrCreate()
    if not is_remote:
        session.sparkContext.setLogLevel("ERROR")
    errors = (
        import_optional("pyspark.errors").PySparkException,
        import_optional("py4j.protocol").Py4JError,
    )
    try:
        yield Engine(
            import_optional("ibis").pyspark.connect(session), errors, not_a_pattern
        )
    finally:
        session.stop()


def not_a_pattern(file: Path) -> str:
    """Return the name of one file; to Spark brackets and the like stand for many."""
    return "file://" + re.sub(r"([\[\]{}*?\\])", r"\\\1", str(file))


ENGINES = {"duckdb": duckdb, "spark": spark}
"""By their names, each a context in which it is there."""


def count_archives(
    sites: Sites, numbers: Sequence[int], engine: Engine
) -> ContingencyTable:
    """Return what the respondents of all archives sent to these questions together.

    Parameters
    ----------
    sites : Sites
        One archive or several.
    numbers : sequence of int
        Numbers of questions, 1 for the first; one or more.
    engine : Engine

    Raises
    ------
    FileError
        Where the sums show that a file was changed. `merge` looks at every row.
    """
    found = engine.cells(list(sites.archives), numbers)
    design = sites.first.frozen
    for cell in found:
        check(cell, design, numbers)
    total = sum(cell.count for cell in found)
    if total != sites.respondents:
        text = f"respondents: must be {total}, the sum of all counts"
        raise FileError([f"{sites.first_file}: {text}; got {sites.respondents}"])
    return ContingencyTable(
        survey=build_survey(sites),
        design=design,
        numbers=numbers,
        counts={encode_pattern(cell.reports): cell.count for cell in found},
    )


def check(cell: Cell, design: Design, numbers: Sequence[int]) -> None:
    if cell.least < 1 or cell.most > MAX_COUNT:
        got = cell.least if cell.least < 1 else cell.most
        text = f"must be a whole number in [1, {MAX_COUNT}]; got {got}"
        raise FileError([f"column {COUNT}: {text}"])
    for number, report in zip(numbers, cell.reports, strict=True):
        most = len(design.questions[number - 1].mechanism.reports) - 1
        if report is not None and report > most:
            text = f"must be a whole number in [0, {most}], or nothing; got {report}"
            raise FileError([f"column {name_column(number)}: {text}"])


def build_survey(sites: Sites) -> Survey:
    """Return the survey of which these are counts; no database knows it.

    It counts as imported: a file can say what it likes of how it came about.
    """
    first = sites.first
    return Survey(
        **{name: first.design[name] for name in Survey.DEFINED},
        **sites.plan,
        state=Survey.State.CLOSED,
        design_digest=first.design_digest,
        is_simulated=sites.is_simulated,
        is_imported=True,
        plan_attested_by=sites.plan_attested_by,
        merged_versions=sites.merged_versions,
    )
