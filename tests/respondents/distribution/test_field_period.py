"""Until when and until how many: changed while a survey is open, and in the log."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from respondents.distribution.field_period import save_period
from respondents.models import Response, close
from surveys.models import Membership, Role, Survey
from tests.factories import make_responses, make_survey, make_user
from tests.surveys.authoring.posted import page_of, text_of

pytestmark = pytest.mark.django_db

SENT = {"closes_on": "", "target": "", "wanted_margin": ""}


@pytest.fixture
def survey(client):
    survey = make_survey(batch_size=1)
    editor = make_user("editor")
    Membership.objects.create(survey=survey, user=editor, role=Role.EDITOR)
    client.force_login(editor)
    return survey


def save(client, survey, **fields):
    return client.post(page_of(survey, "period"), {**SENT, **fields}, follow=True)


def tomorrow():
    return timezone.localdate() + timedelta(days=1)


def test_an_editor_changes_the_field_period_of_an_open_survey(client, survey):
    digest = survey.design_digest
    answer = save(
        client,
        survey,
        closes_on=tomorrow().isoformat(),
        target="400",
        closes_at_target="on",
        wanted_margin="2.5",
    )
    assert "The field period is saved." in text_of(answer)
    survey.refresh_from_db()
    assert (survey.closes_on, survey.target) == (tomorrow(), 400)
    assert (survey.closes_at_target, survey.wanted_margin) == (True, Decimal("2.5"))
    assert survey.design_digest == digest
    assert "It closes at 400 responses." in text_of(answer)


def test_the_log_names_what_was_changed(client, survey):
    save(client, survey, target="400", closes_on=tomorrow().isoformat())
    log = text_of(client.get(page_of(survey, "history")))
    assert "Changed: Last day and Planned number of responses." in log


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"closes_on": "2001-01-01"}, "Enter a later day"),
        ({"closes_on": "soon"}, "Enter a valid date."),
        ({"closes_at_target": "on"}, "Enter the number at which it closes."),
        ({"target": "0"}, "from 1 to 10,000,000"),
        ({"wanted_margin": "51"}, "from 0.1 to 50"),
        ({"target": "3", "closes_at_target": "on"}, "as many responses already"),
    ],
)
def test_invalid_field_periods_are_rejected(client, survey, fields, message):
    make_responses(survey, [b"\x00"] * 3)
    Response.objects.seal(survey)
    answer = save(client, survey, **fields)
    assert answer.status_code == 200
    assert message in text_of(answer)
    survey.refresh_from_db()
    assert (survey.closes_on, survey.target, survey.closes_at_target) == (
        None,
        None,
        False,
    )


@pytest.mark.parametrize("state", ["draft", "closed"])
def test_only_an_open_survey_has_a_field_period(client, state):
    survey = make_survey(opened=state != "draft")
    if state == "closed":
        close(survey)
    client.force_login(survey.owner)
    for answer in (
        client.get(page_of(survey, "period"), follow=True),
        save(client, survey, target="5"),
    ):
        assert "Only an open survey allows this." in text_of(answer)
    survey.refresh_from_db()
    assert survey.target is None


def test_numbers_are_read_as_people_type_them(client, survey):
    save(client, survey, target="1.200", wanted_margin="2,5")
    survey.refresh_from_db()
    assert (survey.target, survey.wanted_margin) == (1200, Decimal("2.5"))


def test_the_field_period_of_a_just_closed_survey_is_not_changed(survey):
    stale = Survey.objects.get()
    close(survey)
    stale.target = 7
    assert not save_period(stale, ["target"])
    assert Survey.objects.get().target is None


def test_an_expired_survey_closes_when_its_page_is_requested(client, survey):
    Survey.objects.update(closes_on=date(2026, 1, 1))
    answer = client.get(page_of(survey, "period"), follow=True)
    assert "Only an open survey" in text_of(answer)
    assert Survey.objects.get().is_closed


def test_today_may_be_the_last_day(client, survey):
    save(client, survey, closes_on=timezone.localdate().isoformat())
    survey.refresh_from_db()
    assert survey.closes_on == timezone.localdate()
