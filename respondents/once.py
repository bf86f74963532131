"""One response and the mark that makes a retry recognisable: both stored, or neither.

All in one: whether the survey is open, whether the mark is new, and the response. So
PostgreSQL is asked once and needs no transaction besides, and nobody can close a survey
between the question and the writing. In front of it and behind it, this is the one way
by which responses are stored (docs/decisions/0017-in-front-of-the-framework.md).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from respondents.ids import random_id
from respondents.outages import in_time
from respondents.turns import turn

# `survey` is the row of the survey where it is open, and nothing otherwise.
RECEIPT = (
    "INSERT INTO respondents_receipt (id, survey_id) "
    "SELECT {mark}, survey.id FROM {survey} WHERE true ON CONFLICT DO NOTHING"
)
LINK = (
    "UPDATE respondents_invitation SET spent = true FROM {survey} "
    "WHERE hash = {mark} AND survey_id = survey.id AND NOT spent"
)
OPEN = "(SELECT id FROM surveys_survey WHERE id = {id} AND state = 'open'{lock})"
RESPONSE = "INSERT INTO respondents_response (id, survey_id, pattern)"


class Once:
    """Stores a response for each mark of one kind, the first time that it comes."""

    def __init__(self, marking: str) -> None:
        found = OPEN.format(id=":survey", lock="")
        self.in_sqlite = marking.format(mark=":mark", survey=f"{found} AS survey")
        # KEY SHARE makes a closing survey (FOR UPDATE) wait for this statement and this
        # one for it; SQLite's IMMEDIATE transactions queue by themselves.
        found = OPEN.format(id="%(survey)s", lock=" FOR KEY SHARE")
        marked = marking.format(mark="%(mark)s", survey="survey")
        values = "SELECT %(id)s, %(survey)s, %(pattern)s FROM mark"
        self.in_postgresql = (
            f"WITH survey AS {found}, mark AS ({marked} RETURNING 1) "
            f"{RESPONSE} {values}"
        )

    def store(self, survey_id: int, mark: object, pattern: bytes) -> bool:
        """Whether this wrote it; not so where the mark is old or the survey not open.

        Django's own cursors would bring every value into its text, look for parameters
        and prepare nothing: half of the time of a response.
        """
        values = {
            "survey": survey_id, "mark": mark, "id": random_id(), "pattern": pattern
        }  # fmt: skip
        # Looked up once: which connection is this thread's is asked anew by each use of
        # `django.db.connection`, a sixth of the time of a response.
        database = connections[DEFAULT_DB_ALIAS]
        database.ensure_connection()
        with database.wrap_database_errors:
            if database.vendor == "sqlite":
                return self.sqlite(database, values)
            return self.postgresql(database, values)

    def sqlite(
        self, database: BaseDatabaseWrapper, values: Mapping[str, object]
    ) -> bool:
        with turn(database), one_transaction(database) as session:
            if session.execute(self.in_sqlite, values).rowcount == 0:
                return False
            session.execute(f"{RESPONSE} VALUES (:id, :survey, :pattern)", values)
        return True

    def postgresql(
        self, database: BaseDatabaseWrapper, values: Mapping[str, object]
    ) -> bool:
        session = database.connection
        usual, session.prepare_threshold = session.prepare_threshold, 0
        try:
            with in_time(database):
                cursor = psycopg.Cursor(session)
                return cursor.execute(self.in_postgresql, values).rowcount == 1
        finally:
            session.prepare_threshold = usual


@contextmanager
def one_transaction(database: BaseDatabaseWrapper) -> Iterator[Any]:
    """Give SQLite's own connection in a transaction that may write."""
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
        # Also where the commit itself failed, as on a full disk.
        if session.in_transaction:
            session.execute("ROLLBACK")


by_receipt, by_link = Once(RECEIPT), Once(LINK)
