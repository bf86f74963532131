"""PostgreSQL keeps samples of each column for its planner: see 0002.

Those of sealed patterns were left out there. Measured: after closing a survey with 90
responses, pg_stats listed the first 60 for another minute.

Changing the type of a column to what it is already deletes its samples and rewrites no
table. Only then is `VACUUM FULL` able to remove their bytes; PostgreSQL leaves it out,
with a warning, where the role does not own the database.
"""

from django.db import migrations

COLUMNS = (
    ("respondents_sealedpattern", "id", "bigint"),
    ("respondents_sealedpattern", "pattern", "bytea"),
    ("respondents_sealedpattern", "count", "bigint"),
    ("respondents_invitation", "spent", "boolean"),
    ("respondents_unerased", "id", "bigint"),
)
SAMPLES, USUAL = 0, -1


def set_statistics(target):
    def alter(apps, schema_editor):
        if schema_editor.connection.vendor != "postgresql":
            return
        for table, column, kind in COLUMNS:
            schema_editor.execute(
                f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS {target}, "
                f"ALTER COLUMN {column} TYPE {kind}"
            )

    return alter


def erase(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("VACUUM FULL pg_statistic")


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("respondents", "0006_spend_links_by_function")]

    operations = [
        migrations.RunPython(
            set_statistics(SAMPLES), set_statistics(USUAL), atomic=True
        ),
        migrations.RunPython(erase, migrations.RunPython.noop),
    ]
