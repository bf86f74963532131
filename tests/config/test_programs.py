"""Programs: a token reads the files without reports of its survey, and nothing else."""

import hashlib
import json
import os
import re
import subprocess
import sys
from http import HTTPStatus

import pytest
from django.conf import settings
from django.utils import timezone

from config.programs import MAX_FAILURES, MINUTES
from estimation.files.exports import EXPORTS
from estimation.models import AccessToken, read_selector
from respondents.models import Response, close
from surveys.log import read_log
from surveys.models import Membership, Survey
from tests.docs.documents import DOCS, blocks_in
from tests.factories import make_responses, make_survey, make_user
from tests.surveys.authoring.posted import page_of, text_of

COUNTS = {b"\0": 60, b"\1": 40}
ESTIMATES = "estimates.json"


@pytest.fixture
def survey(db):
    return make_survey(counts=COUNTS)


@pytest.fixture
def token(survey):
    _made, text = AccessToken.objects.make(survey, survey.owner, "Dashboard")
    return text


def ask(client, text, slug="study-habits", name=ESTIMATES, method="get", **query):
    headers = {"Authorization": f"Bearer {text}"} if text else {}
    return getattr(client, method)(f"/api/{slug}/{name}", query, headers=headers)


def body_of(answer):
    return b"".join(answer) if answer.streaming else answer.content


@pytest.mark.parametrize("name", EXPORTS)
def test_a_token_reads_only_files_without_reports(client, survey, token, name):
    answer = ask(client, token, name=name)
    if EXPORTS[name].holds_reports:
        assert answer.status_code == HTTPStatus.NOT_FOUND
        return
    assert answer.status_code == HTTPStatus.OK
    client.force_login(survey.owner)
    downloaded = client.get(page_of(survey, f"export/files/{name}").rstrip("/"))
    assert body_of(answer) == body_of(downloaded)


def test_the_json_contains_aggregated_counts(client, survey, token):
    found = json.loads(ask(client, token).content)
    [question] = found["questions"]
    assert question["respondents"] == 100
    assert {each["count"] for each in question["estimates"]} == {60, 40}


@pytest.mark.parametrize(
    "name", [each for each in EXPORTS if not EXPORTS[each].holds_reports]
)
def test_files_do_not_change_between_batches(client, survey, token, name):
    before = body_of(ask(client, token, name=name))
    make_responses(survey, [b"\0"] * (survey.batch_size - 1))
    assert body_of(ask(client, token, name=name)) == before


def test_files_change_after_a_batch(client, survey, token):
    before = ask(client, token).content
    make_responses(survey, [b"\0"] * (2 * survey.batch_size))
    Response.objects.seal(survey)
    assert ask(client, token).content != before


REFUSED = {
    "none": "",
    "another word": "candor",
    "a wrong secret": "candor_{selector}_wrong",
    "a wrong selector": "candor_000000000000_{secret}",
    "the digest": "{digest}",
}


@pytest.mark.parametrize("kind", REFUSED)
def test_other_credentials_are_rejected(client, token, kind):
    _beginning, selector, secret = token.split("_", 2)
    digest = hashlib.sha256(token.encode()).hexdigest()
    text = REFUSED[kind].format(selector=selector, secret=secret, digest=digest)
    answer = ask(client, text)
    assert answer.status_code == HTTPStatus.UNAUTHORIZED
    assert answer["WWW-Authenticate"] == "Bearer"


def test_a_token_in_the_query_or_another_scheme_is_ignored(client, token):
    answers = [
        ask(client, "", token=token),
        ask(client, "", access_token=token),
        client.get("/api/study-habits/estimates.json", headers={"Token": token}),
        client.get(
            "/api/study-habits/estimates.json",
            headers={"Authorization": f"Basic {token}"},
        ),
    ]
    assert {each.status_code for each in answers} == {HTTPStatus.UNAUTHORIZED}


def test_a_session_does_not_authenticate_the_api(client, survey):
    client.force_login(survey.owner)
    client.cookies[settings.SESSION_COOKIE_NAME]["path"] = "/"
    assert ask(client, "").status_code == HTTPStatus.UNAUTHORIZED


def test_other_and_unknown_surveys_are_indistinguishable(client, survey, token):
    make_survey(slug="another", owner=survey.owner)
    answers = [ask(client, token, slug=slug) for slug in ("another", "unknown")]
    assert {each.status_code for each in answers} == {HTTPStatus.NOT_FOUND}
    assert len({each.content for each in answers}) == 1


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_the_api_is_read_only(client, token, method):
    assert ask(client, token, method=method).status_code == 405


def test_the_api_sets_no_cookie_and_answers_in_json(client, token):
    for answer in (ask(client, token), ask(client, "")):
        assert not answer.cookies
        assert answer["Cache-Control"] == "no-store"
        assert answer["Content-Type"] == "application/json; charset=utf-8" or (
            answer["Content-Type"] == "application/json"
        )


def test_the_api_uses_no_session(client, token, django_assert_max_num_queries):
    ask(client, token)  # notes the day of its use
    with django_assert_max_num_queries(12) as queries:
        ask(client, token)
    assert not any("django_session" in each["sql"] for each in queries)


