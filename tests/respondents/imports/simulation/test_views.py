"""The page that simulates respondents of a test: its form, its limits, its results."""

import pytest
from django.contrib.admin.models import LogEntry

from respondents.distribution import rehearsal
from respondents.imports.simulation.delivery import SimulationError
from respondents.imports.simulation.forms import SimulationForm, suggest_shares
from surveys.log import translate_entry
from surveys.models import Survey
from tests.factories import make_responses, make_survey

pytestmark = pytest.mark.django_db

THREE = ("k_ary", {"epsilon": 1, "choices": 3})
SHARES = {"q1_1": "20", "q2_1": "16.5", "q2_2": "73.5", "q2_3": "10"}
SENT = {"respondents": "300", **SHARES}


@pytest.fixture
def draft(client):
    survey = make_survey(["coin", THREE], opened=False)
    client.force_login(survey.owner)
    return survey


def address(survey):
    return f"/admin/surveys/survey/{survey.pk}/try/simulate/"


def text(answer):
    return answer.content.decode()


def form_of(draft, **changes):
    questions = draft.questions.prefetch_related("choices")
    return SimulationForm(questions, draft.target, {**SENT, **changes})


def test_simulation_starts_a_rehearsal_and_shows_its_results(client, draft):
    answer = client.post(address(draft), SENT, follow=True)
    test = rehearsal.find(draft)
    assert rehearsal.count_responses(test) == 300
    assert answer.redirect_chain[-1][0].endswith(f"/{test.pk}/results/")
    assert "True shares: question 1: 20 %, question 2: 16.5" in text(answer)
    line = LogEntry.objects.get(object_id=str(draft.pk))
    assert [*translate_entry(line)] == ["Simulated 300 respondents of a test."]


@pytest.mark.parametrize(("is_fresh", "count"), [("on", 300), ("", 302)])
def test_simulation_deletes_or_keeps_earlier_answers_as_chosen(
    client, draft, is_fresh, count
):
    test = rehearsal.start(draft)
    make_responses(test, [b"\0\0"] * 2)
    client.post(address(draft), {**SENT, "is_fresh": is_fresh})
    assert rehearsal.count_responses(rehearsal.find(draft)) == count
    assert rehearsal.find(draft).slug == test.slug


def test_simulating_a_changed_draft_restarts_the_rehearsal(client, draft):
    test = rehearsal.start(draft)
    draft.questions.filter(position=1).update(family="die")
    assert "starts the test" in text(client.get(address(draft)))
    client.post(address(draft), SENT)
    fresh = rehearsal.find(draft)
    assert fresh != test
    assert fresh.questions.first().family == "die"


def test_the_number_of_respondents_accepts_a_thousands_separator(draft):
    form = form_of(draft, respondents="1,000")
    assert form.is_valid()
    assert form.cleaned_data["respondents"] == 1000
    form = form_of(draft, respondents="10,001", q1_1="101")
    assert form.errors["respondents"] == ["Enter a whole number from 1 to 10,000."]
    message = "Enter a number from 0 to 100, with 4 decimals at most."
    assert form.errors["q1_1"] == [message]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"respondents": "0"}, "respondents"),
        ({"respondents": "10001"}, "respondents"),
        ({"respondents": "many"}, "respondents"),
        ({"q1_1": "101"}, "q1_1"),
        ({"q1_1": "-1"}, "q1_1"),
        ({"q1_1": "nan"}, "q1_1"),
        ({"q1_1": "0.12345"}, "q1_1"),
        ({"q1_1": ""}, "q1_1"),
        ({"q2_3": "10.5"}, "q2_1"),
    ],
)
def test_invalid_simulation_numbers_are_reported_and_start_nothing(
    client, draft, changes, field
):
    assert set(form_of(draft, **changes).errors) == {field}
    answer = client.post(address(draft), {**SENT, **changes})
    assert answer.status_code == 200
    assert f'<a href="#id_{field}">' in text(answer)
    assert list(Survey.objects.all()) == [draft]


@pytest.mark.parametrize(
    ("count", "shares"), [(1, [20]), (3, [20, 40, 40]), (4, [20, 26, 27, 27])]
)
def test_suggested_shares_sum_to_100(count, shares):
    assert suggest_shares(count) == shares


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_draft_that_cannot_be_rehearsed_cannot_be_simulated(client, draft, method):
    draft.questions.all().delete()
    answer = getattr(client, method)(address(draft), SENT)
    assert answer["Location"] == f"/admin/surveys/survey/{draft.pk}/try/"
    opened = make_survey(slug="opened")
    answer = getattr(client, method)(address(opened), SENT)
    assert answer.status_code == 302
    assert not Survey.objects.exclude(rehearsal_of=None).exists()


def test_a_rehearsal_that_ends_during_simulation_is_reported(
    client, draft, monkeypatch
):
    def fail(*args):
        raise SimulationError("The test was ended meanwhile.")

    monkeypatch.setattr("respondents.imports.simulation.views.fill", fail)
    answer = client.post(address(draft), SENT)
    assert answer.status_code == 200
    assert "was changed meanwhile. Please try again." in text(answer)
