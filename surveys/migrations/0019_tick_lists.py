"""The question above a tick list."""

from importlib import import_module

from django.db import migrations, models

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")
before = import_module("surveys.migrations.0018_skip_logic")
stay = import_module("surveys.migrations.0012_opened_surveys_stay")


class Migration(migrations.Migration):

    dependencies = [('surveys', '0018_skip_logic')]

    operations = [
        # SQLite rebuilds the table and loses its triggers.
        migrations.RunPython(stay.drop, stay.create),
        migrations.RunPython(frozen.drop, before.create),
        migrations.AddField(
            model_name='question',
            name='tick_list',
            field=models.CharField(blank=True, help_text='Its question. This and the following drawn questions become its check boxes, such as 1 of 3-8 under “questions to draw from”.', max_length=500, verbose_name='tick list that starts here'),
        ),
        migrations.RunPython(before.create, frozen.drop),
        migrations.RunPython(stay.create, stay.drop),
    ]
