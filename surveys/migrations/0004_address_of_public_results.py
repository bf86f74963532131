"""Where the results of a survey are public, which respondents are told afterwards."""

from importlib import import_module

from django.db import migrations, models

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")


class Migration(migrations.Migration):

    dependencies = [('surveys', '0003_dates_roles_and_rehearsals')]

    operations = [
        # SQLite builds the table anew, and its triggers are lost: as in 0003.
        migrations.RunPython(frozen.drop, frozen.create),
        migrations.AddField(
            model_name='survey',
            name='results_address',
            field=models.CharField(blank=True, editable=False, max_length=200),
        ),
        migrations.RunPython(frozen.create, frozen.drop),
    ]
