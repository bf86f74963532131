"""What the respondents' door may do with a PostgreSQL: take responses, read none."""

from collections.abc import Iterator

from django.db import connection, models, transaction

from respondents.invitations import Invitation
from respondents.models import Receipt, Response, SealedPattern
from surveys.models import Choice, Question, Survey

RIGHTS: dict[type[models.Model], tuple[str, ...]] = {
    # PostgreSQL lets nobody lock a row, lest the survey closes meanwhile, who may not
    # change a column of it. This one cannot change: triggers freeze it, and the rows of
    # questions and responses hold on to it.
    Survey: ("SELECT", "UPDATE (id)"),
    Question: ("SELECT",),
    Choice: ("SELECT",),
    Invitation: ("SELECT", "UPDATE (spent)"),
    Receipt: ("SELECT (id, survey_id)", "INSERT"),
    Response: ("INSERT",),
}
"""Of all other tables nothing: no counts, no accounts, no sessions."""

HIDDEN = (Response, SealedPattern)
"""Their column `pattern` holds reports."""


class GrantError(Exception):
    """The role may read reports, whatever it is granted here."""


def statements(role: str) -> Iterator[str]:
    """Yield SQL that leaves `role` with these rights and no others."""
    name = connection.ops.quote_name(role)
    # Rights to single columns go along.
    yield f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {name}"
    yield f"GRANT USAGE ON SCHEMA public TO {name}"
    for model, rights in RIGHTS.items():
        yield f"GRANT {', '.join(rights)} ON {model._meta.db_table} TO {name}"


@transaction.atomic
def grant(role: str) -> None:
    """Leave `role` with these rights, and see that it has no others to reports.

    Raises
    ------
    GrantError
        Where it can read them all the same: as a superuser or the tables' owner, as a
        member of another role, or because everybody may.
    """
    with connection.cursor() as cursor:
        for statement in statements(role):
            cursor.execute(statement)
        for model in HIDDEN:
            cursor.execute(
                "SELECT has_column_privilege(%s, %s, 'pattern', 'SELECT')",
                [role, model._meta.db_table],
            )
            if cursor.fetchone() != (False,):
                raise GrantError(model._meta.db_table)
