"""Values from the environment; a wrong or missing one stops the start."""

from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
env.read_env(BASE_DIR / ".env")  # does nothing where there is no such file

ON, OFF = {"on", "true", "yes", "1"}, {"off", "false", "no", "0"}


def switch(name: str, *, default: bool) -> bool:
    value = env.str(name, default="on" if default else "off").strip().lower()
    if value not in ON | OFF:
        raise ImproperlyConfigured(f"{name} must be on or off; got {value!r}")
    return value in ON


def secret(name: str, *, shortest: int) -> str:
    value: str = env.str(name, default="")
    if len(value) < shortest:
        raise ImproperlyConfigured(
            f"{name} must be a secret of {shortest} characters or more; "
            f"got {len(value)} characters"
        )
    return value


def database() -> dict[str, object]:
    """Return Django's settings for the database that DATABASE_URL names."""
    chosen: dict[str, object] = env.db(
        "DATABASE_URL", default=f"sqlite:///{BASE_DIR / 'candor.sqlite3'}"
    )
    if chosen["ENGINE"] == "django.db.backends.sqlite3":
        return chosen | SQLITE
    if chosen["ENGINE"] == "django.db.backends.postgresql":
        return chosen | POSTGRESQL
    raise ImproperlyConfigured("DATABASE_URL must name SQLite or PostgreSQL")


# FULL: an acknowledged answer survives a power cut. secure_delete: a sealed response
# is overwritten, not only unlinked. IMMEDIATE: writers queue instead of failing.
SQLITE: dict[str, object] = {
    "CONN_MAX_AGE": None,
    "OPTIONS": {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;"
        ),
    },
}
# A new connection for every request would cost more than the request.
POSTGRESQL: dict[str, object] = {
    "CONN_HEALTH_CHECKS": True,
    "OPTIONS": {"pool": {"min_size": 1, "max_size": 8}},
}
