"""The leaf pages of a SQLite file, read without SQLite.

https://sqlite.org/fileformat2.html has the format. A page is filled from its end: of
two cells that were written one after the other, the later one has the lower offset.
"""

from django.db import connection

from tests.concurrency import bytes_of

INTERIOR_INDEX, INTERIOR_TABLE, LEAF_INDEX, LEAF_TABLE = 2, 5, 10, 13
HEADER = {INTERIOR_INDEX: 12, INTERIOR_TABLE: 12, LEAF_INDEX: 8, LEAF_TABLE: 8}
INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes of a whole number, by the serial type of its column."""


def roots_of(table):
    """Return {name: root page} of a table and its indexes."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, rootpage FROM sqlite_master WHERE tbl_name = %s "
            "AND type IN ('table', 'index')",
            [table],
        )
        return dict(cursor.fetchall())


def leaves_of(root):
    """Yield, for each leaf page of a tree, its rows in the order of their writing.

    A row is a list of values; those of a table have their row id in front.
    """
    content = bytes_of(connection.settings_dict["NAME"])
    size = int.from_bytes(content[16:18], "big")
    yield from leaves(content, 65536 if size == 1 else size, root)


def leaves(content, size, number):
    page = memoryview(content)[(number - 1) * size : number * size]
    begin = 100 if number == 1 else 0
    kind = page[begin]
    first, count = begin + HEADER[kind], two(page, begin + 3)
    offsets = [two(page, first + 2 * place) for place in range(count)]
    if kind in (INTERIOR_TABLE, INTERIOR_INDEX):
        for place in (*offsets, begin + 8):
            child = int.from_bytes(page[place : place + 4], "big")
            yield from leaves(content, size, child)
        return
    rows = []
    for place in sorted(offsets, reverse=True):
        _length, place = varint(page, place)
        row = []
        if kind == LEAF_TABLE:
            number, place = varint(page, place)
            row.append(number)
        rows.append(row + values(page[place:]))
    yield rows


def two(page, place):
    return int.from_bytes(page[place : place + 2], "big")


def varint(page, place):
    """Return a number of one to nine bytes, and where the next one begins."""
    number = 0
    for length in range(1, 10):
        byte = page[place + length - 1]
        if length == 9:
            return number << 8 | byte, place + length
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return number, place + length


def values(record):
    """Return the values of a record: whole numbers, bytes and nulls."""
    begin, place = varint(record, 0)
    content, found = begin, []
    while place < begin:
        kind, place = varint(record, place)
        if kind in INTEGERS:
            length = INTEGERS[kind]
            value = int.from_bytes(
                record[content : content + length], "big", signed=True
            )
        elif kind >= 12 and kind % 2 == 0:
            length = (kind - 12) // 2
            value = bytes(record[content : content + length])
        else:
            length, value = 0, {0: None, 8: 0, 9: 1}[kind]
        found.append(value)
        content += length
    return found
