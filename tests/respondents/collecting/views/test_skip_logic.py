"""Conditions and screening where no script decides, and in the protocol."""

from urllib.parse import urlencode

import pytest
from django.urls import reverse

from tests.factories import make_survey
from tests.respondents.sent import send, stored

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"


def make_branching_survey(second="direct", **fields):
    """Question 1 decides on 2, and ends the survey with its third answer."""
    year = {
        "family": "direct_choice",
        "choices": ["First", "Second", "Neither"],
        "ends_if": "Neither",
    }
    return make_survey([year, {"family": second, "show_if": "1 is First"}], **fields)


def post(client, survey, *picks):
    fields = {f"q{number}": pick for number, pick in enumerate(picks, start=1)}
    form = {"submission": "0" * 32, "consent": "on", **fields}
    address = reverse("respondents:survey", args=[survey.slug])
    return client.post(address, urlencode(form), FORM)


@pytest.mark.parametrize(
    ("picks", "pattern"), [((0, 0), b"\0\0"), ((0, 1), b"\0\1"), ((1, 0), b"\1\1")]
)
def test_the_server_stores_declared_answers_for_hidden_questions(
    client, picks, pattern
):
    survey = make_branching_survey(mode="server")
    assert post(client, survey, *picks).status_code == 303
    assert stored() == [pattern]


@pytest.mark.parametrize("mode", ["server", "hand"])
def test_an_answer_that_ends_the_survey_is_not_stored(client, mode):
    survey = make_branching_survey(mode=mode, screened_code="NOT-YOU")
    response = post(client, survey, 2, 0)
    html = response.content.decode()
    assert response.status_code == 200
    assert "Nothing was stored." in html
    assert ">NOT-YOU</code>" in html
    assert stored() == []


def test_reports_of_an_answer_that_ends_the_survey_are_refused(client):
    survey = make_branching_survey()
    for reports, status in (("0200", 400), ("0101", 200)):
        assert send(client, survey, reports).status_code == status
    assert stored() == [b"\1\1"]
