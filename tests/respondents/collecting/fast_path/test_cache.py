"""In front of Django: what is answered there, and what never is."""

import json
import os
from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock
from pathlib import Path

import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection, connections

from respondents.collecting import protocol
from respondents.collecting.fast_path import cache
from respondents.distribution.rehearsal import rehearsal
from respondents.models import Response, SealedPattern, close
from respondents.storage import write_lock
from respondents.storage.invitations import Invitation
from respondents.storage.outages import LockedError
from tests.factories import make_survey
from tests.respondents.ways import BothWays, InFront

URL = "/s/study-habits/"


@pytest.fixture
def survey(db):
    return make_survey(["coin", "coin"])


@pytest.fixture
def front(monkeypatch):
    """Asks in front of Django alone, so that answers stay from one to the next."""
    monkeypatch.setattr(cache, "KEPT_SECONDS", 60.0)  # tests may run on a busy machine
    return InFront()


def send(client, survey, number=1, separators=(",", ":"), **changes):
    body = {
        "design": survey.design_digest,
        "submission": f"{number:032x}",
        "reports": "0001",
        **changes,
    }
    content = json.dumps(body, separators=separators)
    options = {"content_type": "application/json"}
    return client.post(f"/s/{survey.slug}/reports/", content, **options)


def is_fast(client, ask):
    """Whether this was answered without Django."""
    before = client.handler.fast
    ask()
    return client.handler.fast > before


def test_the_usual_page_and_submission_are_answered_in_front(survey):
    client = BothWays()
    assert is_fast(client, lambda: client.get(URL))
    assert is_fast(client, lambda: client.get(URL, headers={"accept-encoding": "gzip"}))
    for _ in "first", "retry":
        assert is_fast(client, lambda: send(client, survey))
    assert Response.objects.count() == 1


def test_so_are_one_time_links(db):
    survey = make_survey(["coin", "coin"], access="invitation")
    tokens = Invitation.objects.make(survey, 2)
    client = BothWays()
    for token in tokens * 2:
        assert is_fast(client, lambda: send(client, survey, invitation=token))  # noqa: B023
    assert Response.objects.count() == 2
    assert not is_fast(
        client, lambda: send(client, survey, invitation=tokens[0].upper())
    )


UNUSUAL = {
    "head": lambda client: client.head(URL),
    "a query": lambda client: client.get(URL + "?from=letter"),
    "another host": lambda client: client.get(URL, headers={"host": "evil.example"}),
    "another way in": lambda client: client.get(URL, secure=True),
    "through a proxy": lambda client: client.get(
        URL, headers={"x-forwarded-proto": "https"}
    ),
    "other compression": lambda client: client.get(
        URL, headers={"accept-encoding": "gzip"}
    ),
    "below another path": lambda client: client.get(URL, SCRIPT_NAME="/candor"),
    "another survey": lambda client: client.get("/s/other/"),
    "a post to the page": lambda client: client.post(URL),
}


@pytest.mark.parametrize("unusual", UNUSUAL)
def test_whatever_else_is_asked_django_is_asked(front, survey, unusual):
    front.get(URL)
    assert is_fast(front, lambda: front.get(URL))
    assert not is_fast(front, lambda: UNUSUAL[unusual](front))


@pytest.mark.parametrize(
    "changes",
    [
        {"reports": "0002"},
        {"reports": "00"},
        {"design": "f" * 64},
        {"more": "x"},
        {"separators": (", ", " : ")},
    ],
)
def test_whatever_else_is_sent_django_refuses_or_takes(front, survey, changes):
    send(front, survey)
    assert is_fast(front, lambda: send(front, survey, 2))
    assert not is_fast(front, lambda: send(front, survey, 3, **changes))


@pytest.mark.parametrize("kind", ["text/plain", "application/json; charset=utf-8"])
def test_what_is_called_otherwise_than_json_django_is_asked_about(front, survey, kind):
    send(front, survey)
    body = {"design": survey.design_digest, "submission": "2" * 32, "reports": "0001"}
    content = json.dumps(body)
    assert not is_fast(
        front, lambda: front.post(f"{URL}reports/", content, content_type=kind)
    )


