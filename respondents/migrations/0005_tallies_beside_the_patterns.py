"""Keep how many sent each report beside the patterns, and add up those that are there.

And note which deletions have still to be overwritten.

PostgreSQL shall keep no samples of the new columns: see 0002.
"""

import secrets
from itertools import islice

import django.db.models.deletion
from django.db import migrations, models

from respondents.storage.sealed_tally import add_up, add_counts

SAMPLES = 0
AT_ONCE = 10_000


def keep_no_samples(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    for column in ("id", "respondents", "counts"):
        schema_editor.execute(
            f"ALTER TABLE respondents_sealedtally ALTER COLUMN {column} "
            f"SET STATISTICS {SAMPLES}"
        )


def add_up_patterns(apps, schema_editor):
    patterns = apps.get_model("respondents", "SealedPattern").objects
    tallies = apps.get_model("respondents", "SealedTally").objects
    for survey in patterns.values_list("survey", flat=True).distinct():
        respondents, counts = 0, []
        rows = patterns.filter(survey=survey).values_list("pattern", "count").iterator()
        while batch := {bytes(pattern): count for pattern, count in islice(rows, AT_ONCE)}:
            respondents += sum(batch.values())
            counts = add_counts(counts, add_up(batch))
        tallies.create(
            id=secrets.randbits(63),
            survey_id=survey,
            respondents=respondents,
            counts=counts,
        )


class Migration(migrations.Migration):
    dependencies = [
        ("respondents", "0004_keep_no_samples_of_links"),
        ("surveys", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="SealedTally",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("respondents", models.PositiveBigIntegerField()),
                ("counts", models.JSONField()),
                (
                    "survey",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="surveys.survey",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Unerased",
            fields=[("id", models.BigAutoField(primary_key=True, serialize=False))],
        ),
        migrations.RunPython(keep_no_samples, migrations.RunPython.noop),
        migrations.RunPython(add_up_patterns, migrations.RunPython.noop),
    ]
