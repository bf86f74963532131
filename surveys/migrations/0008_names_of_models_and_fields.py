"""Names that are translated: the database is not touched."""

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import surveys.models.survey


class Migration(migrations.Migration):

    dependencies = [('surveys', '0007_imported_studies')]

    operations = [
        migrations.AlterModelOptions(
            name='question',
            options={'ordering': ['position', 'id'], 'verbose_name': 'question', 'verbose_name_plural': 'questions'},
        ),
        migrations.AlterModelOptions(
            name='survey',
            options={'ordering': ['-id'], 'verbose_name': 'survey', 'verbose_name_plural': 'surveys'},
        ),
        migrations.AlterField(
            model_name='survey',
            name='batch_size',
            field=models.PositiveSmallIntegerField(default=20, help_text="Results of an open survey move in steps of at least this many responses, and as many are held back until it closes: nobody can watch one person's report arrive. With 1, results follow each answer.", validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10000)], verbose_name='batch size'),
        ),
        migrations.AlterField(
            model_name='survey',
            name='contact',
            field=models.CharField(blank=True, help_text='Whom a respondent can ask: e-mail address or phone.', max_length=200, verbose_name='contact'),
        ),
        migrations.AlterField(
            model_name='survey',
            name='language',
            field=models.CharField(choices=surveys.models.survey.get_languages, default='en', max_length=10, verbose_name='language'),
        ),
        migrations.AlterField(
            model_name='survey',
            name='owner',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='surveys', to=settings.AUTH_USER_MODEL, verbose_name='owner'),
        ),
        migrations.AlterField(
            model_name='survey',
            name='slug',
            field=models.SlugField(help_text='The address: /s/<slug>/', unique=True, verbose_name='address'),
        ),
        migrations.AlterField(
            model_name='survey',
            name='title',
            field=models.CharField(max_length=200, verbose_name='title'),
        ),
    ]
