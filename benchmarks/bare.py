"""The upper limit for `benchmarks/collection.py`: a WSGI function without a framework.

It serves the same page from memory and writes one durable row for each POST, without
any check. BARE_DATABASE is an SQLite file or a libpq connection string.
"""

import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import psycopg

TABLE = "CREATE TABLE bare (id bigint PRIMARY KEY, pattern {})"
INSERT = "INSERT INTO bare VALUES ({0}, {0})"

of_thread = threading.local()


@cache
def page() -> bytes:
    return Path(os.environ["BARE_PAGE"]).read_bytes()


def is_postgresql() -> bool:
    return "dbname=" in os.environ["BARE_DATABASE"]


def create_database() -> None:
    """Create the table before the workers start: changing to WAL mode cannot wait."""
    with closing(connect()) as opened:
        if is_postgresql():
            opened.execute(TABLE.format("bytea"))
            return
        opened.execute("PRAGMA journal_mode=WAL")
        opened.execute(TABLE.format("BLOB"))


def connect() -> Any:
    place = os.environ["BARE_DATABASE"]
    if is_postgresql():
        return psycopg.connect(place, autocommit=True, prepare_threshold=0)
    opened = sqlite3.connect(place, isolation_level=None, timeout=20)
    opened.execute("PRAGMA synchronous=FULL")
    return opened


def insert(pattern: bytes) -> None:
    if not hasattr(of_thread, "connection"):
        of_thread.connection = connect()
    statement = INSERT.format("%s" if is_postgresql() else "?")
    of_thread.connection.execute(statement, (secrets.randbits(63), pattern))


def application(
    environ: dict[str, Any], start_response: Callable[..., Any]
) -> Iterable[bytes]:
    if environ["REQUEST_METHOD"] == "POST":
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        insert(body[-12:-2])
        content, kind = b'{"recorded": true}', "application/json"
        headers = [("Content-Type", kind), ("Content-Length", str(len(content)))]
    else:
        content = page()
        headers = [
            ("Content-Type", "text/html"),
            ("Content-Length", str(len(content))),
            ("Content-Encoding", "gzip"),
        ]
    start_response("200 OK", headers)
    return [content]