@pytest.mark.parametrize("method", ["HEAD", "get", "FOO"])
def test_nothing_is_stored_but_what_is_posted(front, survey, method):
    """Whoever asks for a page with a submission in the body is given a page, twice."""
    body = json.dumps(
        {"design": survey.design_digest, "submission": "0" * 32, "reports": "0001"}
    )
    options = {"content_type": "application/json"}
    before = send(front, survey, 1).status_code, Response.objects.count()
    for address in (URL, f"{URL}reports/") * 2:
        front.generic(method, address, body, **options)
    assert (200, Response.objects.count()) == before


def test_pages_that_differ_for_each_are_never_kept(front, db):
    make_survey(mode="server")
    front.get(URL)
    assert not is_fast(front, lambda: front.get(URL))


@pytest.mark.parametrize("name", ["Set-Cookie", "Vary"])
def test_an_answer_to_one_person_is_never_kept(survey, name):
    def application(environ, start_response):
        environ[protocol.REPEATABLE] = survey
        start_response("200 OK", [("Content-Type", "a/b"), (name, "x")])
        return [b"yours"]

    collector = cache.collect(application)
    assert collector(asking_for(URL), lambda *told: None) == [b"yours"]
    assert not collector.kept


def asking_for(address):
    return {
        "REQUEST_METHOD": "GET", "PATH_INFO": address, "wsgi.url_scheme": "http"
    }  # fmt: skip


def test_what_is_kept_was_closed_and_is_never_too_much(survey, monkeypatch):
    class Page(list):
        def close(self):
            closed.append(self)

    def application(environ, start_response):
        environ[protocol.REPEATABLE] = survey
        start_response("200 OK", [])
        return Page([b"page"])

    closed = []
    monkeypatch.setattr(cache, "MOST_KEPT", 2)
    collector = cache.collect(application)
    for number in range(5):
        collector(asking_for(f"/s/{number}/"), lambda *told: None)
        assert len(closed) == number + 1
        assert len(collector.kept) <= 2


def test_a_page_is_kept_for_a_second_and_no_response_beyond_the_closing(
    front, survey, monkeypatch
):
    now = [100.0]
    monkeypatch.setattr(cache, "KEPT_SECONDS", 1.0)
    monkeypatch.setattr(cache, "monotonic", lambda: now[0])
    front.get(URL)
    send(front, survey)
    close(survey)
    now[0] += 0.99
    assert front.get(URL).status_code == 200
    assert send(front, survey, 2).status_code == 410
    now[0] += 0.02
    assert front.get(URL).status_code == 410
    assert SealedPattern.objects.counts(survey) == {b"\x00\x01": 1}


def test_a_rehearsal_that_is_gone_takes_nothing(front, db):
    draft = make_survey(["coin", "coin"], opened=False)
    test = rehearsal.start(draft)
    send(front, test)
    assert is_fast(front, lambda: send(front, test, 2))
    rehearsal.wipe(draft)
    assert send(front, test, 3).status_code == 404
    assert not Response.objects.exists()


def test_surveys_seal_and_close_themselves(front, monkeypatch, db):
    survey = make_survey(
        ["coin", "coin"], batch_size=1, target=2, closes_at_target=True
    )
    monkeypatch.setattr("django.db.transaction.on_commit", lambda job, **options: job())
    monkeypatch.setattr("respondents.models.erase_pairs", lambda: None)
    monkeypatch.setattr("respondents.models.erase_traces", lambda: None)
    send(front, survey)
    assert is_fast(front, lambda: send(front, survey, 2))
    assert SealedPattern.objects.counts(survey) == {b"\x00\x01": 2}
    assert send(front, survey, 3).status_code == 410


