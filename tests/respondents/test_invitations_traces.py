"""A copy of the database does not link invitations to reports: docs/decisions/0006."""

import hashlib
import sqlite3
import time
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from django.db import connection, connections

from respondents.models import Response, SealedPattern, close
from respondents.storage.invitations import Invitation, hash_token
from respondents.storage.secure_deletion import overwrite_recent_pairs
from tests.concurrency import bytes_of
from tests.factories import make_survey
from tests.respondents.storage.arrival import SEEN_BY_CHANCE, order
from tests.respondents.storage.on_disk import find_places, run_sql

pytestmark = pytest.mark.usefixtures("committed")

PEOPLE = 600

WAL_HEADER, FRAME_HEADER = 32, 24
"""Bytes, https://sqlite.org/fileformat2.html#the_write_ahead_log."""


def invite(count, **fields):
    """Return a survey and its links."""
    survey = make_survey(access="invitation", **{"batch_size": 10_000, **fields})
    return survey, Invitation.objects.make(survey, count)


def patterns_of_people():
    """One pattern for each person, in an order that has nothing to do with theirs."""
    places = sorted(
        range(PEOPLE), key=lambda n: hashlib.sha256(n.to_bytes(2, "big")).digest()
    )
    return [place.to_bytes(2, "big") for place in places]


def write_ahead_log():
    return Path(f"{connection.settings_dict['NAME']}-wal")


def restart_the_log():
    """SQLite does so by itself every thousand pages: not amid what is counted, then."""
    if connection.vendor == "sqlite":
        run_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def transactions_in_the_log():
    """Return how many transactions SQLite's log still holds one by one.

    Each is a run of pages up to a commit: what was written together stands together.
    """
    log = bytes_of(write_ahead_log())
    page = int.from_bytes(log[8:12], "big")
    frames = range(WAL_HEADER, len(log), FRAME_HEADER + page)
    salt = log[16:24]  # frames of an older log have another one
    return sum(
        any(log[start + 4 : start + 8]) and log[start + 8 : start + 16] == salt
        for start in frames
    )


def rows_of_one_transaction():
    """Return how many links and responses PostgreSQL's rows show to be of one time."""
    [(pairs,)] = run_sql(
        "SELECT count(*) FROM respondents_invitation JOIN ("
        "SELECT xmin FROM respondents_response UNION ALL "
        "SELECT xmin FROM respondents_sealedpattern) AS reports "
        "ON respondents_invitation.xmin::text = reports.xmin::text"
    )
    return pairs


pairs = {"sqlite": transactions_in_the_log, "postgresql": rows_of_one_transaction}[
    connection.vendor
]


@pytest.mark.storage
def test_sealing_removes_pairs_of_links_and_responses_from_the_log():
    survey, tokens = invite(20)
    restart_the_log()
    for token in tokens[:-1]:
        Response.objects.store_all_invited(survey, {token: b"\x01"})
    assert pairs() >= 19

    Response.objects.seal(survey)
    assert pairs() == 0


def test_due_batches_are_sealed_automatically(monkeypatch):
    survey, tokens = invite(40, batch_size=20)
    restart_the_log()
    for token in tokens[:-1]:
        Response.objects.store_all_invited(survey, {token: b"\x01"})
    assert pairs() >= 39
    monkeypatch.setattr("secrets.randbelow", lambda _below: 0)
    Response.objects.store_all_invited(survey, {tokens[-1]: b"\x01"})
    # Nor can those be paired any more that are left for the next batch.
    assert Response.objects.count() == 20
    assert pairs() == 0


@pytest.mark.storage
def test_held_back_responses_leave_no_deleted_copies():
    """Deleted, a row of PostgreSQL has its bytes, and by `xmin` its link, as before."""
    markers = [f"pattern-number-{number:02d}".encode() for number in range(45)]
    survey, tokens = invite(45)
    for token, marker in zip(tokens, markers, strict=True):
        Response.objects.store_all_invited(survey, {token: marker})

    Response.objects.seal(survey, leave=20)

    # A count has an index besides, and a response that is held back has none.
    assert sorted(find_places(markers)) == [1] * 20 + [2] * 25


