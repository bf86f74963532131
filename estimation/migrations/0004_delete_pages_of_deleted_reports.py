"""Delete the public pages, and released counts, of surveys whose reports were deleted."""

import secrets

from django.db import migrations


def delete(apps, schema_editor):
    pages = apps.get_model("estimation", "Publication").objects
    deleted, _by_model = pages.exclude(survey__purged_on=None).delete()
    if deleted:
        # The next sealing or closing overwrites what they leave in the files.
        apps.get_model("respondents", "Unerased").objects.create(id=secrets.randbits(63))


class Migration(migrations.Migration):
    dependencies = [
        ("estimation", "0003_releases_of_counts"),
        ("respondents", "0005_tallies_beside_the_patterns"),
        ("surveys", "0003_dates_roles_and_rehearsals"),
    ]

    operations = [migrations.RunPython(delete, migrations.RunPython.noop)]
