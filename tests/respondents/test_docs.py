"""The pages about protocol and data are held against the program."""

import json
import re
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import OperationalError

from candor.mechanisms import build
from candor.mechanisms.randomness import randomise
from respondents.models import (
    Receipt,
    Response,
    SealedPattern,
    close,
    compute_receipt_id,
)
from respondents.storage.invitations import Invitation, hash_token
from respondents.storage.sealed_tally import SealedTally
from respondents.storage.secure_deletion import Unerased
from respondents.tokens import fits, make_token
from surveys.models import Survey
from surveys.models.period import GRACE
from tests.docs.documents import blocks_of
from tests.factories import make_survey

DOCS = Path(settings.BASE_DIR) / "docs"


def read(name):
    return (DOCS / name).read_text()


def rows(text, heading):
    """Return the cells of the first table after `heading`."""
    after = text[text.index(heading) :]
    lines = re.search(r"(?:^\|.*\n)+", after, re.MULTILINE)[0].splitlines()[2:]
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]


def listed_refusals():
    table = rows(read("developers/protocol.md"), "## 4. Understand")
    return {(int(status), field) for status, field, *_ in table}


def body_for(survey, **changes):
    body = {"design": survey.design_digest, "submission": "0" * 32, "reports": "00"}
    return {**body, **changes}


@pytest.fixture
def refusals(client, db, monkeypatch):
    """The replies of the endpoint to every kind of invalid request."""
    survey = make_survey()
    url = "/s/study-habits/reports/"

    def post(body, address=url, content_type="application/json"):
        answer = client.post(address, json.dumps(body), content_type=content_type)
        return answer.status_code, answer.json()["error"]["field"]

    refused = client.get(url)
    found = {(refused.status_code, refused.json()["error"]["field"])}
    found |= {
        post({}),
        post(body_for(survey, design="")),
        post(body_for(survey, design="f" * 64)),
        post(body_for(survey, submission="")),
        post(body_for(survey, reports="02")),
        post(body_for(survey, reports="0" * 5000)),
        post({}, "/s/none/reports/"),
        post({}, content_type="text/plain"),
    }
    invited = make_survey(slug="invited", access=Survey.Access.INVITATION)
    for token in ("", make_token(invited.design_digest)):
        found.add(post(body_for(invited, invitation=token), "/s/invited/reports/"))
    by_server = make_survey(slug="server", mode=Survey.Mode.SERVER)
    found.add(post(body_for(by_server), "/s/server/reports/"))
    with monkeypatch.context() as patch:
        patch.setattr(type(Response.objects), "store_all", fail, raising=False)
        found.add(post(body_for(survey)))
    close(survey)
    return found | {post(body_for(survey))}


def fail(*args):
    raise OperationalError


def test_the_protocol_lists_every_refusal(refusals):
    assert refusals == listed_refusals()


def test_the_body_of_the_example_is_accepted(client, db):
    survey = make_survey(["coin"] * 6)
    example = re.search(r"--data '(\{.*\})'", read("developers/protocol.md"))[1]
    body = json.loads(re.sub(r"'\$\(.*?\)'", "0" * 32, example))
    body["design"] = survey.design_digest
    answer = client.post(
        "/s/study-habits/reports/", json.dumps(body), content_type="application/json"
    )
    assert answer.json() == {"recorded": True}


def blocks_of_the_protocol():
    return [block for _language, block in blocks_of(DOCS / "developers/protocol.md")]


@pytest.mark.server
def test_the_documented_curl_command_records_a_response(site):
    """By curl, as protocol.md has it, with the address and digest of a survey."""
    [block] = [each for each in blocks_of_the_protocol() if each.startswith("$ curl")]
    typed, _, said = block.removeprefix("$ ").rpartition("\n{")
    survey = make_survey(["coin"] * 6, slug="habits")
    typed = typed.replace("http://127.0.0.1:8000", site.url)
    typed = re.sub(r"[0-9a-f]{64}", survey.design_digest, typed)
    answer = subprocess.run(  # noqa: S602
        typed, shell=True, check=True, stdout=subprocess.PIPE, text=True
    )
    assert json.loads(answer.stdout) == json.loads("{" + said)
    [stored] = Response.objects.all()
    assert bytes(stored.pattern).hex() == "000100000101"


