"""Grant a role of PostgreSQL the rights of the respondents' server.

It can add responses, but cannot read them.
"""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection, models, transaction

from respondents.models import Receipt, Response, SealedPattern
from respondents.storage.invitations import Invitation
from surveys.models import Choice, Question, Survey

RIGHTS: dict[type[models.Model], tuple[str, ...]] = {
    # Storing a response locks the row of the survey, so that it cannot close meanwhile.
    # For that PostgreSQL requires the right to change a column. The id cannot change:
    # triggers freeze it, and the rows of questions and responses refer to it.
    Survey: ("SELECT", "UPDATE (id)"),
    Question: ("SELECT",),
    Choice: ("SELECT",),
    Receipt: ("SELECT (id)", "INSERT"),
    Response: ("INSERT",),
}
"""The role has no rights to other tables: counts, links, accounts or sessions."""

FUNCTIONS = ("respondents_spend(bigint, bytea)", "respondents_knows(bigint, bytea)")
"""Functions by which the role looks up and spends one-time links."""

HIDDEN = {
    Response: "SELECT, UPDATE",
    SealedPattern: "SELECT, INSERT, UPDATE",
    Invitation: "SELECT, INSERT, UPDATE",
}
"""Tables with reports and links, and the rights that the role must not have."""


class GrantError(Exception):
    """The role can access reports or links by rights that were not granted here."""


def quote(name: str) -> str:
    """Return `name` as an SQL identifier; `ops.quote_name` doubles no quotes."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def list_statements(role: str) -> Iterator[str]:
    name = quote(role)
    # Rights to single columns are revoked with those to the table.
    for kind in ("TABLES", "SEQUENCES", "FUNCTIONS"):
        yield f"REVOKE ALL ON ALL {kind} IN SCHEMA public FROM {name}"
    yield f"GRANT USAGE ON SCHEMA public TO {name}"
    for model, rights in RIGHTS.items():
        yield f"GRANT {', '.join(rights)} ON {model._meta.db_table} TO {name}"
    for function in FUNCTIONS:
        yield f"GRANT EXECUTE ON FUNCTION {function} TO {name}"


@transaction.atomic
def grant(role: str) -> None:
    """Grant `role` exactly these rights, and check the `HIDDEN` tables.

    Raises `GrantError` if it can still read or change them: as a superuser or the
    owner of the tables, as a member of another role, or because every role may.
    """
    with connection.cursor() as cursor:
        for statement in list_statements(role):
            cursor.execute(statement)
        for model, rights in HIDDEN.items():
            table = model._meta.db_table
            cursor.execute(
                "SELECT has_any_column_privilege(%s, %s, %s) "
                "OR has_table_privilege(%s, %s, 'DELETE, TRUNCATE')",
                [role, table, rights, role, table],
            )
            if cursor.fetchone() != (False,):
                raise GrantError(model._meta.db_table)


class Command(BaseCommand):
    help = (
        "Allow the PostgreSQL role of the respondents' server to store responses but "
        "not to read them. Run it again after each `migrate` and `restore`. Without "
        "--apply it only prints the SQL."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("role", help="an existing role; `createuser` makes one")
        parser.add_argument("--apply", action="store_true", help="run the SQL")

    def handle(self, *args: Any, **options: Any) -> None:
        role = options["role"]
        if connection.vendor != "postgresql":
            raise CommandError(
                "SQLite has no roles: anyone who can read its file can read all data."
            )
        if not options["apply"]:
            self.stdout.write("".join(f"{each};\n" for each in list_statements(role)))
            return
        try:
            grant(role)
        except GrantError as error:
            raise CommandError(
                f"{role!r} would still be able to read or change {error}: it is a "
                "superuser, owns the table, is a member of a role with that right, or "
                "every role has it. Nothing was changed."
            ) from error
        except DatabaseError as error:
            raise CommandError(f"Nothing was changed: {error}") from error
        self.stdout.write(f"{role!r} may store responses and read none.")
