"""Which values the answers to a question stand for, where they are points of a scale."""

from importlib import import_module

from django.db import migrations, models

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")
pinned = import_module("surveys.migrations.0009_pinned_analysis")


class Migration(migrations.Migration):

    dependencies = [('surveys', '0009_pinned_analysis')]

    operations = [
        # SQLite may build the table anew, and its triggers are lost: as in 0003.
        migrations.RunPython(frozen.drop, pinned.create),
        migrations.AddField(
            model_name='question',
            name='scale',
            field=models.JSONField(blank=True, editable=False, null=True),
        ),
        migrations.RunPython(pinned.create, frozen.drop),
    ]
