"""Changes to the responses of a survey lock the survey first.

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
from tests.factories import make_survey

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

FOR_LOCKS = {True: "FOR NO KEY UPDATE", False: "FOR UPDATE"}


@pytest.fixture
def events(monkeypatch):
    """The locks and statements, in their order."""
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


# One sealing at a time; closing waits for those who are writing, and those who make
# links or import for the closing.
LOCKING = {
    "seal": (lambda survey: Response.objects.seal(survey), "FOR NO KEY UPDATE"),
    "close": (lambda survey: close(survey), "FOR UPDATE"),
    "close if due": (lambda survey: close_if_due(survey), "FOR UPDATE"),
    "links": (lambda survey: Invitation.objects.make(survey, 2), "FOR NO KEY UPDATE"),
    "import": (
        lambda survey: Response.objects.store_many(survey, [b"\0"]),
        "FOR NO KEY UPDATE",
    ),
}


@pytest.mark.parametrize("name", LOCKING)
def test_the_survey_is_locked_first(events, monkeypatch, name):
    act, lock = LOCKING[name]
    monkeypatch.setattr("respondents.models.is_due", lambda survey, **how: True)
    survey = make_survey(access="invitation")
    events.clear()
    act(survey)
    assert first_of(events) == lock


@pytest.mark.parametrize("kind", [by_receipt, by_link])
def test_storing_a_response_takes_a_shared_lock_on_the_survey(kind):
    """Its statement bypasses Django's cursors, so `events` does not see it."""
    [locked] = re.findall(
        r"\(SELECT id FROM surveys_survey [^)]*\)s[^)]*\)", kind.in_postgresql
    )
    assert locked.endswith("AND state = 'open' FOR KEY SHARE)")
