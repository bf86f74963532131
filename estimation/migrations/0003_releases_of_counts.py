"""Counts of public pages can be released with noise; what was released is kept."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('estimation', '0002_address_of_public_results'),
    ]

    operations = [
        migrations.AddField(
            model_name='publication',
            name='release_epsilon',
            field=models.DecimalField(blank=True, decimal_places=2, default=None, max_digits=5, null=True, verbose_name='Numbers of people'),
        ),
        migrations.AddField(
            model_name='publication',
            name='releases',
            field=models.JSONField(default=list, editable=False),
        ),
    ]
