"""Surveys by one-time link: what the endpoint and the plain form take and tell."""

import json
import re

import pytest

from respondents.models import Response, close
from respondents.storage.invitations import (
    Invitation,
    UnknownInvitationError,
    hash_token,
)
from respondents.tokens import make_token
from tests.factories import find_thanks, make_foreign_token, make_survey, mistyped
from tests.respondents import sent
from tests.respondents.markup import Markup
from tests.respondents.sent import make_body, stored
from tests.respondents.statements import statements

PAGE = "/s/study-habits/"
URL = PAGE + "reports/"
ODD = "0ddT0ken-that_is-lookd4"[:22]  # of the shape that tokens had at first
BROKEN = ["", ODD[:-1], ODD + "x", ODD[:-1] + "+", ODD[:-1] + " ", "é" * 22]


@pytest.fixture
def survey(db):
    return make_survey(["coin", "coin"], access="invitation")


@pytest.fixture
def token(survey):
    [made] = Invitation.objects.make(survey, 1)
    return made


def send(client, survey, token, **changes):
    body = {**make_body(survey, "0001", invitation=token), **changes}
    given = {name: value for name, value in body.items() if value is not None}
    return client.post(URL, json.dumps(given), content_type="application/json")


def refused(answer):
    assert set(answer.json()) == {"error"}
    return answer.status_code, answer.json()["error"]["field"]


def test_an_invited_response_takes_four_statements(framework, survey, token):
    send(framework, survey, token)
    other = Invitation.objects.make(survey, 1)[0]
    # The survey, the link, the link spent where the survey is open, the response;
    # besides, the savepoint that stands for the transaction, opened and released.
    with statements() as run:
        send(framework, survey, other)
    assert len(run) == 6


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_token_is_refused_without_being_repeated(client, survey, broken):
    answer = send(client, survey, broken)
    assert refused(answer) == (400, "invitation")
    assert not broken or broken not in answer.json()["error"]["message"]
    assert stored() == []


def test_unknown_tokens_are_refused_identically(client, survey, token):
    unknown = make_token(survey.design_digest)
    answers = [send(client, survey, each) for each in (ODD, unknown)]
    assert {refused(answer) for answer in answers} == {(403, "invitation")}
    assert answers[0].content == answers[1].content
    assert stored() == []
    assert not Invitation.objects.filter(spent=True).exists()


def test_mistyped_and_foreign_tokens_are_refused_identically(client, survey, token):
    wrong = mistyped(token), make_foreign_token(survey)
    answers = [send(client, survey, each) for each in wrong]
    assert {refused(answer) for answer in answers} == {(400, "invitation")}
    assert answers[0].content == answers[1].content
    assert "do not fit" in answers[0].json()["error"]["message"]
    assert stored() == []
    assert not Invitation.objects.filter(spent=True).exists()


def test_a_token_is_accepted_in_any_spelling(client, survey):
    ways = (
        str.upper,
        lambda token: token.replace("-", ""),
        lambda token: f" {token.replace('-', ' ')} ",
        lambda token: token.replace("0", "o").replace("1", "L"),
    )
    for typed, used in zip(ways, Invitation.objects.make(survey, 4), strict=True):
        assert send(client, survey, typed(used)).status_code == 200
        assert Invitation.objects.get(hash=hash_token(used)).spent
    assert len(stored()) == 4


def test_tokens_of_the_first_format_stay_valid(client, survey):
    Invitation.objects.create(hash=hash_token(ODD), survey=survey)
    assert send(client, survey, ODD).status_code == 200
    assert stored() == [b"\x00\x01"]


def test_the_token_is_checked_before_other_fields(client, survey):
    for changes in ({"reports": "zz"}, {"design": "f" * 64}, {"submission": ""}):
        assert refused(send(client, survey, ODD, **changes)) == (403, "invitation")


def test_a_token_is_required_by_invitation_and_rejected_by_open_link(client, survey):
    assert refused(send(client, survey, None)) == (400, "body")
    by_link = make_survey(["coin", "coin"], slug="by-link")
    for token in (ODD, ""):
        answer = sent.send(client, by_link, "0001", invitation=token)
        assert refused(answer) == (400, "body")
    assert stored() == []


BODIES = {
    "good": {},
    "other reports": {"reports": "0101"},
    "impossible reports": {"reports": "0009"},
    "too few reports": {"reports": "00"},
    "another design": {"design": "e" * 64},
    "no submission": {"submission": ""},
    "one key more": {"name": "x"},
    "one key less": {"reports": None},
}


def test_used_and_new_links_are_indistinguishable(client, survey):
    """Anyone who handed out the links could else look up who has answered."""
    for name, changes in BODIES.items():
        used, new = Invitation.objects.make(survey, 2)
        send(client, survey, used)
        texts = [send(client, survey, each, **changes) for each in (used, new)]
        assert texts[0].content == texts[1].content, name
        assert texts[0].status_code == texts[1].status_code
        assert texts[0].headers == texts[1].headers


def test_a_closed_survey_is_reported_for_any_token(client, survey, token):
    send(client, survey, token)
    close(survey)
    for each in (token, ODD, "broken"):
        assert refused(send(client, survey, each)) == (410, "survey")


