"""What a key holder returned instead of whole responses. No samples, see 0005."""

from importlib import import_module

from django.db import migrations, models

SAMPLES = import_module("respondents.migrations.0007_keep_no_samples_of_patterns").SAMPLES


def keep_no_samples(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            "ALTER TABLE respondents_sealedtally ALTER COLUMN tables "
            f"SET STATISTICS {SAMPLES}"
        )


class Migration(migrations.Migration):
    dependencies = [("respondents", "0007_keep_no_samples_of_patterns")]

    operations = [
        migrations.AddField(
            model_name="sealedtally",
            name="tables",
            field=models.JSONField(default=list),
        ),
        migrations.RunPython(keep_no_samples, migrations.RunPython.noop),
    ]
