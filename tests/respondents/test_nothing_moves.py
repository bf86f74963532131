"""No page or file of a researcher changes by a byte when someone answers.

Until a batch is sealed: the number of responses, the length of a page, the order of a
list, the date of a file would each reveal that someone was there just now.
"""

import io
import re
import zipfile

import pytest
from django.contrib.admin.models import LogEntry

from respondents.models import Response
from respondents.storage.invitations import Invitation
from tests.factories import make_survey, make_user
from tests.surveys.page_rules import SURVEY_PAGES
from tests.surveys.test_access import address_of

pytestmark = pytest.mark.django_db

BATCH = 20
LINKS = 100
OVERVIEW_PAGES = "/admin/", "/admin/surveys/survey/", "/admin/surveys/survey/?q=habits"

# A page has a token of its own for each form, and is of the moment that it names.
CHANGES = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')
TIME_DEPENDENT_HEADERS = "Expires", "Set-Cookie"
PATTERNS = b"\x00\x00", b"\x00\x01", b"\x01\x00", b"\x01\x01"


@pytest.fixture(params=["link", "invitation"])
def answer(request, monkeypatch):
    """A function that stores one more response; three are missing to the next seal."""
    monkeypatch.setattr("secrets.randbelow", lambda below: below - 1)  # looks never
    survey = make_survey(["coin", "coin"], access=request.param, batch_size=BATCH)
    is_by_link = request.param == "link"
    tokens = [] if is_by_link else Invitation.objects.make(survey, LINKS)
    numbers = iter(range(LINKS))

    def store():
        number = next(numbers)
        pattern = PATTERNS[number % len(PATTERNS)]
        if is_by_link:
            Response.objects.store(survey, f"{number:032x}", pattern)
        else:
            Response.objects.store_all_invited(survey, {tokens[number]: pattern})

    for _ in range(3 * BATCH):
        store()
    Response.objects.seal_if_due(survey)
    for _ in range(BATCH - 4):
        store()
    return survey, store


def parts_of(answer):
    """Return what a researcher gets, without the order of rows that is drawn again."""
    body = answer.getvalue()
    if "zip" in answer.headers["Content-Type"]:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            return [
                (each.filename, each.date_time, lines(archive, each))
                for each in archive.infolist()
            ]
    headers = {
        name: value
        for name, value in answer.items()
        if name not in TIME_DEPENDENT_HEADERS
    }
    is_table = "csv" in answer.headers["Content-Type"]
    body = CHANGES.sub(b"", body)
    return answer.status_code, headers, sorted(body.splitlines()) if is_table else body


def lines(archive, entry):
    """Return the lines of a text; other files have the same rows in another order."""
    is_text = entry.filename.endswith((".csv", ".json", ".txt", ".py", ".R", ".bib"))
    return sorted(archive.read(entry).splitlines()) if is_text else []


def test_nothing_shows_that_a_response_arrived(client, answer):
    survey, store = answer
    client.force_login(make_user("superuser", is_superuser=True))
    pages = {address_of(name, survey.pk) for name in SURVEY_PAGES}
    addresses = [*OVERVIEW_PAGES, *sorted(pages)]

    def look():
        client.get("/admin/")  # shows the messages of pages that redirect
        there = list(LogEntry.objects.values_list("pk", flat=True))
        seen = {}
        for address in addresses:
            seen[address] = parts_of(client.get(address))
            # Who took the reports, and in which minute: this test.
            LogEntry.objects.exclude(pk__in=there).delete()
        return seen

    before = look()
    for _more in range(3):
        store()
    now = look()
    assert [each for each in addresses if now[each] != before[each]] == []
    read = [address for address in addresses if before[address][0] == 200]
    assert len(read) > len(addresses) / 3
