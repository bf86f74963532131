"""Why total epsilon is above the limit of the site: frozen like the rest."""

from functools import partial
from importlib import import_module

from django.db import migrations, models

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")
pinned = import_module("surveys.migrations.0009_pinned_analysis")
draws = import_module("surveys.migrations.0011_draws")
stay = import_module("surveys.migrations.0012_opened_surveys_stay")

# A later migration that rebuilds the table of surveys creates its triggers by these.
COLUMNS = (*pinned.COLUMNS, "draws", "epsilon_reason")
create = partial(pinned.create, columns=COLUMNS)


class Migration(migrations.Migration):

    dependencies = [('surveys', '0013_opened_surveys_are_not_emptied')]

    operations = [
        # SQLite rebuilds the table and loses its triggers, those of 0012 too.
        migrations.RunPython(stay.drop, stay.create),
        migrations.RunPython(frozen.drop, draws.create),
        migrations.AddField(
            model_name='survey',
            name='epsilon_reason',
            field=models.CharField(blank=True, help_text="Needed where total epsilon is above this site's limit. Respondents read it on the first page.", max_length=300, verbose_name='reason for the total epsilon'),
        ),
        migrations.RunPython(create, frozen.drop),
        migrations.RunPython(stay.create, stay.drop),
    ]
