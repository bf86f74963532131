"""Closing by itself: after the last day, and at the planned number of responses."""

from datetime import UTC, date, datetime, time, timedelta
from functools import partial

import pytest
from django.core.management import call_command
from django.utils import timezone

from respondents.models import (
    Receipt,
    Response,
    SealedPattern,
    SurveyClosedError,
    close,
    close_if_due,
)
from respondents.storage.invitations import Invitation
from surveys.models import Survey
from tests.concurrency import at_once
from tests.factories import make_responses, make_survey
from tests.respondents.sent import send

pytestmark = pytest.mark.django_db

URL = "/s/study-habits/"
TODAY = date(2026, 3, 10)


@pytest.fixture
def today(monkeypatch):
    """A calendar whose day a test can turn."""
    calendar = {"day": TODAY}

    def at_noon():
        return datetime.combine(calendar["day"], time(12), UTC)

    monkeypatch.setattr(timezone, "now", at_noon)
    return calendar


def make_over(today, **fields):
    """An open survey whose last day, 9 March, was yesterday."""
    today["day"] = TODAY - timedelta(days=5)
    survey = make_survey(closes_on=TODAY - timedelta(days=1), **fields)
    make_responses(survey, [b"\x00", b"\x01"])
    today["day"] = TODAY
    return survey


COMERS = {
    "a respondent": lambda client: client.get(URL),
    "one who comes back": lambda client: client.get(f"{URL}thanks/"),
    "a submission": lambda client: send(client, Survey.objects.get(), number=2),
    "a researcher": lambda client: Response.objects.seal_if_due(Survey.objects.get()),
    "manage.py seal": lambda client: call_command("seal"),
    "manage.py close_due": lambda client: call_command("close_due"),
}


def test_a_last_day_costs_the_respondents_no_query(
    client, today, django_assert_num_queries
):
    survey = make_survey(closes_on=TODAY, target=5, closes_at_target=True)
    client.get(URL)
    with django_assert_num_queries(1):
        client.get(URL)
    unlimited = make_survey(slug="unlimited")
    with django_assert_num_queries(0):
        assert not survey.is_over
        assert not unlimited.is_over


@pytest.mark.parametrize("comer", sorted(COMERS.keys() - {"a submission"}))
def test_the_planned_number_does_not_reveal_how_many_wait(client, comer):
    """Who may change it could else ask hour by hour whether one more has answered."""
    survey = make_survey(batch_size=5, closes_at_target=True, target=100)
    make_responses(survey, [b"\x01"] * 10)
    Response.objects.seal_if_due(survey)
    for number in range(4):
        Response.objects.store(survey, f"{100 + number:032x}", b"\x01")
        for target in (1, 6, 9, 10, 11 + number):
            Survey.objects.filter(pk=survey.pk).update(target=target)
            COMERS[comer](client)
            survey.refresh_from_db()
            assert survey.is_open, target
    Response.objects.store(survey, "f" * 32, b"\x01")
    Response.objects.seal_if_due(Survey.objects.get())
    survey.refresh_from_db()
    assert survey.is_closed


def test_a_planned_number_alone_closes_nothing():
    survey = make_survey(batch_size=1, target=2)
    make_responses(survey, [b"\x01"] * 4)
    Response.objects.seal_if_due(survey)
    assert survey.is_open


def test_a_last_day_that_was_moved_meanwhile_counts(today):
    survey = make_over(today)
    Survey.objects.filter(pk=survey.pk).update(closes_on=TODAY)
    close_if_due(survey)
    assert survey.is_open
    assert survey.closes_on == TODAY


def test_a_survey_that_others_closed_meanwhile_stays_as_they_left_it(today):
    survey = make_over(today)
    close(Survey.objects.get())
    close_if_due(survey)
    assert survey.is_closed
    assert survey.closed_on == survey.closes_on


def day_before_yesterday():
    """Past all grace at any time of the day."""
    return timezone.localdate() - timedelta(days=2)


def let_it_be_over(survey):
    """Responses have arrived; then the last day is moved into the past."""
    make_responses(survey, [b"\x01"] * 10)
    Survey.objects.filter(pk=survey.pk).update(closes_on=day_before_yesterday())
    survey.refresh_from_db()


@pytest.mark.storage
@pytest.mark.usefixtures("committed")
def test_many_who_close_it_at_once_lose_and_double_nothing():
    survey = make_survey()
    let_it_be_over(survey)
    copies = [Survey.objects.get() for _ in range(8)]

    at_once(*(partial(close_if_due, copy) for copy in copies))

    assert {(copy.state, copy.closed_on) for copy in copies} == {
        ("closed", day_before_yesterday())
    }
    assert SealedPattern.objects.counts(survey) == {b"\x01": 10}
    assert not Receipt.objects.exists()


@pytest.mark.storage
@pytest.mark.usefixtures("committed")
def test_responses_that_race_the_planned_number_are_counted_or_refused():
    survey = make_survey(batch_size=5, target=20, closes_at_target=True)

    def respond(first):
        stored = 0
        for number in range(first, first + 30):
            try:
                Response.objects.store(survey, f"{number:032x}", b"\x01")
            except SurveyClosedError:
                return stored
            stored += 1
            Response.objects.seal_if_due(Survey.objects.get())
        return stored

    stored = at_once(*(partial(respond, first) for first in (0, 100, 200)))

    survey.refresh_from_db()
    assert survey.is_closed
    assert SealedPattern.objects.counts(survey) == {b"\x01": sum(stored)}
    assert sum(stored) >= 20
    assert not Response.objects.exists()
    assert not Receipt.objects.exists()


@pytest.mark.storage
@pytest.mark.usefixtures("committed")
def test_at_the_planned_number_it_closes_without_a_visit():
    survey = make_survey(batch_size=2, target=3, closes_at_target=True)
    for number in range(4):
        Response.objects.store(Survey.objects.get(), f"{number:032x}", b"\x01")

    survey.refresh_from_db()
    assert survey.is_closed
    assert SealedPattern.objects.counts(survey) == {b"\x01": 4}


@pytest.mark.storage
@pytest.mark.usefixtures("committed")
def test_the_last_one_time_link_closes_the_survey_and_all_links_are_forgotten():
    survey = make_survey(
        access="invitation", batch_size=2, target=4, closes_at_target=True
    )
    tokens = Invitation.objects.make(survey, 10)
    for token in tokens[:4]:
        Response.objects.store_all_invited(Survey.objects.get(), {token: b"\x01"})

    survey.refresh_from_db()
    assert survey.is_closed
    assert SealedPattern.objects.counts(survey) == {b"\x01": 4}
    assert not Invitation.objects.exists()
    with pytest.raises(SurveyClosedError):
        Response.objects.store_all_invited(survey, {tokens[5]: b"\x01"})


def test_by_hand_before_the_last_day_it_closed_today(today):
    survey = make_survey(closes_on=TODAY + timedelta(days=3))
    close(survey)
    assert survey.closed_on == TODAY
