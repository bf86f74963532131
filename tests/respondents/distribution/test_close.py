"""Where closing is confirmed, the researcher reads that there may be no results."""

import pytest
from django.urls import reverse

from tests.factories import make_responses, make_survey

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(client):
    survey = make_survey(batch_size=10)
    client.force_login(survey.owner)
    return survey


def confirmation(client, survey):
    page = client.get(reverse("admin:surveys_survey_close", args=[survey.pk]))
    return " ".join(page.content.decode().split())


def test_it_does_not_tell_how_many_wait(client, survey):
    before = confirmation(client, survey).partition("Closing is final")[2]
    make_responses(survey, [b"\0"] * 9)
    after = confirmation(client, survey).partition("Closing is final")[2]
    token = before.partition('csrfmiddlewaretoken" value="')[2].partition('"')[0]
    other = after.partition('csrfmiddlewaretoken" value="')[2].partition('"')[0]
    assert token != other
    assert before.replace(token, "") == after.replace(other, "")
