"""What keeps a database from writing, for as long as a block lasts."""

import subprocess
import sys
from contextlib import contextmanager

from django.db import connection, connections

from tests.respondents.storage.on_disk import run_sql

HOLD_EXCLUSIVELY = """\
import sqlite3, sys
connection = sqlite3.connect(sys.stdin.readline().rstrip(), isolation_level=None)
connection.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def long_write_by_another_process():
    holder = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", HOLD_EXCLUSIVELY],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    holder.stdin.write(f"{connection.settings_dict['NAME']}\n")
    holder.stdin.flush()
    assert holder.stdout.readline() == "held\n"
    [(usual,)] = run_sql("PRAGMA busy_timeout")
    run_sql("PRAGMA busy_timeout = 100")
    try:
        yield
    finally:
        run_sql(f"PRAGMA busy_timeout = {usual}")
        holder.communicate()


@contextmanager
def read_only_file():
    run_sql("PRAGMA query_only = ON")
    try:
        yield
    finally:
        run_sql("PRAGMA query_only = OFF")


@contextmanager
def long_table_lock(table="respondents_response"):
    other = connections.create_connection("default")
    other.set_autocommit(False)
    with other.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
    run_sql("SET lock_timeout = '100ms'")
    try:
        yield
    finally:
        run_sql("RESET lock_timeout")
        other.rollback()
        other.close()


@contextmanager
def standby_server():
    run_sql("SET default_transaction_read_only = on")
    try:
        yield
    finally:
        run_sql("RESET default_transaction_read_only")


OBSTACLES = {
    "sqlite": [long_write_by_another_process, read_only_file],
    "postgresql": [long_table_lock, standby_server],
}
