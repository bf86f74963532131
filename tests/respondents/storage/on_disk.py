"""What the database's own files tell of what it stores."""

from pathlib import Path

from django.db import connection

from tests.concurrency import bytes_of


def run_sql(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall() if cursor.description else None


def files():
    """Return the files of the database and, in SQLite, of its write-ahead log."""
    if connection.vendor == "sqlite":
        name = connection.settings_dict["NAME"]
        return [path for path in (Path(name), Path(f"{name}-wal")) if path.exists()]
    run_sql("CHECKPOINT")
    [(cluster, table)] = run_sql(
        "SELECT current_setting('data_directory'), "
        "pg_relation_filepath('respondents_response')"
    )
    # All but what it remembers of its catalogue: that comes and goes at any time.
    return [
        path
        for path in Path(cluster, table).parent.iterdir()
        if not path.name.startswith("pg_internal.init")
    ]


def find_places(markers):
    """Return how often each of the markers occurs in the database's files."""
    contents = bytes_of(*files())
    return [contents.count(marker) for marker in markers]


def written(number):
    """Return the bytes by which the database writes a key.

    PostgreSQL: eight, the lowest first. SQLite: a big-endian varint, seven bits a byte
    and all eight of the ninth (https://sqlite.org/fileformat2.html#varint).
    """
    if connection.vendor == "postgresql":
        return number.to_bytes(8, "little")
    assert number >> 56, "shorter keys are written in fewer bytes"
    high, last = number >> 8, number & 0xFF
    return bytes([*(high >> 7 * n & 0x7F | 0x80 for n in range(7, -1, -1)), last])


def written_as_a_value(number):
    """Return the bytes of the same number in a column, such as that of an index."""
    order = "little" if connection.vendor == "postgresql" else "big"
    return number.to_bytes(8, order)
