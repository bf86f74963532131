"""Conditions and screening where no script decides, and in the protocol."""

import json
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from respondents.models import Response
from surveys.design import get_design
from tests.factories import give_reason, make_survey

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"


def make_branching_survey(second="direct", **fields):
    """Question 1 decides on 2, and ends the survey with its third answer."""
    survey = make_survey([], opened=False, **fields)
    survey.add_question(
        "In which year?",
        family="direct_choice",
        choices=["First", "Second", "Neither"],
        ends_if="Neither",
    )
    survey.add_question("Copied?", family=second, show_if="1 is First")
    give_reason(survey)
    survey.open()
    return survey


def post(client, survey, *picks):
    fields = {f"q{number}": pick for number, pick in enumerate(picks, start=1)}
    form = {"submission": "0" * 32, "consent": "on", **fields}
    address = reverse("respondents:survey", args=[survey.slug])
    return client.post(address, urlencode(form), FORM)


def list_stored():
    return [bytes(each.pattern) for each in Response.objects.all()]


@pytest.mark.parametrize(
    ("picks", "stored"), [((0, 0), b"\0\0"), ((0, 1), b"\0\1"), ((1, 0), b"\1\1")]
)
def test_the_server_counts_what_is_not_shown_with_its_declared_answer(
    client, picks, stored
):
    survey = make_branching_survey(mode="server")
    assert post(client, survey, *picks).status_code == 303
    assert list_stored() == [stored]


@pytest.mark.parametrize("mode", ["server", "hand"])
def test_an_answer_that_ends_the_survey_is_not_stored(client, mode):
    survey = make_branching_survey(mode=mode, screened_code="NOT-YOU")
    response = post(client, survey, 2, 0)
    html = response.content.decode()
    assert response.status_code == 200
    assert "Nothing was stored." in html
    assert ">NOT-YOU</code>" in html
    assert list_stored() == []


def test_reports_of_an_answer_that_ends_the_survey_are_refused(client):
    survey = make_branching_survey()
    for reports, status in (("0200", 400), ("0101", 200)):
        message = {
            "design": get_design(survey).digest,
            "submission": "0" * 32,
            "reports": reports,
        }
        address = reverse("respondents:reports", args=[survey.slug])
        response = client.post(address, json.dumps(message), "application/json")
        assert response.status_code == status
    assert list_stored() == [b"\1\1"]


@pytest.mark.parametrize(
    ("mode", "second", "sentence"),
    [
        ("server", "coin", "If not, choose “No”."),
        ("hand", "direct", "If not, choose “No”."),
        ("hand", "coin", "If not, do the steps as if your answer were “No”."),
        ("browser", "coin", None),
    ],
)
def test_where_no_script_decides_a_sentence_does(client, mode, second, sentence):
    survey = make_branching_survey(second, mode=mode)
    address = reverse("respondents:survey", args=[survey.slug])
    html = client.get(address).content.decode()
    condition = "This question is for you if your answer to question 1 is “First”."
    assert html.count(condition) == (sentence is not None)
    assert sentence is None or f"{condition} {sentence}" in html
    assert ("data-unscripted>This question" in html) == (mode == "server")
    count = "2 questions" if mode == "hand" else "at most 2 questions"
    assert count in html


def test_a_survey_without_conditions_loads_no_script_for_them(client):
    survey = make_survey()
    address = reverse("respondents:survey", args=[survey.slug])
    html = client.get(address).content.decode()
    assert "conditions" not in html
    assert 'data-screen="screened"' not in html
