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
from tests.concurrency import run_concurrently
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


def make_expired_survey(today, **fields):
    """An open survey whose last day, 9 March, was yesterday."""
    today["day"] = TODAY - timedelta(days=5)
    survey = make_survey(closes_on=TODAY - timedelta(days=1), **fields)
    make_responses(survey, [b"\x00", b"\x01"])
    today["day"] = TODAY
    return survey


CLOSING_TRIGGERS = {
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


@pytest.mark.parametrize("comer", sorted(CLOSING_TRIGGERS.keys() - {"a submission"}))
def test_the_planned_number_does_not_reveal_pending_responses(client, comer):
    """Otherwise an editor could learn each hour whether one more has answered."""
    survey = make_survey(batch_size=5, closes_at_target=True, target=100)
    make_responses(survey, [b"\x01"] * 10)
    Response.objects.seal_if_due(survey)
    for number in range(4):
        Response.objects.store(survey, f"{100 + number:032x}", b"\x01")
        for target in (1, 6, 9, 10, 11 + number):
            Survey.objects.filter(pk=survey.pk).update(target=target)
            CLOSING_TRIGGERS[comer](client)
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


def test_closing_respects_a_last_day_changed_concurrently(today):
    survey = make_expired_survey(today)
    Survey.objects.filter(pk=survey.pk).update(closes_on=TODAY)
    close_if_due(survey)
    assert survey.is_open
    assert survey.closes_on == TODAY


def test_closing_keeps_a_concurrent_closing(today):
    survey = make_expired_survey(today)
    close(Survey.objects.get())
    close_if_due(survey)
    assert survey.is_closed
    assert survey.closed_on == survey.closes_on


def day_before_yesterday():
    """Past all grace at any time of the day."""
    return timezone.localdate() - timedelta(days=2)


def expire_survey(survey):
    """Responses have arrived; then the last day is moved into the past."""
    make_responses(survey, [b"\x01"] * 10)
    Survey.objects.filter(pk=survey.pk).update(closes_on=day_before_yesterday())
    survey.refresh_from_db()


@pytest.mark.storage
@pytest.mark.usefixtures("committed")
def test_simultaneous_closings_neither_lose_nor_double_responses():
    survey = make_survey()
    expire_survey(survey)
    copies = [Survey.objects.get() for _ in range(8)]

    run_concurrently(*(partial(close_if_due, copy) for copy in copies))

    assert {(copy.state, copy.closed_on) for copy in copies} == {
        ("closed", day_before_yesterday())
    }
    assert SealedPattern.objects.counts(survey) == {b"\x01": 10}
    assert not Receipt.objects.exists()


@pytest.mark.storage
@pytest.mark.usefixtures("committed")
def test_responses_around_the_planned_number_are_counted_or_rejected():
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

    stored = run_concurrently(*(partial(respond, first) for first in (0, 100, 200)))

    survey.refresh_from_db()
    assert survey.is_closed
    assert SealedPattern.objects.counts(survey) == {b"\x01": sum(stored)}
    assert sum(stored) >= 20
    assert not Response.objects.exists()
    assert not Receipt.objects.exists()


@pytest.mark.storage
@pytest.mark.usefixtures("committed")
def test_a_survey_closes_at_the_planned_number_without_a_visit():
    survey = make_survey(batch_size=2, target=3, closes_at_target=True)
    for number in range(4):
        Response.objects.store(Survey.objects.get(), f"{number:032x}", b"\x01")

    survey.refresh_from_db()
    assert survey.is_closed
    assert SealedPattern.objects.counts(survey) == {b"\x01": 4}


@pytest.mark.storage
@pytest.mark.usefixtures("committed")
def test_the_last_planned_link_closes_the_survey_and_deletes_links():
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


def test_closing_by_hand_before_the_last_day_is_dated_today(today):
    survey = make_survey(closes_on=TODAY + timedelta(days=3))
    close(survey)
    assert survey.closed_on == TODAY
