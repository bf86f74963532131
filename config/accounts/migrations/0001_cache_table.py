from django.core.management import call_command
from django.db import migrations


def create(apps, schema_editor):
    call_command("createcachetable", database=schema_editor.connection.alias)


def delete(apps, schema_editor):
    schema_editor.execute("DROP TABLE candor_cache")


class Migration(migrations.Migration):
    initial = True
    operations = [migrations.RunPython(create, delete)]
