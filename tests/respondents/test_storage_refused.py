"""Where the database cannot write, nothing is acknowledged and a retry is stored."""

import subprocess
import sys
from contextlib import contextmanager

import pytest
from django.db import InternalError, OperationalError, connection, connections

from respondents.models import Receipt, Response, SealedPattern
from tests.factories import make_survey

pytestmark = [pytest.mark.storage, pytest.mark.usefixtures("committed")]

HOLD_EXCLUSIVELY = """\
import sqlite3, sys
connection = sqlite3.connect(sys.stdin.readline().rstrip(), isolation_level=None)
connection.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
sys.stdin.read()
"""


def run_sql(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall() if cursor.description else None


@contextmanager
def another_process_writes_for_long():
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
    yield
    run_sql(f"PRAGMA busy_timeout = {usual}")
    holder.communicate()


@contextmanager
def the_file_is_read_only():
    run_sql("PRAGMA query_only = ON")
    yield
    run_sql("PRAGMA query_only = OFF")


@contextmanager
def a_table_is_locked_for_long():
    other = connections.create_connection("default")
    other.set_autocommit(False)
    with other.cursor() as cursor:
        cursor.execute("LOCK TABLE respondents_response IN ACCESS EXCLUSIVE MODE")
    run_sql("SET lock_timeout = '100ms'")
    yield
    run_sql("RESET lock_timeout")
    other.rollback()
    other.close()


@contextmanager
def the_server_is_a_standby():
    run_sql("SET default_transaction_read_only = on")
    yield
    run_sql("RESET default_transaction_read_only")


OBSTACLES = {
    "sqlite": [another_process_writes_for_long, the_file_is_read_only],
    "postgresql": [a_table_is_locked_for_long, the_server_is_a_standby],
}


@pytest.mark.parametrize("obstacle", OBSTACLES[connection.vendor])
def test_it_stores_nothing_and_takes_the_retry(obstacle):
    survey = make_survey()

    with obstacle(), pytest.raises((OperationalError, InternalError)):
        Response.objects.store(survey, "a" * 32, b"\x01")
    assert not Receipt.objects.exists()

    Response.objects.store(survey, "a" * 32, b"\x01")
    Response.objects.seal(survey)
    assert SealedPattern.objects.counts(survey) == {b"\x01": 1}
