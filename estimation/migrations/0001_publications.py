import django.db.models.deletion
from django.db import migrations, models

import estimation.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [("surveys", "0002_freeze_opened_surveys")]

    operations = [
        migrations.CreateModel(
            name="Publication",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                (
                    "token",
                    models.CharField(
                        default=estimation.models.new_token,
                        editable=False,
                        max_length=22,
                        unique=True,
                    ),
                ),
                (
                    "headline",
                    models.CharField(
                        blank=True,
                        help_text="Left empty, the page has the title of the survey.",
                        max_length=200,
                        verbose_name="headline",
                    ),
                ),
                (
                    "note",
                    models.TextField(
                        blank=True,
                        help_text="What readers should know: whom you asked, how, and "
                        "where to read more. Plain text; an empty line begins a paragraph.",
                        max_length=5000,
                        verbose_name="note",
                    ),
                ),
                ("questions", models.JSONField(default=list)),
                (
                    "method",
                    models.CharField(default="feldman-cousins", max_length=20),
                ),
                ("confidence_level", models.FloatField(default=0.95)),
                ("is_public", models.BooleanField(default=False, editable=False)),
                ("published_on", models.DateField(editable=False, null=True)),
                (
                    "survey",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="surveys.survey",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("is_public", False),
                            ("published_on__isnull", False),
                            _connector="OR",
                        ),
                        name="a_public_page_has_its_day",
                    )
                ],
            },
        ),
    ]
