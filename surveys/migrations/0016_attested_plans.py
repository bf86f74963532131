"""Whose word it is when the analysis of an imported survey was planned."""

from functools import partial
from importlib import import_module

from django.db import migrations, models

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")
pinned = import_module("surveys.migrations.0009_pinned_analysis")
before = import_module("surveys.migrations.0015_group_sizes")
stay = import_module("surveys.migrations.0012_opened_surveys_stay")

COLUMNS = (*before.COLUMNS, "plan_attested_by")

create = partial(pinned.create, columns=COLUMNS)


class Migration(migrations.Migration):

    dependencies = [("surveys", "0015_group_sizes")]

    operations = [
        # SQLite rebuilds the table and loses its triggers, those of 0012 too.
        migrations.RunPython(stay.drop, stay.create),
        migrations.RunPython(frozen.drop, before.create),
        migrations.AddField(
            model_name="survey",
            name="plan_attested_by",
            field=models.CharField(blank=True, editable=False, max_length=1000),
        ),
        migrations.RunPython(create, frozen.drop),
        migrations.RunPython(stay.create, stay.drop),
    ]
