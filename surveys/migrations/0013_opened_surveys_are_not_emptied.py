"""A trigger against TRUNCATE, which in PostgreSQL asks those of rows nothing."""

from importlib import import_module

from django.db import migrations

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")

TABLES = "surveys_survey", "surveys_question", "surveys_choice"


def create(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    schema_editor.execute(
        "CREATE FUNCTION frozen_truncate() RETURNS trigger AS $$ BEGIN"
        " IF EXISTS (SELECT 1 FROM surveys_survey WHERE state <> 'draft') THEN"
        f" RAISE EXCEPTION '{frozen.MESSAGE}'"
        " USING ERRCODE = 'integrity_constraint_violation'; END IF;"
        " RETURN NULL; END $$ LANGUAGE plpgsql"
    )
    for table in TABLES:
        schema_editor.execute(
            f"CREATE TRIGGER frozen_{table}_truncate BEFORE TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION frozen_truncate()"
        )


def drop(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    for table in TABLES:
        schema_editor.execute(f"DROP TRIGGER frozen_{table}_truncate ON {table}")
    schema_editor.execute("DROP FUNCTION frozen_truncate()")


class Migration(migrations.Migration):

    dependencies = [("surveys", "0012_opened_surveys_stay")]

    operations = [migrations.RunPython(create, drop)]
