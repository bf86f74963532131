"""Where closing is confirmed, the researcher reads that there may be no results."""

import pytest
from django.urls import reverse

from respondents.models import Response
from tests.factories import make_responses, make_survey

pytestmark = pytest.mark.django_db

CAUTION = "Results need"


@pytest.fixture
def survey(client):
    survey = make_survey(batch_size=10)
    client.force_login(survey.owner)
    return survey


def confirmation(client, survey):
    page = client.get(reverse("admin:surveys_survey_close", args=[survey.pk]))
    return " ".join(page.content.decode().split())


def test_it_says_from_how_many_responses_on_there_are_results(client, survey):
    page = confirmation(client, survey)
    assert "Counted so far: 0." in page
    assert CAUTION in page


def test_it_says_nothing_where_there_are_enough(client, survey):
    make_responses(survey, [b"\0"] * 20)
    Response.objects.seal_if_due(survey)
    assert CAUTION not in confirmation(client, survey)


def test_it_does_not_tell_how_many_wait(client, survey):
    before = confirmation(client, survey).partition("Closing is final")[2]
    make_responses(survey, [b"\0"] * 9)
    after = confirmation(client, survey).partition("Closing is final")[2]
    token = before.partition('csrfmiddlewaretoken" value="')[2].partition('"')[0]
    other = after.partition('csrfmiddlewaretoken" value="')[2].partition('"')[0]
    assert token != other
    assert before.replace(token, "") == after.replace(other, "")