def test_a_fault_in_front_is_logged_without_words_and_django_answers(
    front, survey, monkeypatch, caplog
):
    send(front, survey)

    def fail(*args):
        raise RuntimeError("5ecret")

    monkeypatch.setattr(cache, "store", fail)
    assert send(front, survey, 2).status_code == 200
    assert Response.objects.count() == 2
    assert "The fast way failed: RuntimeError at" in caplog.text
    assert "5ecret" not in caplog.text


def test_a_database_that_refuses_is_waited_for_once(front, survey, monkeypatch):
    send(front, survey)
    tried = []

    def fail(*args):
        tried.append(args)
        raise OperationalError("database is locked")

    monkeypatch.setattr(cache, "store", fail)
    monkeypatch.setattr("respondents.collecting.views.store", fail)
    answer = send(front, survey, 2)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    # A connection to a server that was started anew is dead: there Django tries again.
    assert len(tried) == (1 if connection.vendor == "sqlite" else 2)


def test_who_waits_for_too_long_behind_others_is_told_so(committed, monkeypatch):
    """Somebody outside the queue has the database: each would wait out the other."""
    survey = make_survey()
    half = connection.settings_dict["OPTIONS"]["timeout"] / 2
    clock = iter([0.0, half + 0.01, 0.0, half - 0.01])
    monkeypatch.setattr(write_lock, "monotonic", lambda: next(clock))
    with pytest.raises(LockedError):
        Response.objects.store(survey, "0" * 32, b"\x00")
    assert not Response.objects.exists()
    Response.objects.store(survey, "0" * 32, b"\x00")
    assert Response.objects.exists()


def test_only_who_writes_for_long_lets_the_next_come_forward(committed, monkeypatch):
    class Clock:
        def __init__(self, seconds, ring):
            told.append(("set", seconds))

        def start(self):
            told.append("starts")

        def cancel(self):
            told.append("stops")

    told, survey = [], make_survey()
    monkeypatch.setattr(write_lock, "Timer", Clock)
    Response.objects.store(survey, "0" * 32, b"\x00")
    assert not told
    with write_lock.writing():
        assert told == [("set", write_lock.LONG_SECONDS), "starts"]
    assert told[2:] == ["stops"]


def test_a_place_in_the_queue_is_kept_and_given_back(monkeypatch, tmp_path):
    database = connections[DEFAULT_DB_ALIAS]
    place = write_lock.place_of(database)
    assert write_lock.place_of(database) is place
    monkeypatch.setitem(database.settings_dict, "NAME", str(tmp_path / "other"))
    other = write_lock.place_of(database)
    assert other.folder == str(tmp_path)
    handle = other.handle
    os.fstat(handle)
    monkeypatch.undo()
    write_lock.place_of(database)
    del other
    with pytest.raises(OSError, match="descriptor"):
        os.fstat(handle)


def test_who_writes_already_does_not_queue_again(committed, monkeypatch):
    survey, asked = make_survey(), []
    with write_lock.writing(), monkeypatch.context() as meanwhile:
        meanwhile.setattr("fcntl.flock", lambda handle, kind: asked.append(kind))
        Response.objects.store(survey, "0" * 32, b"\x00")
    assert not asked


@pytest.mark.parametrize(
    "write",
    [
        lambda survey: Response.objects.store(survey, "0" * 32, b"\x00"),
        lambda survey: Invitation.objects.make(survey, 1),
    ],
    ids=["a response", "links"],
)
def test_writers_take_turns(committed, monkeypatch, write):
    survey = make_survey(access="invitation")
    place = os.open(Path(connection.settings_dict["NAME"]).parent, os.O_RDONLY)
    asked = []

    def give_way(handle, kind):
        asked.append(kind)
        if kind == LOCK_EX:
            with pytest.raises(BlockingIOError):
                flock(handle, kind | LOCK_NB)
            os.close(place)
        flock(handle, kind)

    monkeypatch.setattr(write_lock, "LONG_SECONDS", 60)  # its end comes before
    monkeypatch.setattr("fcntl.flock", give_way)
    flock(place, LOCK_EX)
    write(survey)
    assert asked == [LOCK_EX, LOCK_UN]
    assert Response.objects.count() + Invitation.objects.count() == 1
