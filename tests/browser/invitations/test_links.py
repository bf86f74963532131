"""One-time links in a real browser: one response each, and nowhere a token to see."""

import json
import time

import pytest
from playwright.sync_api import expect

from respondents.storage.invitations import Invitation
from tests.browser.invited import invited, spent, storage, stored
from tests.browser.journey import PATIENT
from tests.browser.line import recording_relay
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

COUNTING = """
  window.drawn = 0;
  const real = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = (array) => { drawn += 1; return real(array); };
"""


def test_a_link_gives_one_response_and_draws_once(page, come, tokens, posts):
    """Also by a double click, and however the link is written when it comes again."""
    page.add_init_script(COUNTING)
    # Typed, with the dot of a sentence that a mail program takes for a part of it.
    respondent = come(page, tokens[0].replace("-", "").upper() + ".")
    respondent.reach_check(0, 1, 0)
    page.dblclick("[data-go=scramble]", force=True)
    respondent.heading("Thank you")
    [body] = posts
    assert json.loads(body)["invitation"] == tokens[0]
    assert set(json.loads(body)) == {"design", "submission", "reports", "invitation"}
    expect(page.locator("main")).to_contain_text("Your link is used up.")
    page.click("summary:visible")
    assert page.inner_text("[data-body]") == body
    assert (
        "This browser keeps an empty mark that this link was used."
        in page.inner_text("main")
    )
    page.wait_for_load_state("networkidle")
    requests = []
    page.on("request", lambda each: requests.append(each.method))
    for come_again in (page.reload, lambda: page.goto(come(page).url)):
        # The second changes the address alone; the page then loads itself again.
        with page.expect_event("load"):
            come_again()
        respondent.heading("This link has been used")
        page.wait_for_load_state("networkidle")
        assert page.evaluate("drawn") == 0
        assert page.locator("[data-start]:visible").count() == 0
        assert page.evaluate("document.activeElement.textContent") == (
            "This link has been used"
        )
    notice = page.locator("[data-link=used]")
    # Another person may have used this browser and the link.
    lead = "This link was used in this browser before. Those answers stay."
    expect(notice.locator(".lead")).to_have_text(lead)
    expect(notice).not_to_contain_text("were received")
    assert set(requests) == {"GET"}
    assert (stored(), spent()) == (1, 1)


def test_the_token_leaves_the_address_and_is_kept_only_until_sent(
    page, come, tokens, posts
):
    page.add_init_script(PATIENT)
    respondent = come(page)
    # An address that changes after the page has loaded makes Chromium fetch the icon
    # again: how often depended on which file came first. Here the slow one comes last.
    page.add_init_script(
        "addEventListener('load', () => { window.addressWhenLoaded = location.href; })"
    )
    page.route("**/randomise.js", lambda route: (time.sleep(0.3), route.continue_()))
    page.goto(respondent.url)
    page.wait_for_selector("[data-start]:visible")
    assert page.evaluate("addressWhenLoaded") == page.url
    assert tokens[0] not in page.url
    assert tokens[0] not in storage(page)
    page.check("#consent")
    page.click("[data-start]")
    respondent.go_on()
    respondent.answer(0, 1, 0)
    assert tokens[0] not in storage(page)
    assert tokens[0] not in page.evaluate("JSON.stringify(history.state)")
    respondent.fail_to_send()
    [[place, kept]] = json.loads(storage(page))[0].items()
    assert tokens[0] in kept
    assert tokens[0] not in place
    # Opened once more before it has arrived, it sends the same bytes.
    tab = page.context.new_page()
    tab.on("request", lambda each: posts.append(each.post_data or posts[0]))
    tab.goto(respondent.url)
    expect(tab.locator("h1:visible")).to_have_text("Thank you")
    assert len(set(posts)) == 1
    assert (stored(), spent()) == (1, 1)
    assert tokens[0] not in storage(tab)
    assert "reports" not in storage(tab)
    assert page.context.cookies() == []


@pytest.mark.parametrize("mode", ["browser", "server"])
def test_the_token_is_sent_only_in_the_request_body(page, site, mode):
    survey = make_survey(["coin"], access="invitation", mode=mode)
    [token] = Invitation.objects.make(survey, 1)
    with recording_relay(site) as (address, passed):
        invited(page, site, token, address=address).finish(0)
    assert stored() == 1
    assert len(passed) > 5
    # The head holds method, path, query and every header, Referer among them.
    assert not [sent.head for sent in passed if token in sent.head]
    [head] = [sent.head for sent in passed if token.encode() in sent.body]
    assert head.startswith("POST /s/study-habits/")
    assert not any("cookie" in sent.head.lower() for sent in passed)


LEAKS = {
    "fetch(address,": "fetch(`${address}?${JSON.parse(body).invitation}`,",
    '"Content-Type": type': (
        '"Content-Type": type, "X-Link": JSON.parse(body).invitation'
    ),
}


def test_a_build_that_leaks_the_token_in_query_or_header_is_detected(
    page, site, survey, tokens
):
    """In the query, and in a header."""

    def change(route):
        answer = route.fetch()
        script = answer.text()
        for before, after in LEAKS.items():
            assert script.count(before) == 1
            script = script.replace(before, after)
        route.fulfill(response=answer, body=script)

    page.route("**/sending.js", change)
    with recording_relay(site) as (address, passed):
        invited(page, site, tokens[0], address=address).finish(0, 0, 0)
    [head] = [sent.head for sent in passed if tokens[0] in sent.head]
    assert head.count(tokens[0]) == 2


def test_two_tabs_of_one_link_send_one_set_of_reports(page, site, come, posts):
    respondent = come(page)
    respondent.reach_check(0, 0, 0)
    tab = page.context.new_page()
    come(tab).finish(1, 1, 1)
    respondent.send()
    respondent.heading("This link has been used")
    assert posts == []
    assert (stored(), spent()) == (1, 1)
