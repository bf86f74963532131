"""Sending over a bad connection repeats the same bytes, which are stored once."""

from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from respondents.models import Response, SealedPattern, close
from tests.browser.journey import PATIENT, Respondent, note_posts
from tests.browser.line import recording_relay
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

ATTEMPTS = 20


@pytest.fixture
def survey(site):
    return make_survey(["coin"] * 3)


@pytest.fixture
def respondent(page, site, survey):
    return Respondent(page, site)


@pytest.fixture
def bodies(page):
    return note_posts(page)


def drop_reply(route):
    """Let the server store the response, then lose its reply.

    A busy server answers 503 without storing anything; the same bytes are sent again.
    """
    if not any(route.fetch().ok for _ in range(ATTEMPTS)):
        pytest.fail("The server stored no response.")
    route.abort()


def test_a_reload_and_another_tab_send_the_same_bytes(page, respondent, bodies):
    page.add_init_script(PATIENT)
    respondent.reach_check(0, 1, 0)
    respondent.fail_to_send()
    page.reload()
    expect(page.locator("[data-status]")).to_contain_text("Not sent yet")
    page.unroute("**/reports/")
    page.reload()
    respondent.heading("Thank you")
    assert len(bodies) == 3
    assert len(set(bodies)) == 1
    tab = page.context.new_page()
    tab.goto(respondent.url)
    expect(tab.locator("h1:visible")).to_have_text("Thank you")
    assert tab.evaluate("Object.values(localStorage)") == ['{"recorded":true}']
    assert not tab.is_visible("text=See exactly what your device sent")
    assert Response.objects.count() == 1


def test_two_tabs_answered_separately_send_one_set_of_reports(
    page, site, respondent, bodies
):
    respondent.reach_check(0, 0, 0)
    tab = page.context.new_page()
    Respondent(tab, site).finish(1, 1, 1)
    respondent.send()
    respondent.heading("Thank you")
    assert bodies == []
    assert Response.objects.count() == 1


def test_an_unexpected_reply_is_not_an_acknowledgement(page, respondent, bodies):
    """It works without storage in the browser too."""
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', "
        "{ get() { throw new DOMException('denied', 'SecurityError'); } });"
    )
    respondent.reach_check(0, 1, 0)
    respondent.fail_to_send(
        lambda route: route.fulfill(body="<h1>Log in to this network</h1>"), times=1
    )
    assert Response.objects.count() == 0
    respondent.heading("Thank you")  # by itself, after a short wait
    assert Response.objects.count() == 1
    assert len(bodies) == 2
    assert len(set(bodies)) == 1


def test_a_survey_closed_before_sending_is_reported_and_forgotten(
    page, respondent, survey, bodies
):
    respondent.reach_check(0, 1, 0)
    close(survey)
    respondent.send()
    respondent.heading("This survey is closed")
    text = page.inner_text("main")
    assert "It has closed meanwhile. This try was not recorded." in text
    assert "Sending" not in text
    assert "Try again" not in text
    assert page.evaluate("localStorage.length") == 0
    page.reload()
    respondent.heading("This survey is closed")
    expect(page.locator("main")).to_contain_text("nothing was recorded now.")


def test_the_page_admits_that_an_earlier_attempt_may_have_arrived(
    page, respondent, survey
):
    page.add_init_script(PATIENT)
    respondent.reach_check(0, 1, 0)
    respondent.fail_to_send(drop_reply, times=1)
    close(survey)
    page.click("text=Try again now")
    respondent.heading("This survey is closed")
    text = page.inner_text("main")
    assert "An earlier try may have arrived." in text
    assert "Nothing was recorded" not in text
    assert page.evaluate("localStorage.length") == 0


def break_reused_connection(page, site, *, before=()):
    """Lose the first reply as the survey closes; return the message shown.

    Surveys `before` are answered on the same connection.
    """
    posts, survey = [], make_survey(slug="breaks")

    def passes(sent):
        if not sent.head.startswith("POST"):
            return True
        posts.append(sent.body)
        if len(posts) == len(before) + 1:
            close(survey)
        return len(posts) != len(before) + 1

    with recording_relay(site, passes) as (address, _passed):
        at = SimpleNamespace(url=address)
        for slug in before:
            Respondent(page, at, slug).finish(0)
        respondent = Respondent(page, at, survey.slug)
        respondent.reach_check(0)
        respondent.send()
        respondent.heading("This survey is closed")
        text = page.inner_text("main")
        page.goto("about:blank")
    assert SealedPattern.objects.respondents(survey) == 1  # reported as unknown
    assert "Nothing was recorded" not in text
    tries = posts[len(before) :]
    assert (len(tries), len(set(tries))) == (2, 1)
    return text


def test_a_request_repeated_by_the_browser_counts_as_an_attempt(page, site, bodies):
    """Browsers repeat requests without a reply on a reused connection."""
    text = break_reused_connection(page, site)
    assert len(bodies) == 2
    assert "An earlier try may have arrived." in text


def test_the_notice_stays_true_after_a_survey_on_the_same_connection(
    page, site, bodies
):
    """The reused connection hides an attempt from the page."""
    make_survey(slug="before")
    text = break_reused_connection(page, site, before=["before"])
    _before, _heard_of = bodies
    assert "This try was not recorded." in text
    assert "If the line broke just before, an earlier one may have arrived." in text


def test_a_refusal_after_a_reload_admits_a_possible_earlier_arrival(page, respondent):
    page.add_init_script(PATIENT)
    respondent.reach_check(0, 1, 0)
    respondent.fail_to_send(drop_reply, times=1)
    page.route("**/reports/", lambda route: route.fulfill(status=409, json={}))
    page.reload()
    respondent.heading("This could not be stored")
    text = page.inner_text("main")
    assert "An earlier try may have arrived." in text
    assert "Nothing was recorded" not in text
    assert Response.objects.count() == 1


def test_a_final_refusal_shows_a_kind_message(page, respondent, bodies):
    respondent.reach_check(0, 1, 0)
    held = []
    page.route("**/reports/", lambda route: held.append(route))
    respondent.send()
    respondent.heading("Sending")
    assert page.get_attribute("[data-status]", "role") == "status"
    expect(page.locator("[data-status]")).to_have_text("Please wait a moment")
    held.pop().fulfill(status=409, json={})
    respondent.heading("This could not be stored")
    text = page.inner_text("main")
    assert "Our server could not accept this. This try was not recorded." in text
    assert "Try again" not in text
    assert page.evaluate("localStorage.length") == 0
    page.reload()
    respondent.heading("Study habits")
    assert len(bodies) == 1
