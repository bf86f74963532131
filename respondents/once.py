"""Responses and the marks that make retries recognisable: both stored, or neither.

All in one: whether the survey is open, which marks are new, and the responses. So
PostgreSQL is asked once and needs no transaction besides, and nobody can close a survey
between the question and the writing. In front of it and behind it, this is the one way
by which responses are stored (docs/decisions/0017-in-front-of-the-framework.md): one,
or as many as came meanwhile, for which the disk is waited for once.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from respondents.ids import random_id
from respondents.outages import in_time
from respondents.turns import turn

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
OPEN = "(SELECT id FROM surveys_survey WHERE id = {id} AND state = 'open'{lock})"
RESPONSE = "INSERT INTO respondents_response (id, survey_id, pattern)"

IN_POSTGRESQL = (
    "WITH survey AS {survey}, mark AS ({marked} RETURNING {column} AS mark), "  # noqa: S608
    f"response AS ({RESPONSE} {{rows}}) SELECT mark FROM mark"
)
ONE = "SELECT %(id)s, %(survey)s, %(pattern)s FROM mark"
SEVERAL = (
    "SELECT sent.id, %(survey)s, sent.pattern FROM mark "
    "JOIN unnest(%(marks)s::{kind}[], %(ids)s::bigint[], %(patterns)s::bytea[]) "
    "AS sent (mark, id, pattern) USING (mark)"
)


class Once(Generic[Mark]):
    """Stores a response for each mark of one kind, the first time that it comes."""

    def __init__(self, marking: str, *, each: str, column: str) -> None:
        found = OPEN.format(id=":survey", lock="")
        self.in_sqlite = marking.format(mark=":mark", survey=f"{found} AS survey")
        # KEY SHARE makes a closing survey (FOR UPDATE) wait for this statement and this
        # one for it; SQLite's IMMEDIATE transactions queue by themselves.
        found = OPEN.format(id="%(survey)s", lock=" FOR KEY SHARE")
        kind = "bigint" if column == "id" else "bytea"
        # Arrays cost as much as two or three responses: one alone is written without.
        self.one_in_postgresql, self.in_postgresql = (
            IN_POSTGRESQL.format(
                survey=found,
                marked=marking.format(mark=mark, survey="survey"),
                column=column,
                rows=rows,
            )
            for mark, rows in (("%(mark)s", ONE), (each, SEVERAL.format(kind=kind)))
        )

    def store(self, survey_id: int, patterns: Mapping[Mark, bytes]) -> set[Mark]:
        """Store {mark: pattern}, all in one transaction; return which marks were new.

        None is where the survey is not open.

        Django's own cursors would bring every value into its text, look for parameters
        and prepare nothing: half of the time of a response.
        """
        # Looked up once: which connection is this thread's is asked anew by each use of
        # `django.db.connection`, a sixth of the time of a response.
        database = connections[DEFAULT_DB_ALIAS]
        database.ensure_connection()
        with database.wrap_database_errors:
            if database.vendor == "sqlite":
                return self.sqlite(database, survey_id, patterns)
            return self.postgresql(database, survey_id, patterns)

    def sqlite(
        self,
        database: BaseDatabaseWrapper,
        survey_id: int,
        patterns: Mapping[Mark, bytes],
    ) -> set[Mark]:
        new = set()
        with turn(), one_transaction(database) as session:
            for mark, pattern in patterns.items():
                values = {"survey": survey_id, "mark": mark}
                if session.execute(self.in_sqlite, values).rowcount:
                    row = random_id(), survey_id, pattern
                    session.execute(f"{RESPONSE} VALUES (?, ?, ?)", row)
                    new.add(mark)
        return new

    def postgresql(
        self,
        database: BaseDatabaseWrapper,
        survey_id: int,
        patterns: Mapping[Mark, bytes],
    ) -> set[Mark]:
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
            with in_time(database):
                rows = Cursor(session).execute(statement, values)
                return {mark for (mark,) in rows}
        finally:
            session.prepare_threshold = usual


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


by_receipt: Once[int] = Once(RECEIPT, each="unnest(%(marks)s::bigint[])", column="id")
by_link: Once[bytes] = Once(LINK, each="ANY(%(marks)s::bytea[])", column="hash")