def test_only_a_hash_is_stored(token):
    _beginning, selector, secret = token.split("_", 2)
    stored = AccessToken.objects.values().get()
    assert secret not in str(stored)
    assert stored["selector"] == selector == read_selector(token)
    assert stored["digest"] == hashlib.sha256(token.encode()).hexdigest()
    assert len(secret) >= 43  # 256 bits in base64


def test_a_revoked_token_opens_nothing(client, survey, token):
    client.force_login(survey.owner)
    page = page_of(survey, "tokens")
    client.post(page, {"token": AccessToken.objects.get().pk})
    assert ask(client, token).status_code == HTTPStatus.UNAUTHORIZED


def test_a_token_is_invalid_while_its_maker_is_not_the_owner(client, survey, token):
    former = survey.owner
    Membership.objects.hand_over(survey, make_user("successor"))
    assert ask(client, token).status_code == HTTPStatus.UNAUTHORIZED
    Survey.objects.filter(pk=survey.pk).update(owner=former)
    assert ask(client, token).status_code == HTTPStatus.OK
    former.is_active = False
    former.save()
    assert ask(client, token).status_code == HTTPStatus.UNAUTHORIZED


def test_too_few_responses_are_withheld(client, db):
    survey = make_survey(slug="few", counts={b"\0": 9})
    _made, text = AccessToken.objects.make(survey, survey.owner, "Dashboard")
    answer = ask(client, text, slug="few")
    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert "from 10 responses on" in answer.json()["error"]


def test_deleted_reports_are_not_found(client, survey, token):
    close(survey)
    Survey.objects.filter(pk=survey.pk).update(purged_on=timezone.localdate())
    assert ask(client, token).status_code == HTTPStatus.NOT_FOUND


def test_token_guessing_is_limited_like_login_attempts(client, token):
    limit = f"{MAX_FAILURES}/{MINUTES}m/key"
    assert limit == settings.ACCOUNT_RATE_LIMITS["login_failed"]
    wrong = f"candor_{read_selector(token)}_wrong"
    for _attempt in range(MAX_FAILURES):
        assert ask(client, wrong).status_code == HTTPStatus.UNAUTHORIZED
    for text in (wrong, token):
        answer = ask(client, text)
        assert answer.status_code == HTTPStatus.TOO_MANY_REQUESTS
        assert answer["Retry-After"] == str(MINUTES * 60)


def test_token_guessing_does_not_lock_other_tokens(client, survey, token):
    for _attempt in range(MAX_FAILURES):
        ask(client, "candor_ffffffffffff_wrong")
    assert ask(client, token).status_code == HTTPStatus.OK


def test_the_page_shows_a_token_once_and_the_log_names_it(client, survey):
    client.force_login(survey.owner)
    page = page_of(survey, "tokens")
    shown = text_of(client.post(page, {"name": "Dashboard"}))
    [text] = re.findall(r"candor_[0-9a-f]{12}_[\w-]{43}", shown)
    assert ask(client, text).status_code == HTTPStatus.OK
    again = text_of(client.get(page))
    assert "Dashboard" in again
    assert "Last used on" in again
    assert text not in again
    client.post(page, {"token": AccessToken.objects.get().pk})
    message = " ".join(sentence for line in read_log(survey) for sentence in line.what)
    assert "Made the token “Dashboard”." in message
    assert "Revoked the token “Dashboard”." in message
    assert text not in message


def test_a_token_of_another_survey_cannot_be_revoked_from_this_one(client, survey):
    other = make_survey(slug="other", owner=make_user("other"))
    made, _text = AccessToken.objects.make(other, other.owner, "Theirs")
    client.force_login(survey.owner)
    client.post(page_of(survey, "tokens"), {"token": made.pk})
    assert AccessToken.objects.filter(pk=made.pk).exists()


GUIDE = DOCS / "researchers" / "programs.md"


def example_in(language):
    [block] = [
        text for name, text in blocks_in(GUIDE.read_text("utf-8")) if name == language
    ]
    assert len([line for line in block.splitlines() if line]) == 8
    return block


def test_the_example_in_python_runs(site, survey, token):
    program = example_in("python").replace("https://survey.example.org", site.url)
    run = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program],
        env={"PATH": os.environ["PATH"], "CANDOR_TOKEN": token},
        capture_output=True,
        check=True,
        text=True,
    )
    assert "'count': 60" in run.stdout


def test_the_r_example_names_existing_columns(client, survey, token):
    [line] = re.findall(r"shown <- c\((.*)\)", example_in("r"))
    columns = ask(client, token, name="estimates.csv").content.decode().split("\r\n")[0]
    assert set(re.findall(r'"(\w+)"', line)) < set(columns.split(","))


def test_the_guide_lists_the_files_and_answers(client, survey, token):
    rows = re.findall(r"^\| (.+?) \|", GUIDE.read_text("utf-8"), re.MULTILINE)
    files = {each for row in rows for each in re.findall(r"`([\w.]+)`", row)}
    assert files == {each.name for each in EXPORTS.values() if not each.holds_reports}
    assert ask(client, token, confidence_level="7").status_code == 400
    assert {int(row) for row in rows if row.isdecimal()} == {
        200, 400, 401, 403, 404, 429
    }  # fmt: skip
