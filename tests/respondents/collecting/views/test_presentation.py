"""What a survey's pages show of sections, hints, helplines and completion."""

import re

import pytest
from django.urls import reverse

from tests.factories import make_survey

pytestmark = pytest.mark.django_db


def get_page(client, survey, name="survey"):
    return client.get(reverse(f"respondents:{name}", args=[survey.slug]))


def make_shown_survey(*, draws="", **fields):
    second = {
        "section": "At school",
        "section_text": "About *exams*.",
        "hint": "Last year.",
    }
    questions = ["coin", second, "coin", "coin"]
    return make_survey(questions, helpline="Call 116 123", draws=draws, **fields)


@pytest.mark.parametrize("mode", ["browser", "server", "hand"])
def test_a_page_shows_sections_hints_and_helplines(client, mode):
    survey = make_shown_survey(mode=mode)
    html = get_page(client, survey).content.decode()
    assert "About <em>exams</em>." in html
    assert html.index("data-opens") < html.index("Sensitive question 2?")
    assert html.count("<bdi>At school</bdi>") == 3
    assert re.search(r'aria-describedby="q2-hint"', html)
    assert re.search(r'id="q2-hint"[^>]*>Last year\.', html)
    assert "Call 116 123" in html.partition("<footer")[2]


def test_a_section_without_drawn_questions_is_hidden(client):
    one = {"section": "One", "section_text": "First"}
    two = {"section": "Two", "section_text": "Second"}
    survey = make_survey(
        [one, two, "coin", "coin"], mode="server", draws="1 of 1-2; 1 of 3-4"
    )
    html = get_page(client, survey).content.decode()
    opened = re.findall(r'data-opens="(\d)"\s+(data-screen)?', html)
    asked = re.findall(
        r'data-number="(\d)".*?(data-screen="question")?\s+data-title', html, re.S
    )
    is_first_asked = dict(asked)["1"] != ""
    assert dict(opened)["1"] == ("data-screen" if is_first_asked else "")


@pytest.mark.parametrize("mode", ["browser", "server"])
def test_query_parameters_added_by_a_panel_are_removed(client, mode):
    survey = make_survey(mode=mode)
    address = reverse("respondents:survey", args=[survey.slug])
    response = client.get(address, {"PROLIFIC_PID": "5f3a", "next": "//evil.example"})
    assert (response.status_code, response["Location"]) == (302, address)
    assert b"5f3a" not in response.content
    assert "no-store" in response["Cache-Control"]


def test_a_form_with_errors_links_inputs_to_hint_and_error(client):
    survey = make_shown_survey(mode="server")
    address = reverse("respondents:survey", args=[survey.slug])
    typed = "submission=" + "0" * 32
    response = client.post(address, typed, "application/x-www-form-urlencoded")
    html = response.content.decode()
    assert 'aria-describedby="q2-hint q2-error"' in html
    assert 'aria-describedby="q1-error"' in html
