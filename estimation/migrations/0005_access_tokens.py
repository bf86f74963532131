"""Programs read the files of a survey with a token of its owner."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('estimation', '0004_delete_pages_of_deleted_reports'),
        ('surveys', '0020_translations'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AccessToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='What reads with it, such as: Dashboard of the lab.', max_length=80, verbose_name='name')),
                ('selector', models.CharField(editable=False, max_length=12, unique=True)),
                ('digest', models.CharField(editable=False, max_length=64)),
                ('made_on', models.DateField(editable=False)),
                ('last_used_on', models.DateField(editable=False, null=True)),
                ('made_by', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('survey', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='surveys.survey')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
    ]
