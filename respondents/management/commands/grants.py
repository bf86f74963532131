"""Give a role of PostgreSQL what the respondents' door needs."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection

from respondents.grants import GrantError, grant, list_statements


class Command(BaseCommand):
    help = (
        "Let a role of PostgreSQL store responses and read none: the role that the "
        "respondents' server connects as. Run it again after each `migrate` and "
        "`restore`. Without --apply it only shows the SQL."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("role", help="a role that exists, as by `createuser`")
        parser.add_argument("--apply", action="store_true", help="run the SQL")

    def handle(self, *args: Any, **options: Any) -> None:
        role = options["role"]
        if connection.vendor != "postgresql":
            raise CommandError(
                "SQLite knows no roles: whoever reads its file reads all."
            )
        if not options["apply"]:
            self.stdout.write("".join(f"{each};\n" for each in list_statements(role)))
            return
        try:
            grant(role)
        except GrantError as error:
            raise CommandError(
                f"{role!r} can read or change {error}, whatever is revoked: it is a "
                "superuser, owns the table, is a member of a role that may, or every "
                "role may. Nothing was changed."
            ) from error
        except DatabaseError as error:
            raise CommandError(f"Nothing was changed: {error}") from error
        self.stdout.write(f"{role!r} may store responses and read none.")
