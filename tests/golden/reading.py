"""Pages and files as readable lines of text."""

import csv
import json
import re
from collections import Counter
from html import unescape
from html.parser import HTMLParser
from io import BytesIO, StringIO
from zipfile import ZipFile

import openpyxl
import pyreadstat

SIGNIFICANT_DIGITS = 8
SMALLEST = 1e-12
"""The precision of the least precise method. Another order of additions changes later
digits and turns 0 into 1e-17."""

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?!\w|\.\d)")

BLOCKS = frozenset(
    """
    address article aside blockquote body br caption dd details div dl dt fieldset
    figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol
    option p pre section table tbody td tfoot th thead title tr ul summary
    """.split()  # noqa: SIM905 - as people list them
)
UNSEEN = frozenset(["script", "style"])
IN_TEXT = {"a": ("[", "]"), "button": ("[[", "]]"), "textarea": ("[_", "_]")}
CELLS = frozenset(["td", "th"])
CHECKED = {"checkbox": ("[ ]", "[x]"), "radio": ("( )", "(x)")}
SPOKEN = ("aria-label", "alt", "title", "placeholder")


def rounded(text):
    """Return text with numbers rounded to `SIGNIFICANT_DIGITS`."""

    def shorten(found):
        written = found[0]
        digits = written.partition("e")[0].lstrip("-0.").replace(".", "")
        is_decimal = "." in written or "e" in written
        if not is_decimal or len(digits) <= SIGNIFICANT_DIGITS:
            return written
        number = float(written)
        return f"{number:.{SIGNIFICANT_DIGITS}g}" if abs(number) > SMALLEST else "~0"

    return NUMBER.sub(shorten, text)


def plain(text):
    """Return text with single spaces, as displayed."""
    return " ".join(text.replace("\N{SOFT HYPHEN}", "").split())


class PageReader(HTMLParser):
    """Read the title and the main part of a page, one line for each block."""

    def __init__(self, *, only_main):
        super().__init__()
        self.lines, self.pieces = [], []
        self.unseen = 0
        self.is_read = not only_main
        self.row = None
        self.options = None

    def end_line(self):
        if line := plain("".join(self.pieces)):
            self.lines.append(line)
        self.pieces = []

    def begin_block(self, tag):
        if self.row is not None and tag not in {"tr", "table", "tbody"}:
            # Several lines of a cell stay in the line of its row.
            self.pieces.append(" ")
            return
        self.end_line()

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag in {"main", "title"}:
            self.end_line()
            self.is_read = True
        if not self.is_read:
            return
        if tag in UNSEEN:
            self.unseen += 1
        if tag in BLOCKS and self.options is None:
            self.begin_block(tag)
        if tag == "tr":
            self.row = 0
        elif tag in CELLS:
            self.pieces.append(" | " if self.row else "")
            self.row = (self.row or 0) + 1
        elif tag in {"h1", "h2", "h3", "h4", "h5", "h6"}:
            self.pieces.append("#" * int(tag[1]) + " ")
        elif tag == "li":
            self.pieces.append("- ")
        elif tag == "select":
            self.options = []
            self.pieces.append("{")
        elif tag == "option" and self.options is not None:
            mark = "*" if "selected" in given else ""
            self.pieces.append(f"{' / ' if self.options else ''}{mark}")
            self.options.append(tag)
        elif tag == "input":
            self.pieces.append(self.input_of(given))
        elif tag in IN_TEXT:
            self.pieces.append(IN_TEXT[tag][0])
        for name in SPOKEN:
            if given.get(name):
                self.pieces.append(f" {{{given[name]}}} ")

    def input_of(self, given):
        kind = given.get("type", "text")
        if kind == "hidden":
            return ""
        if kind in CHECKED:
            return f" {CHECKED[kind]['checked' in given]} "
        if kind == "submit":
            return f"[[{given.get('value', '')}]]"
        return f" [_{given.get('value') or ''}_] "

    def handle_endtag(self, tag):
        if not self.is_read:
            return
        if tag in UNSEEN:
            self.unseen -= 1
        elif tag == "select":
            self.pieces.append("} ")
            self.options = None
        elif tag in IN_TEXT:
            self.pieces.append(IN_TEXT[tag][1])
        if tag == "tr":
            self.end_line()
            self.row = None
        elif tag in BLOCKS and tag not in CELLS and self.options is None:
            self.begin_block(tag)
        if tag in {"main", "title"}:
            self.end_line()
            self.is_read = False

    def handle_data(self, data):
        if self.is_read and not self.unseen:
            self.pieces.append(data)


