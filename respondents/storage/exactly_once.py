"""Stores a response with the mark that makes a retry recognisable: both, or neither.

The mark is the receipt of a submission, or a one-time link. One statement checks that
the survey is open, adds the mark and adds the response. So PostgreSQL needs one round
trip, and a survey cannot close in between. Several responses share one transaction,
which waits for the disk once; in PostgreSQL they also share the statement.
"""

import secrets
from collections.abc import Iterable, Iterator, Mapping

# ruff: noqa: S608 - the statements are put together from constants
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from respondents.storage.outages import limit_waiting
from respondents.storage.write_lock import hold_write_lock


class SurveyClosedError(Exception):
    """The survey takes no responses: it is a draft, or closed."""


Mark = TypeVar("Mark", int, bytes)

RESPONSE = "INSERT INTO respondents_response (id, survey_id, pattern)"

# Selects the row of the survey if it is open.
OPEN = "SELECT id FROM surveys_survey WHERE id = {} AND state = 'open'"
OPEN_IN_SQLITE = f"({OPEN.format(':survey')}) AS survey"
# KEY SHARE makes a closing survey (FOR UPDATE) wait for this statement and this one for
# it. SQLite's IMMEDIATE transactions exclude each other anyway.
OPEN_IN_POSTGRESQL = f"WITH survey AS ({OPEN.format('%(survey)s')} FOR KEY SHARE)"
RESPONSE_IN_POSTGRESQL = f"{RESPONSE} SELECT %(id)s, %(survey)s, %(pattern)s"
# The rows of a group, as arrays. Arrays cost as much as two or three responses, so a
# single response does not use them.
SENT_IN_POSTGRESQL = (
    "sent AS MATERIALIZED (SELECT * FROM unnest(%(marks)s::{}[], %(ids)s::bigint[], "
    "%(patterns)s::bytea[]) AS sent (mark, id, pattern))"
)
RESPONSES_IN_POSTGRESQL = f"{RESPONSE} SELECT sent.id, %(survey)s, sent.pattern"


@dataclass(frozen=True)
class ExactlyOnceStore(Generic[Mark]):
    """Stores a response the first time that its mark arrives; one kind of mark."""

    add_in_sqlite: str
    """Adds the mark if it is new and the survey is open."""
    find_in_sqlite: str
    """Selects a row if the mark exists and the survey is open."""
    in_postgresql: str
    """Stores both; if the mark then exists, selects whether it is new."""
    group_in_postgresql: str
    """Stores several; selects each mark that then exists, and whether it is new."""
    hides_retries: bool
    """Whether a mark that is not new must take as long as a new one."""

    def store(self, survey_id: int, patterns: Mapping[Mark, bytes]) -> dict[Mark, bool]:
        """Store {mark: pattern} in one transaction; return {mark: is new}.

        Only marks that then exist are returned: none if the survey is not open.
        Django's cursors are not used: they format every value into the statement and
        prepare none, which takes half of the time of a response.
        """
        # Looked up once, because each use of `django.db.connection` looks up the
        # connection of the thread: a sixth of the time of a response.
        database = connections[DEFAULT_DB_ALIAS]
        if database.vendor == "sqlite":
            database.ensure_connection()
            with database.wrap_database_errors:
                return self.store_in_sqlite(database, survey_id, patterns)
        with limit_waiting(database):
            database.ensure_connection()
            with database.wrap_database_errors:
                return self.store_in_postgresql(database, survey_id, patterns)

    def store_in_sqlite(
        self,
        database: BaseDatabaseWrapper,
        survey_id: int,
        patterns: Mapping[Mark, bytes],
    ) -> dict[Mark, bool]:
        there = {}
        with hold_write_lock(), open_transaction(database) as session:
            for mark, pattern in patterns.items():
                values = {"survey": survey_id, "mark": mark}
                if session.execute(self.add_in_sqlite, values).rowcount:
                    row = draw_random_id(), survey_id, pattern
                    session.execute(f"{RESPONSE} VALUES (?, ?, ?)", row)
                    there[mark] = True
                elif session.execute(self.find_in_sqlite, values).fetchone():
                    there[mark] = False
                    if self.hides_retries:
                        write_and_delete(session, survey_id, length=len(pattern))
        return there

    def store_in_postgresql(
        self,
        database: BaseDatabaseWrapper,
        survey_id: int,
        patterns: Mapping[Mark, bytes],
    ) -> dict[Mark, bool]:
        # Imported here because a server on SQLite does not need it: 6 MB.
        from psycopg import Cursor

        # Sorted, so that two groups with the same marks do not deadlock.
        marks = sorted(patterns)
        ids = [draw_random_id() for _ in marks]
        values: dict[str, Any] = {"survey": survey_id}
        if len(marks) == 1:
            statement = self.in_postgresql
            values |= {"mark": marks[0], "id": ids[0], "pattern": patterns[marks[0]]}
        else:
            statement = self.group_in_postgresql
            values |= {
                "marks": format_array(marks),
                "ids": format_array(ids),
                "patterns": format_array(patterns[mark] for mark in marks),
            }
        session = database.connection
        usual, session.prepare_threshold = session.prepare_threshold, 0
        try:
            rows = Cursor(session).execute(statement, values).fetchall()
        finally:
            session.prepare_threshold = usual
        if len(marks) == 1:  # its statement selects no mark
            return dict.fromkeys(marks, *rows[0]) if rows else {}
        return dict(rows)


