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
"""How the lines of a file of settings begin."""


def read_settings_file(file: Path) -> None:
    """Read the variables that the environment lacks from a file.

    Raises `ImproperlyConfigured` for a file that cannot be read, in place of a missing
    setting, and for a line that is none, without its text: it may hold a password.
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


# No file is needed, except one that is named.
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
    """Return a finite number above 0, as it is written."""
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
    # `env` takes a value that begins with "$" for the name of another variable.
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
        # Links in letters and invitations would lead wherever a request says: with
        # ".uni.example" to any machine there, such as a student's. With "https://" or
        # a port, no request would name it.
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
        # The rest of the address may hold a password.
        raise make_error("DATABASE_URL", "begin with sqlite:// or postgres://", scheme)
    settings, options = ENGINES[scheme]
    chosen = read("DATABASE_URL", url, env.db_url_config)
    # Of several addresses of IPv6 the brackets would be left.
    chosen["HOST"] = re.sub(r"[][]", "", chosen.get("HOST", ""))
    given: Settings = where_writing_is(url) | chosen.get("OPTIONS", {})
    if settings is SQLITE[0]:
        # PostgreSQL needs none of it.
        from config.private_file import PrivateFile

        given["factory"] = PrivateFile
    else:
        from respondents.storage.watched_connection import WatchedConnection

        options = options | {"pool": POOL | {"connection_class": WatchedConnection}}
    return chosen | settings | {"OPTIONS": given | options}


def read(
    name: str, url: str, reader: Callable[[str], dict[str, Any]]
) -> dict[str, Any]:
    try:
        return reader(url)
    except ValueError:
        # Without its words: of a password with a slash in it, the first half is taken
        # for a port, and named.
        raise ImproperlyConfigured(
            f"{name} cannot be read: write special characters of a password as %2F and "
            "their like, and ports as numbers"
        ) from None


def where_writing_is(url: str) -> dict[str, str]:
    """Return what has a connection find the primary, where there are several hosts."""
    before_path = url.partition("?")[0].rpartition("@")[2].rpartition("://")[2]
    hosts = before_path.partition("/")[0].split(",")
    if len({re.search(r":\d+$", host) is None for host in hosts}) > 1:
        # The one port would be that of all of them.
        raise ImproperlyConfigured(
            "DATABASE_URL must name a port for each of its hosts, or for none"
        )
    return {"target_session_attrs": "read-write"} if len(hosts) > 1 else {}


def mail() -> dict[str, Any]:
    url = env.str("EMAIL_URL", default="")
    scheme = url.partition("://")[0]
    if url and scheme not in MAIL_SCHEMES:
        # The rest of the address may hold a password.
        allowed = f"begin with one of {', '.join(MAIL_SCHEMES)}"
        raise make_error("EMAIL_URL", allowed, scheme)
    sender = env.str("DEFAULT_FROM_EMAIL", default="")
    if url and "@" not in sender:
        raise make_error("With EMAIL_URL, DEFAULT_FROM_EMAIL", "be an address", sender)
    chosen = read("EMAIL_URL", url or "consolemail://", env.email_url_config)
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
"""Seconds to wait for a lock. Commands have time; a server says less, because other
requests may wait for the same thread."""

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
    # try again. The pool also retries with each request instead of ever less often, so
    # the first request after an outage finds the database.
    {
        "connect_timeout": 2,
        # Where the network swallows everything instead of refusing it; and where the
        # other machine goes while it is listened to, which takes two hours to notice.
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