@pytest.mark.storage
def test_closing_leaves_no_bytes_of_a_link():
    survey, tokens = invite(60)
    other, others = invite(20, slug="another")
    for token in tokens[:30]:
        Response.objects.store_all_invited(survey, {token: b"\x01"})
    run_sql("ANALYZE")  # what PostgreSQL does by itself: it would keep samples of rows
    hashes = [hash_token(token) for token in tokens]
    assert all(find_places(hashes))

    close(survey)

    assert not any(find_places(hashes))
    assert all(find_places([hash_token(token) for token in others]))
    assert Invitation.objects.filter(survey=other).count() == 20


@pytest.mark.storage
def test_row_order_does_not_pair_links_with_sealed_reports():
    survey, tokens = invite(PEOPLE)
    patterns = patterns_of_people()
    for token, pattern in zip(tokens, patterns, strict=True):
        Response.objects.store_all_invited(survey, {token: pattern})
    Response.objects.seal(survey)

    links = run_sql("SELECT hash FROM respondents_invitation WHERE spent")
    person_of = {hash_token(token): number for number, token in enumerate(tokens)}
    by_link = [person_of[bytes(hash)] for (hash,) in links]
    sealed = run_sql("SELECT pattern FROM respondents_sealedpattern")
    by_count = [patterns.index(bytes(pattern)) for (pattern,) in sealed]
    place_of = {person: place for place, person in enumerate(by_count)}
    guessed = [place_of[person] for person in by_link]

    assert sorted(by_link) == sorted(by_count) == list(range(PEOPLE))
    assert order(range(PEOPLE), guessed) < SEEN_BY_CHANCE
    # Nor do the counts alone lie as people came.
    assert order(range(PEOPLE), by_count) < SEEN_BY_CHANCE


def copy():
    """Return what a backup holds: spent links, single responses, counts."""
    links = Invitation.objects.filter(spent=True).values_list("hash", flat=True)
    tail = Response.objects.values_list("pattern", flat=True)
    counts = SealedPattern.objects.values_list("pattern", "count")
    return {bytes(hash) for hash in links}, list(tail), sum(n for _, n in counts)


def test_two_database_copies_pair_only_whole_batches(monkeypatch):
    monkeypatch.setattr("secrets.randbelow", lambda _below: 0)
    step = 5
    survey, tokens = invite(4 * step, batch_size=step)
    copies = []
    for number, token in enumerate(tokens, start=1):
        Response.objects.store_all_invited(survey, {token: bytes([number])})
        if number % step == 0 and number > step:
            copies.append(copy())

    for before, after in pairwise(copies):
        assert len(before[1]) == len(after[1]) == step
        assert len(after[0] - before[0]) == after[2] - before[2] == step


@contextmanager
def long_read_transaction():
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(connection.settings_dict["NAME"])) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM respondents_response").fetchone()
            yield
        return
    other = connections.create_connection("default")
    other.set_autocommit(False)
    with other.cursor() as cursor:
        cursor.execute("LOCK TABLE respondents_response IN SHARE MODE")
    yield
    other.rollback()
    other.close()


@pytest.mark.storage
def test_erasing_does_not_wait():
    survey, tokens = invite(3)
    Response.objects.store_all_invited(survey, {tokens[0]: b"\x01"})
    with long_read_transaction():
        begin = time.monotonic()
        overwrite_recent_pairs()
        # With waiting, it would be 20 seconds in SQLite, and for ever in PostgreSQL.
        assert time.monotonic() - begin < 15
    for token in tokens[1:]:
        Response.objects.store_all_invited(survey, {token: b"\x01"})
    Response.objects.seal(survey)
    assert pairs() == 0
    if connection.vendor == "sqlite":
        assert run_sql("PRAGMA busy_timeout") == [(20_000,)]
