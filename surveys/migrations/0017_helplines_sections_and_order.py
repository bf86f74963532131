"""Hints, helplines, sections, orders by chance and completion of a survey."""

from functools import partial
from importlib import import_module

import django.core.validators
from django.db import migrations, models

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")
pinned = import_module("surveys.migrations.0009_pinned_analysis")
before = import_module("surveys.migrations.0016_attested_plans")
stay = import_module("surveys.migrations.0012_opened_surveys_stay")

COLUMNS = (*before.COLUMNS, "helpline", "completion_code", "completion_link")

create = partial(pinned.create, columns=COLUMNS)


class Migration(migrations.Migration):

    dependencies = [('surveys', '0016_attested_plans')]

    operations = [
        # SQLite rebuilds the tables and loses their triggers, those of 0012 too.
        migrations.RunPython(stay.drop, stay.create),
        migrations.RunPython(frozen.drop, before.create),
        migrations.AddField(
            model_name='question',
            name='helpline',
            field=models.CharField(blank=True, help_text='Shown with this question, such as: If this is hard: 116 123.', max_length=200, verbose_name='helpline'),
        ),
        migrations.AddField(
            model_name='question',
            name='hint',
            field=models.CharField(blank=True, help_text='Shown below the question.', max_length=300, verbose_name='hint'),
        ),
        migrations.AddField(
            model_name='question',
            name='section',
            field=models.CharField(blank=True, help_text='Its title, shown above this question and the following ones.', max_length=200, verbose_name='section that starts here'),
        ),
        migrations.AddField(
            model_name='question',
            name='section_text',
            field=models.TextField(blank=True, help_text='Shown on a page of its own before this question.', max_length=1000, verbose_name='introduction to the section'),
        ),
        migrations.AddField(
            model_name='question',
            name='shuffle_choices',
            field=models.BooleanField(default=False, help_text='“Prefer not to answer” stays last.', verbose_name='random order of answers'),
        ),
        migrations.AddField(
            model_name='question',
            name='shuffle_section',
            field=models.BooleanField(default=False, help_text="From this question to the next section, in an order that each respondent's browser draws and does not send.", verbose_name='random order of questions'),
        ),
        migrations.AddField(
            model_name='survey',
            name='completion_code',
            field=models.CharField(blank=True, help_text='Shown after sending: one code for all respondents, for a panel that asks for it.', max_length=100, verbose_name='completion code'),
        ),
        migrations.AddField(
            model_name='survey',
            name='completion_link',
            field=models.CharField(blank=True, help_text="A button on the last page opens it, such as a panel's page. The panel learns that somebody finished and, if they are logged in there, who. It learns no answers.", max_length=500, validators=[django.core.validators.URLValidator(['https'])], verbose_name='completion link'),
        ),
        migrations.AddField(
            model_name='survey',
            name='helpline',
            field=models.CharField(blank=True, help_text='Shown at the foot of every page, such as: Someone to talk to: 116 123, day and night.', max_length=200, verbose_name='helpline'),
        ),
        migrations.RunPython(create, frozen.drop),
        migrations.RunPython(stay.create, stay.drop),
    ]
