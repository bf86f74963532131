"""The key of a second institution, which opens reports after closing."""

from functools import partial
from importlib import import_module

from django.db import migrations, models

import surveys.models.key_holder

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")
pinned = import_module("surveys.migrations.0009_pinned_analysis")
before = import_module("surveys.migrations.0021_merged_versions")
stay = import_module("surveys.migrations.0012_opened_surveys_stay")

COLUMNS = (*before.COLUMNS, "holder_key")

create = partial(pinned.create, columns=COLUMNS)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0022_deleted_drafts")]

    operations = [
        # SQLite rebuilds the table and loses its triggers, those of 0012 too.
        migrations.RunPython(stay.drop, stay.create),
        migrations.RunPython(frozen.drop, before.create),
        migrations.AddField(
            model_name="survey",
            name="holder_key",
            field=models.TextField(
                blank=True,
                default="",
                help_text="Another institution opens all reports, once, after closing. Paste its file that ends in .public.json.",
                validators=[surveys.models.key_holder.check_holder_key],
                verbose_name="public key of the key holder",
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="survey",
            name="unsealed",
            field=models.JSONField(blank=True, default=dict, editable=False),
        ),
        migrations.RunPython(create, frozen.drop),
        migrations.RunPython(stay.create, stay.drop),
    ]
