"""Every statement that SQLite carries out, also those that Django is not asked for."""

from contextlib import contextmanager

from django.db import connection


@contextmanager
def statements():
    """Give the list that the statements of this connection are added to."""
    run = []
    connection.ensure_connection()
    connection.connection.set_trace_callback(run.append)
    try:
        yield run
    finally:
        connection.connection.set_trace_callback(None)
