"""Several links on one device, and links that do not work."""

import json

import pytest
from playwright.sync_api import expect

from respondents.models import close
from tests.browser.invited import spent, storage, stored

pytestmark = [pytest.mark.browser, pytest.mark.windowless]


def test_two_people_share_a_device_until_the_survey_closes(
    page, come, survey, tokens, posts
):
    first, second = come(page, tokens[0]), come(page, tokens[1])
    first.finish(0, 1, 0)
    # Another link, pasted into the same tab, is another person's.
    with page.expect_navigation(url="**/study-habits/"):
        page.evaluate("token => { location.hash = token; }", tokens[1])
    page.check("#consent")
    page.click("[data-start]")
    second.go_on()
    second.answer(1, 1, 1)
    second.submit()
    assert [json.loads(body)["invitation"] for body in posts] == tokens[:2]
    assert (stored(), spent()) == (2, 2)
    kept = json.loads(storage(page))[0]
    assert len(kept) == 2
    assert set(kept.values()) == {'{"recorded":true}'}
    assert not any(token in storage(page) for token in tokens)
    close(survey)
    page.goto("about:blank")
    page.goto(first.url)
    first.heading("This survey is closed")
    assert page.evaluate("localStorage.length") == 0


def test_an_unsent_response_is_sent_when_the_next_person_opens_a_link(
    page, come, tokens, posts
):
    first = come(page, tokens[0])
    first.reach_check(0, 1, 0)
    first.fail_to_send()
    page.unroute("**/reports/")
    page.goto("about:blank")

    second = come(page, tokens[1])
    page.goto(second.url)
    page.wait_for_selector("[data-start]:visible")
    expect(page.locator("h1:visible")).to_have_text("Study habits")
    page.wait_for_function(
        "() => !JSON.stringify({...localStorage}).includes('reports')"
    )
    assert (stored(), len(set(posts))) == (1, 1)
    assert tokens[0] not in page.content()
    second.finish(1, 1, 1)
    assert (stored(), spent()) == (2, 2)


def test_a_reload_before_sending_asks_for_the_link_again(page, come):
    """And Back shows no screen next to this notice."""
    respondent = come(page)
    respondent.reach_check(0, 1, 0)
    page.reload()
    respondent.heading("You need your own link")
    assert page.locator("button:visible, input:visible").count() == 0
    expect(page.locator("main")).to_contain_text("ask here: me@example.org")
    page.go_back()
    page.go_back()
    respondent.heading("You need your own link")
    expect(page).to_have_title("You need your own link")
    page.goto("about:blank")
    respondent.finish(1, 1, 1)
    assert (stored(), spent()) == (1, 1)