def test_documented_protocol_messages_match_the_server(client, db):
    """protocol.md: what the page hands over, what is sent, and a refusal."""
    survey = make_survey(["coin", "coin"])
    [page] = [each for each in blocks_of_the_protocol() if "<script" in each]
    shown = re.search(r">(\{.*), …\}<", page)[1] + "}"
    served = client.get("/s/study-habits/").content.decode()
    survey_json = re.search(r'<script id="survey"[^>]*>(.*?)</script>', served)[1]
    handed, shown = json.loads(survey_json), json.loads(shown)
    for name in ("tables", "questions"):
        assert handed[name] == shown[name]
    assert handed["design"] == survey.design_digest
    [sent] = [each for each in blocks_of_the_protocol() if each.startswith("POST")]
    fields = json.loads(sent.splitlines()[-1])
    assert list(fields) == list(body_for(survey))
    [refusal] = [each for each in blocks_of_the_protocol() if '"error"' in each]
    answer = client.post(
        "/s/study-habits/reports/",
        json.dumps(body_for(survey, reports="0200")),
        content_type="application/json",
    )
    assert answer.json() == json.loads(refusal)


def test_documented_draws_give_the_documented_reports():
    flow = read("privacy/data-flow.md")
    tables = [
        build("coin").weights,
        build("forced_response", forced_yes="1/6", forced_no="1/6").weights,
    ]
    shown = [row[1:] for row in rows(flow, "# The data flow of one answer")]
    assert shown == [[" ".join(map(str, row)) for row in weights] for weights in tables]
    names = ("Yes", "No")
    true = rows(flow, "## 1. What is true")
    drawn = rows(flow, "## 2. What is drawn")
    for (_a, *answers), (_b, u1, report1, u2, report2) in zip(true, drawn, strict=True):
        for weights, answer, u, report in zip(
            tables, answers, (u1, u2), (report1, report2), strict=True
        ):
            made = randomise(weights, names.index(answer), lambda u=u: int(u))
            assert names[made] == report


def test_documented_rows_follow_from_the_documented_messages():
    flow = read("privacy/data-flow.md")
    digest = re.search(r"`([0-9a-f]{64})`", flow)[1]
    sent = re.findall(r'"submission":"([0-9a-f]{32})","reports":"([0-9a-f]{4})"', flow)
    survey = Survey(design_digest=digest)
    receipts = {int(row[0]) for row in rows(flow, "`respondents_receipt`")}
    assert receipts == {
        compute_receipt_id(survey, submission) for submission, _ in sent
    }
    patterns = sorted(reports for _, reports in sent)
    stored = rows(flow, "`respondents_response`")
    assert sorted(row[2] for row in stored) == patterns
    assert [row[2] for row in rows(flow, "## 5. What stays")] == patterns
    reports = [[pattern[i : i + 2] for pattern in patterns] for i in (0, 2)]
    survey_counts = [[column.count("00"), column.count("01")] for column in reports]
    shown = rows(flow, "## 6. What the researcher sees")
    assert [[int(yes), int(no)] for _, yes, no in shown] == survey_counts


def test_the_documented_link_hash_matches_its_token():
    flow = read("privacy/data-flow.md")
    token = re.search(r"https://[^`]*/#([\w-]{34})`", flow)[1]
    digest = re.search(r"`([0-9a-f]{64})`", flow)[1]
    assert fits(token, digest)
    stored = rows(flow, "## With one-time links")[0][0]
    assert hash_token(token).hex().startswith(stored.removesuffix("…"))


@pytest.mark.parametrize(
    "model", [Invitation, Receipt, Response, SealedPattern, SealedTally, Unerased]
)
def test_the_privacy_page_names_every_column(model):
    stored = {
        row[0]: row[1] for row in rows(read("privacy/privacy.md"), "## What is stored")
    }
    named = set(re.findall(r"`(\w+)`", f"`{stored[model._meta.db_table]}`"))
    assert {field.column for field in model._meta.fields} == named


def test_the_hourly_job_runs_after_the_grace_in_any_time_zone():
    jobs = (settings.BASE_DIR / "deploy/debian/candor.cron").read_text("utf-8")
    job = re.search(r"^(\d+) (\S+) \* \* \* .*close_due", jobs, re.MULTILINE)
    # Cron's midnight may be another than that of TIME_ZONE: every hour is one of them.
    assert job[2] == "*"
    assert timedelta(minutes=int(job[1])) > GRACE
