"""The limit of `benchmarks/collection.py`: a WSGI function without a framework.

It answers the same page from memory and writes one durable row for each POST, checking
nothing.
"""

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any


@cache
def page() -> bytes:
    return Path(os.environ["BARE_PAGE"]).read_bytes()


def create_database(path: Path) -> None:
    """Once, before the workers start: SQLite does not wait to change this mode."""
    with closing(sqlite3.connect(path)) as opened:
        opened.execute("PRAGMA journal_mode=WAL")
        opened.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, pattern BLOB)")


@cache
def connection() -> sqlite3.Connection:
    opened = sqlite3.connect(
        os.environ["BARE_DATABASE"],
        isolation_level=None,
        check_same_thread=False,
        timeout=20,
    )
    opened.execute("PRAGMA synchronous=FULL")
    return opened


def application(
    environ: dict[str, Any], start_response: Callable[..., Any]
) -> Iterable[bytes]:
    if environ["REQUEST_METHOD"] == "POST":
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        connection().execute(
            "INSERT INTO row VALUES (?, ?)", (secrets.randbits(63), body[-12:-2])
        )
        content, kind = b'{"recorded": true}', "application/json"
    else:
        content, kind = page(), "text/html"
    headers = [("Content-Type", kind), ("Content-Length", str(len(content)))]
    start_response("200 OK", headers)
    return [content]
