"""The promised group sizes of a survey: frozen like the rest when it opens."""

from functools import partial
from importlib import import_module

import django.core.validators
from django.db import migrations, models

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")
pinned = import_module("surveys.migrations.0009_pinned_analysis")
before = import_module("surveys.migrations.0014_epsilon_reason")

COLUMNS = (*before.COLUMNS, "least_links", "least_responses")

# A later migration that rebuilds the table of surveys creates its triggers by this.
create = partial(pinned.create, columns=COLUMNS)


class Migration(migrations.Migration):

    dependencies = [('surveys', '0014_epsilon_reason')]

    operations = [
        # SQLite refuses to drop a column that a trigger names.
        migrations.RunPython(frozen.drop, before.create),
        migrations.AddField(
            model_name='survey',
            name='least_links',
            field=models.PositiveIntegerField(blank=True, help_text='For one-time links only. You make at least this many at once after opening, and more whenever you like. Respondents read the number.', null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10000)], verbose_name='number of one-time links'),
        ),
        migrations.AddField(
            model_name='survey',
            name='least_responses',
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
        migrations.AlterField(
            model_name='survey',
            name='batch_size',
            field=models.PositiveSmallIntegerField(default=20, help_text="Results of an open survey move in steps of at least this many responses, and as many are held back until it closes: nobody can watch one person's report arrive.", validators=[django.core.validators.MinValueValidator(10), django.core.validators.MaxValueValidator(10000)], verbose_name='batch size'),
        ),
        migrations.RunPython(create, frozen.drop),
    ]
