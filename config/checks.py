"""System checks for settings that work but are dangerous."""

import ipaddress
from pathlib import Path

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connection

WAL_QUERY = """
    SELECT name FROM pg_settings
    WHERE (name, setting) IN (('wal_recycle', 'on'), ('archive_timeout', '0'))
    ORDER BY name
"""

LOGGING_QUERY = """
    SELECT name FROM pg_settings
    WHERE (name, setting) IN (
        ('log_statement', 'mod'), ('log_statement', 'all'), ('log_duration', 'on'),
        ('track_commit_timestamp', 'on')
    )
    OR name IN ('log_min_duration_statement', 'log_min_duration_sample')
    AND setting <> '-1'
    OR name = 'log_transaction_sample_rate' AND setting::float > 0
    ORDER BY name
"""

OTHER_USERS = 0o007
"""Permission bits of other users; both services may share the file through a group."""

LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]", "testserver"}


@register(Tags.security)
def require_https(**kwargs: object) -> list[CheckMessage]:
    public = ", ".join(sorted(set(settings.ALLOWED_HOSTS) - LOCAL_HOSTS))
    errors: list[CheckMessage] = []
    if public and not settings.HTTPS:
        errors.append(
            Error(
                f"HTTPS is off and ALLOWED_HOSTS names {public}.",
                hint="Without HTTPS, anyone between server and browser can change the "
                "page that scrambles the answers. Set HTTPS=on.",
                id="candor.E001",
            )
        )
    if public and settings.DEBUG:
        errors.append(
            Error(
                f"DEBUG is on and ALLOWED_HOSTS names {public}.",
                hint="Debug pages show what was posted. Set DEBUG=off.",
                id="candor.E002",
            )
        )
    return errors


@register(Tags.security)
def require_proxy(**kwargs: object) -> list[CheckMessage]:
    if settings.BEHIND_PROXY or is_loopback(settings.ADDRESS):
        return []
    return [
        Error(
            f"ADDRESS is {settings.ADDRESS} and BEHIND_PROXY is off.",
            hint="This server speaks no HTTPS. Put a proxy in front, such as Caddy or "
            "nginx, and set BEHIND_PROXY=on.",
            id="candor.E003",
        )
    ]


@register(Tags.database)
def check_write_ahead_log(**kwargs: object) -> list[CheckMessage]:
    if not (names := find_settings(WAL_QUERY, **kwargs)):
        return []
    return [
        Warning(
            f"PostgreSQL keeps its log: by {' and '.join(names)}.",
            hint="Its write-ahead log holds each response with the time of its "
            "transaction, and for weeks on a quiet server. Set wal_recycle = off and "
            "archive_timeout = 1min.",
            id="candor.W001",
        )
    ]


@register(Tags.database)
def check_statement_logging(**kwargs: object) -> list[CheckMessage]:
    if not (names := find_settings(LOGGING_QUERY, **kwargs)):
        return []
    return [
        Warning(
            f"PostgreSQL notes what is stored when: by {' and '.join(names)}.",
            hint="A statement's parameters are reports, and lines of its log and "
            "timestamps of commits have the times. Set log_statement = none or ddl, "
            "log_min_duration_statement and log_min_duration_sample = -1, "
            "log_transaction_sample_rate = 0, log_duration and track_commit_timestamp "
            "= off.",
            id="candor.W002",
        )
    ]


@register(Tags.database)
def check_file_is_private(**kwargs: object) -> list[CheckMessage]:
    if not kwargs["databases"] or connection.vendor != "sqlite":
        return []
    file = Path(connection.settings_dict["NAME"])
    if not (file.is_file() and file.stat().st_mode & OTHER_USERS):
        return []
    return [
        Warning(
            f"Everybody on this machine may read {file}, or write it.",
            hint=f"chmod o= {file}*",
            id="candor.W003",
        )
    ]


def find_settings(query: str, **kwargs: object) -> list[str]:
    """Return the names of settings that `query` finds; empty except on PostgreSQL."""
    if not kwargs["databases"] or connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(query)
        return [name for (name,) in cursor.fetchall()]


def is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"
