"""A temporary database with the settings of production."""

import os
import secrets
from pathlib import Path


def set_up(folder: Path) -> None:
    """Load Django with an empty SQLite database in `folder`, or a PostgreSQL at hand.

    That is one that DATABASE_URL names, as scripts/with_postgresql does. Static files
    are collected: no page is made without them.
    """
    at_hand = os.environ.get("DATABASE_URL", "")
    is_postgresql = at_hand.startswith("postgres")
    os.environ.update(
        ENV_FILE=os.devnull,
        DJANGO_SETTINGS_MODULE="config.settings",
        DATABASE_URL=at_hand if is_postgresql else f"sqlite:///{folder}/candor.sqlite3",
        SECRET_KEY=secrets.token_urlsafe(64),
        ALLOWED_HOSTS="127.0.0.1",
        HTTPS="off",
    )
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
