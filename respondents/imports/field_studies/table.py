"""What was found out about a CSV or workbook."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from candor.files.table import Table

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
