"""Pages and files of results, requested by the owner of their survey."""

import csv
import re
from html import unescape
from io import StringIO

from django.urls import reverse


def get(client, page, survey, *path, user=None, **query):
    client.force_login(user or survey.owner)
    address = reverse(f"admin:estimation_{page}", args=[survey.pk, *path])
    return client.get(address, query)


def text_of(answer):
    """Return the text of a page without tags and with single spaces."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def rows_of(answer):
    return list(csv.DictReader(StringIO(answer.content.decode())))
