"""Carry codes of apps and recovery codes over from django-otp, and drop its tables.

django-otp and django-axes are installed no more, so their tables are read and dropped
by name. Without that, their foreign keys would keep an account from being deleted.
"""

import time
from base64 import b32encode
from collections import defaultdict

from django.db import migrations

APPS = (
    "SELECT user_id, key FROM otp_totp_totpdevice WHERE confirmed = %s ORDER BY id DESC"
)
CODES = """
    SELECT user_id, token FROM otp_static_staticdevice AS device
    JOIN otp_static_statictoken AS code ON code.device_id = device.id
    WHERE confirmed = %s
"""
TABLES = (
    "otp_static_statictoken",
    "otp_static_staticdevice",
    "otp_totp_totpdevice",
    "axes_accessattemptexpiration",
    "axes_accessattempt",
    "axes_accessfailurelog",
    "axes_accesslog",
)


def carry_over(apps, schema_editor):
    Authenticator = apps.get_model("mfa", "Authenticator")
    with schema_editor.connection.cursor() as cursor:
        present = schema_editor.connection.introspection.table_names(cursor)
        if "otp_totp_totpdevice" not in present:
            return
        cursor.execute(APPS, [True])
        keys = dict(cursor.fetchall())
        cursor.execute(CODES, [True])
        codes = defaultdict(list)
        for user, code in cursor.fetchall():
            codes[user].append(code)
    for user, key in keys.items():
        secret = b32encode(bytes.fromhex(key)).decode()
        Authenticator.objects.create(
            user_id=user, type="totp", data={"secret": secret}
        )
        # Hashes, which config.accounts.forms compares with; their owner has the codes.
        Authenticator.objects.create(
            user_id=user,
            type="recovery_codes",
            data={"migrated_codes": codes[user], "viewed_at": time.time()},
        )


def drop(apps, schema_editor):
    present = schema_editor.connection.introspection.table_names()
    for table in TABLES:
        if table in present:
            schema_editor.execute(f"DROP TABLE {table}")


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_cache_table"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]
    operations = [migrations.RunPython(carry_over), migrations.RunPython(drop)]
