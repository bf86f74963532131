import math
import re
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from candor.mechanisms.odds import RARE_EXCEPTIONS_RATIO
from estimation.presentation.survey import SurveyPanel
from estimation.rows.shares import get_results
from respondents.imports.examples import (
    CLOSED_SLUG,
    count_responses,
    make_example,
    read_example,
)
from respondents.imports.simulation.simulate import simulate
from respondents.models import Response, SealedPattern
from surveys.models import Survey
from tests.factories import make_responses, make_survey, make_user
from tests.surveys.authoring.posted import page_of, text_of

PAGE = "/admin/surveys/survey/example/"


def run(command, **options):
    written = StringIO()
    call_command(command, stdout=written, **options)
    return written.getvalue()


@pytest.mark.django_db
class TestDemo:
    @pytest.fixture(autouse=True)
    def _few_respondents(self, monkeypatch):
        monkeypatch.setattr("respondents.imports.examples.RESPONDENTS", 60)

    def test_the_printed_login_works(self, client):
        written = run("demo")
        (password,) = re.findall(r"Password +(\S+)  \(shown only now\)", written)
        typed = {"login": "researcher", "password": password}
        assert client.post("/admin/login/", typed).status_code == 302
        (results,) = re.findall(
            r"Results to look at +http://127.0.0.1:8000(\S+)", written
        )
        assert client.get(results).status_code == 200
        (answer,) = re.findall(
            r"A survey to answer +http://127.0.0.1:8000(\S+)", written
        )
        assert client.get(answer).status_code == 200

    def test_the_demo_creates_two_filled_surveys_and_an_open_one(self):
        written = run("demo", address="http://127.0.0.1:8123")
        assert "http://127.0.0.1:8123/admin/" in written
        assert ":8000" not in written
        filled = Survey.objects.get(slug="closed-example")
        assert (filled.state, filled.is_simulated) == ("closed", True)
        assert get_results(filled).respondents == 60
        empty = Survey.objects.get(slug="open-example")
        assert (empty.state, empty.is_simulated) == ("open", False)
        assert count_responses(empty) == 0
        assert empty.batch_size == Survey._meta.get_field("batch_size").default
        # The third one has scales and a draw.
        (address,) = re.findall(r"Scales and a draw +\S+/survey/(\d+)/", written)
        survey = Survey.objects.get(pk=address)
        assert (survey.state, survey.is_simulated) == ("closed", True)
        results = get_results(survey)
        one_bit, points, *drawn = results.questions
        assert [bool(each.rows) for each in (one_bit, points)] == [False, True]
        assert all(each.mean for each in (one_bit, points))
        assert sum(each.respondents for each in drawn) == results.respondents == 60
        for survey in Survey.objects.all():
            assert float(SurveyPanel(get_results(survey)).total_epsilon) < math.log(
                RARE_EXCEPTIONS_RATIO
            )

    def test_running_the_demo_again_changes_nothing(self):
        run("demo")
        before = (
            list(Survey.objects.values()),
            list(User.objects.values()),
            sorted(SealedPattern.objects.values_list()),
        )
        assert "manage.py changepassword researcher" in run("demo")
        assert before == (
            list(Survey.objects.values()),
            list(User.objects.values()),
            sorted(SealedPattern.objects.values_list()),
        )

    def test_an_interrupted_demo_run_is_resumed(self, monkeypatch):
        def interrupted(survey, respondents, *arguments, **options):
            simulate(survey, 25, *arguments, **options)
            raise KeyboardInterrupt

        monkeypatch.setattr("respondents.imports.examples.simulate", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run("demo")
        monkeypatch.setattr("respondents.imports.examples.simulate", simulate)
        run("demo")
        assert get_results(Survey.objects.get(slug="closed-example")).respondents == 60

    def test_the_demo_does_not_change_a_survey_with_real_responses(self):
        asked = [
            each.mechanism for each in read_example(CLOSED_SLUG).definition.questions
        ]
        same = [(each.family, each.parameters) for each in asked]
        mine = make_survey(same, slug="closed-example")
        make_responses(mine, [bytes(5)])
        with pytest.raises(CommandError, match="responses of people"):
            run("demo")
        make_responses(mine, [bytes(5)] * 60)
        run("demo")
        mine.refresh_from_db()
        assert (mine.state, mine.is_simulated) == ("open", False)
        assert count_responses(mine) == 60


@pytest.mark.django_db
class TestSeal:
    def test_it_seals_every_open_survey_whose_batch_is_due(self):
        due = make_survey(slug="due", batch_size=2)
        waiting = make_survey(slug="waiting", batch_size=3)
        make_survey(slug="draft", opened=False)
        for survey in (due, waiting):
            make_responses(survey, [b"\0"] * 4)
        assert run("seal").strip() == "Open surveys checked: 2."
        assert SealedPattern.objects.counts(due) == {b"\0": 2}
        assert SealedPattern.objects.counts(waiting) == {}
        assert Response.objects.filter(survey=waiting).count() == 4


@pytest.fixture
def newcomer(client, db, monkeypatch):
    monkeypatch.setattr("respondents.imports.examples.RESPONDENTS", 60)
    newcomer = make_user()
    client.force_login(newcomer)
    return newcomer


def test_the_home_page_offers_the_demo_which_leads_to_results(client, newcomer):
    assert f'href="{PAGE}"' in text_of(client.get("/admin/"))
    assert "Make the demo" in text_of(client.get(PAGE))
    assert not Survey.objects.exists()
    response = client.post(PAGE, follow=True)
    survey = Survey.objects.get()
    assert response.redirect_chain == [(page_of(survey, "results"), 302)]
    assert "Simulated answers" in text_of(response)
    assert page_of(survey, "results") in text_of(client.get("/admin/"))


def test_the_demo_survey_is_closed_filled_and_owned_by_the_newcomer(client, newcomer):
    client.post(PAGE)
    survey = Survey.objects.get()
    assert (survey.owner, survey.state) == (newcomer, "closed")
    assert survey.is_simulated
    assert survey.questions.count() == len(
        read_example(CLOSED_SLUG).definition.questions
    )
    assert SealedPattern.objects.respondents(survey) == 60
    assert not Response.objects.exists()
    assert "Made as an example" in text_of(client.get(page_of(survey, "history")))


def test_each_researcher_has_one_demo_survey(client, newcomer):
    for _click in range(2):
        client.post(PAGE)
    assert Survey.objects.count() == 1
    assert make_example(newcomer) == Survey.objects.get()
    other = make_user("other")
    client.force_login(other)
    assert client.get(PAGE).status_code == 200
    client.post(PAGE)
    assert [each.owner for each in Survey.objects.all()] == [other, newcomer]
