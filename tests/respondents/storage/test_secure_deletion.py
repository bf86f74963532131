"""What the database's own files still tell, and do not."""

import pytest
from django.db import connection

from respondents import models
from respondents.models import Response, close, compute_receipt_id
from respondents.storage.secure_deletion import Unerased, retry_overwriting
from tests.factories import make_survey
from tests.respondents.storage.on_disk import (
    find_places,
    run_sql,
    written,
    written_as_a_value,
)

pytestmark = [pytest.mark.storage, pytest.mark.usefixtures("committed")]


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
    assert find_places([marker])[0] >= 40

    Response.objects.seal(survey)
    Response.objects.store(survey, "f" * 32, marker)
    close(survey)

    assert find_places([marker]) == [2]


def test_closing_leaves_no_bytes_of_a_receipt():
    survey, other = (
        make_survey(slug=slug, batch_size=1000) for slug in ("study", "another")
    )
    for number in range(15):
        Response.objects.store(survey, f"{number:032x}", b"\x01")
        Response.objects.store(other, f"{number:032x}", b"\x01")
    numbers = [compute_receipt_id(survey, f"{number:032x}") for number in range(15)]
    receipts = [*map(written, numbers), *map(written_as_a_value, numbers)]
    run_sql("ANALYZE")  # what PostgreSQL does by itself: it would keep samples of rows
    assert all(find_places(receipts))

    close(survey)

    assert not any(find_places(receipts))


def test_closing_frees_the_space_of_deleted_rows():
    """Or the size of the files would tell how many answered, also who was deleted."""
    survey = make_survey(batch_size=1000)
    for number in range(200):
        Response.objects.store(survey, f"{number:032x}", b"\x01" * 100)
    close(survey)
    if connection.vendor == "sqlite":
        assert run_sql("PRAGMA freelist_count") == [(0,)]
    else:
        assert run_sql("SELECT pg_relation_size('respondents_receipt')") == [(0,)]
        assert run_sql("SELECT pg_relation_size('respondents_response')") == [(0,)]


def test_closing_leaves_no_highest_receipt_number():
    """SQLite notes the largest number that a table ever had, and keeps the note."""
    if connection.vendor == "sqlite":
        run_sql("DELETE FROM sqlite_sequence")  # of what other tests stored
    survey = make_survey(batch_size=1000)
    names = [f"{number:032x}" for number in range(5)]
    for name in names:
        Response.objects.store(survey, name, b"\x01")
    largest = written_as_a_value(
        max(compute_receipt_id(survey, name) for name in names)
    )
    assert find_places([largest]) != [0]

    close(survey)

    assert find_places([largest]) == [0]
    Response.objects.store(make_survey(slug="later"), "f" * 32, b"\x01")


def test_a_killed_close_records_what_to_erase(monkeypatch):
    survey = make_survey()
    with monkeypatch.context() as dies:
        dies.setattr(models, "overwrite_deleted_rows", lambda: None)
        close(survey)
    assert Unerased.objects.count() == 1
    retry_overwriting()
    assert not Unerased.objects.exists()
