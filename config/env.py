"""Reads settings from the environment; an invalid or missing value stops the start."""

import math
import os
import re
from collections.abc import Callable
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

import environ
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()

SETTING = re.compile(r"(?:export )?\w+=|#|$", re.ASCII)
"""The beginning of each line of a settings file."""


def read_settings_file(file: Path) -> None:
    """Read variables that are not in the environment from a settings file.

    Raises `ImproperlyConfigured` for an unreadable file or an invalid line. The message
    does not quote the line, which may contain a password.
    """
    try:
        text = file.read_text("utf-8-sig")
    except OSError as error:
        raise ImproperlyConfigured(
            f"The settings in {file} cannot be read: {error.strerror}"
        ) from None
    except UnicodeDecodeError:
        raise ImproperlyConfigured(f"{file} must be a text in UTF-8") from None
    for number, line in enumerate(text.splitlines(), start=1):
        if not SETTING.match(line):
            raise ImproperlyConfigured(
                f"Line {number} of {file} must be NAME=value, without spaces before ="
            )
    env.read_env(StringIO(text))


# A file is required only if ENV_FILE names it.
ENV_FILE = os.environ.get("ENV_FILE")
if ENV_FILE or (BASE_DIR / ".env").exists():
    read_settings_file(Path(ENV_FILE or BASE_DIR / ".env"))


def make_error(name: str, allowed: str, got: object) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{name} must {allowed}; got {got!r}")


ON, OFF = {"on", "true", "yes", "1"}, {"off", "false", "no", "0"}


def switch(name: str, *, default: bool) -> bool:
    value = env.str(name, default="on" if default else "off").strip().lower()
    if value not in ON | OFF:
        raise make_error(name, "be on or off", value)
    return value in ON


def read_choice(name: str, *choices: str) -> str:
    value: str = env.str(name, default=choices[0]).strip().lower()
    if value not in choices:
        raise make_error(name, f"be {' or '.join(choices)}", value)
    return value


def positive(name: str, *, default: str, highest: float = math.inf) -> Decimal:
    """Return a finite number above 0, without rounding."""
    value: str = env.str(name, default=default).strip()
    try:
        number = Decimal(value)
    except ArithmeticError:
        number = Decimal(0)
    if not (number.is_finite() and 0 < number <= highest):
        limit = f", and at most {highest}" if highest < math.inf else ""
        raise make_error(name, f"be a number above 0, such as {default}{limit}", value)
    return number


def whole(name: str, *, default: int, lowest: int, highest: int) -> int:
    value: str = env.str(name, default=str(default)).strip()
    if not (value.isascii() and value.isdecimal() and lowest <= int(value) <= highest):
        raise make_error(name, f"be a whole number from {lowest} to {highest}", value)
    return int(value)


def secret(name: str, *, shortest: int) -> str:
    # `env` would read a value that begins with "$" as the name of another variable.
    value = os.environ.get(name, "")
    if not value:
        raise ImproperlyConfigured(f"{name} is missing")
    if len(value) < shortest:
        raise ImproperlyConfigured(
            f"{name} must be a secret of {shortest} characters or more; "
            f"got {len(value)} characters"
        )
    return value


HOST = r"(?:[a-z0-9][a-z0-9.-]*|\[[0-9a-f:.]+\])"


def hosts(name: str) -> list[str]:
    named = [host.strip() for host in env.str(name, default="").split(",")]
    if not all(named):
        raise ImproperlyConfigured(
            f"{name} must list the host names of the site, with commas between"
        )
    for host in named:
        # Links in e-mails use the host of the request: ".uni.example" would allow
        # links to any machine of that domain, such as a student's. A value with
        # "https://" or a port would match no request.
        if not re.fullmatch(HOST, host, re.IGNORECASE):
            raise make_error(name, "name each host, such as survey.example.org", host)
    return named


def origins(name: str) -> list[str]:
    named = [origin.strip() for origin in env.list(name, default=[])]
    for origin in named:
        if not re.fullmatch(rf"https?://{HOST}(?::\d+)?", origin, re.IGNORECASE):
            example = "https://survey.example.org:8443"
            raise make_error(name, f"list origins such as {example}", origin)
    return named


def time_zone(name: str) -> str:
    value: str = env.str(name, default="UTC")
    if value not in available_timezones():
        raise make_error(name, "be a time zone such as Europe/Berlin", value)
    return value


def address(name: str, *, default: str) -> str:
    value: str = env.str(name, default=default)
    if not value.startswith(("https://", "http://", "/")):
        raise make_error(name, "begin with https://, http:// or /", value)
    return value


