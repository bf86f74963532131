"""The last day is shown before anyone begins, and at the end whom to ask."""

from datetime import date

import pytest
from django.utils import timezone

from respondents.distribution.deletion import purge
from respondents.models import close
from surveys.models import Survey
from tests.factories import make_survey
from tests.respondents.markup import Markup

pytestmark = pytest.mark.django_db

URL = "/s/study-habits/"
MODES = ("browser", "server", "hand")
WHO = {"organiser": "Institute of Examples", "contact": "study@example.org"}


def said(answer):
    return " ".join(Markup(answer.content.decode()).blocks)


@pytest.mark.parametrize("mode", MODES)
def test_the_welcome_tells_the_last_day_as_it_is_now(client, mode):
    make_survey(mode=mode, closes_on=date(2100, 3, 9))
    assert "You can answer until 9 March 2100" in said(client.get(URL))
    Survey.objects.update(closes_on=date(2100, 4, 1))
    assert "You can answer until 1 April 2100" in said(client.get(URL))
    Survey.objects.update(closes_on=None)
    assert "You can answer until" not in said(client.get(URL))
    Survey.objects.update(closes_on=date(2100, 3, 9))
    assert "You can answer until 9 March 2100" in said(client.get(URL))


def test_a_form_with_a_gap_tells_it_too(client):
    make_survey(mode="server", closes_on=date(2100, 3, 9))
    answer = client.post(
        URL, f"submission={'f' * 32}", "application/x-www-form-urlencoded"
    )
    assert answer.status_code == 400
    assert "You can answer until 9 March 2100" in said(answer)


@pytest.mark.parametrize("mode", ["server", "hand"])
def test_who_sends_a_form_too_late_reads_why_and_whom_to_ask(client, mode):
    close(make_survey(mode=mode, **WHO))
    form = f"submission={'f' * 32}&consent=on&q1=0"
    answer = client.post(URL, form, "application/x-www-form-urlencoded")
    day = timezone.localdate()
    assert answer.status_code == 410
    for sentence in (
        f"This survey closed on {day.day} {day:%B %Y}.",
        "You came after the end, so nothing was recorded now.",
        "It was run by Institute of Examples.",
        "Questions? study@example.org",
    ):
        assert sentence in said(answer)


def test_without_a_contact_none_is_promised(client):
    close(make_survey())
    page = said(client.get(URL))
    assert "It was run by Institute of Examples." in page
    assert "Questions?" not in page


@pytest.mark.parametrize("contact", ["study@example.org", ""])
@pytest.mark.parametrize("is_purged", [False, True])
def test_a_message_that_is_too_late_gets_the_same_answer(client, contact, is_purged):
    survey = make_survey(contact=contact)
    close(survey)
    if is_purged:
        purge(survey)
    body = {"design": survey.design_digest, "submission": "f" * 32, "reports": "01"}
    answer = client.post(f"{URL}reports/", body, "application/json")
    message = answer.json()["error"]["message"]
    assert answer.status_code == 410
    assert "Nothing was recorded now. Run by" in message
    assert "stay" not in message  # deleted, it does not
    assert "Run by Institute of Examples." in message
    assert message.endswith("Questions: study@example.org.") is bool(contact)


def test_names_at_the_end_cannot_turn_the_sentences_around_them(client):
    close(make_survey(organiser="מכון", title="סקר", contact="דואר"))
    page = client.get(URL).content.decode()
    for name in ("מכון", "סקר", "דואר"):
        assert f"<bdi>{name}</bdi>" in page
