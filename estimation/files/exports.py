"""Files of the page *Export* and their archive; `analyses` has those of analyses."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from io import RawIOBase
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from candor.cli.rows import format_csv, format_json
from estimation.files.codebook import (
    SurveyVariables,
    list_variables,
    make_codebook_rows,
    serialize_codebook,
)
from estimation.files.estimates import format_estimates, serialize_document
from estimation.files.methods import cite_methods, methods_text
from estimation.files.reports import (
    Reports,
    compute_csv_size,
    format_reports,
    list_reports,
    write_spss,
    write_stata,
)
from estimation.files.workbook import write_workbook
from estimation.presentation.methods import LANGUAGE_OF_FILES
from estimation.rows.counts import (
    PatternCounts,
    SurveyCounts,
    read_one_way,
    read_patterns,
)
from estimation.rows.shares import SurveyResults, survey_results
from surveys.models import Survey

TEXT, CSV, JSON = "text/plain", "text/csv", "application/json"
BINARY = "application/octet-stream"
WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

MAX_WORKBOOK_CELLS = 1_000_000
"""Writing takes some 5 seconds (measured). A sheet has at most 1,048,576 rows."""

MAX_CELLS_IN_MEMORY = 20_000_000
"""160 MB, because SPSS and Stata files are made from one table in memory."""


@dataclass(frozen=True)
class Source:
    survey: Survey
    confidence_level: float
    method: str
    simultaneous: bool = False
    ignoring: int | None = None
    """Largest percentage assumed not to follow the instructions; None for the default
    of the results."""
    with_reports: bool = True
    """Whether a file contains reports; estimates need only the counts by question."""
    language: str = ""
    """Language of the labels, if the survey has it; otherwise its main language."""

    def __post_init__(self) -> None:
        """Read the counts at once, so that too few responses raise an error early."""
        _ = self.survey_counts

    @cached_property
    def patterns(self) -> PatternCounts:
        return read_patterns(self.survey).translate(self.language)

    @cached_property
    def survey_counts(self) -> SurveyCounts:
        if self.with_reports:
            return self.patterns
        return read_one_way(self.survey).translate(self.language)

    @cached_property
    def results(self) -> SurveyResults:
        return survey_results(
            self.survey_counts,
            self.confidence_level,
            self.method,
            self.simultaneous,
            self.ignoring,
        )

    @cached_property
    def reports(self) -> Reports:
        return list_reports(self.patterns)

    @property
    def cells(self) -> int:
        return self.survey_counts.respondents * len(self.variables.columns)

    @property
    def codebook(self) -> dict[str, Any]:
        return serialize_codebook(
            self.variables,
            confidence_level=self.confidence_level,
            method=self.method,
            simultaneous=self.simultaneous,
        )

    @property
    def has_rows(self) -> bool:
        return not self.survey_counts.design.tables

    @cached_property
    def variables(self) -> SurveyVariables:
        return list_variables(self.survey, self.survey_counts.design)


@dataclass(frozen=True, kw_only=True)
class Export:
    name: str
    """Suffix of the file name, after the slug of the survey."""
    label: Promise
    content_type: str
    holds_reports: bool = False
    most_cells: int | None = None
    is_static: bool = False

    def takes(self, cells: int) -> bool:
        return self.most_cells is None or cells <= self.most_cells


@dataclass(frozen=True, kw_only=True)
class TextFile(Export):
    text: Callable[[Source], str | Iterable[str]]
    size: Callable[[Source], int] | None = None
    """Size in bytes of a streamed file."""


@dataclass(frozen=True, kw_only=True)
class BinaryFile(Export):
    write: Callable[[Source, Path], None]


AnyFile = TextFile | BinaryFile


def make_program(name: str, label: Promise) -> TextFile:
    return TextFile(
        name=name,
        label=label,
        content_type=TEXT,
        text=lambda _source: Path(__file__).with_name(name).read_text("utf-8"),
        is_static=True,
    )


ESTIMATES: tuple[AnyFile, ...] = (
    TextFile(
        name="estimates.csv",
        label=_("Estimates (CSV)"),
        content_type=CSV,
        text=lambda source: format_estimates(source.results),
    ),
    BinaryFile(
        name="workbook.xlsx",
        label=_("Workbook (XLSX)"),
        content_type=WORKBOOK,
        write=lambda source, path: write_workbook(source.results, source.reports, path),
        holds_reports=True,
        most_cells=MAX_WORKBOOK_CELLS,
    ),
    TextFile(
        name="methods.txt",
        label=_("Methods section (text)"),
        content_type=TEXT,
        text=lambda source: methods_text(source.results),
    ),
    TextFile(
        name="references.bib",
        label=_("References (BibTeX)"),
        content_type=TEXT,
        text=lambda source: cite_methods(source.results),
    ),
)
REPORTS: tuple[AnyFile, ...] = (
    TextFile(
        name="reports.csv",
        label=_("Reports (CSV)"),
        content_type=CSV,
        text=lambda source: format_reports(source.reports),
        size=lambda source: compute_csv_size(source.survey_counts),
        holds_reports=True,
    ),
    BinaryFile(
        name="reports.sav",
        label=_("Reports (SPSS)"),
        content_type=BINARY,
        write=lambda source, path: write_spss(source.reports, path),
        holds_reports=True,
        most_cells=MAX_CELLS_IN_MEMORY,
    ),
    BinaryFile(
        name="reports.dta",
        label=_("Reports (Stata 14)"),
        content_type=BINARY,
        write=lambda source, path: write_stata(source.reports, path),
        holds_reports=True,
        most_cells=MAX_CELLS_IN_MEMORY,
    ),
    make_program("candor.py", _("Program for pandas")),
    make_program("candor.R", _("Program for R")),
    make_program("multilevel.R", _("Multilevel model (R)")),
    make_program("multilevel.stan", _("Multilevel model (Stan)")),
)
DESCRIPTIONS: tuple[AnyFile, ...] = (
    TextFile(
        name="codebook.csv",
        label=_("Codebook (CSV)"),
        content_type=CSV,
        text=lambda source: format_csv(make_codebook_rows(source.variables)),
    ),
    TextFile(
        name="codebook.json",
        label=_("Codebook (JSON)"),
        content_type=JSON,
        text=lambda source: f"{format_json(source.codebook)}\n",
    ),
    TextFile(
        name="estimates.json",
        label=_("Estimates (JSON)"),
        content_type=JSON,
        text=lambda source: f"{format_json(serialize_document(source.results))}\n",
    ),
)
EXPORTS = {export.name: export for export in (*ESTIMATES, *REPORTS, *DESCRIPTIONS)}


def filename(source: Source, export: Export) -> str:
    if export.is_static:
        return export.name
    return f"{source.survey.slug}-{export.name}"


def all_files(source: Source, *, with_reports: bool) -> list[AnyFile]:
    return [
        export
        for export in EXPORTS.values()
        if is_offered(source, export, with_reports=with_reports)
    ]


def is_offered(source: Source, export: Export, *, with_reports: bool) -> bool:
    """Return whether a file is offered; programs require access to the reports."""
    if export.is_static:
        return source.has_rows
    return not export.holds_reports or (with_reports and export.takes(source.cells))


class Written(RawIOBase):
    """A buffer of recent output, so that no archive is in memory as a whole."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        self._pieces.append(bytes(piece))
        return len(self._pieces[-1])

    def take(self) -> bytes:
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken


def zip_files(source: Source, exports: Iterable[AnyFile]) -> Iterator[bytes]:
    """Yield the files as one zip archive in pieces, without their times."""
    written = Written()
    with ZipFile(written, "w") as archive:
        for export in exports:
            # ZipInfo has the date 1980-01-01 by default.
            entry = ZipInfo(filename(source, export))
            entry.compress_type = ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as file:
                for piece in read_contents(source, export):
                    file.write(piece)
                    yield written.take()
    yield written.take()


def read_contents(source: Source, export: AnyFile) -> Iterator[bytes]:
    # Nothing is yielded in this block, because another request may run in between.
    with translation.override(LANGUAGE_OF_FILES):
        made = (
            export.text(source)
            if isinstance(export, TextFile)
            else write_in_memory(lambda path: export.write(source, path))
        )
    if isinstance(made, bytes):
        yield made
    else:
        yield from map(str.encode, [made] if isinstance(made, str) else made)


def write_in_memory(write: Callable[[Path], None]) -> bytes:
    """Return the contents of a file written to a temporary folder.

    It is read as a whole, because these files are compressed or of bounded size. An
    open file would stay if a client dropped the response unread.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        write(path)
        return path.read_bytes()
