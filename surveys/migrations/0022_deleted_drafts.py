"""Drafts that were deleted and can still be restored."""

from importlib import import_module

from django.db import migrations, models

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")
before = import_module("surveys.migrations.0021_merged_versions")
stay = import_module("surveys.migrations.0012_opened_surveys_stay")


class Migration(migrations.Migration):
    dependencies = [("surveys", "0021_merged_versions")]

    operations = [
        # SQLite rebuilds the table and loses its triggers, those of 0012 too.
        migrations.RunPython(stay.drop, stay.create),
        migrations.RunPython(frozen.drop, before.create),
        migrations.AddField(
            model_name="survey",
            name="deleted_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddConstraint(
            model_name="survey",
            constraint=models.CheckConstraint(
                condition=models.Q(deleted_at=None) | models.Q(state="draft"),
                name="only_a_draft_is_deleted",
            ),
        ),
        migrations.RunPython(before.create, frozen.drop),
        migrations.RunPython(stay.create, stay.drop),
    ]
