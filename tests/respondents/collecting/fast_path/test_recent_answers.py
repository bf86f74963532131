"""Which answers of Django's are repeated, and which requests Django gets."""

import json
from itertools import product
from types import SimpleNamespace

import pytest

from respondents.collecting import protocol
from respondents.collecting.fast_path import group_commit, recent_answers
from respondents.collecting.fast_path.server import Server
from respondents.distribution import rehearsal
from respondents.models import Response, SealedPattern, close
from respondents.storage.invitations import Invitation
from surveys.design import get_design
from tests.factories import make_survey
from tests.respondents.collecting.fast_path.called import FakeProtocol, ask, scope
from tests.respondents.ways import ComparingClient, FastClient

URL = "/s/study-habits/"


@pytest.fixture
def survey(db):
    return make_survey(["coin", "coin"])


@pytest.fixture(autouse=True)
def keep_answers_for_long(monkeypatch):
    monkeypatch.setattr(recent_answers, "KEPT_SECONDS", 60.0)  # on a busy machine


@pytest.fixture
def front():
    """Asks the server alone, so that answers stay from one to the next."""
    return FastClient()


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


def test_page_and_submission_take_the_fast_path(survey):
    client = ComparingClient()
    assert is_fast(client, lambda: client.get(URL))
    assert is_fast(client, lambda: client.get(URL, headers={"accept-encoding": "gzip"}))
    for _ in "first", "retry":
        assert is_fast(client, lambda: send(client, survey))
    assert Response.objects.count() == 1


def test_one_time_links_take_the_fast_path(db):
    survey = make_survey(["coin", "coin"], access="invitation")
    tokens = Invitation.objects.make(survey, 2)
    client = ComparingClient()
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
    "another scheme": lambda client: client.get(URL, secure=True),
    "through a proxy": lambda client: client.get(
        URL, headers={"x-forwarded-proto": "https"}
    ),
    "other compression": lambda client: client.get(
        URL, headers={"accept-encoding": "gzip"}
    ),
    "another survey": lambda client: client.get("/s/other/"),
    "a post to the page": lambda client: client.post(URL),
}


def test_django_gets_every_other_request(front, survey):
    front.get(URL)
    assert is_fast(front, lambda: front.get(URL))
    for name, ask_otherwise in UNUSUAL.items():
        assert not is_fast(front, lambda: ask_otherwise(front)), name  # noqa: B023


def test_django_gets_every_other_submission(front, survey):
    send(front, survey)
    assert is_fast(front, lambda: send(front, survey, 2))
    for changes in (
        {"reports": "0002"},
        {"reports": "00"},
        {"design": "f" * 64},
        {"more": "x"},
        {"separators": (", ", " : ")},
    ):
        assert not is_fast(front, lambda: send(front, survey, 3, **changes))  # noqa: B023


def test_only_posted_submissions_are_stored(front, survey):
    body = json.dumps(
        {"design": survey.design_digest, "submission": "0" * 32, "reports": "0001"}
    )
    options = {"content_type": "application/json"}
    before = send(front, survey, 1).status_code, Response.objects.count()
    for method, address in product(("HEAD", "get", "FOO"), (URL, f"{URL}reports/") * 2):
        front.generic(method, address, body, **options)
    assert (200, Response.objects.count()) == before


def test_pages_that_differ_between_respondents_are_not_cached(front, db):
    make_survey(mode="server")
    front.get(URL)
    assert not is_fast(front, lambda: front.get(URL))


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        (URL, [("Set-Cookie", "x")]),
        (URL, [("Vary", "x")]),
        # A researcher tries a draft: the page is the same, but needs a login.
        ("/admin/surveys/survey/1/try/page/", []),
    ],
)
def test_personal_responses_are_not_cached(survey, path, headers):
    def application(environ, start_response):
        environ[protocol.REPEATABLE_FOR] = survey
        start_response("200 OK", [("Content-Type", "a/b"), *headers])
        return [b"yours"]

    server = Server(application, threads=1)
    assert ask(get(path), FakeProtocol(), server).content == b"yours"
    assert not server.recent.answers


def get(path):
    asked = scope(path)
    asked.method, asked.query_string = "GET", ""
    return asked


def test_cached_responses_are_closed_and_limited_in_number(survey, monkeypatch):
    class Page(list):
        def close(self):
            closed.append(self)

    def application(environ, start_response):
        environ[protocol.REPEATABLE_FOR] = survey
        start_response("200 OK", [])
        return Page([b"page"])

    closed = []
    monkeypatch.setattr(recent_answers, "MAX_KEPT", 2)
    get_design(survey)  # kept: the server's thread sees no transaction of a test
    server = Server(application, threads=1)
    for number in range(5):
        ask(get(f"/s/{number}/"), FakeProtocol(), server)
        assert len(closed) == number + 1
        assert 1 <= len(server.recent.answers) <= 2


def test_a_page_is_cached_for_a_second_but_stores_nothing_after_closing(
    front, survey, monkeypatch
):
    now = [100.0]
    monkeypatch.setattr(recent_answers, "KEPT_SECONDS", 1.0)
    clock = SimpleNamespace(monotonic=lambda: now[0])
    for module in ("recent_answers", "server"):
        monkeypatch.setattr(
            f"respondents.collecting.fast_path.{module}.monotonic", clock.monotonic
        )
    front.get(URL)
    send(front, survey)
    close(survey)
    now[0] += 0.99
    assert front.get(URL).status_code == 200
    assert send(front, survey, 2).status_code == 410
    now[0] += 0.02
    assert front.get(URL).status_code == 410
    assert SealedPattern.objects.counts(survey) == {b"\x00\x01": 1}


def test_a_deleted_rehearsal_accepts_no_responses(front, db):
    draft = make_survey(["coin", "coin"], opened=False)
    test = rehearsal.start(draft)
    send(front, test)
    assert is_fast(front, lambda: send(front, test, 2))
    rehearsal.wipe(draft)
    assert send(front, test, 3).status_code == 404
    assert not Response.objects.exists()


def test_surveys_aggregate_and_close_on_the_fast_path(front, monkeypatch, db):
    survey = make_survey(
        ["coin", "coin"], batch_size=1, target=2, closes_at_target=True
    )
    monkeypatch.setattr("django.db.transaction.on_commit", lambda job, **options: job())
    monkeypatch.setattr("respondents.models.overwrite_recent_pairs", lambda: None)
    monkeypatch.setattr("respondents.models.overwrite_deleted_rows", lambda: None)
    send(front, survey)
    assert is_fast(front, lambda: send(front, survey, 2))
    assert SealedPattern.objects.counts(survey) == {b"\x00\x01": 2}
    assert send(front, survey, 3).status_code == 410


def test_a_fast_path_error_is_logged_without_values_and_django_answers(
    front, survey, monkeypatch, caplog
):
    send(front, survey)

    def fail(*args):
        raise RuntimeError("5ecret")

    monkeypatch.setattr(group_commit, "store", fail)
    assert send(front, survey, 2).status_code == 200
    assert Response.objects.count() == 2
    assert "The fast path failed: RuntimeError at" in caplog.text
    assert "5ecret" not in caplog.text
