"""How often a draft was saved, by which a save over somebody else's is noticed."""

from importlib import import_module

from django.db import migrations, models

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")


class Migration(migrations.Migration):

    dependencies = [('surveys', '0004_address_of_public_results')]

    operations = [
        # SQLite builds the table anew, and its triggers are lost: as in 0003.
        migrations.RunPython(frozen.drop, frozen.create),
        migrations.AddField(
            model_name='survey',
            name='version',
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
        migrations.RunPython(frozen.create, frozen.drop),
    ]
