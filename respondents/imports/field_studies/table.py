"""A CSV or workbook as people have it, and what was found out about it."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from candor.files.table import Table, read_text

WORKBOOK = b"PK\x03\x04"
"""What a zip file begins with; so does every .xlsx."""

OLD_WORKBOOK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""What an .xls file begins with, and an .xlsx with a password."""

NAMES = {
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
    """Return what was found out about the file."""
    if table.sheet:
        return _("Read from the sheet “%s” of the workbook.") % table.sheet
    return _("Read as %(encoding)s, separated by %(separator)s.") % {
        "encoding": NAMES[table.encoding],
        "separator": _(SEPARATORS[table.separator]),
    }


def read_table(content: bytes) -> Table:
    """Return the rows of a file.

    Raises
    ------
    FileError
        Where the file is neither text nor a workbook that can be read.
    """
    if not content.startswith((WORKBOOK, OLD_WORKBOOK)):
        return read_text(content)
    # Loaded where it is needed: openpyxl takes as long as all else here.
    from respondents.imports.field_studies.workbook import read_sheet

    sheet, text = read_sheet(content)
    return Table(text, "utf-8", ",", sheet=sheet)