def test_tokens_appear_in_no_log_and_no_response(
    client, survey, token, caplog, monkeypatch
):
    caplog.set_level("DEBUG")
    answers = [
        send(client, survey, token),
        send(client, survey, token),
        send(client, survey, token, reports="zz"),
        send(client, survey, token, more="x"),
        send(client, survey, ODD),
        send(client, survey, mistyped(token)),
    ]

    def fail(*args):
        raise UnknownInvitationError(token)

    client.raise_request_exception = False
    monkeypatch.setattr(type(Response.objects.all()), "store_all_invited", fail)
    answers.append(send(client, survey, token))
    assert [each.status_code for each in answers] == [200, 200, 400, 400, 403, 400, 500]
    logged = " ".join(
        f"{record.getMessage()} {record.exc_text} {record.args}"
        for record in caplog.records
        if not record.name.startswith("django.db.backends")  # DEBUG only, in tests
    )
    text = " ".join(answer.content.decode() for answer in answers)
    for secret in (token, ODD, mistyped(token)):
        assert secret not in text
        assert secret not in logged


def fill(client, **changes):
    html = client.get(PAGE).content.decode()
    submission = re.search(r'name="submission" value="([0-9a-f]{32})"', html)[1]
    filled = {"submission": submission, "consent": "on", "q1": "0", "q2": "1"}
    return {name: v for name, v in {**filled, **changes}.items() if v is not None}


def post(client, filled):
    body = "&".join(f"{name}={value}" for name, value in filled.items())
    return client.generic("POST", PAGE, body, "application/x-www-form-urlencoded")


@pytest.fixture(params=["server", "hand"])
def plain(request, db):
    return make_survey(["coin", "coin"], access="invitation", mode=request.param)


def test_the_plain_form_asks_for_the_code_and_accepts_it_once(client, plain):
    [token] = Invitation.objects.make(plain, 1)
    markup = Markup(client.get(PAGE).content.decode())
    [code] = [each for each in markup.inputs if each.get("name") == "invitation"]
    assert (code["type"], code["value"], code["autocomplete"]) == ("text", "", "off")
    assert code["in_form"]
    answers = [post(client, fill(client, invitation=token)) for _ in range(3)]
    text = {(answer.status_code, answer["Location"]) for answer in answers}
    assert text == {(303, find_thanks(plain))}
    assert len(stored()) == 1
    thanks = Markup(client.get(find_thanks(plain)).content.decode()).blocks
    # First what counts: no page reveals which of two sendings that is.
    lead = thanks[thanks.index("Thank you") + 1]
    assert lead.startswith("Your link is used up. If it was used before, the first")


def code_of(answer):
    markup = Markup(answer.content.decode())
    [code] = [each for each in markup.inputs if each.get("name") == "invitation"]
    return code


@pytest.mark.parametrize("code", [None, *BROKEN[1:4], "mistyped", "foreign", "<b>"])
def test_a_mistyped_code_shows_its_error_next_to_the_field(client, plain, code):
    [token] = Invitation.objects.make(plain, 1)
    if code == "mistyped":
        code = mistyped(token)
    elif code == "foreign":
        code = make_foreign_token(plain)
    answer = post(client, fill(client, invitation=code))
    assert (answer.status_code, stored()) == (400, [])
    html = answer.content.decode()
    assert re.search(r'<p class="error"\s+id="wrong-code"\s+role="alert"\s*>', html)
    assert 'href="#invitation"' in html
    shown = code_of(answer)
    assert shown["value"] == (code or "").replace("+", " ")  # + is a space in a form
    assert shown["aria-invalid"] == "true"
    assert "wrong-code" in shown["aria-describedby"].split()
    is_by_hand = plain.mode == "hand"
    picked = re.findall(r'type="radio"[^>]*\bchecked\b', html)
    assert bool(picked) == is_by_hand  # reports stay, answers never
    assert not Invitation.objects.filter(spent=True).exists()


def test_unknown_and_used_codes_get_pages_of_the_same_shape(client, plain):
    answer = post(client, fill(client, invitation=ODD))
    assert (answer.status_code, stored()) == (403, [])
    html = answer.content.decode()
    assert "We do not know this link" in html
    assert "your first answers stay" not in html
    assert ODD not in html
    thanks = client.get(find_thanks(plain)).content.decode()
    assert shape(html) == shape(thanks)


def shape(html):
    """Return header, main and footer with the kinds of their parts, less repetition."""
    parts = re.findall(r"<(header|main|footer|h1|p|form|input|img)\b", html)
    return [part for n, part in enumerate(parts) if part != "p" or parts[n - 1] != "p"]


def test_answers_with_an_unknown_code_are_not_read(client, plain, monkeypatch):
    def fail(*args, **options):
        raise AssertionError("the answers were read")

    filled = fill(client, invitation=ODD)
    monkeypatch.setattr("respondents.collecting.views.PlainForm", fail)
    assert post(client, filled).status_code == 403


def test_an_overlong_code_is_reported_and_shown_truncated(client, plain):
    answer = post(client, fill(client, invitation="x" * 3000))
    assert answer.status_code == 400
    assert code_of(answer)["value"] == "x" * 64
