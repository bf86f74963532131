"""Map columns to questions and codes to reports: suggest, then let users confirm."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from candor.files.table import (
    MAX_VALUES,
    FileError,
    Table,
    find_column,
    normalise_code,
)
from surveys.files.definition import Definition, QuestionDefinition
from surveys.files.read import ALWAYS_MISSING
from surveys.kinds import label_answers
from surveys.numbers import format_integer
from surveys.text.tables import REPORT_IN_FILE, label_reports

MAX_OPTIONS = 20_000
"""The most columns times questions: the page lists as many names and then has 2 MB."""

NOT_THERE = "absent"
"""The choice for a question that was not part of the study."""

MISSING = "missing"
"""The choice for a cell without a report."""

# Column names of XLSForms and of exported reports; an export also has label columns.
NAMES = ("q{}_label", "q{}")

Chosen = Mapping[str, str]
"""{field name: choice} of the page."""


@dataclass(frozen=True)
class Value:
    """A distinct cell of a column, without spaces and unnecessary decimals."""

    name: str
    """The name of the field in which its meaning is chosen."""
    cell: str
    count: int
    means: str
    """The report, `MISSING`, or "" if the meaning is not known."""
    is_known: bool
    """Whether the cell is a known name of its meaning, or a file defines it."""


@dataclass(frozen=True)
class MappedQuestion:
    """A question and the column that contains its reports, as far as it is known."""

    number: int
    question: QuestionDefinition
    labels: tuple[str, ...]
    """The names of its reports in the active language."""
    own_labels: tuple[str, ...]
    """The names of its reports in the language of the study."""
    column: str
    """The position of the column, `NOT_THERE`, or "" if it is not known."""
    values: tuple[Value, ...] = ()
    is_confirmed: bool = False
    """Whether the user confirmed the meanings of the codes in this column."""

    @property
    def field(self) -> str:
        """The name of the field in which the column is chosen."""
        return f"column-{self.number}"

    @property
    def confirmation(self) -> str:
        """The name of the checkbox that confirms the codes of this column."""
        return f"confirmed-{self.number}-{self.column}"

    @property
    def needs_confirmation(self) -> bool:
        """Whether the meaning of a cell is only guessed or chosen."""
        return not self.holds_no_codes and not all(
            value.is_known for value in self.values
        )

    @property
    def meanings(self) -> list[tuple[str, str]]:
        """The possible meanings of a cell, with their labels."""
        reports = self.question.mechanism.reports
        return [*zip(reports, self.labels, strict=True), (MISSING, _("No report"))]

    @property
    def is_described(self) -> bool:
        """Whether a file defines the column and the meanings of its cells."""
        return bool(self.question.column and self.question.codes)

    @property
    def holds_no_codes(self) -> bool:
        return len(self.values) > MAX_VALUES

    @property
    def problems(self) -> list[str]:
        about = {"number": self.number, "most": MAX_VALUES}
        if not self.column:
            return [_("Question %(number)s: choose its column.") % about]
        if self.holds_no_codes:
            message = _(
                "Question %(number)s: choose a column of at most %(most)s different "
                "cells."
            )
            return [message % about]
        unknown = [value.cell for value in self.values if not value.means]
        message = _("Question %(number)s: say what “%(cell)s” means.")
        problems = [message % {**about, "cell": cell} for cell in unknown]
        if self.needs_confirmation and not self.is_confirmed:
            message = _("Question %(number)s: confirm what its codes mean.")
            problems.append(message % about)
        return problems


@dataclass(frozen=True)
class Columns:
    """The columns of a file and the questions of a study, matched."""

    study: Definition
    table: Table
    chosen: Chosen | None = None
    """None if the user has not chosen anything yet."""

    @property
    def description(self) -> str:
        return describe_file(self.table)

    @cached_property
    def questions(self) -> list[MappedQuestion]:
        """The questions with their columns and the meanings of cells.

        Raises
        ------
        FileError
            If the file has too many columns.
        """
        if len(self.study.questions) * len(self.table.header) > MAX_OPTIONS:
            message = _(
                "The file has %(columns)s columns. Delete those without reports."
            )
            shown = {"columns": format_integer(len(self.table.header))}
            raise FileError([message % shown])
        return [
            self.fill_values(each, self.values[each.column])
            if each.column in self.values
            else each
            for each in self.questions_and_columns
        ]

    @cached_property
    def questions_and_columns(self) -> list[MappedQuestion]:
        return [
            MappedQuestion(
                number,
                question,
                *self.make_labels(question),
                self.choose_column(number, question),
            )
            for number, question in enumerate(self.study.questions, start=1)
        ]

    @cached_property
    def values(self) -> dict[str, Counter[str]]:
        """{position: counts of cells} for each column that is read."""
        read = {each.column for each in self.questions_and_columns}
        places = sorted(int(column) for column in read if column.isdecimal())
        counted = self.table.values(places)
        return dict(zip(map(str, places), counted, strict=True))

    def make_labels(
        self, question: QuestionDefinition
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names of reports in the active language, and in the study's."""
        language = self.study.fields["language"]
        choices = question.choices or label_answers(
            question.mechanism, question.scale, language
        )
        here = label_reports(question.mechanism, choices)
        with translation.override(language):
            return here, label_reports(question.mechanism, choices)

    def choose_column(self, number: int, question: QuestionDefinition) -> str:
        """Return the chosen column, or the one with the question's name, or ""."""
        places = [str(place) for place, _name in enumerate(self.table.header)]
        if self.chosen is not None:
            chosen = self.chosen.get(f"column-{number}", "")
            return chosen if chosen in {NOT_THERE, *places} else ""
        if question.column:
            names = [question.column]
        else:
            # KoboToolbox can write labels instead of names.
            own = [name.format(number) for name in NAMES]
            names = [*own, f"{number}. {question.text}", question.text]
        for name in names:
            try:
                place = find_column(name, self.table.header)
            except FileError:
                continue
            if place is not None:
                return str(place)
        return ""

    def fill_values(
        self, mapped: MappedQuestion, counted: Mapping[str, int]
    ) -> MappedQuestion:
        """Return the question with the distinct cells of its column."""
        cells: dict[str, int] = {}
        for cell, count in counted.items():
            cells[normalise_code(cell)] = cells.get(normalise_code(cell), 0) + count
        known, guessed = find_known_meanings(mapped), guess_meanings(mapped, cells)
        values = []
        for place, (cell, count) in enumerate(cells.items()):
            name = f"cell-{mapped.number}-{mapped.column}-{place}"
            means = known.get(cell.casefold(), guessed.get(cell, ""))
            # The cells of a newly chosen column have no fields on the page yet.
            if self.chosen is not None and name in self.chosen:
                means = self.chosen[name]
            if means not in {MISSING, *mapped.question.mechanism.reports}:
                means = ""
            is_known = bool(means) and known.get(cell.casefold()) == means
            values.append(Value(name, cell, count, means, is_known))
        is_confirmed = mapped.confirmation in (self.chosen or {})
        return replace(mapped, values=tuple(values), is_confirmed=is_confirmed)

    @property
    def is_readable(self) -> bool:
        """Whether the rows can be read, with these choices or without any."""
        if self.chosen is not None:
            return not self.problems
        asked = [each for each in self.questions if not each.is_described]
        return not any(each.problems for each in asked) and not any(
            self.list_shared_columns()
        )

    @property
    def problems(self) -> list[str]:
        problems = [message for each in self.questions for message in each.problems]
        if all(each.column == NOT_THERE for each in self.questions):
            problems.append(_("At least one question needs a column."))
        return [*problems, *self.list_shared_columns()]

    def list_shared_columns(self) -> Iterator[str]:
        read = sorted(
            (each.column, each.number)
            for each in self.questions
            if each.column.isdecimal()
        )
        for (column, first), (other, second) in pairwise(read):
            if column == other:
                message = _("Questions %(first)s and %(second)s read the same column.")
                yield message % {"first": first, "second": second}

    @property
    def choices(self) -> list[tuple[str, str]]:
        named = enumerate(self.table.header)
        columns = [(str(place), name or _("(no name)")) for place, name in named]
        return [*columns, (NOT_THERE, _("Not in this file"))]

    @property
    def left_out(self) -> list[str]:
        read = {each.column for each in self.questions}
        return [
            name
            for place, name in enumerate(self.table.header)
            if str(place) not in read
        ]

    @property
    def rewritten(self) -> list[str]:
        """An example of a number read without its decimals, if there is one."""
        cells = {cell for counted in self.values.values() for cell in counted}
        return sorted(cell for cell in cells if normalise_code(cell) != cell)[:1]

    def make_definition(self) -> Definition:
        """Return the study with its columns and codes.

        Requires `is_readable`. The description in a file is not changed; cells that it
        does not define are reported by `count_patterns`.
        """
        questions = tuple(
            each.question
            if self.chosen is None and each.is_described
            else replace(
                each.question,
                column=self.table.header[int(each.column)],
                codes={v.cell: v.means for v in each.values if v.means != MISSING},
                missing=frozenset(v.cell for v in each.values if v.means == MISSING),
            )
            for each in self.questions
            if each.column != NOT_THERE
        )
        return replace(self.study, questions=questions)


