"""A temporary database with the settings of production."""

import os
import secrets
from pathlib import Path


def set_up(folder: Path) -> None:
    """Load Django with an empty SQLite database in `folder`, or with PostgreSQL.

    PostgreSQL is used if DATABASE_URL names one, as with scripts/with_postgresql.
    Collects the static files, which all pages need.
    """
    given = os.environ.get("DATABASE_URL", "")
    is_postgresql = given.startswith("postgres")
    os.environ.update(
        ENV_FILE=os.devnull,
        DJANGO_SETTINGS_MODULE="config.settings",
        DATABASE_URL=given if is_postgresql else f"sqlite:///{folder}/candor.sqlite3",
        SECRET_KEY=secrets.token_urlsafe(64),
        ALLOWED_HOSTS="127.0.0.1",
        HTTPS="off",
    )
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
