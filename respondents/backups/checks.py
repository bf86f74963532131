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
"""Apps of earlier versions. `migrate` carries their data over."""

FUNCTIONS_MADE_BY = "respondents.migrations.0006_spend_links_by_function"


class BackupError(Exception):
    """A backup or a restore failed; nothing was changed."""


@dataclass(frozen=True)
class Contents:
    """Numbers of surveys and responses, to compare two databases."""

    surveys: int
    responses: int


@dataclass(frozen=True)
class Alterations:
    """Differences between a copy and what Candor wrote."""

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
    # Summed over the patterns, not read from the tallies, to detect an incomplete copy.
    [sealed] = SealedPattern.objects.aggregate(Sum("count", default=0)).values()
    # Surveys with declared tables have no patterns.
    declared = SealedTally.objects.exclude(tables=[])
    [counted] = declared.aggregate(Sum("respondents", default=0)).values()
    return Contents(
        surveys=Survey.objects.count(),
        responses=sealed + counted + Response.objects.count(),
    )


def repair() -> Alterations:
    """Create the triggers and functions of the database again; return what differed.

    The functions that spend links could record more in a copy than they should. They
    are not reported as altered, because each restore and upgrade creates them again.
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
    """Return the addresses of surveys whose state was reset to make them editable.

    A draft with responses, and an attested plan in a survey that was not imported, are
    states that Candor never stores.
    """
    attested = Survey.objects.filter(is_imported=False).exclude(plan_attested_by="")
    slugs = set(attested.values_list("slug", flat=True))
    for model in (Response, SealedPattern, SealedTally, Receipt, Invitation):
        in_drafts = model._default_manager.filter(survey__state=Survey.State.DRAFT)
        slugs.update(in_drafts.values_list("survey__slug", flat=True))
    return slugs


def refuse_newer(applied: set[tuple[str, str]]) -> None:
    """Raise `BackupError` if this version does not know an applied migration."""
    known = MigrationLoader(None).disk_migrations
    if not applied & set(known):
        raise BackupError("this is not a backup of a Candor database")
    unknown = applied - set(known)
    newer = sorted(f"{app}.{name}" for app, name in unknown if app not in FORMER_APPS)
    if newer:
        raise BackupError(
            f"it comes from a newer Candor, with {', '.join(newer)}: "
            "bring the program up to date first"
        )


def refuse_extra_recording(found: Iterable[tuple[str, str, str]]) -> None:
    """Raise `BackupError` if a table would record more about responses than ours do.

    In a manipulated database, a trigger or an additional column with a default could
    record when each response arrived. `found` lists (table, name, kind) of all columns
    and of everything that our tables never have: actions on writing a row ("action")
    or on reading one ("reading"). Each response reads the row of its survey.
    """
    models = apps.get_app_config("respondents").get_models()
    ours = {
        model._meta.db_table: {field.column for field in model._meta.concrete_fields}
        for model in models
    }
    survey_table = Survey._meta.db_table
    strange = [
        f"{table}.{name}"
        for table, name, kind in found
        if (table in ours and not (kind == "column" and name in ours[table]))
        or (table == survey_table and kind == "reading")
    ]
    if strange:
        raise BackupError(
            "its database would record more about responses than Candor does: "
            + ", ".join(sorted(strange))
        )