def find_known_meanings(mapped: MappedQuestion) -> dict[str, str]:
    """Return {name in lower case: meaning}.

    Ambiguous names are left out, such as "yes" if the first answer, "yes" in the table,
    has the label "No". Definitions in a file always apply.
    """
    question = mapped.question
    reports = question.mechanism.reports
    labels = [
        pair
        for names in (mapped.labels, mapped.own_labels)
        for pair in zip(names, reports, strict=True)
    ]
    names = [*labels, *zip(reports, reports, strict=True)]
    names = [(name, report) for name, report in names if not name.isdecimal()]
    # Exports of reports write labels with a prefix, including numbers.
    exported = [(REPORT_IN_FILE.format(name), each) for name, each in labels + names]
    named = {(name.casefold(), report) for name, report in names + exported}
    named |= {(cell.casefold(), MISSING) for cell in ALWAYS_MISSING | question.missing}
    meanings = Counter(name for name, _meaning in named)
    return {
        **{name: meaning for name, meaning in named if meanings[name] == 1},
        **{cell.casefold(): report for cell, report in question.codes.items()},
    }


def guess_meanings(mapped: MappedQuestion, cells: Collection[str]) -> dict[str, str]:
    """Return {cell: likely meaning}: 1 is the first report, Y the one with initial Y.

    If reports have numbers as labels, as on a scale, a number means this label.
    """
    reports = mapped.question.mechanism.reports
    guessed = {str(place): each for place, each in enumerate(reports, start=1)}
    if any(label.isdecimal() for label in mapped.labels):
        guessed = dict(zip(mapped.labels, reports, strict=True))
    if len(reports) == 2 and "0" in cells:
        # Studies write 1 and 0, or 1 and 2.
        guessed = {"1": reports[0], "0": reports[1]}
    for names in (mapped.own_labels, reports):
        initials = [name[:1].casefold() for name in names]
        if len(set(initials)) == len(initials):
            guessed |= dict(zip(initials, reports, strict=True))
    return {cell: guessed.get(cell.casefold(), "") for cell in cells}


ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "cp1252": "Windows-1252",
}

SEPARATORS = {
    ",": gettext_noop("commas"),
    ";": gettext_noop("semicolons"),
    "\t": gettext_noop("tabs"),
    "|": gettext_noop("vertical bars"),
}


def describe_file(table: Table) -> str:
    if table.sheet:
        return _("Read from the sheet “%s”.") % table.sheet
    return _("Read as %(encoding)s, separated by %(separator)s.") % {
        "encoding": ENCODINGS[table.encoding],
        "separator": _(SEPARATORS[table.separator]),
    }
