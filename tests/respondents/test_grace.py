"""After the last day, responses begun before are accepted for ten more minutes."""

from datetime import UTC, date, datetime, timedelta
from itertools import product
from urllib.parse import urlencode

import pytest
from django.utils import timezone

from respondents.models import Receipt, Response, SealedPattern, close
from respondents.storage.invitations import Invitation
from surveys.models import Survey
from surveys.models.period import GRACE
from tests.factories import make_survey
from tests.respondents.sent import send
from tests.respondents.test_closing import CLOSING_TRIGGERS, URL

pytestmark = pytest.mark.django_db

LAST_DAY = date(2026, 3, 9)
END = datetime(2026, 3, 10, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.fixture
def clock(monkeypatch):
    """A clock that a test can turn; at first it is a minute before the end."""
    hands = {"now": END - timedelta(minutes=1)}
    monkeypatch.setattr(timezone, "now", lambda: hands["now"])
    return hands


@pytest.fixture
def survey(clock):
    return make_survey(closes_on=LAST_DAY)


def post_form(client, **form):
    encoded = urlencode({"submission": "f" * 32, "q1": "0", **form})
    return client.post(URL, encoded, "application/x-www-form-urlencoded")


def state_of(survey):
    return Survey.objects.values_list("state", "closed_on").get(pk=survey.pk)


# Moment from the end: what a page answers, what a submission, and whether it is open.
EDGES = {
    -SECOND: (200, 200, "open"),
    timedelta(): (410, 200, "open"),
    GRACE - SECOND: (410, 200, "open"),
    GRACE: (410, 410, "closed"),
}

# The end of the day in UTC, from the offsets of the time zone database. In Cairo clocks
# skip the first hour of 24 April, and repeat the last one of 29 October.
ENDS = {
    ("UTC", LAST_DAY): END,
    ("Pacific/Auckland", LAST_DAY): datetime(2026, 3, 9, 11, tzinfo=UTC),
    ("America/New_York", LAST_DAY): datetime(2026, 3, 10, 4, tzinfo=UTC),
    ("Africa/Cairo", date(2026, 4, 23)): datetime(2026, 4, 23, 22, tzinfo=UTC),
    ("Africa/Cairo", date(2026, 10, 29)): datetime(2026, 10, 29, 22, tzinfo=UTC),
}


# Each edge in UTC; in other zones those of the end of the day.
MOMENTS = [
    (zone, last_day, moment)
    for (zone, last_day), moment in product(ENDS, EDGES)
    if zone == "UTC" or moment <= timedelta()
]


@pytest.mark.parametrize(("zone", "last_day", "moment"), MOMENTS, ids=str)
def test_the_grace_period_uses_the_time_zone_of_the_server(
    client, clock, settings, zone, last_day, moment
):
    settings.TIME_ZONE = zone
    clock["now"] = ENDS[zone, last_day] - timedelta(days=2)
    survey = make_survey(closes_on=last_day)
    clock["now"] = ENDS[zone, last_day] + moment
    page, report, state = EDGES[moment]

    assert client.get(URL).status_code == page
    assert send(client, survey).status_code == report
    assert state_of(survey) == (state, last_day if state == "closed" else None)
    arrived = Response.objects.filter(survey=survey).count()
    assert arrived == (1 if report == 200 else 0)


@pytest.mark.parametrize("moment", EDGES, ids=str)
def test_forms_have_the_same_grace_period_as_messages(client, clock, moment):
    survey = make_survey(closes_on=LAST_DAY, mode="server")
    clock["now"] = END + moment
    answer = post_form(client, consent="on")
    _page, report, state = EDGES[moment]
    assert answer.status_code == (303 if report == 200 else 410)
    assert Response.objects.count() == (report == 200)
    assert state_of(survey)[0] == state


def test_one_time_links_have_the_same_grace_period(client, clock):
    survey = make_survey(closes_on=LAST_DAY, access="invitation")
    token, late = Invitation.objects.make(survey, 2)
    clock["now"] = END + GRACE - SECOND
    assert send(client, survey, invitation=token).status_code == 200
    clock["now"] = END + GRACE
    assert send(client, survey, invitation=late).status_code == 410
    assert SealedPattern.objects.counts(survey) == {b"\x01": 1}
    assert not Invitation.objects.exists()


def test_retries_around_the_closing_time_are_stored_once(client, clock, survey):
    for moment in (-SECOND, timedelta(), GRACE - SECOND):
        clock["now"] = END + moment
        assert send(client, survey).status_code == 200
    clock["now"] = END + GRACE
    assert send(client, survey).status_code == 410
    assert SealedPattern.objects.counts(survey) == {b"\x01": 1}


@pytest.mark.parametrize("comer", CLOSING_TRIGGERS)
def test_a_survey_does_not_close_before_the_grace_period_ends(
    client, clock, survey, comer
):
    send(client, survey)
    clock["now"] = END + GRACE - SECOND
    CLOSING_TRIGGERS[comer](client)
    assert state_of(survey) == ("open", None)
    arrived = Response.objects.count()
    assert Receipt.objects.count() == arrived
    assert not SealedPattern.objects.exists(), "no result moves meanwhile"

    clock["now"] = END + GRACE
    CLOSING_TRIGGERS[comer](client)
    assert state_of(survey) == ("closed", LAST_DAY)
    assert SealedPattern.objects.counts(survey) == {b"\x01": arrived}
    assert not Response.objects.exists()
    assert not Receipt.objects.exists()


def test_the_page_during_the_grace_period_keeps_unsent_messages(client, clock, survey):
    clock["now"] = END
    waiting = client.get(URL).content.decode()
    assert "This survey closed on 9 March 2026." in waiting
    clock["now"] = END + GRACE
    final = client.get(URL).content.decode()
    for trace in ("data-forget", "forget."):
        assert trace not in waiting
        assert trace in final


def test_closing_by_hand_in_the_grace_period_is_dated_the_last_day(
    client, clock, survey
):
    clock["now"] = END + SECOND
    close(survey)
    assert send(client, survey).status_code == 410
    assert state_of(survey) == ("closed", LAST_DAY)
