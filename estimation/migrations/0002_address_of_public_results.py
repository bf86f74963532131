"""Tell each survey where its results are public by now."""

from django.conf import settings
from django.db import migrations


def tell(apps, schema_editor):
    surveys = apps.get_model("surveys", "Survey").objects
    online = apps.get_model("estimation", "Publication").objects.filter(
        is_public=True, survey__purged_on=None
    )
    for survey, token in online.values_list("survey", "token"):
        address = f"{settings.PUBLISHED_PATH}{token}/"
        surveys.filter(pk=survey).update(results_address=address)


def forget(apps, schema_editor):
    apps.get_model("surveys", "Survey").objects.update(results_address="")


class Migration(migrations.Migration):
    dependencies = [
        ("estimation", "0001_publications"),
        ("surveys", "0004_address_of_public_results"),
    ]

    operations = [migrations.RunPython(tell, forget)]