class FormReader(HTMLParser):
    """Read the initial data of the form with file inputs."""

    def __init__(self):
        super().__init__()
        self.values, self.buttons = {}, {}
        self.is_in_form = False
        self.select = ""

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.is_in_form = given.get("enctype") == "multipart/form-data"
        if not self.is_in_form:
            return
        name, value = given.get("name"), given.get("value") or ""
        if tag == "select":
            self.select = name
        elif tag == "option" and "selected" in given:
            self.values[self.select] = value
        elif tag == "button" and name:
            self.buttons[name] = value
        elif tag == "input" and name and name != "csrfmiddlewaretoken":
            kind = given.get("type")
            if kind != "file" and (kind not in CHECKED or "checked" in given):
                self.values[name] = value


def page_lines(html):
    """Return the text of a page: title and main part, if it has one."""
    reader = PageReader(only_main="<main" in html)
    reader.feed(html)
    reader.close()
    reader.end_line()
    return reader.lines


def chart_lines(svg):
    """Return the texts of a chart in drawing order."""
    found = re.findall(r"<(?:text|tspan|title|desc)\b[^>]*>([^<]+)<", svg)
    return [line for each in found if (line := plain(unescape(each)))]


def table_lines(rows):
    """Return a table: its columns, cells that are the same in all rows, then each row.

    Empty cells are left out.
    """
    if not rows:
        return ["no rows"]
    header, *rows = [
        [plain(str("" if cell is None else cell)) for cell in row] for row in rows
    ]
    lines = [f"columns: {' | '.join(header)}"]
    same = set()
    if len(rows) > 1:
        same = {
            place
            for place, cells in enumerate(zip(*rows, strict=True))
            if len(set(cells)) == 1 and place < len(header)
        }
    shown = [place for place in sorted(same) if rows[0][place]]
    lines += ["in all rows:"] * bool(shown)
    lines += [f"  {header[place]} = {rows[0][place]}" for place in shown]
    for number, row in enumerate(rows, start=1):
        lines.append(f"row {number}:")
        lines += [
            f"  {header[place]} = {cell}"
            for place, cell in enumerate(row)
            if cell and place not in same
        ]
    return lines


def counted_lines(rows):
    """Return distinct rows with their number, because their order is random."""
    header, *rows = [
        [str("" if cell is None else cell) for cell in row] for row in rows
    ]
    found = Counter(map(" | ".join, rows))
    return [
        f"columns: {' | '.join(header)}",
        *sorted(f"{count} times: {rounded(row)}" for row, count in found.items()),
    ]


def csv_rows(text):
    return list(csv.reader(StringIO(text, newline="")))


def json_lines(text):
    """Return JSON with sorted keys and lists of plain values on one line."""
    return list(written_json("", json.loads(text), ""))


def is_flat(values):
    return not any(isinstance(each, dict | list) for each in values)


def is_table(rows):
    return all(isinstance(row, list) and is_flat(row) for row in rows)


def written_json(name, value, indent):
    begin = f"{indent}{name}: " if name else indent
    if isinstance(value, dict):
        yield f"{begin}{{"
        for key in sorted(value):
            yield from written_json(key, value[key], f"{indent} ")
    elif isinstance(value, list) and not is_flat(value) and not is_table(value):
        yield f"{begin}["
        for each in value:
            yield from written_json("-", each, f"{indent} ")
    else:
        yield f"{begin}{json.dumps(value, ensure_ascii=False)}"


def workbook_lines(content):
    """Return every sheet; equal rows of reports are counted."""
    lines = []
    for sheet in openpyxl.load_workbook(BytesIO(content), read_only=False).worksheets:
        rows = [list(row) for row in sheet.iter_rows(values_only=True)]
        lines.append(f"## {sheet.title}")
        if sheet.title.casefold() == "reports":
            lines += counted_lines(rows)
        elif rows and len(rows[0]) > 1:
            lines += table_lines(rows)
        else:
            lines += [
                plain(" | ".join(str(cell) for cell in row if cell is not None))
                for row in rows
            ]
    return lines


def labelled_lines(path):
    """Return a file of SPSS or Stata: labels first, then its counted rows."""
    read = pyreadstat.read_sav if path.suffix == ".sav" else pyreadstat.read_dta
    frame, about = read(str(path), user_missing=path.suffix == ".sav")
    lines = [
        f"label: {about.file_label}",
        *(f"note: {note}" for note in about.notes or ()),
    ]
    for name in about.column_names:
        lines.append(f"{name}: {about.column_names_to_labels[name]}")
        kinds = (
            about.readstat_variable_types[name],
            about.variable_measure.get(name, ""),
            about.original_variable_types[name],
        )
        lines.append(f"  {', '.join(kinds)}")
        labels = about.variable_value_labels.get(name, {})
        lines += [f"  {value:g} = {label}" for value, label in sorted(labels.items())]
        if missing := about.missing_ranges.get(name):
            lines.append(f"  missing: {missing}")
    rows = [list(about.column_names), *frame.itertuples(index=False, name=None)]
    return lines + counted_lines([[shown(cell) for cell in row] for row in rows])


def shown(cell):
    return "" if cell is None or cell != cell else str(cell)


def names_in_archive(content):
    with ZipFile(BytesIO(content)) as archive:
        return archive.namelist()
