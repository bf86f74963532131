"""Whether the key holder of a sealed survey returns declared tables only."""

from functools import partial
from importlib import import_module

from django.db import migrations, models

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")
pinned = import_module("surveys.migrations.0009_pinned_analysis")
before = import_module("surveys.migrations.0024_sealed_until_closing")
stay = import_module("surveys.migrations.0012_opened_surveys_stay")

COLUMNS = (*before.COLUMNS, "declared_tables")

create = partial(pinned.create, columns=COLUMNS)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0024_sealed_until_closing")]

    operations = [
        # SQLite rebuilds the table and loses its triggers, those of 0012 too.
        migrations.RunPython(stay.drop, stay.create),
        migrations.RunPython(frozen.drop, before.create),
        migrations.AddField(
            model_name="survey",
            name="declared_tables",
            field=models.BooleanField(
                default=False,
                help_text="No whole responses are returned, only counts of each question, of planned comparisons, and of each scrambled question by each direct one.",
                verbose_name="only declared tables",
            ),
        ),
        migrations.RunPython(create, frozen.drop),
        migrations.RunPython(stay.create, stay.drop),
    ]
