"""After the last day no one begins; what was begun is taken for ten minutes more."""

import json
from datetime import UTC, date, datetime, timedelta
from functools import partial
from itertools import product
from urllib.parse import urlencode

import pytest
from django.utils import timezone

from respondents.models import Receipt, Response, SealedPattern, close, close_if_due
from respondents.storage.exactly_once import SurveyClosedError
from respondents.storage.invitations import Invitation
from surveys.models import Survey
from surveys.models.period import GRACE
from tests.concurrency import at_once
from tests.factories import make_survey
from tests.respondents.test_closing import COMERS, URL, submit

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
def test_each_edge_in_the_time_zone_of_the_server(
    client, clock, settings, zone, last_day, moment
):
    settings.TIME_ZONE = zone
    clock["now"] = ENDS[zone, last_day] - timedelta(days=2)
    survey = make_survey(closes_on=last_day)
    clock["now"] = ENDS[zone, last_day] + moment
    page, report, state = EDGES[moment]

    assert client.get(URL).status_code == page
    assert submit(client, survey).status_code == report
    assert state_of(survey) == (state, last_day if state == "closed" else None)
    arrived = Response.objects.filter(survey=survey).count()
    assert arrived == (1 if report == 200 else 0)


@pytest.mark.parametrize("moment", EDGES, ids=str)
def test_a_form_is_taken_as_long_as_a_message(client, clock, moment):
    survey = make_survey(closes_on=LAST_DAY, mode="server")
    clock["now"] = END + moment
    answer = post_form(client, consent="on")
    _page, report, state = EDGES[moment]
    assert answer.status_code == (303 if report == 200 else 410)
    assert Response.objects.count() == (report == 200)
    assert state_of(survey)[0] == state


def test_a_form_with_a_gap_can_still_be_mended(client, clock):
    make_survey(closes_on=LAST_DAY, mode="server")
    clock["now"] = END + timedelta(minutes=5)
    answer = post_form(client)
    assert answer.status_code == 400
    assert "Tick the box if you want to take part" in answer.content.decode()
    assert post_form(client, consent="on").status_code == 303
    assert Response.objects.count() == 1


def test_a_one_time_link_is_taken_as_long(client, clock):
    survey = make_survey(closes_on=LAST_DAY, access="invitation")
    token, late = Invitation.objects.make(survey, 2)
    body = {"design": survey.design_digest, "submission": "f" * 32, "reports": "01"}

    def send(token):
        sent = json.dumps({**body, "invitation": token})
        return client.post(f"{URL}reports/", sent, "application/json").status_code

    clock["now"] = END + GRACE - SECOND
    assert send(token) == 200
    clock["now"] = END + GRACE
    assert send(late) == 410
    assert SealedPattern.objects.counts(survey) == {b"\x01": 1}
    assert not Invitation.objects.exists()


@pytest.mark.storage
def test_what_is_sent_twice_around_the_end_is_stored_once(client, clock, survey):
    for moment in (-SECOND, timedelta(), GRACE - SECOND):
        clock["now"] = END + moment
        assert submit(client, survey).status_code == 200
    clock["now"] = END + GRACE
    assert submit(client, survey).status_code == 410
    assert SealedPattern.objects.counts(survey) == {b"\x01": 1}


@pytest.mark.storage
@pytest.mark.parametrize("comer", COMERS)
def test_it_does_not_close_before_the_grace_is_over(client, clock, survey, comer):
    submit(client, survey)
    clock["now"] = END + GRACE - SECOND
    COMERS[comer](client)
    assert state_of(survey) == ("open", None)
    arrived = Response.objects.count()
    assert Receipt.objects.count() == arrived
    assert not SealedPattern.objects.exists(), "no result moves meanwhile"

    clock["now"] = END + GRACE
    COMERS[comer](client)
    assert state_of(survey) == ("closed", LAST_DAY)
    assert SealedPattern.objects.counts(survey) == {b"\x01": arrived}
    assert not Response.objects.exists()
    assert not Receipt.objects.exists()


def test_the_page_of_these_minutes_forgets_no_message_on_its_way(client, clock, survey):
    clock["now"] = END
    waiting = client.get(URL).content.decode()
    assert "This survey closed on 9 March 2026." in waiting
    clock["now"] = END + GRACE
    final = client.get(URL).content.decode()
    for trace in ("data-forget", "forget."):
        assert trace not in waiting
        assert trace in final


def test_by_hand_it_closes_at_once_and_on_its_last_day(client, clock, survey):
    clock["now"] = END + SECOND
    close(survey)
    assert submit(client, survey).status_code == 410
    assert state_of(survey) == ("closed", LAST_DAY)


def test_at_the_planned_number_it_closes_at_once(client, clock):
    survey = make_survey(
        closes_on=LAST_DAY, batch_size=1, target=2, closes_at_target=True
    )
    for number, moment in enumerate((-SECOND, SECOND)):
        clock["now"] = END + moment
        Response.objects.store(survey, f"{number:032x}", b"\x01")
    Response.objects.seal_if_due(Survey.objects.get())
    assert state_of(survey) == ("closed", LAST_DAY)


def test_a_last_day_that_is_moved_in_these_minutes_lets_people_in_again(
    client, clock, survey
):
    clock["now"] = END + SECOND
    assert client.get(URL).status_code == 410
    Survey.objects.update(closes_on=LAST_DAY + timedelta(days=1))
    assert client.get(URL).status_code == 200


def test_cards_to_print_end_with_the_last_day(client, clock):
    make_survey(closes_on=LAST_DAY, mode="hand")
    answers = {URL + "card/": (200, 410), URL + "card/code.svg": (200, 404)}
    for address, (before, after) in answers.items():
        clock["now"] = END - SECOND
        assert client.get(address).status_code == before
        clock["now"] = END
        assert client.get(address).status_code == after


@pytest.mark.storage
@pytest.mark.usefixtures("committed")
def test_messages_that_race_the_end_of_the_grace_are_counted_or_refused(clock):
    survey = make_survey(closes_on=LAST_DAY)
    clock["now"] = END + GRACE - SECOND

    def respond(first):
        stored = 0
        for number in range(first, first + 30):
            try:
                Response.objects.store(survey, f"{number:032x}", b"\x01")
            except SurveyClosedError:
                return stored
            stored += 1
            if stored == 10:
                clock["now"] = END + GRACE
            close_if_due(Survey.objects.get())
        return stored

    stored = at_once(*(partial(respond, first) for first in (0, 100, 200)))

    assert state_of(survey) == ("closed", LAST_DAY)
    assert 10 <= sum(stored) < 90
    assert SealedPattern.objects.counts(survey) == {b"\x01": sum(stored)}
    assert not Response.objects.exists()
    assert not Receipt.objects.exists()
