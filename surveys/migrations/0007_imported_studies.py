"""Which surveys are studies whose reports were collected elsewhere."""

from importlib import import_module

from django.db import migrations, models

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")


class Migration(migrations.Migration):

    dependencies = [('surveys', '0006_invitees')]

    operations = [
        # SQLite builds the table anew, and its triggers are lost: as in 0003.
        migrations.RunPython(frozen.drop, frozen.create),
        migrations.AddField(
            model_name='survey',
            name='is_imported',
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.RunPython(frozen.create, frozen.drop),
    ]
