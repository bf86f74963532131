"""Checks of a backup before it replaces the database."""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module

from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.models import Sum

from respondents.models import Receipt, Response, SealedPattern, SealedTally
from respondents.storage.invitations import Invitation
from surveys.frozen import compute_digest
from surveys.models import Survey
from surveys.triggers import recreate_triggers

FORMER_APPS = {"axes", "otp_static", "otp_totp"}
"""Apps of earlier versions. `migrate` carries over what their tables hold."""

FUNCTIONS_MADE_BY = "respondents.migrations.0006_spend_links_by_function"


class BackupError(Exception):
    """Why there is no copy, or why none was restored; nothing was changed."""


@dataclass(frozen=True)
class Contents:
    """What a database holds, to compare one with another."""

    surveys: int
    responses: int


@dataclass(frozen=True)
class Alterations:
    """What differs in a copy from what Candor wrote."""

    designs: tuple[str, ...]
    """Addresses of opened surveys whose definition does not match its digest."""
    states: tuple[str, ...]
    """Addresses of surveys whose state Candor never stores."""
    triggers: tuple[str, ...]
    """Triggers that were missing, changed or added."""

    def __bool__(self) -> bool:
        return bool(self.designs or self.states or self.triggers)

    def __str__(self) -> str:
        parts = []
        if self.designs:
            named = ", ".join(map(repr, self.designs))
            parts.append(f"the design of {named} does not match its digest")
        if self.states:
            named = ", ".join(map(repr, self.states))
            parts.append(f"the state of {named} was changed")
        if self.triggers:
            parts.append(f"triggers were changed ({', '.join(self.triggers)})")
        return "; ".join(parts)


def read_contents() -> Contents:
    # Counted, and not read from the tallies: it shows whether a copy is complete.
    [sealed] = SealedPattern.objects.aggregate(Sum("count", default=0)).values()
    # Of declared tables there are no patterns.
    declared = SealedTally.objects.exclude(tables=[])
    [counted] = declared.aggregate(Sum("respondents", default=0)).values()
    return Contents(
        surveys=Survey.objects.count(),
        responses=sealed + counted + Response.objects.count(),
    )


def repair() -> Alterations:
    """Create triggers and functions of the connected database again.

    Functions that spend links could note more in a copy; they are no evidence of an
    alteration, because each restore and upgrade creates them.
    """
    with connection.schema_editor() as editor:
        import_module(FUNCTIONS_MADE_BY).create(None, editor)
    opened = Survey.objects.exclude(state=Survey.State.DRAFT).order_by("slug")
    return Alterations(
        states=tuple(sorted(find_impossible_surveys())),
        triggers=tuple(recreate_triggers()),
        designs=tuple(
            survey.slug
            for survey in opened
            if compute_digest(survey.definition()) != survey.design_digest
        ),
    )


def find_impossible_surveys() -> set[str]:
    """Return surveys that were changed so that they could be changed again.

    A draft has no responses, and only an imported survey has a plan that others attest.
    """
    attested = Survey.objects.filter(is_imported=False).exclude(plan_attested_by="")
    found = set(attested.values_list("slug", flat=True))
    for model in (Response, SealedPattern, SealedTally, Receipt, Invitation):
        of_drafts = model._default_manager.filter(survey__state=Survey.State.DRAFT)
        found.update(of_drafts.values_list("survey__slug", flat=True))
    return found


def refuse_newer(applied: set[tuple[str, str]]) -> None:
    """Raise `BackupError` for tables that this program does not know."""
    known = MigrationLoader(None).disk_migrations
    if not applied & set(known):
        raise BackupError("this is no copy of a Candor database")
    unknown = {each for each in applied - set(known) if each[0] not in FORMER_APPS}
    if newer := sorted(map(".".join, unknown)):
        raise BackupError(
            f"it comes from a newer Candor, with {', '.join(newer)}: "
            "bring the program up to date first"
        )


def refuse_notes(found: Iterable[tuple[str, str, str]]) -> None:
    """Raise `BackupError` where a table would note more than ours do of who answers.

    A trigger, or one more column with a default, would keep when each response came:
    in a prepared copy, or of a changed database. `found` are (table, name, kind) of all
    columns, and of what none of our tables has: an action on writing a row, or one on
    reading it, as each response does with its survey.
    """
    models = apps.get_app_config("respondents").get_models()
    ours = {
        model._meta.db_table: {field.column for field in model._meta.concrete_fields}
        for model in models
    }
    read = Survey._meta.db_table
    strange = [
        f"{table}.{name}"
        for table, name, kind in found
        if (table in ours and not (kind == "column" and name in ours[table]))
        or (table == read and kind == "reading")
    ]
    if strange:
        raise BackupError(
            "its database would note more of responses than Candor does, by "
            + ", ".join(sorted(strange))
        )
