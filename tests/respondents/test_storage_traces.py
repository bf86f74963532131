"""What the database's own files still tell, and do not."""

from pathlib import Path

import pytest
from django.db import connection

from respondents.models import Response, close, receipt_id
from tests.concurrency import bytes_of
from tests.factories import make_survey

pytestmark = [pytest.mark.storage, pytest.mark.usefixtures("committed")]


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


def places_of(markers):
    """Return how often each of the markers occurs in the database's files."""
    contents = bytes_of(*files())
    return [contents.count(marker) for marker in markers]


def test_closing_leaves_no_bytes_of_a_single_response():
    # A pattern lives on in the counts: the row, and the index of the unique key. The
    # responses of a survey that stays open keep the pages from being given back whole.
    marker = b"pattern-that-can-be-found"
    survey, other = (
        make_survey(slug=slug, batch_size=1000) for slug in ("study", "another")
    )
    for number in range(40):
        Response.objects.store(survey, f"{number:032x}", marker)
        Response.objects.store(other, f"{number:032x}", b"x")
    assert places_of([marker])[0] >= 40

    Response.objects.seal(survey)
    Response.objects.store(survey, "f" * 32, marker)
    close(survey)

    assert places_of([marker]) == [2]


def test_closing_leaves_no_bytes_of_a_receipt():
    survey, other = (
        make_survey(slug=slug, batch_size=1000) for slug in ("study", "another")
    )
    for number in range(40):
        Response.objects.store(survey, f"{number:032x}", b"\x01")
        Response.objects.store(other, f"{number:032x}", b"\x01")
    receipts = [written(receipt_id(survey, f"{number:032x}")) for number in range(40)]
    run_sql("ANALYZE")  # what PostgreSQL does by itself: it would keep samples of rows
    assert all(places_of(receipts))

    close(survey)

    assert not any(places_of(receipts))


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
