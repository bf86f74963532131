"""Modes server and hand on a bad line: the form is kept, and stored once."""

import re

import pytest
from playwright.sync_api import expect

from respondents.models import Receipt, Response, close
from respondents.storage.invitations import Invitation
from tests.browser.collecting.test_sending import drop_reply
from tests.browser.journey import PATIENT, Respondent
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

FORM = re.compile(r"/s/study-habits/$")


@pytest.fixture
def mode():
    """Of the two modes with a form; one script serves both."""
    return "server"


@pytest.fixture
def survey(mode, site):
    return make_survey(["coin", "die"], mode=mode)


@pytest.fixture
def respondent(page, site, survey):
    page.add_init_script(PATIENT)
    return Respondent(page, site)


@pytest.fixture
def bodies(page):
    """The body of every POST that leaves the page."""
    sent = []
    page.on(
        "request",
        lambda each: sent.append(each.post_data) if each.method == "POST" else None,
    )
    return sent


def posts(answer):
    """Answer the POST alone by `answer`; let the page itself through."""
    return lambda route: (
        answer(route) if route.request.method == "POST" else route.fallback()
    )


def send(page):
    page.click("[type=submit]")


def expect_not_sent(page):
    expect(page.locator("[data-status]")).to_contain_text(
        "Not sent yet. Keep this page open; we will try again."
    )


def test_a_lost_reply_is_followed_by_the_same_bytes(page, respondent, bodies):
    respondent.reach_check(0, 1)
    page.route(FORM, posts(drop_reply), times=2)
    send(page)
    for _ in range(2):
        expect_not_sent(page)
        page.click("text=Try again now")
    respondent.heading("Thank you")
    assert len(bodies) == 3
    assert len(set(bodies)) == 1
    assert (Response.objects.count(), Receipt.objects.count()) == (1, 1)


def test_it_sends_by_itself_when_the_device_is_online_again(page, respondent, bodies):
    respondent.reach_check(0, 1)
    page.context.set_offline(True)
    send(page)
    expect_not_sent(page)
    assert page.locator("input").count() == 0
    page.context.set_offline(False)
    respondent.heading("Thank you")
    assert len(set(bodies)) == 1
    assert Response.objects.count() == 1


@pytest.mark.parametrize("mode", ["server", "hand"])
def test_after_a_reload_one_of_two_forms_is_stored(page, respondent):
    """The first one arrived and its reply was lost; the second has its number."""
    respondent.reach_check(0, 1)
    page.route(FORM, posts(drop_reply), times=1)
    send(page)
    expect_not_sent(page)
    (kept,) = page.evaluate("Object.values(sessionStorage)")
    assert re.fullmatch("[0-9a-f]{32}", kept)
    respondent.reach_check(1, 0)
    respondent.submit()
    assert (Response.objects.count(), Receipt.objects.count()) == (1, 1)
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    respondent.reach_check(1, 0)
    respondent.submit()
    assert Response.objects.count() == 2  # another person at the same device


def test_a_login_page_of_the_network_is_no_acknowledgement(page, respondent):
    respondent.reach_check(0, 1)
    page.route(FORM, posts(lambda route: route.fulfill(body="<h1>Log in</h1>")))
    send(page)
    expect_not_sent(page)
    assert Response.objects.count() == 0


def test_two_clicks_send_once(page, respondent, bodies):
    respondent.reach_check(0, 1)
    page.dblclick("[type=submit]", force=True)
    respondent.heading("Thank you")
    assert len(bodies) == 1
    assert Response.objects.count() == 1


def test_after_sending_back_leaves_at_once(page, respondent):
    page.goto("about:blank")
    respondent.reach_check(0, 1)
    respondent.submit()
    page.go_back()
    assert page.url == "about:blank"


@pytest.mark.parametrize("is_unsure", [False, True])
def test_a_survey_that_closed_meanwhile_says_so(page, respondent, survey, is_unsure):
    respondent.reach_check(0, 1)
    if is_unsure:
        page.route(FORM, posts(drop_reply), times=1)
        send(page)
        expect_not_sent(page)
    close(survey)
    page.click("text=Try again now" if is_unsure else "[type=submit]")
    respondent.heading("This survey is closed")
    text = page.inner_text("main")
    assert ("This try was not recorded." in text) is not is_unsure
    assert ("This page cannot tell." in text) is is_unsure
    assert page.evaluate("sessionStorage.length") == 0


def test_a_refusal_is_final(page, respondent, bodies):
    respondent.reach_check(0, 1)
    page.route(FORM, posts(lambda route: route.fulfill(status=400)))
    send(page)
    respondent.heading("This could not be stored")
    assert "Try again" not in page.inner_text("main")
    assert page.evaluate("sessionStorage.length") == 0
    assert len(bodies) == 1


def test_a_link_of_no_survey_is_reported_on_the_page(page, site):
    survey = make_survey(["coin"], mode="server", access="invitation")
    Invitation.objects.make(survey, 1)
    respondent = Respondent(page, site)
    respondent.url += "#" + "u" * 22  # an old token: nothing in it can be checked
    respondent.reach_check(0)
    send(page)
    respondent.heading("We do not know this link")
    assert Response.objects.count() == 0


def test_storage_that_is_switched_off_is_no_obstacle(page, respondent):
    page.add_init_script(
        "Object.defineProperty(window, 'sessionStorage', "
        "{ get() { throw new DOMException('denied', 'SecurityError'); } });"
    )
    respondent.reach_check(0, 1)
    respondent.submit()
    assert Response.objects.count() == 1


MAY_KEEP = "this browser may keep what you chose on this device"


@pytest.mark.windowless(False)
@pytest.mark.parametrize("has_javascript", [False, True])
def test_where_no_script_runs_the_page_says_what_may_stay(
    chromium, site, survey, has_javascript
):
    context = chromium.new_context(java_script_enabled=has_javascript)
    page = context.new_page()
    page.route("**/plain.js", lambda route: route.abort())
    page.goto(f"{site.url}/s/study-habits/")
    expect(page.get_by_text(MAY_KEEP)).to_be_visible()
    context.close()


def test_where_the_script_runs_it_does_not(page, respondent):
    respondent.enter()
    page.go_back()
    respondent.heading("Study habits")
    assert MAY_KEEP in page.locator("main").text_content()
    assert MAY_KEEP not in page.inner_text("main")
