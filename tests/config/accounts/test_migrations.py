"""Second factors of earlier versions, which django-otp stored, still let people in."""

import pytest
from allauth.mfa.models import Authenticator
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from tests.config.accounts.test_login import try_to_log_in as give_password
from tests.config.accounts.test_second_factor import (
    SECRET,
    fixed_totp_clock,
    give_code,
    is_in,
    shown,
)
from tests.factories import PASSWORD, make_user

__all__ = ["fixed_totp_clock"]

CARRY_OVER = "0002_second_factors_of_allauth"
KEY = "5eed" * 10
CODE, STORED = "ABCD-efgh-2345-67ab", "GDQHGEEI7PSWXKZV"
"""A recovery code as people have it, and the hash that earlier versions stored."""

OLD_TABLES = """
CREATE TABLE otp_totp_totpdevice (
    id integer PRIMARY KEY, confirmed boolean NOT NULL, key varchar(80) NOT NULL,
    user_id integer NOT NULL REFERENCES auth_user (id));
CREATE TABLE otp_static_staticdevice (
    id integer PRIMARY KEY, confirmed boolean NOT NULL,
    user_id integer NOT NULL REFERENCES auth_user (id));
CREATE TABLE otp_static_statictoken (
    id integer PRIMARY KEY, token varchar(16) NOT NULL,
    device_id integer NOT NULL REFERENCES otp_static_staticdevice (id));
CREATE TABLE axes_accesslog (id integer PRIMARY KEY, ip_address varchar(39));
"""


@pytest.fixture
def before(committed):
    """A researcher with a second factor, in the tables of earlier versions."""
    user = make_user()
    MigrationRecorder(connection).record_unapplied("accounts", CARRY_OVER)
    rows = {
        "otp_totp_totpdevice (id, confirmed, key, user_id)": [1, True, KEY, user.pk],
        "otp_static_staticdevice (id, confirmed, user_id)": [1, True, user.pk],
        "otp_static_statictoken (id, token, device_id)": [1, STORED, 1],
    }
    with connection.cursor() as cursor:
        for statement in OLD_TABLES.split(";")[:-1]:
            cursor.execute(statement)
        for place, values in rows.items():
            marks = ", ".join(["%s"] * len(values))
            cursor.execute(f"INSERT INTO {place} VALUES ({marks})", values)  # noqa: S608
    return user


def test_app_and_recovery_codes_are_carried_over(before):
    call_command("migrate", "accounts", verbosity=0)
    found = {each.type: each for each in Authenticator.objects.filter(user=before)}
    assert found["totp"].data == {"secret": SECRET}
    for code, expected in {shown(): True, CODE: True, f"{CODE} ": False}.items():
        visitor = Client()
        give_password(visitor, PASSWORD)
        assert not is_in(visitor)
        give_code(visitor, code)
        assert is_in(visitor) is expected
    stranger = Client()
    give_password(stranger, PASSWORD)
    give_code(stranger, STORED)
    assert not is_in(stranger)


def test_migration_drops_old_tables_that_would_block_deletion(before):
    call_command("migrate", "accounts", verbosity=0)
    tables = connection.introspection.table_names()
    assert not [name for name in tables if name.startswith(("otp_", "axes_"))]
    before.delete()