def database() -> dict[str, object]:
    url = env.str("DATABASE_URL", default=f"sqlite:///{BASE_DIR / 'candor.sqlite3'}")
    scheme = url.partition("://")[0]
    if scheme not in ENGINES:
        # The rest of the address may contain a password.
        raise make_error("DATABASE_URL", "begin with sqlite:// or postgres://", scheme)
    settings, options = ENGINES[scheme]
    chosen = parse_url("DATABASE_URL", url, env.db_url_config)
    # The parser leaves the brackets of several IPv6 addresses.
    chosen["HOST"] = re.sub(r"[][]", "", chosen.get("HOST", ""))
    given: Settings = find_primary_option(url) | chosen.get("OPTIONS", {})
    if settings is SQLITE[0]:
        # Imported here because PostgreSQL does not need it.
        from config.private_file import PrivateFile

        given["factory"] = PrivateFile
    else:
        from respondents.storage.watched_connection import WatchedConnection

        options = options | {"pool": POOL | {"connection_class": WatchedConnection}}
    return chosen | settings | {"OPTIONS": given | options}


def parse_url(
    name: str, url: str, reader: Callable[[str], dict[str, Any]]
) -> dict[str, Any]:
    try:
        return reader(url)
    except ValueError:
        # The error's own message may quote half of a password: a slash ends the host,
        # and what precedes it is read as a port.
        raise ImproperlyConfigured(
            f"{name} cannot be read: write special characters of a password as %2F and "
            "their like, and ports as numbers"
        ) from None


def find_primary_option(url: str) -> dict[str, str]:
    """Return the option that makes libpq find the primary among several hosts."""
    before_path = url.partition("?")[0].rpartition("@")[2].rpartition("://")[2]
    hosts = before_path.partition("/")[0].split(",")
    if len({re.search(r":\d+$", host) is None for host in hosts}) > 1:
        # libpq would use a single port for all hosts.
        raise ImproperlyConfigured(
            "DATABASE_URL must name a port for each of its hosts, or for none"
        )
    return {"target_session_attrs": "read-write"} if len(hosts) > 1 else {}


def mail() -> dict[str, Any]:
    url = env.str("EMAIL_URL", default="")
    scheme = url.partition("://")[0]
    if url and scheme not in MAIL_SCHEMES:
        # The rest of the address may contain a password.
        allowed = f"begin with one of {', '.join(MAIL_SCHEMES)}"
        raise make_error("EMAIL_URL", allowed, scheme)
    sender = env.str("DEFAULT_FROM_EMAIL", default="")
    if url and "@" not in sender:
        raise make_error("With EMAIL_URL, DEFAULT_FROM_EMAIL", "be an address", sender)
    chosen = parse_url("EMAIL_URL", url or "consolemail://", env.email_url_config)
    return chosen | {"DEFAULT_FROM_EMAIL": sender}


def university() -> list[dict[str, Any]]:
    url = env.str("OIDC_URL", default="")
    if not url:
        return []
    if not url.startswith("https://"):
        raise make_error("OIDC_URL", "begin with https://", url)
    return [
        {
            "provider_id": "university",
            "name": env.str("OIDC_NAME", default="OpenID Connect"),
            "client_id": secret("OIDC_CLIENT_ID", shortest=1),
            "secret": secret("OIDC_CLIENT_SECRET", shortest=1),
            "settings": {
                "server_url": url,
                "verified_email": switch("OIDC_ADDRESSES_ARE_VERIFIED", default=False),
            },
        }
    ]


MAIL_SCHEMES = ("smtp", "smtp+tls", "smtp+ssl", "consolemail")

PATIENCE = float(positive("DATABASE_PATIENCE", default="20", highest=3600))
"""Seconds to wait for a lock. Commands can wait; servers set a lower value, because
other requests may need the same thread."""

Settings = dict[str, object]

SQLITE: tuple[Settings, Settings] = (
    {"CONN_MAX_AGE": None},
    # FULL: an acknowledged answer survives a power cut; on macOS that takes fullfsync.
    # secure_delete: a sealed response is overwritten, not only unlinked. IMMEDIATE:
    # writers queue instead of failing.
    {
        "transaction_mode": "IMMEDIATE",
        "timeout": PATIENCE,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA fullfsync=ON; "
            "PRAGMA secure_delete=ON;"
        ),
    },
)
POSTGRESQL: tuple[Settings, Settings] = (
    # The pool keeps connections; Django refuses to let requests keep them as well.
    {"CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True},
    # A missing database is reported within three seconds: browsers wait at most 30 and
    # try again. The pool also retries with each request instead of with growing pauses,
    # so the first request after an outage finds the database.
    {
        "connect_timeout": 2,
        # For networks that drop packets instead of refusing them, and for a server that
        # disappears during a query, which is otherwise noticed after two hours.
        "tcp_user_timeout": 2500,
        "keepalives_idle": 2,
        "keepalives_interval": 1,
        "options": f"-c lock_timeout={math.ceil(PATIENCE * 1000)}",
    },
)
POOL: Settings = {
    "min_size": 1, "max_size": 8, "timeout": 2.5, "reconnect_timeout": 1
}  # fmt: skip
ENGINES = {"sqlite": SQLITE, "postgres": POSTGRESQL, "postgresql": POSTGRESQL}
