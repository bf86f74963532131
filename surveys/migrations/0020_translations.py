"""Texts of a survey and its questions in other languages."""

from functools import partial
from importlib import import_module

from django.db import migrations, models

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")
pinned = import_module("surveys.migrations.0009_pinned_analysis")
before = import_module("surveys.migrations.0018_skip_logic")
stay = import_module("surveys.migrations.0012_opened_surveys_stay")

COLUMNS = (*before.COLUMNS, "translations")

create = partial(pinned.create, columns=COLUMNS)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0019_tick_lists")]

    operations = [
        # SQLite rebuilds the tables and loses their triggers, those of 0012 too.
        migrations.RunPython(stay.drop, stay.create),
        migrations.RunPython(frozen.drop, before.create),
        migrations.AddField(
            model_name="question",
            name="translations",
            field=models.JSONField(blank=True, default=dict, editable=False),
        ),
        migrations.AddField(
            model_name="survey",
            name="translations",
            field=models.JSONField(blank=True, default=dict, editable=False),
        ),
        migrations.RunPython(create, frozen.drop),
        migrations.RunPython(stay.create, stay.drop),
    ]
