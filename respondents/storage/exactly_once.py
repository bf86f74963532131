"""Responses and the marks that make retries recognisable: both stored, or neither.

All in one: whether the survey is open, which marks are new or there already, and the
responses. So PostgreSQL is asked once and needs no transaction besides, and nobody can
close a survey between the question and the writing. In front of it and behind it, this
is the one way by which responses are stored
(docs/decisions/0017-in-front-of-the-framework.md): one, or as many as came meanwhile,
for which the disk is waited for once.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from respondents.storage.outages import in_time
from respondents.storage.random_ids import random_id
from respondents.storage.write_lock import turn

Mark = TypeVar("Mark", int, bytes)

# `survey` is the row of the survey where it is open, and nothing otherwise.
RECEIPT = (
    "INSERT INTO respondents_receipt (id, survey_id) "
    "SELECT {mark}, survey.id FROM {survey} WHERE true ON CONFLICT DO NOTHING"
)
LINK = (
    "UPDATE respondents_invitation SET spent = true FROM {survey} "
    "WHERE hash = {mark} AND survey_id = survey.id AND NOT spent"
)
# Which marks are there, where the survey is open: a receipt that is not new is.
OF_RECEIPTS = "SELECT {mark}, false FROM {survey}"
OF_LINKS = (
    "SELECT hash, false FROM respondents_invitation, {survey} "
    "WHERE hash = {mark} AND survey_id = survey.id"
)
OPEN = "(SELECT id FROM surveys_survey WHERE id = {id} AND state = 'open'{lock})"
RESPONSE = "INSERT INTO respondents_response (id, survey_id, pattern)"

# In PostgreSQL: `mark` has the marks that are new.
MARKED_BY_RECEIPT = f"mark AS ({RECEIPT} RETURNING id AS mark)"
ANSWER_BY_RECEIPT = (
    "SELECT {mark}, false FROM {survey} UNION ALL SELECT mark, true FROM mark"
)
# The role that stores may not read or change links: only this function may.
MARKED_BY_LINK = (
    "link AS MATERIALIZED (SELECT sent.mark, "
    "respondents_spend(survey.id, sent.mark) AS is_new "
    "FROM {survey}, {mark} AS sent (mark)), "
    "mark AS (SELECT mark FROM link WHERE is_new)"
)
ANSWER_BY_LINK = "SELECT mark, is_new FROM link WHERE is_new IS NOT NULL"
IN_POSTGRESQL = (
    "WITH survey AS {survey}, {marked}, "
    f"response AS ({RESPONSE} {{rows}}) {{answer}}"
)
ONE = "SELECT %(id)s, %(survey)s, %(pattern)s FROM mark"
SEVERAL = (
    "SELECT sent.id, %(survey)s, sent.pattern FROM mark "
    "JOIN unnest(%(marks)s::{kind}[], %(ids)s::bigint[], %(patterns)s::bytea[]) "
    "AS sent (mark, id, pattern) USING (mark)"
)


class Once(Generic[Mark]):
    """Stores a response for each mark of one kind, the first time that it comes.

    With `hides`, it takes as long to be told that a mark is not new.
    """

    def __init__(
        self,
        marking: str,
        there: str,
        *,
        marked: str,
        answer: str,
        kind: str,
        one: str,
        several: str,
        hides: bool,
    ) -> None:
        self.hides = hides
        found = OPEN.format(id=":survey", lock="")
        self.in_sqlite, self.there_in_sqlite = (
            text.format(mark=":mark", survey=f"{found} AS survey")
            for text in (marking, there)
        )
        # KEY SHARE makes a closing survey (FOR UPDATE) wait for this statement and this
        # one for it; SQLite's IMMEDIATE transactions queue by themselves.
        found = OPEN.format(id="%(survey)s", lock=" FOR KEY SHARE")
        # Arrays cost as much as two or three responses: one alone is written without.
        self.one_in_postgresql, self.in_postgresql = (
            IN_POSTGRESQL.format(
                survey=found,
                marked=marked.format(mark=mark, survey="survey"),
                answer=answer.format(mark=mark, survey="survey"),
                rows=rows,
            )
            for mark, rows in ((one, ONE), (several, SEVERAL.format(kind=kind)))
        )

    def store(self, survey_id: int, patterns: Mapping[Mark, bytes]) -> dict[Mark, bool]:
        """Store {mark: pattern}, all in one transaction; return {mark: is new}.

        Of those that are there now. None is where the survey is not open.

        Django's own cursors would bring every value into its text, look for parameters
        and prepare nothing: half of the time of a response.
        """
        # Looked up once: which connection is this thread's is asked anew by each use of
        # `django.db.connection`, a sixth of the time of a response.
        database = connections[DEFAULT_DB_ALIAS]
        if database.vendor == "sqlite":
            database.ensure_connection()
            with database.wrap_database_errors:
                return self.sqlite(database, survey_id, patterns)
        with in_time(database):
            database.ensure_connection()
            with database.wrap_database_errors:
                return self.postgresql(database, survey_id, patterns)

    def sqlite(
        self,
        database: BaseDatabaseWrapper,
        survey_id: int,
        patterns: Mapping[Mark, bytes],
    ) -> dict[Mark, bool]:
        there = {}
        with turn(), one_transaction(database) as session:
            for mark, pattern in patterns.items():
                values = {"survey": survey_id, "mark": mark}
                if session.execute(self.in_sqlite, values).rowcount:
                    row = random_id(), survey_id, pattern
                    session.execute(f"{RESPONSE} VALUES (?, ?, ?)", row)
                    there[mark] = True
                elif session.execute(self.there_in_sqlite, values).fetchone():
                    there[mark] = False
                    if self.hides:
                        write_in_vain(session, survey_id, length=len(pattern))
        return there

    def postgresql(
        self,
        database: BaseDatabaseWrapper,
        survey_id: int,
        patterns: Mapping[Mark, bytes],
    ) -> dict[Mark, bool]:
        # A door on SQLite needs none of it: 6 MB.
        from psycopg import Cursor

        values: dict[str, Any] = {"survey": survey_id}
        if len(patterns) == 1:
            statement = self.one_in_postgresql
            [(mark, pattern)] = patterns.items()
            values |= {"mark": mark, "id": random_id(), "pattern": pattern}
        else:
            statement = self.in_postgresql
            # In the same order by all: two that bring the same wait for one another.
            marks = sorted(patterns)
            values |= {
                "marks": array_of(marks),
                "ids": array_of([random_id() for _ in marks]),
                "patterns": array_of([patterns[mark] for mark in marks]),
            }
        session = database.connection
        usual, session.prepare_threshold = session.prepare_threshold, 0
        try:
            there: dict[Mark, bool] = {}
            for mark, is_new in Cursor(session).execute(statement, values):
                there[mark] = there.get(mark, False) or is_new  # new: it is both
            return there
        finally:
            session.prepare_threshold = usual


def write_in_vain(session: Any, survey_id: int, *, length: int) -> None:
    """Have the disk do for a used link what it does for a new one.

    It waits for a transaction only that has changed something, for milliseconds, and
    refuses none other when it is full: whoever has the list of links could try each and
    see by the time, or then, who has answered. PostgreSQL notes the lock on the survey
    and so waits by itself.
    """
    row = random_id(), survey_id, bytes(length)
    session.execute(f"{RESPONSE} VALUES (?, ?, ?)", row)
    session.execute("DELETE FROM respondents_response WHERE id = ?", row[:1])


def array_of(values: Sequence[int | bytes]) -> str:
    """Return an array as PostgreSQL writes it: half the time of psycopg's own."""
    texts = [
        f"{value}" if isinstance(value, int) else rf'"\\x{value.hex()}"'
        for value in values
    ]
    return f"{{{','.join(texts)}}}"


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


by_receipt: Once[int] = Once(
    RECEIPT,
    OF_RECEIPTS,
    marked=MARKED_BY_RECEIPT,
    answer=ANSWER_BY_RECEIPT,
    kind="bigint",
    one="%(mark)s",
    several="unnest(%(marks)s::bigint[])",
    hides=False,
)
by_link: Once[bytes] = Once(
    LINK,
    OF_LINKS,
    marked=MARKED_BY_LINK,
    answer=ANSWER_BY_LINK,
    kind="bytea",
    one="(VALUES (%(mark)s::bytea))",
    several="unnest(%(marks)s::bytea[])",
    hides=True,
)
