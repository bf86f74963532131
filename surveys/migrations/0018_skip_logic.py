"""Conditions on earlier answers, and answers that end the survey."""

from functools import partial
from importlib import import_module

import django.core.validators
from django.db import migrations, models

import surveys.models.conditions

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")
pinned = import_module("surveys.migrations.0009_pinned_analysis")
stay = import_module("surveys.migrations.0012_opened_surveys_stay")
before = import_module("surveys.migrations.0017_helplines_sections_and_order")

COLUMNS = (*before.COLUMNS, "screened_code", "screened_link")

create = partial(pinned.create, columns=COLUMNS)


class Migration(migrations.Migration):

    dependencies = [('surveys', '0017_helplines_sections_and_order')]

    operations = [
        # SQLite rebuilds the table and loses its triggers.
        migrations.RunPython(stay.drop, stay.create),
        migrations.RunPython(frozen.drop, before.create),
        migrations.AddField(
            model_name='question',
            name='answer_if_hidden',
            field=models.CharField(blank=True, help_text='The answer to send, scrambled, for respondents who do not see the question. If empty: No.', max_length=100, verbose_name='answer when hidden'),
        ),
        migrations.AddField(
            model_name='question',
            name='ends_if',
            field=models.CharField(blank=True, help_text='Separate answers with ;. Respondents who choose one send nothing. Only for questions that are not scrambled.', max_length=500, verbose_name='answers that end the survey'),
        ),
        migrations.AddField(
            model_name='question',
            name='show_if',
            field=models.CharField(blank=True, help_text='A condition on earlier answers, such as: 2 is Yes and not (3 is Never or 4 >= 5).', max_length=500, validators=[surveys.models.conditions.check_condition], verbose_name='shown only if'),
        ),
        migrations.AddField(
            model_name='survey',
            name='screened_code',
            field=models.CharField(blank=True, help_text='Shown to respondents whose answer ends the survey.', max_length=100, verbose_name='code after screening'),
        ),
        migrations.AddField(
            model_name='survey',
            name='screened_link',
            field=models.CharField(blank=True, help_text='A button for respondents whose answer ends the survey. The panel learns that they were screened out.', max_length=500, validators=[django.core.validators.URLValidator(['https'])], verbose_name='link after screening'),
        ),
        migrations.RunPython(create, frozen.drop),
        migrations.RunPython(stay.create, stay.drop),
    ]
