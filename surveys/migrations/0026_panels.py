"""People whom several surveys ask, and the privacy budget of all of these."""

from decimal import Decimal
from functools import partial
from importlib import import_module

import django.core.validators
from django.db import migrations, models

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")
pinned = import_module("surveys.migrations.0009_pinned_analysis")
before = import_module("surveys.migrations.0025_declared_tables")
stay = import_module("surveys.migrations.0012_opened_surveys_stay")

COLUMNS = (*before.COLUMNS, "panel", "panel_budget")

create = partial(pinned.create, columns=COLUMNS)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0025_declared_tables")]

    operations = [
        # SQLite rebuilds the table and loses its triggers, those of 0012 too.
        migrations.RunPython(stay.drop, stay.create),
        migrations.RunPython(frozen.drop, before.create),
        migrations.AddField(
            model_name="survey",
            name="panel",
            field=models.CharField(
                blank=True,
                default="",
                help_text="One name in all your surveys that ask the same people, such as: Cohort 2026. It is public.",
                max_length=100,
                verbose_name="panel",
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="survey",
            name="panel_budget",
            field=models.DecimalField(
                blank=True,
                decimal_places=2,
                help_text="Reports to all these surveys and releases with noise never exceed it together.",
                max_digits=5,
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(Decimal("0.01")),
                    django.core.validators.MaxValueValidator(Decimal("100")),
                ],
                verbose_name="epsilon for the panel",
            ),
        ),
        migrations.AddField(
            model_name="survey",
            name="released_epsilon",
            field=models.DecimalField(
                decimal_places=2, default=0, editable=False, max_digits=8
            ),
        ),
        migrations.RunPython(create, frozen.drop),
        migrations.RunPython(stay.create, stay.drop),
    ]
