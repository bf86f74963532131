"""Each one-time link in the database stores one response, also concurrently."""

from functools import partial
from itertools import pairwise
from threading import Event

import pytest
from django.db import connection

from respondents.models import Receipt, Response, SealedPattern, close
from respondents.storage.exactly_once import SurveyClosedError
from respondents.storage.invitations import Invitation, hash_token
from respondents.tokens import TOKEN_LENGTH, fits, make_token
from surveys.models import Survey
from tests.concurrency import run_concurrently, workers
from tests.factories import make_survey, open_survey
from tests.respondents.orders import carry_out
from tests.respondents.sent import send, stored
from tests.respondents.storage.obstacles import OBSTACLES
from tests.respondents.storage.on_disk import run_sql
from tests.respondents.test_invitations_traces import transactions_in_the_log

pytestmark = pytest.mark.usefixtures("committed")


def make_invited(**fields):
    return make_survey(access="invitation", **{"batch_size": 1000, **fields})


def spent(survey):
    rows = Invitation.objects.filter(survey=survey, spent=True)
    return {bytes(each.hash) for each in rows}


def test_only_hashes_of_links_are_stored():
    survey = make_invited()

    tokens = Invitation.objects.make(survey, 200)

    assert len(set(tokens)) == 200
    assert {len(token) for token in tokens} == {TOKEN_LENGTH}
    assert all(fits(token, survey.design_digest) for token in tokens)
    rows = Invitation.objects.values_list("hash", "survey", "spent")
    assert {(bytes(hash), *rest) for hash, *rest in rows} == {
        (hash_token(token), survey.pk, False) for token in tokens
    }


@pytest.mark.storage
def test_a_link_stores_only_its_first_response():
    survey = make_invited()
    first, second = Invitation.objects.make(survey, 2)

    texts = [
        Response.objects.store_all_invited(survey, {first: pattern})
        for pattern in (b"\x01", b"\x01", b"\x00")
    ]
    assert stored(survey=survey) == [b"\x01"]
    assert texts == [{first: True}, {first: False}, {first: False}]
    assert spent(survey) == {hash_token(first)}

    Response.objects.store_all_invited(survey, {second: b"\x00"})
    assert stored(survey=survey) == [b"\x00", b"\x01"]
    assert not Receipt.objects.exists()


@pytest.mark.storage
def test_used_and_new_links_cause_the_same_writes():
    """The disk is waited for where something is written: the time would tell which.

    Measured before on SQLite, a sync taking 4 ms: 2.9 ms for a used link, 6.2 for a new
    one; since then 8.1 for both, on a busier machine.
    """
    survey, by_receipt = make_invited(), make_survey(slug="by-receipt")
    first, second = Invitation.objects.make(survey, 2)

    def count():
        if connection.vendor == "sqlite":
            return transactions_in_the_log()
        [(next_one,)] = run_sql("SELECT txid_snapshot_xmax(txid_current_snapshot())")
        return next_one

    counts = [count()]
    for token in (first, first, second, second):
        Response.objects.store_all_invited(survey, {token: b"\x01"})
        counts.append(count())
    assert [late - early for early, late in pairwise(counts)] == [1, 1, 1, 1]
    assert Response.objects.count() == 2

    # Who came by no link is known to no one, and a retry fits on a full disk.
    Response.objects.store(by_receipt, "a" * 32, b"\x01")
    before = count()
    Response.objects.store(by_receipt, "a" * 32, b"\x01")
    assert count() == before + (connection.vendor == "postgresql")


@pytest.mark.storage
def test_unknown_links_store_nothing():
    survey, other = make_invited(), make_invited(slug="another")
    Invitation.objects.make(survey, 1)
    [foreign] = Invitation.objects.make(other, 1)

    for token in (foreign, make_token(survey.design_digest), "A" * 22, ""):
        assert not Invitation.objects.knows(survey, token)
        assert Response.objects.store_all_invited(survey, {token: b"\x01"}) == {}

    assert not Response.objects.exists()
    assert not Invitation.objects.filter(spent=True).exists()


