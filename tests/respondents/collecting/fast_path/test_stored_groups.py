"""Submissions that are stored together: each gets its own correct answer."""

import json

import pytest
from django.db import connection

from respondents.collecting.fast_path.group_commit import Pending, store_group
from respondents.models import (
    Receipt,
    Response,
    SealedPattern,
    close,
    compute_receipt_id,
)
from respondents.storage.invitations import Invitation, hash_token
from tests.factories import make_survey
from tests.respondents.collecting.fast_path.test_recent_answers import send
from tests.respondents.storage.on_disk import run_sql
from tests.respondents.ways import FastClient

pytestmark = [pytest.mark.storage, pytest.mark.usefixtures("committed")]


def pattern_of(number):
    return bytes([number & 1, number >> 1 & 1])


def pend(client, survey, number, token=""):
    """What the server makes of a submission, once its answer is kept."""
    address = f"/s/{survey.slug}/reports/"
    recent = client.handler.server.recent.answers
    [kept] = [kept for key, kept in recent.items() if key[1] == address]
    body = {
        "design": survey.design_digest,
        "submission": f"{number:032x}",
        "reports": pattern_of(number).hex(),
    }
    content = json.dumps(body | ({"invitation": token} if token else {})).encode()
    return Pending(survey, kept.read_submission(content))


def store(group):
    store_group(group)
    return [each.is_recorded for each in group]


def test_a_group_is_stored_in_one_transaction_and_retries_are_known():
    survey, client = make_survey(["coin", "coin"]), FastClient()
    send(client, survey, 1)
    numbers = [2, 3, 1, 3, 4]
    assert store([pend(client, survey, each) for each in numbers]) == [True] * 5
    expected = {compute_receipt_id(survey, f"{number:032x}") for number in (1, 2, 3, 4)}
    assert set(Receipt.objects.values_list("pk", flat=True)) == expected
    assert Response.objects.count() == 4
    if connection.vendor == "postgresql":
        written = "SELECT count(DISTINCT xmin::text) FROM respondents_response"
        assert run_sql(written) == [(2,)]


def test_an_unknown_link_does_not_affect_others_in_its_group():
    survey, client = make_survey(["coin", "coin"], access="invitation"), FastClient()
    other = make_survey(["coin", "coin"], slug="other", access="invitation")
    first, second, third, spent = Invitation.objects.make(survey, 4)
    [elsewhere] = Invitation.objects.make(other, 1)
    send(client, survey, 1, invitation=spent)
    tokens = [first, elsewhere, second, spent, second]
    group = [pend(client, survey, each, token) for each, token in enumerate(tokens)]
    assert store(group) == [True, False, True, True, True]
    assert Response.objects.filter(survey=survey).count() == 3
    unspent = Invitation.objects.filter(spent=False).values_list("hash", flat=True)
    assert {bytes(each) for each in unspent} == {
        hash_token(third),
        hash_token(elsewhere),
    }
    assert store(group[1:2]) == [False]


def test_a_closed_survey_does_not_affect_an_open_one_in_its_group():
    """The same submission is sent to both: what one records is not the other's."""
    client = FastClient()
    open_one, closed = (make_survey(["coin", "coin"], slug=each) for each in ("a", "b"))
    send(client, open_one, 1)
    send(client, closed, 1)
    close(closed)
    group = [
        pend(client, survey, each) for each in (2, 3) for survey in (open_one, closed)
    ]
    assert store(group) == [True, False, True, False]
    assert not any(each.error for each in group)
    assert Response.objects.filter(survey=open_one).count() == 3
    assert not Response.objects.filter(survey=closed).exists()
    assert SealedPattern.objects.respondents(closed) == 1
