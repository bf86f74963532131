"""The versions of which a merged survey was made."""

from functools import partial
from importlib import import_module

from django.db import migrations, models

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")
pinned = import_module("surveys.migrations.0009_pinned_analysis")
before = import_module("surveys.migrations.0020_translations")
stay = import_module("surveys.migrations.0012_opened_surveys_stay")

COLUMNS = (*before.COLUMNS, "merged_versions")

create = partial(pinned.create, columns=COLUMNS)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0020_translations")]

    operations = [
        # SQLite rebuilds the table and loses its triggers, those of 0012 too.
        migrations.RunPython(stay.drop, stay.create),
        migrations.RunPython(frozen.drop, before.create),
        migrations.AddField(
            model_name="survey",
            name="merged_versions",
            field=models.JSONField(blank=True, default=list, editable=False),
        ),
        migrations.RunPython(create, frozen.drop),
        migrations.RunPython(stay.create, stay.drop),
    ]
