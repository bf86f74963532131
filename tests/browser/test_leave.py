"""Leaving in a hurry: nothing on the screen, and nothing of the survey behind Back."""

import pytest

from respondents.models import Response, close
from tests.browser.journey import Respondent
from tests.factories import make_survey

pytestmark = pytest.mark.browser

BEFORE = "/what-we-store/"
NEUTRAL = "/how-it-works/"
"""For want of a weather forecast: the redirect to it cannot be caught by a test."""


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
    page.click("text=Leave this page")


def by_escape(page):
    for _ in range(3):
        page.keyboard.press("Escape")


def at(screen):
    return {
        "welcome": lambda respondent: respondent.page.goto(respondent.url),
        "protection": lambda respondent: respondent.enter(),
        "check": lambda respondent: respondent.reach_check(0, 1),
        "thanks": lambda respondent: respondent.finish(0, 1),
    }[screen]


@pytest.mark.parametrize(
    ("screen", "leave"),
    [
        ("welcome", by_link),
        ("protection", by_escape),
        ("check", by_link),
        ("check", by_escape),
        ("thanks", by_link),
    ],
)
def test_nothing_of_the_survey_is_behind_back_or_ahead(
    page, site, respondent, screen, leave, neutral
):
    at(screen)(respondent)
    page.wait_for_load_state("networkidle")
    leave(page)
    page.wait_for_url(neutral)
    seen = []
    for go in (page.go_back, page.go_forward, page.go_back, page.go_back):
        go(wait_until="commit")
        page.wait_for_load_state("networkidle")  # what it leads on to is there too
        seen.append(page.url.replace(site.url, ""))
    assert not [path for path in seen if path.startswith("/s/")]
    assert NEUTRAL in seen


@pytest.mark.parametrize(("mode", "leave"), [("server", by_link), ("hand", by_escape)])
def test_a_form_is_left_empty_too(page, site, respondent, mode, leave, neutral):
    make_survey(["coin", "die"], slug="plain", mode=mode)
    plain = Respondent(page, site, "plain")
    plain.reach_check(0, 1)
    leave(page)
    page.wait_for_url(neutral)
    page.go_back(wait_until="commit")
    page.wait_for_load_state("networkidle")
    assert "plain" not in page.url
    assert Response.objects.count() == 0


LEAVE_AND_LOOK = """() => {
  for (let time = 0; time < 3; time++) {
    dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  }
  return [document.body.textContent, document.title];
}"""


def test_the_screen_is_empty_at_once(page, respondent):
    """Before any line answers: who looks over a shoulder sees nothing."""
    respondent.reach_check(0, 1)
    assert page.evaluate(LEAVE_AND_LOOK) == ["", ""]


def test_escape_now_and_then_leaves_nothing(page, respondent):
    respondent.enter()
    for _ in range(3):
        page.keyboard.press("Escape")
        page.wait_for_timeout(1100)
    respondent.heading("How your answers are protected")


def test_the_pages_at_the_end_have_the_way_out_too(page, site, respondent, neutral):
    survey = make_survey(["coin"], slug="plain", mode="server")
    page.goto(f"{site.url}/s/plain/thanks/")
    by_link(page)
    page.wait_for_url(neutral)
    close(survey)
    page.goto(f"{site.url}/s/plain/")
    page.wait_for_selector("text=This survey is closed")
    by_escape(page)
    page.wait_for_url(neutral)


def test_without_javascript_the_link_leads_there(chromium, site, neutral):
    make_survey(["coin"], mode="server")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site.url}/s/study-habits/")
    with page.expect_request(neutral) as sent:
        by_link(page)
    assert "referer" not in sent.value.headers
    page.wait_for_url(neutral)
    context.close()