def format_array(values: Iterable[int | bytes]) -> str:
    """Return an array in PostgreSQL's syntax, in half the time that psycopg takes."""
    texts = [
        f"{value}" if isinstance(value, int) else rf'"\\x{value.hex()}"'
        for value in values
    ]
    return f"{{{','.join(texts)}}}"


def write_and_delete(session: Any, survey_id: int, *, length: int) -> None:
    """Write and delete a row, so that used and new links cost the same.

    Otherwise anyone with the list of links could try each of them, and the response
    time would show who has answered: SQLite waits milliseconds for the disk only if a
    transaction has changed something, and only then fails if the disk is full.
    PostgreSQL records the lock on the survey and so waits in either case.
    """
    row = draw_random_id(), survey_id, bytes(length)
    session.execute(f"{RESPONSE} VALUES (?, ?, ?)", row)
    session.execute("DELETE FROM respondents_response WHERE id = ?", row[:1])


@contextmanager
def open_transaction(database: BaseDatabaseWrapper) -> Iterator[Any]:
    session = database.connection
    if database.in_atomic_block:
        with transaction.atomic():
            yield session
        return
    session.execute("BEGIN IMMEDIATE")
    try:
        yield session
        session.execute("COMMIT")
    finally:
        # Also if the commit itself failed, for example on a full disk.
        if session.in_transaction:
            session.execute("ROLLBACK")


by_receipt: ExactlyOnceStore[int] = ExactlyOnceStore(
    add_in_sqlite=(
        "INSERT INTO respondents_receipt (id, survey_id) SELECT :mark, survey.id "
        f"FROM {OPEN_IN_SQLITE} WHERE true ON CONFLICT DO NOTHING"
    ),
    # A receipt that was not added already exists.
    find_in_sqlite=f"SELECT 1 FROM {OPEN_IN_SQLITE}",
    in_postgresql=(
        f"{OPEN_IN_POSTGRESQL}, receipt AS ("
        "INSERT INTO respondents_receipt (id, survey_id) SELECT %(mark)s, survey.id "
        "FROM survey ON CONFLICT DO NOTHING RETURNING id), "
        f"response AS ({RESPONSE_IN_POSTGRESQL} FROM receipt) "
        "SELECT EXISTS (SELECT FROM receipt) FROM survey"
    ),
    group_in_postgresql=(
        f"{OPEN_IN_POSTGRESQL}, {SENT_IN_POSTGRESQL.format('bigint')}, receipt AS ("
        "INSERT INTO respondents_receipt (id, survey_id) SELECT sent.mark, survey.id "
        "FROM survey, sent ON CONFLICT DO NOTHING RETURNING id), response AS ("
        f"{RESPONSES_IN_POSTGRESQL} FROM sent JOIN receipt ON receipt.id = sent.mark) "
        "SELECT sent.mark, receipt.id IS NOT NULL "
        "FROM survey, sent LEFT JOIN receipt ON receipt.id = sent.mark"
    ),
    hides_retries=False,
)
by_link: ExactlyOnceStore[bytes] = ExactlyOnceStore(
    add_in_sqlite=(
        f"UPDATE respondents_invitation SET spent = true FROM {OPEN_IN_SQLITE} "
        "WHERE hash = :mark AND survey_id = survey.id AND NOT spent"
    ),
    find_in_sqlite=(
        f"SELECT 1 FROM respondents_invitation, {OPEN_IN_SQLITE} "
        "WHERE hash = :mark AND survey_id = survey.id"
    ),
    # The role that stores may neither read nor change links: only this function may.
    in_postgresql=(
        f"{OPEN_IN_POSTGRESQL}, link AS MATERIALIZED ("
        "SELECT respondents_spend(survey.id, %(mark)s) AS is_new FROM survey), "
        f"response AS ({RESPONSE_IN_POSTGRESQL} FROM link WHERE is_new) "
        "SELECT is_new FROM link WHERE is_new IS NOT NULL"
    ),
    group_in_postgresql=(
        f"{OPEN_IN_POSTGRESQL}, {SENT_IN_POSTGRESQL.format('bytea')}, "
        "link AS MATERIALIZED (SELECT sent.mark, "
        "respondents_spend(survey.id, sent.mark) AS is_new FROM survey, sent), "
        f"response AS ({RESPONSES_IN_POSTGRESQL} FROM sent JOIN link USING (mark) "
        "WHERE link.is_new) SELECT mark, is_new FROM link WHERE is_new IS NOT NULL"
    ),
    hides_retries=True,
)


ID_BITS = 63


def draw_random_id() -> int:
    """Return an id that does not disclose when a row was written.

    Measured: with automatic, UUID or random non-key ids SQLite still returns rows in
    the order of insertion; with a random 63-bit primary key it does not.
    """
    return secrets.randbits(ID_BITS)
