"""The endpoint of protocol.md: what it stores, and what it refuses unseen."""

import json
from types import SimpleNamespace

import pytest
from django.db import InterfaceError, OperationalError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from respondents.collecting import protocol, views
from respondents.models import Receipt, Response
from surveys.models import Survey
from tests.factories import make_survey
from tests.respondents.sent import make_body, stored
from tests.respondents.statements import statements

URL = "/s/study-habits/reports/"
SUBMISSION = "00112233445566778899aabbccddeeff"
MARKER = "5ecret"


@pytest.fixture
def survey(db):
    return make_survey(["coin", "die", "crosswise"][:2])


def body_for(survey, **changes):
    return {**make_body(survey, "0001"), "submission": SUBMISSION, **changes}


def send(client, body, url=URL, content_type="application/json"):
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    # In the environment, because the client drops the type of an empty body.
    return client.generic("POST", url, body, CONTENT_TYPE=content_type)


def assert_refused(answer, status, field):
    error = answer.json()["error"]
    assert (answer.status_code, error["field"]) == (status, field)
    assert set(error) == {"field", "message"}
    assert error["message"].endswith(".")
    assert stored() == []
    assert not Receipt.objects.exists()


def test_a_retry_gets_the_same_response_and_changes_nothing(client, survey):
    answers = [
        send(client, body_for(survey, reports=reports))
        for reports in ("0001", "0001", "0100")
    ]
    found = {(answer.status_code, answer.content) for answer in answers}
    assert found == {(200, b'{"recorded": true}')}
    assert stored() == [b"\x00\x01"]


def test_a_response_takes_three_statements(framework, survey):
    send(framework, body_for(survey, submission="f" * 32))
    # The survey, the receipt where it is open, and the response; besides, the savepoint
    # that stands for the transaction here, opened and released.
    with statements() as run:
        send(framework, body_for(survey))
    assert len(run) == 5


def test_mode_server_takes_its_form_only(client, db):
    survey = make_survey(["coin"], mode="server")
    assert_refused(send(client, body_for(survey, reports="01")), 403, "survey")


@pytest.mark.parametrize(
    ("field", "value", "status"),
    [
        ("reports", "00", 400),
        ("reports", "000", 400),
        ("reports", "", 400),
        ("reports", "00 1", 400),
        ("reports", "0001\n", 400),
        ("reports", " 0001", 400),
        ("reports", "\ud8000001", 400),
        ("reports", "000100", 400),
        ("reports", "0002", 400),
        ("reports", "00ff", 400),
        ("reports", "000A", 400),
        ("reports", "\u0660\u0660\u0660\u0661", 400),
        ("reports", "00\x0001", 400),
        ("reports", MARKER, 400),
        ("submission", SUBMISSION.upper(), 400),
        ("submission", "", 400),
        ("submission", SUBMISSION[:-1], 400),
        ("submission", SUBMISSION + "0", 400),
        ("design", "f" * 63, 400),
        ("design", "g" * 64, 400),
        ("design", "f" * 64, 409),
        ("design", "F" * 64, 400),
    ],
)
def test_it_refuses_a_bad_field(client, survey, field, value, status):
    answer = send(client, body_for(survey, **{field: value}))
    assert_refused(answer, status, field)
    assert not value or value not in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no JSON " + MARKER.encode(),
        b"[" * 4000,
        b'{"reports":' * 300,
        b"\xff\xfe\x00",
        b"\xef\xbb\xbf{}",
        b"null",
        b"[]",
        b'"design"',
        b"{}",
        b"9" * 4000,
        b"q1=0&q2=1",
        b'{"design": "a", "submission": "b", "reports": NaN}',
        b'{"design": "a", "submission": "b", "reports": "c"}{}',
        {"design": "a", "submission": "b", "reports": ["c"]},
        {"design": "a", "submission": "b", "reports": None},
        {"reports": MARKER},
        {"design": 1, "submission": 2, "reports": 3},
        {"q1": "Yes", "q2": "No"},
    ],
)
def test_bodies_that_are_not_submissions_are_rejected(client, survey, body):
    assert_refused(send(client, body), 400, "body")


