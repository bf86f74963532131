"""Which values the answers to a question stand for, where they are points of a scale."""

from importlib import import_module

from django.db import migrations, models

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")


class Migration(migrations.Migration):

    dependencies = [('surveys', '0008_names_of_models_and_fields')]

    operations = [
        # SQLite may build the table anew, and its triggers are lost: as in 0003.
        migrations.RunPython(frozen.drop, frozen.create),
        migrations.AddField(
            model_name='question',
            name='scale',
            field=models.JSONField(blank=True, editable=False, null=True),
        ),
        migrations.RunPython(frozen.create, frozen.drop),
    ]
