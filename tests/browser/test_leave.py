"""Leaving at once clears the screen, and Back shows nothing of the survey."""

import pytest
from playwright.sync_api import expect

from respondents.models import Response
from tests.browser.journey import PROTECTION, Respondent
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

BEFORE = "/what-we-store/"
NEUTRAL = "/how-it-works/"
"""Stands for a weather forecast, whose redirect a test cannot intercept."""


@pytest.fixture(autouse=True)
def neutral(settings, site):
    settings.LEAVE_TO = f"{site.url}{NEUTRAL}"
    return settings.LEAVE_TO


@pytest.fixture
def respondent(page, site):
    make_survey(["coin", "die"])
    page.goto(site.url + BEFORE)
    return Respondent(page, site)


def by_link(page):
    page.click("[data-leave]")


def by_escape(page):
    for _ in range(3):
        page.keyboard.press("Escape")


@pytest.mark.windowless(False)
@pytest.mark.parametrize(
    ("mode", "goes", "leave"),
    [
        ("browser", Respondent.reach_check, by_escape),
        ("browser", Respondent.finish, by_link),
        ("server", Respondent.reach_check, by_link),
    ],
)
def test_leaving_removes_the_survey_from_the_browser_history(
    page, site, neutral, mode, goes, leave
):
    make_survey(["coin", "die"], mode=mode)
    page.goto(site.url + BEFORE)
    goes(Respondent(page, site), 0, 1)
    page.wait_for_load_state("networkidle")
    leave(page)
    page.wait_for_url(neutral)
    seen = []
    for go in (page.go_back, page.go_forward, page.go_back, page.go_back):
        go(wait_until="commit")
        page.wait_for_load_state("networkidle")  # with redirects
        seen.append(page.url.replace(site.url, ""))
    assert not [path for path in seen if path.startswith("/s/")]
    assert NEUTRAL in seen


KEPT = "JSON.stringify([Object.keys(localStorage), Object.keys(sessionStorage)])"
NOTHING = "[[],[]]"


def test_leaving_deletes_unsent_messages_and_receipt_marks(page, respondent, neutral):
    respondent.reach_check(0, 1)
    respondent.fail_to_send()
    status = page.locator("[data-status]")
    expect(status).to_contain_text("“Leave this page” deletes the message")
    assert page.evaluate(KEPT) != NOTHING
    by_link(page)
    page.wait_for_url(neutral)
    assert page.evaluate(KEPT) == NOTHING
    page.unroute("**/reports/")
    respondent.finish(0, 1)
    assert page.evaluate(KEPT) != NOTHING
    by_escape(page)
    page.wait_for_url(neutral)
    assert page.evaluate(KEPT) == NOTHING
    assert Response.objects.count() == 1


LEAVE_AND_READ_PAGE = """() => {
  for (let time = 0; time < 3; time++) {
    dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  }
  return [document.body.textContent, document.title];
}"""


def test_a_reply_that_arrives_while_leaving_is_not_stored(page, respondent, neutral):
    respondent.reach_check(0, 1)
    reports, leaving = [], []
    page.route("**/reports/", lambda route: reports.append(route))
    page.route(neutral, lambda route: leaving.append(route))
    respondent.send()
    # The screen is empty before any reply arrives.
    assert page.evaluate(LEAVE_AND_READ_PAGE) == ["", ""]
    while not (reports and leaving):
        page.wait_for_timeout(20)
    with page.expect_response("**/reports/"):
        reports.pop().continue_()
    page.wait_for_timeout(100)  # the page reads the reply
    leaving.pop().continue_()
    page.wait_for_url(neutral)
    assert Response.objects.count() == 1
    assert page.evaluate(KEPT) == NOTHING


def test_the_leave_link_stays_visible_and_names_its_key(page, respondent):
    respondent.enter()
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 500})
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        assert page.evaluate("scrollY") > 100
        link = page.locator("[data-leave]")
        expect(link).to_be_in_viewport(ratio=1)
        assert link.bounding_box()["height"] >= 44
        has_mouse = width == 1280
        named = "Leave this page Esc 3 times" if has_mouse else "Leave this page"
        assert " ".join(link.inner_text().split()) == named
    # Pressing Escape slowly does not leave the page.
    for _ in range(3):
        page.keyboard.press("Escape")
        page.wait_for_timeout(1100)
    respondent.heading(PROTECTION)
