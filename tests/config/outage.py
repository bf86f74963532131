"""PostgreSQL goes and comes back: what requests got meanwhile, as JSON.

Run by scripts/with_postgresql, whose cluster lies where DATABASE_URL says.
"""

import json
import os
import sys
from pathlib import Path
from time import monotonic, sleep

import django
from django.conf import settings
from django.core.management import call_command
from django.db import close_old_connections
from django.test import Client

django.setup()

from django.contrib.auth.models import User  # noqa: E402  (models need the set-up)

from surveys.models import Survey  # noqa: E402
from tests.clusters import run  # noqa: E402

CLUSTER = Path(settings.DATABASES["default"]["HOST"]) / "cluster"
MOST_ATTEMPTS = 600


def control(*order):
    run("pg_ctl", "-D", CLUSTER, "-w", *order)


def ask(client, address):
    begun = monotonic()
    close_old_connections()  # as at the beginning of a request to a server
    answer = client.get(address, HTTP_HOST="localhost")
    return answer.status_code, monotonic() - begun, answer.headers.get("Retry-After")


def quickest(client, address):
    """Ask some times: once or twice, everything may take long on a busy machine."""
    return min((ask(client, address) for _ in range(5)), key=lambda asked: asked[1])


def main():
    settings.STORAGES["staticfiles"]["BACKEND"] = (
        "django.contrib.staticfiles.storage.StaticFilesStorage"
    )
    call_command("migrate", verbosity=0)
    client = Client(raise_request_exception=False)
    owner = User.objects.create_user("owner", is_staff=True)
    survey = Survey.objects.create(
        title="Study", slug="study", organiser="Nobody", owner=owner
    )
    survey.add_question("Question?")
    survey.open()
    page = survey.get_absolute_url()
    options = (CLUSTER / "postmaster.opts").read_text("utf-8").split('"')[1::2]
    found = {"before": ask(client, "/s/none/"), "page before": ask(client, page)}
    control("-m", "immediate", "stop")
    found["away"] = ask(client, "/s/none/")
    found["away for the next"] = quickest(client, "/s/none/")
    found["page meanwhile"] = quickest(client, page)
    found["health"] = client.get("/health/", HTTP_HOST="localhost").json()
    found["without a database"] = ask(client, "/how-it-works/")
    control("-l", os.devnull, "-o", " ".join(f"'{each}'" for each in options), "start")
    begun = monotonic()
    for _attempt in range(MOST_ATTEMPTS):
        found["back"] = ask(client, "/s/none/")
        if found["back"][0] == found["before"][0]:
            break
        sleep(0.1)
    found["seconds until back"] = monotonic() - begun
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
