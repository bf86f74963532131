"""A sealed survey in the browser: from its key to its results."""

import itertools
import json
from collections import Counter

import pytest
from playwright.sync_api import expect

from respondents.models import Response, SealedPattern, close
from tests.browser.accessibility import log_in
from tests.browser.authoring.steps import check_before_opening, reveal
from tests.browser.journey import Respondent, note_posts
from tests.factories import make_responses, make_survey
from tests.sealed import HOLDER, KEY, make_sealed_survey, open_file, seal

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

ANSWERS = [b"\0\1"] * 15 + [b"\1\0"] * 6

NO_CRYPTOGRAPHY = (
    "Object.defineProperty(Crypto.prototype, 'subtle', {value: undefined})"
)


def test_a_sealed_survey_runs_from_key_creation_to_results(page, site, tmp_path):
    survey = make_survey(["coin", "direct"], opened=False, target=100)
    log_in(page, site, survey.owner)
    draft = f"{site.url}/admin/surveys/survey/{survey.pk}"
    page.goto(f"{draft}/change/#check")
    reveal(page.locator("#id_holder_key")).fill(HOLDER.write().decode())
    page.get_by_label("Only declared tables").check()
    check_before_opening(page)
    expect(
        page.get_by_text("If the key is lost, all reports are lost.")
    ).to_be_visible()
    page.get_by_label(f"has confirmed the fingerprint {HOLDER.fingerprint}").check()
    page.get_by_role("button", name="Open survey").click()
    page.get_by_text("The survey is open.").wait_for()
    survey.refresh_from_db()

    visitor = page.context.browser.new_context().new_page()
    sent = note_posts(visitor)
    respondent = Respondent(visitor, site)
    visitor.goto(respondent.url)
    line = "Reports can be opened only by Ethics Office, after the survey closes."
    expect(visitor.locator(".facts")).to_contain_text(line)
    expect(visitor.locator(".facts")).to_contain_text(HOLDER.fingerprint)
    respondent.finish(0, 1)
    (body,) = sent
    expect(visitor.locator("[data-body]")).to_have_text(body)
    (stored,) = (bytes(each.pattern) for each in Response.objects.all())
    assert stored.hex() == json.loads(body)["reports"]
    report = KEY.open(stored, survey.design_digest)
    assert report[1] == 1

    make_responses(survey, seal(survey, *ANSWERS))
    page.goto(f"{draft}/close/")
    page.get_by_role("button", name="Close survey").click()
    page.goto(f"{draft}/results/")
    heading = "Sealed: reports are opened by Ethics Office after closing"
    page.get_by_role("heading", name=heading).wait_for()
    page.get_by_role("link", name="Open sealed reports").click()
    expect(page.get_by_text("to compare: 22.")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download batch").click()
    result = tmp_path / "result.json"
    result.write_bytes(open_file(download.value.path().read_bytes()))
    page.get_by_label("Result of the key holder").set_input_files(result)
    page.get_by_role("button", name="Store result").click()

    expect(page.get_by_text("22 reports counted, 0 refused")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Sensitive question 1?")
    assert not SealedPattern.objects.exists()
    assert SealedPattern.objects.counts(survey, (1, 2)) == Counter([*ANSWERS, report])


def test_messages_have_one_length_whatever_is_answered(page, site):
    """And a retry sends the same bytes."""
    survey = make_sealed_survey(["direct", "coin"])
    sent = note_posts(page)
    page.route("**/reports/", lambda route: route.abort(), times=1)
    picked = [*itertools.product(range(2), repeat=2)]
    for picks in picked:
        Respondent(page, site).finish(*picks)
        page.evaluate("localStorage.clear()")

    assert sent[0] == sent[1]
    assert len({len(each) for each in sent}) == 1
    assert len({json.loads(each)["reports"] for each in sent}) == len(picked)
    assert len(sent) == len(picked) + 1
    close(survey)
    patterns = SealedPattern.objects.counts(survey)
    opened = [KEY.open(each, survey.design_digest) for each in patterns]
    assert sorted(each[0] for each in opened) == sorted(first for first, _ in picked)


def test_browsers_without_cryptography_get_a_notice_before_questions(page, site):
    make_sealed_survey()
    page.add_init_script(NO_CRYPTOGRAPHY)
    page.goto(f"{site.url}/s/study-habits/")

    expect(page.locator("[data-chanceless]")).to_contain_text("must seal what it sends")
    expect(page.locator("[data-chanceless]")).to_be_visible()
    expect(page.locator("[data-start]")).to_be_hidden()
    assert not page.locator("#consent").is_visible()
