"""An example for a newcomer, made from the home page."""

import pytest

from respondents.imports.examples import CLOSED_QUESTIONS, make_example
from respondents.models import Response, SealedPattern
from surveys.models import Survey
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import page_of, text_of

PAGE = "/admin/surveys/survey/example/"


@pytest.fixture
def newcomer(client, db, monkeypatch):
    monkeypatch.setattr("respondents.imports.examples.RESPONDENTS", 60)
    newcomer = make_user()
    client.force_login(newcomer)
    return newcomer


def test_home_leads_to_it_and_it_leads_to_results(client, newcomer):
    assert f'href="{PAGE}"' in text_of(client.get("/admin/"))
    assert "Make the demo" in text_of(client.get(PAGE))
    assert not Survey.objects.exists()
    response = client.post(PAGE, follow=True)
    survey = Survey.objects.get()
    assert response.redirect_chain == [(page_of(survey, "results"), 302)]
    assert "Simulated answers." in text_of(response)
    assert page_of(survey, "results") in text_of(client.get("/admin/"))


def test_it_is_closed_filled_and_the_newcomers_own(client, newcomer):
    client.post(PAGE)
    survey = Survey.objects.get()
    assert (survey.owner, survey.state) == (newcomer, "closed")
    assert survey.is_simulated
    assert survey.questions.count() == len(CLOSED_QUESTIONS)
    assert SealedPattern.objects.respondents(survey) == 60
    assert not Response.objects.exists()
    assert "Made as an example" in text_of(client.get(page_of(survey, "history")))


def test_there_is_one_for_each_researcher(client, newcomer):
    for _click in range(2):
        client.post(PAGE)
    assert Survey.objects.count() == 1
    assert make_example(newcomer) == Survey.objects.get()
    other = make_user("other")
    client.force_login(other)
    assert client.get(PAGE).status_code == 200
    client.post(PAGE)
    assert [each.owner for each in Survey.objects.all()] == [other, newcomer]


def test_an_address_that_is_taken_is_left_alone(client, newcomer):
    taken = make_survey(slug="closed-example", owner=make_user("other"))
    client.post(PAGE)
    assert not SealedPattern.objects.filter(survey=taken).exists()
    assert Survey.objects.count() == 2
