"""Public results with an interval that is no longer offered get the default."""

from django.db import migrations


def choose_default(apps, _schema_editor):
    publications = apps.get_model("estimation", "Publication").objects
    removed = ("wilson", "clopper-pearson", "wald")
    publications.filter(method__in=removed).update(method="feldman-cousins")


class Migration(migrations.Migration):
    dependencies = [("estimation", "0006_shorter_help_texts")]

    operations = [migrations.RunPython(choose_default, migrations.RunPython.noop)]
