"""PostgreSQL keeps samples for its planner also of rows long deleted: see 0002."""

from django.db import migrations

SAMPLES, USUAL = 0, -1


def set_statistics(target):
    def alter(apps, schema_editor):
        if schema_editor.connection.vendor != "postgresql":
            return
        schema_editor.execute(
            f"ALTER TABLE respondents_invitation ALTER COLUMN hash SET STATISTICS {target}"
        )

    return alter


class Migration(migrations.Migration):
    dependencies = [("respondents", "0003_one_time_links")]

    operations = [migrations.RunPython(set_statistics(SAMPLES), set_statistics(USUAL))]