def test_drafts_and_closed_surveys_have_no_links():
    survey = make_invited(opened=False)
    with pytest.raises(SurveyClosedError):
        Invitation.objects.make(survey, 1)
    open_survey(survey)
    [token] = Invitation.objects.make(survey, 1)
    close(survey)
    with pytest.raises(SurveyClosedError):
        Invitation.objects.make(survey, 1)
    with pytest.raises(SurveyClosedError):
        Response.objects.store_all_invited(survey, {token: b"\x01"})
    assert not Invitation.objects.exists()
    assert not Response.objects.exists()


def test_a_failed_sealing_loses_no_response(monkeypatch, caplog):
    survey = make_invited(batch_size=1)
    [token] = Invitation.objects.make(survey, 1)

    def fail(*args, **options):
        raise RuntimeError("no sealing now")

    with monkeypatch.context() as patch:
        patch.setattr(type(Response.objects.all()), "seal", fail)
        Response.objects.store_all_invited(survey, {token: b"\x01"})

    assert "Responses could not be sealed: RuntimeError at" in caplog.text
    assert "no sealing now" not in caplog.text
    assert stored(survey=survey) == [b"\x01"]
    Response.objects.store_all_invited(survey, {token: b"\x01"})
    assert SealedPattern.objects.counts(survey) == {b"\x01": 1}


@pytest.mark.storage
@pytest.mark.parametrize("obstacle", OBSTACLES[connection.vendor])
def test_a_database_that_cannot_write_leaves_the_link_unspent(client, obstacle):
    survey = make_invited()
    [token] = Invitation.objects.make(survey, 1)

    with obstacle():
        answer = send(client, survey, invitation=token)
        assert (answer.status_code, answer.json()["error"]["field"]) == (
            503,
            "database",
        )
    assert (stored(survey=survey), spent(survey)) == ([], set())

    assert send(client, survey, invitation=token).status_code == 200
    assert stored(survey=survey) == [b"\x01"]


@pytest.mark.storage
def test_fifty_simultaneous_uses_of_a_link_get_the_same_response(client):
    survey = make_invited()
    [token] = Invitation.objects.make(survey, 1)

    jobs = [
        partial(send, type(client)(), survey, f"0{number % 2}", invitation=token)
        for number in range(50)
    ]
    answers = run_concurrently(*jobs)

    text = {(answer.status_code, answer.content) for answer in answers}
    assert text == {(200, b'{"recorded": true}')}
    assert len(stored(survey=survey)) == 1
    assert spent(survey) == {hash_token(token)}


@pytest.mark.storage
def test_concurrent_links_and_sealing_store_one_response_per_link():
    survey = make_invited(batch_size=5)
    tokens = Invitation.objects.make(survey, 20)

    def use_all(first):
        for number in range(first, first + len(tokens)):
            place = number % len(tokens)
            order = ["invited", survey.pk, tokens[place], f"{place:02x}"]
            assert carry_out(order) == "done"

    run_concurrently(*(partial(use_all, first) for first in (0, 5, 10, 15)))

    Response.objects.seal(survey)
    expected = {bytes([place]): 1 for place in range(len(tokens))}
    assert SealedPattern.objects.counts(survey) == expected


@pytest.mark.storage
def test_a_link_used_during_closing_is_counted_or_rejected():
    survey = make_invited(batch_size=7)
    tokens = Invitation.objects.make(survey, 4000)
    some_are_stored = Event()

    def use_until_refused(hand, mine):
        for done, token in enumerate(mine):
            if hand(["invited", survey.pk, token, "01"]) == "refused":
                return done
            if done == 10:
                some_are_stored.set()
        raise AssertionError("the survey was never closed")

    def close_midway():
        some_are_stored.wait()
        close(Survey.objects.get(pk=survey.pk))
        return 0

    with workers(1) as [process]:
        acknowledged = run_concurrently(
            close_midway,
            partial(use_until_refused, carry_out, tokens[:2000]),
            partial(use_until_refused, process.carry_out, tokens[2000:]),
        )

    assert SealedPattern.objects.counts(survey) == {b"\x01": sum(acknowledged)}
    assert not Response.objects.exists()
    assert not Invitation.objects.exists()
