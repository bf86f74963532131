"""Triggers that keep an opened survey from being deleted, against raw SQL too.

And whether its reports were collected elsewhere, which readers are told.

The test of a draft is an opened survey that has to go. So what is one stays one, and
what is none cannot become one to be deleted.
"""

from importlib import import_module

from django.db import migrations

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")

# SQLite's REPLACE deletes what is in its way and asks no trigger. What could be in the
# way of a row: what has its number, of a survey also what has its address.
IN_THE_WAY = {
    "surveys_survey": (
        "surveys_survey t JOIN surveys_survey s ON s.id = t.id",
        "(t.id = NEW.id OR t.slug = NEW.slug"
        " OR t.rehearsal_of_id = NEW.rehearsal_of_id)",
    ),
    "surveys_question": (
        "surveys_question t JOIN surveys_survey s ON s.id = t.survey_id",
        "t.id = NEW.id",
    ),
    "surveys_choice": (
        "surveys_choice t JOIN surveys_question q ON q.id = t.question_id"
        " JOIN surveys_survey s ON s.id = q.survey_id",
        "t.id = NEW.id",
    ),
}


def rules(vendor):
    """Yield (name, table, event, condition under which the change is refused)."""
    differs = frozen.DIFFERS[vendor]
    yield (
        "survey_delete",
        "surveys_survey",
        "DELETE",
        "OLD.state <> 'draft' AND OLD.rehearsal_of_id IS NULL",
    )
    yield (
        "survey_rehearsal",
        "surveys_survey",
        "UPDATE",
        f"OLD.state <> 'draft' AND OLD.rehearsal_of_id {differs} NEW.rehearsal_of_id",
    )
    yield (
        "survey_origin",
        "surveys_survey",
        "UPDATE",
        f"OLD.state <> 'draft' AND OLD.is_imported {differs} NEW.is_imported",
    )
    if vendor != "sqlite":
        return
    for table, (tables, meets) in IN_THE_WAY.items():
        for event, other in (("INSERT", ""), ("UPDATE", " AND t.id <> OLD.id")):
            yield (
                f"{table}_{event.lower()}_replaces",
                table,
                event,
                f"EXISTS (SELECT 1 FROM {tables}"
                f" WHERE s.state <> 'draft' AND {meets}{other})",
            )


def create(apps, schema_editor):
    for name, table, event, condition in rules(schema_editor.connection.vendor):
        frozen.create_trigger(schema_editor, name, table, event, condition)


def drop(apps, schema_editor):
    for name, table, _event, _condition in rules(schema_editor.connection.vendor):
        frozen.drop_trigger(schema_editor, name, table)


class Migration(migrations.Migration):

    dependencies = [("surveys", "0011_draws")]

    operations = [migrations.RunPython(create, drop)]
