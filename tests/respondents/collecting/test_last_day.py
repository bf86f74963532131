"""The last day is shown before anyone begins, and at the end whom to ask."""

from datetime import date

import pytest

from respondents.distribution.deletion import purge
from respondents.models import close
from surveys.models import Survey
from tests.factories import make_survey
from tests.respondents.markup import Markup
from tests.respondents.sent import send

pytestmark = pytest.mark.django_db

URL = "/s/study-habits/"
MODES = ("browser", "server", "hand")


def said(answer):
    return " ".join(Markup(answer.content.decode()).blocks)


@pytest.mark.parametrize("mode", MODES)
def test_the_welcome_page_shows_the_current_last_day(client, mode):
    make_survey(mode=mode, closes_on=date(2100, 3, 9))
    assert "You can answer until 9 March 2100" in said(client.get(URL))
    Survey.objects.update(closes_on=date(2100, 4, 1))
    assert "You can answer until 1 April 2100" in said(client.get(URL))
    Survey.objects.update(closes_on=None)
    assert "You can answer until" not in said(client.get(URL))
    Survey.objects.update(closes_on=date(2100, 3, 9))
    assert "You can answer until 9 March 2100" in said(client.get(URL))


@pytest.mark.parametrize("contact", ["study@example.org", ""])
@pytest.mark.parametrize("is_purged", [False, True])
def test_a_late_submission_gets_the_closing_notice(client, contact, is_purged):
    survey = make_survey(contact=contact)
    close(survey)
    if is_purged:
        purge(survey)
    answer = send(client, survey)
    message = answer.json()["error"]["message"]
    assert answer.status_code == 410
    assert "Nothing was recorded now. Run by" in message
    assert "stay" not in message  # deleted, it does not
    assert "Run by Institute of Examples." in message
    assert message.endswith("Questions: study@example.org.") is bool(contact)


def test_right_to_left_names_are_isolated_on_the_closed_page(client):
    close(make_survey(organiser="מכון", title="סקר", contact="דואר"))
    page = client.get(URL).content.decode()
    for name in ("מכון", "סקר", "דואר"):
        assert f"<bdi>{name}</bdi>" in page
