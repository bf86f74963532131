"""Which questions each respondent is asked, drawn by chance: frozen like the rest."""

from functools import partial
from importlib import import_module

import surveys.models.draws
from django.db import migrations, models

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")
pinned = import_module("surveys.migrations.0009_pinned_analysis")

# Whoever builds the table of surveys anew after this one creates its triggers by this.
create = partial(pinned.create, columns=(*pinned.COLUMNS, "draws"))


class Migration(migrations.Migration):

    dependencies = [('surveys', '0010_scales')]

    operations = [
        # SQLite may build the table anew, and its triggers are lost: as in 0003.
        migrations.RunPython(frozen.drop, pinned.create),
        migrations.AddField(
            model_name='survey',
            name='draws',
            field=models.CharField(blank=True, help_text='2 of 3-6 asks each respondent two of the questions 3 to 6, drawn by chance before anything is answered. Several groups with ; between, such as 2 of 3-6; 1 of 7, 8. Nothing: everybody is asked everything.', max_length=300, validators=[surveys.models.draws.check_draws], verbose_name='questions to draw from'),
        ),
        migrations.RunPython(create, frozen.drop),
    ]
