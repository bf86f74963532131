"""Whether reports were collected elsewhere is told to readers, and frozen like the rest."""

from importlib import import_module

from django.db import migrations

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")

NAME = "frozen_survey_origin"


def create(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    differs = frozen.DIFFERS[vendor]
    condition = f"OLD.state <> 'draft' AND OLD.is_imported {differs} NEW.is_imported"
    if vendor == "sqlite":
        schema_editor.execute(
            f"CREATE TRIGGER {NAME} BEFORE UPDATE ON surveys_survey"
            f" FOR EACH ROW WHEN {condition}"
            f" BEGIN SELECT RAISE(ABORT, '{frozen.MESSAGE}'); END"
        )
    else:
        schema_editor.execute(
            f"CREATE FUNCTION {NAME}() RETURNS trigger AS $$ BEGIN"
            f" IF {condition} THEN RAISE EXCEPTION '{frozen.MESSAGE}'"
            " USING ERRCODE = 'integrity_constraint_violation'; END IF;"
            " RETURN NEW; END $$ LANGUAGE plpgsql"
        )
        schema_editor.execute(
            f"CREATE TRIGGER {NAME} BEFORE UPDATE ON surveys_survey"
            f" FOR EACH ROW EXECUTE FUNCTION {NAME}()"
        )


def drop(apps, schema_editor):
    is_postgresql = schema_editor.connection.vendor == "postgresql"
    on_table = " ON surveys_survey" if is_postgresql else ""
    schema_editor.execute(f"DROP TRIGGER {NAME}{on_table}")
    if is_postgresql:
        schema_editor.execute(f"DROP FUNCTION {NAME}()")


class Migration(migrations.Migration):

    dependencies = [('surveys', '0010_scales')]

    # Whoever lets SQLite build the table anew creates this trigger again, too.
    operations = [migrations.RunPython(create, drop)]
