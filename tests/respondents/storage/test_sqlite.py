"""What SQLite alone promises, or can be made to do."""

import sqlite3
from contextlib import closing, contextmanager
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection

from respondents.models import (
    Receipt,
    Response,
    SealedPattern,
    close,
    compute_receipt_id,
    overwrite_deleted_rows,
)
from respondents.storage.exactly_once import by_receipt
from respondents.storage.invitations import Invitation, hash_token
from respondents.storage.outages import Cause, classify_error
from respondents.storage.secure_deletion import Unerased
from tests.factories import make_responses, make_survey
from tests.respondents.storage.arrival import SEEN_BY_CHANCE, order

pytestmark = pytest.mark.usefixtures("committed")


def run_sql(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return [value for (value,) in cursor.fetchall()]


@pytest.mark.parametrize(
    "selection",
    [
        "SELECT pattern FROM respondents_response",
        "SELECT pattern FROM respondents_response WHERE survey_id > 0",  # by its index
    ],
)
def test_responses_come_back_in_random_order(selection):
    arrivals = list(range(600))
    survey = make_survey(batch_size=10_000)
    make_responses(survey, [number.to_bytes(2, "big") for number in arrivals])

    rows = [int.from_bytes(pattern, "big") for pattern in run_sql(selection)]

    assert order(arrivals, rows) < SEEN_BY_CHANCE


def test_receipts_come_back_in_random_order():
    arrivals = list(range(600))
    survey = make_survey()
    make_responses(survey, [b"\x01"] * len(arrivals))
    number_of = {
        compute_receipt_id(survey, f"{number:032x}"): number for number in arrivals
    }

    ids = run_sql("SELECT id FROM respondents_receipt")

    assert order(arrivals, [number_of[one] for one in ids]) < SEEN_BY_CHANCE


def test_links_are_stored_in_the_order_of_their_hashes():
    survey = make_survey(access="invitation", batch_size=1000)
    tokens = Invitation.objects.make(survey, 100)
    for token in tokens[:60]:
        Response.objects.store_all_invited(survey, {token: b"\x01"})

    spent = run_sql("SELECT hash FROM respondents_invitation WHERE spent")

    assert spent == sorted(map(hash_token, tokens[:60]))


def test_rows_in_order_of_arrival_are_detected():
    assert order(range(600), range(600)) > SEEN_BY_CHANCE


@contextmanager
def full_disk():
    run_sql("VACUUM")  # no page is left to be used again
    [pages] = run_sql("PRAGMA page_count")
    [usual] = run_sql("PRAGMA max_page_count")
    run_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(OperationalError) as raised:
        yield
    assert classify_error(raised.value) is Cause.FULL
    run_sql(f"PRAGMA max_page_count = {usual}")


def test_a_full_disk_keeps_acknowledged_responses():
    survey = make_survey(batch_size=10_000)
    submissions = [f"{number:032x}" for number in range(500)]
    acknowledged = []

    def store_all():
        for submission in submissions:
            Response.objects.store(survey, submission, b"\x01")
            acknowledged.append(submission)

    with full_disk():
        store_all()
    stored = {compute_receipt_id(survey, submission) for submission in acknowledged}
    assert set(Receipt.objects.values_list("id", flat=True)) == stored
    assert Response.objects.count() == len(stored)
    with full_disk():  # a whole group, or nothing of it
        Response.objects.store_all(survey, dict.fromkeys(submissions, b"\x01"))
    assert Response.objects.count() == Receipt.objects.count() == len(stored)

    store_all()
    assert Response.objects.count() == len(submissions)


def seal_as_cron_does():
    call_command("seal", stdout=StringIO())


def seal_a_batch_of_another_survey():
    other = make_survey(slug="other", batch_size=2)
    make_responses(other, [b"\x01"] * other.seals_at)
    Response.objects.seal_if_due(other)


@pytest.mark.parametrize(
    "try_again", [seal_as_cron_does, seal_a_batch_of_another_survey]
)
def test_a_survey_closes_during_a_long_read_and_is_erased_later(caplog, try_again):
    survey = make_survey()
    make_responses(survey, [b"\x01"])
    run_sql("PRAGMA busy_timeout = 100")

    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM respondents_response").fetchone()
        close(survey)

    assert SealedPattern.objects.counts(survey) == {b"\x01": 1}
    assert "readers keep the write-ahead log from shrinking" in caplog.text
    assert Unerased.objects.count() == 1
    try_again()
    assert not Unerased.objects.exists()
    overwrite_deleted_rows()  # as the next closing does
    run_sql("PRAGMA busy_timeout = 20000")


def test_an_error_while_storing_blocks_no_one():
    """Left open, its transaction would keep the right to write, and half a response."""
    survey = make_survey()
    with pytest.raises(DatabaseError):
        by_receipt.store(survey.pk, {1: b"\1", 2: object()})
    assert not connection.connection.in_transaction
    assert by_receipt.store(survey.pk, {1: b"\1"}) == {1: True}
    assert (Receipt.objects.count(), Response.objects.count()) == (1, 1)
