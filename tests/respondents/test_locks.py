"""Who changes a survey's responses locks the survey first.

On SQLite nothing else would tell: there writers queue anyway. The races that the locks
settle run on PostgreSQL, in storage/test_races.py and others.
"""

import re

import pytest
from django.db import connection

from respondents.models import Response, close, close_if_due
from respondents.storage.exactly_once import by_link, by_receipt
from respondents.storage.invitations import Invitation
from surveys.models.survey import SurveyQuerySet
from tests.factories import make_responses, make_survey

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

FOR_LOCKS = {True: "FOR NO KEY UPDATE", False: "FOR UPDATE"}


@pytest.fixture
def events(monkeypatch):
    """What locks and statements there were, in their order."""
    found = []
    original = SurveyQuerySet.select_for_update

    def select_for_update(self, **options):
        found.append(FOR_LOCKS[options.get("no_key", False)])
        return original(self, **options)

    def note(execute, sql, params, many, context):
        found.append(sql)
        return execute(sql, params, many, context)

    monkeypatch.setattr(SurveyQuerySet, "select_for_update", select_for_update)
    with connection.execute_wrapper(note):
        yield found


def first_of(events):
    """The first lock with its statement; savepoints of the test's own do not count."""
    lock, statement, *_ = [each for each in events if "SAVEPOINT" not in each]
    assert "surveys_survey" in statement
    if connection.vendor == "postgresql":
        assert statement.endswith(lock)
    return lock


def test_one_sealing_at_a_time(events):
    survey = make_survey()
    make_responses(survey, [b"\0", b"\1"])
    events.clear()
    Response.objects.seal(survey)
    assert first_of(events) == "FOR NO KEY UPDATE"


def test_closing_waits_for_who_is_writing(events):
    survey = make_survey()
    events.clear()
    close(survey)
    assert first_of(events) == "FOR UPDATE"


def test_whether_it_is_due_is_looked_at_under_the_lock(events, monkeypatch):
    survey = make_survey()
    monkeypatch.setattr("respondents.models.is_due", lambda survey, **how: True)
    events.clear()
    close_if_due(survey)
    assert first_of(events) == "FOR UPDATE"


def test_no_link_is_made_while_a_survey_closes(events):
    survey = make_survey(access="invitation")
    events.clear()
    Invitation.objects.make(survey, 2)
    assert first_of(events) == "FOR NO KEY UPDATE"


def test_nothing_is_brought_in_while_a_survey_closes(events):
    survey = make_survey()
    events.clear()
    Response.objects.store_many(survey, [b"\0", b"\1"])
    assert first_of(events) == "FOR NO KEY UPDATE"


@pytest.mark.parametrize("kind", [by_receipt, by_link])
def test_a_response_shares_the_lock_where_there_is_one(kind):
    """Its statement goes around Django's cursors, where `events` would see it."""
    [locked] = re.findall(
        r"\(SELECT id FROM surveys_survey [^)]*\)s[^)]*\)", kind.in_postgresql
    )
    assert locked.endswith("AND state = 'open' FOR KEY SHARE)")
