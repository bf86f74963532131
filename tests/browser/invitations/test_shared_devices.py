"""Several links on one device, and links that do not work."""

import json

import pytest
from playwright.sync_api import expect

from respondents.models import close
from tests.browser.invited import spent, storage, stored

pytestmark = [pytest.mark.browser, pytest.mark.windowless]


def test_two_people_share_a_device(page, come, tokens, posts):
    first = come(page, tokens[0])
    first.finish(0, 1, 0)
    second = come(page, tokens[1])
    second.finish(1, 1, 1)
    assert [json.loads(body)["invitation"] for body in posts] == tokens[:2]
    assert (stored(), spent()) == (2, 2)
    kept = json.loads(storage(page))[0]
    assert len(kept) == 2
    assert set(kept.values()) == {'{"recorded":true}'}
    assert not any(token in storage(page) for token in tokens)


def test_what_one_left_unsent_goes_out_when_the_next_opens_their_link(
    page, come, tokens, posts
):
    first = come(page, tokens[0])
    first.reach_check(0, 1, 0)
    page.route("**/reports/", lambda route: route.abort())
    first.send()
    expect(page.locator("[data-status]")).to_contain_text("Not sent yet")
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


def test_another_link_pasted_into_the_same_tab_is_another_person(
    page, come, tokens, posts
):
    page.goto(come(page, tokens[0]).url)
    page.wait_for_selector("[data-start]:visible")
    with page.expect_navigation(url="**/study-habits/"):
        page.evaluate("token => { location.hash = token; }", tokens[1])
    page.wait_for_selector("[data-start]:visible")
    page.check("#consent")
    page.click("[data-start]")
    respondent = come(page, tokens[1])
    respondent.go_on()
    respondent.answer(0, 0, 0)
    respondent.send()
    respondent.heading("Thank you")
    assert json.loads(posts[0])["invitation"] == tokens[1]


def test_without_a_whole_link_nothing_is_asked(page, site, survey):
    for ending in ("", "#", "#!"):
        page.goto("about:blank")
        page.goto(f"{site.url}/s/study-habits/{ending}")
        expect(page.locator("h1:visible")).to_have_text("You need your own link")
        assert page.locator("button:visible, input:visible").count() == 0
        expect(page.locator("main")).to_contain_text("ask here: me@example.org")


def test_a_dot_behind_the_link_is_no_obstacle(page, come, tokens):
    come(page, f"{tokens[0]}.").finish(0, 0, 0)
    assert spent() == 1


def test_a_reload_before_sending_asks_for_the_link_again(page, come):
    respondent = come(page)
    respondent.reach_check(0, 1, 0)
    page.reload()
    respondent.heading("You need your own link")
    page.goto("about:blank")
    respondent.finish(1, 1, 1)
    assert (stored(), spent()) == (1, 1)


def test_an_unknown_link_shows_a_kind_message_and_leaves_nothing_behind(
    page, come, posts
):
    respondent = come(page, "unknown-unknown-unknown"[:22])
    respondent.reach_check(0, 1, 0)
    respondent.send()
    respondent.heading("We do not know this link")
    expect(page.locator("main")).to_contain_text("Nothing was recorded.")
    assert page.evaluate("localStorage.length") == 0
    page.goto("about:blank")
    come(page).finish(0, 1, 0)
    page.wait_for_load_state("networkidle")
    assert len(posts) == 2
    assert (stored(), spent()) == (1, 1)


NOTICE = "[data-link]:visible"


def test_all_notices_about_a_link_have_one_shape(page, come):
    """No one who glances at the screen learns more than that there is a notice."""
    shapes = []
    shape = "each => Array.from(each.children, (child) => child.localName)"
    page.goto(come(page, "").url)
    shapes.append(page.locator(NOTICE).evaluate(shape))
    page.goto("about:blank")
    unknown = come(page, "u" * 22)
    unknown.reach_check(0, 0, 0)
    unknown.send()
    unknown.heading("We do not know this link")
    shapes.append(page.locator(NOTICE).evaluate(shape))
    used = come(page)
    used.finish(0, 0, 0)
    page.reload()
    used.heading("This link has been used")
    shapes.append(page.locator(NOTICE).evaluate(shape))
    assert shapes == [["h1", "p", "p", "p"]] * 3


@pytest.mark.windowless(False)
def test_back_shows_no_screen_next_to_a_notice(page, come):
    respondent = come(page)
    respondent.reach_check(0, 1, 0)
    page.reload()
    respondent.heading("You need your own link")
    page.go_back()
    page.go_back()
    respondent.heading("You need your own link")
    expect(page).to_have_title("You need your own link")


def test_a_used_link_pasted_again_shows_no_screen_next_to_the_notice(page, come):
    """Not even until the page is loaded again, which is left out here."""
    page.add_init_script(
        "addEventListener('hashchange', (event) => event.stopImmediatePropagation())"
    )
    respondent = come(page)
    respondent.finish(0, 1, 0)
    page.reload()
    respondent.heading("This link has been used")
    with page.expect_event("framenavigated"):
        page.evaluate("address => { location.href = address; }", respondent.url)
    respondent.heading("This link has been used")


def test_a_closed_survey_forgets_all_links_of_this_device(page, come, survey, tokens):
    come(page, tokens[0]).finish(0, 1, 0)
    come(page, tokens[1]).finish(0, 1, 0)
    close(survey)
    page.goto("about:blank")
    page.goto(come(page).url)
    expect(page.locator("h1:visible")).to_have_text("This survey is closed")
    assert page.evaluate("localStorage.length") == 0