def test_it_refuses_extra_and_doubled_keys(client, survey):
    extra = body_for(survey, name=MARKER)
    assert_refused(send(client, extra), 400, "body")
    doubled = json.dumps(body_for(survey)).replace("{", '{"reports": "0000", ')
    assert_refused(send(client, doubled.encode()), 400, "body")


def test_bodies_are_limited_to_4096_bytes(rf):
    for length, is_read in ((4095, True), (4096, True), (4097, False)):
        request = rf.post(URL, b"x" * length, content_type="application/json")
        refusal = None
        try:
            protocol.refuse_unread(request, content_type="application/json")
        except protocol.RefusedError as error:
            refusal = error.status
        assert refusal == (None if is_read else 413)


def test_it_refuses_ten_megabytes_without_reading_them(client, survey, rf):
    def read(*args):
        raise AssertionError("the body was read")

    for length in (str(10_000_000), "4097", "9" * 5000):
        request = rf.generic(
            "POST", URL, CONTENT_TYPE="application/json", CONTENT_LENGTH=length
        )
        request._stream = SimpleNamespace(read=read)
        answer = views.reports(request, "study-habits")
        assert (answer.status_code, stored()) == (413, [])
    answer = send(client, b"x" * 10_000_000)
    assert_refused(answer, 413, "body")


@pytest.mark.parametrize(
    "content_type",
    ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"],
)
def test_it_refuses_other_content_types(client, survey, content_type):
    answer = send(client, body_for(survey), content_type=content_type)
    assert_refused(answer, 415, "content_type")


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "HEAD", "OPTIONS"])
def test_it_takes_posts_only(client, survey, method):
    answer = client.generic(method, URL)
    assert (answer.status_code, answer["Allow"]) == (405, "POST")


def test_a_draft_gets_the_response_of_an_unknown_survey(client, db):
    draft = make_survey(opened=False, slug="draft")
    known = send(client, body_for(draft), url="/s/draft/reports/")
    unknown = send(client, body_for(draft), url="/s/other/reports/")
    assert_refused(known, 404, "survey")
    assert known.content == unknown.content


def test_a_survey_that_just_closed_accepts_no_reports(client, survey, monkeypatch):
    def open_until_now(slug):
        found = Survey.objects.get(slug=slug)
        Survey.objects.filter(pk=found.pk).update(state=Survey.State.CLOSED)
        return found

    monkeypatch.setattr(views, "find_survey", open_until_now)
    assert_refused(send(client, body_for(survey)), 410, "survey")


@pytest.mark.parametrize("trouble", [OperationalError, InterfaceError])
def test_a_database_error_acknowledges_nothing(client, survey, monkeypatch, trouble):
    def fail(*args):
        raise trouble(f"disk full near {MARKER}")

    monkeypatch.setattr(type(Response.objects), "store_all", fail, raising=False)
    answer = send(client, body_for(survey))
    assert_refused(answer, 503, "database")
    assert int(answer["Retry-After"]) > 0
    assert MARKER not in answer.content.decode()


def test_rejected_bodies_are_neither_logged_nor_repeated(client, survey, caplog):
    caplog.set_level("DEBUG")
    bodies = [
        MARKER.encode(),
        body_for(survey, reports=MARKER),
        body_for(survey, submission=MARKER),
        body_for(survey, design=MARKER),
        body_for(survey, more=MARKER),
    ]
    for body in bodies:
        answer = send(client, body)
        assert 400 <= answer.status_code < 500
        assert MARKER not in answer.content.decode()
    logged = [f"{record.getMessage()} {record.__dict__}" for record in caplog.records]
    assert not any(MARKER in line for line in logged)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
    max_examples=60,
)
@given(data=st.data())
def test_arbitrary_input_is_stored_whole_or_rejected(client, survey, data):
    fields = {
        "design": st.just(survey.design_digest) | JSON,
        "submission": st.just(SUBMISSION) | JSON,
        "reports": st.sampled_from(["0001", "0002", "00"]) | JSON,
    }
    raw = st.binary(max_size=200)
    whole = st.fixed_dictionaries(fields).map(lambda each: json.dumps(each).encode())
    answer = send(client, data.draw(raw | JSON.map(json.dumps).map(str.encode) | whole))
    assert answer.status_code in {200, 400, 409}
    assert Response.objects.count() == Receipt.objects.count()
    assert set(stored()) <= {b"\x00\x01"}
