"""Last day, planned number, wanted margin, roles, rehearsals, archive and purge."""

from decimal import Decimal
from importlib import import_module

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

frozen = import_module("surveys.migrations.0002_freeze_opened_surveys")


class Migration(migrations.Migration):

    dependencies = [
        ('surveys', '0002_freeze_opened_surveys'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # SQLite builds the table anew for a column with a default, and its triggers
        # are lost: taken away before, in either direction, and put back after.
        migrations.RunPython(frozen.drop, frozen.create),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('editor', 'Editor'), ('viewer', 'Viewer')], max_length=10)),
            ],
            options={
                'ordering': ['user__username'],
            },
        ),
        migrations.AddField(
            model_name='survey',
            name='archived_on',
            field=models.DateField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='survey',
            name='closes_at_target',
            field=models.BooleanField(default=False, verbose_name='close when the planned number is reached'),
        ),
        migrations.AddField(
            model_name='survey',
            name='closes_on',
            field=models.DateField(blank=True, help_text='The survey closes when this day is over. Empty: you close it by hand. Can be changed while it is open.', null=True, verbose_name='last day'),
        ),
        migrations.AddField(
            model_name='survey',
            name='purged_on',
            field=models.DateField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='survey',
            name='rehearsal_of',
            field=models.OneToOneField(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rehearsal', to='surveys.survey'),
        ),
        migrations.AddField(
            model_name='survey',
            name='target',
            field=models.PositiveIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10000000)], verbose_name='planned number of responses'),
        ),
        migrations.AddField(
            model_name='survey',
            name='wanted_margin',
            field=models.DecimalField(blank=True, decimal_places=2, help_text='In percentage points, such as 5 for ± 5.', max_digits=4, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0.1')), django.core.validators.MaxValueValidator(Decimal('50'))], verbose_name='wanted margin of error'),
        ),
        migrations.AddConstraint(
            model_name='survey',
            constraint=models.CheckConstraint(condition=models.Q(('rehearsal_of', None), ('is_simulated', True), _connector='OR'), name='a_rehearsal_is_simulated'),
        ),
        migrations.AddField(
            model_name='membership',
            name='survey',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='surveys.survey'),
        ),
        migrations.AddField(
            model_name='membership',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('survey', 'user'), name='one_role_in_a_survey'),
        ),
        migrations.RunPython(frozen.create, frozen.drop),
    ]
