"""Triggers that keep an opened survey as it was opened, against raw SQL too."""

from django.db import migrations

FROZEN = (
    "id", "slug", "title", "organiser", "purpose", "consent", "ethics_reference",
    "contact", "results_note", "language", "mode", "access", "batch_size",
    "design_digest", "opened_on",
)
MESSAGE = "an opened survey is frozen"

# The state of the survey that a question or a choice belongs to, old or new row.
STATE_OF_QUESTION = "SELECT state FROM surveys_survey s WHERE id = {row}.survey_id"
STATE_OF_CHOICE = (
    "SELECT s.state FROM surveys_survey s JOIN surveys_question q"
    " ON q.survey_id = s.id WHERE q.id = {row}.question_id"
)
# SQLite has one writer at a time. In PostgreSQL a survey could be opened between this
# look at its state and the commit of the new question; with the lock one waits for the
# other.
LOCK = {"sqlite": "", "postgresql": " FOR KEY SHARE OF s"}
DIFFERS = {"sqlite": "IS NOT", "postgresql": "IS DISTINCT FROM"}


def survey_condition(differs):
    changed = " OR ".join(f"OLD.{column} {differs} NEW.{column}" for column in FROZEN)
    return (
        f"OLD.state <> 'draft' AND ({changed}"
        " OR NEW.state NOT IN (OLD.state, 'closed')"
        " OR (OLD.is_simulated AND NOT NEW.is_simulated))"
    )


def rules(vendor):
    """Yield (name, table, event, condition under which the change is refused)."""
    condition = survey_condition(DIFFERS[vendor])
    yield "survey_update", "surveys_survey", "UPDATE", condition
    for table, state in (
        ("surveys_question", STATE_OF_QUESTION),
        ("surveys_choice", STATE_OF_CHOICE),
    ):
        for event, rows in (
            ("INSERT", ["NEW"]),
            ("UPDATE", ["OLD", "NEW"]),
            ("DELETE", ["OLD"]),
        ):
            # A deleted draft takes its questions along: its state is then NULL.
            condition = " OR ".join(
                f"COALESCE(({state.format(row=row)}{LOCK[vendor]}), 'draft') <> 'draft'"
                for row in rows
            )
            yield f"{table}_{event.lower()}", table, event, condition


def create_trigger(schema_editor, name, table, event, condition):
    vendor = schema_editor.connection.vendor
    if vendor == "sqlite":
        schema_editor.execute(
            f"CREATE TRIGGER frozen_{name} BEFORE {event} ON {table}"
            f" FOR EACH ROW WHEN {condition}"
            f" BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END"
        )
    elif vendor == "postgresql":
        row = "OLD" if event == "DELETE" else "NEW"
        schema_editor.execute(
            f"CREATE FUNCTION frozen_{name}() RETURNS trigger AS $$ BEGIN"
            f" IF {condition} THEN RAISE EXCEPTION '{MESSAGE}'"
            " USING ERRCODE = 'integrity_constraint_violation'; END IF;"
            f" RETURN {row}; END $$ LANGUAGE plpgsql"
        )
        schema_editor.execute(
            f"CREATE TRIGGER frozen_{name} BEFORE {event} ON {table}"
            f" FOR EACH ROW EXECUTE FUNCTION frozen_{name}()"
        )
    else:
        raise NotImplementedError(f"No triggers are written for {vendor}.")


def drop_trigger(schema_editor, name, table):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"DROP TRIGGER frozen_{name} ON {table}")
        schema_editor.execute(f"DROP FUNCTION frozen_{name}()")
    else:
        schema_editor.execute(f"DROP TRIGGER frozen_{name}")


def create(apps, schema_editor):
    for name, table, event, condition in rules(schema_editor.connection.vendor):
        create_trigger(schema_editor, name, table, event, condition)


def drop(apps, schema_editor):
    for name, table, _event, _condition in rules(schema_editor.connection.vendor):
        drop_trigger(schema_editor, name, table)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0001_initial")]

    operations = [migrations.RunPython(create, drop)]
