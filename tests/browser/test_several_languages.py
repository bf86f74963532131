"""One page in all languages of a survey; the device chooses."""

import gzip
import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from respondents.models import Response
from respondents.storage.invitations import Invitation
from tests.browser.journey import CONTINUE
from tests.browser.transcript import STUB
from tests.factories import TITLES, make_multilingual_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

SIX = [
    "coin",
    "coin",
    "direct",
    ("k_ary", {"epsilon": "1", "choices": 3}),
    *["coin"] * 2,
]

MAX_BYTES = 40_000
"""Of a page of six questions in three languages and all files that it names, sent
compressed."""

FILE = re.compile(r"/static/([\w/]+\.(?:css|js))")

STORED = """JSON.stringify([
  {...localStorage}, {...sessionStorage}, history.length, history.state,
])"""

ROOT = "[document.documentElement.lang, document.documentElement.dir, document.title]"


@pytest.fixture
def open_in(chromium, site):
    """A function that opens the survey with a browser of some languages."""
    contexts = []

    def open_page(*languages):
        context = chromium.new_context(
            viewport={"width": 390, "height": 844}, locale=languages[0]
        )
        contexts.append(context)
        page = context.new_page()
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.add_init_script(
            "Object.defineProperty(navigator, 'languages', "
            f"{{ get: () => {json.dumps(languages)} }});" + STUB
        )
        page.goto(f"{site.url}/s/study-habits/")
        page.wait_for_selector("[data-start]:visible")
        # The script of the practice comes last.
        page.wait_for_selector("[data-coin]:not([hidden])", state="attached")
        return page

    yield open_page
    for context in contexts:
        context.close()


def choose(page, language):
    page.click("[data-languages] summary")
    page.click(f"[data-languages] [lang={language}]:is(a, button)")


def answer(page, *, picks):
    page.check("#consent")
    page.click("[data-start]")
    page.click(CONTINUE)
    for pick in picks:
        if pick is None:
            page.click("[data-go=skip]:visible")
        else:
            page.locator(".choice:visible").nth(pick).click()
            page.click(CONTINUE)
    page.click("[data-go=scramble]")
    page.wait_for_selector("h1.done:visible")


def test_the_survey_starts_in_the_language_of_the_browser(open_in):
    make_multilingual_survey()
    for wished, shown, name in (
        (["de-AT", "en"], ["de", "ltr", "Lerngewohnheiten"], "Deutsch"),
        (["fr", "ar-EG", "en"], ["ar", "rtl", TITLES["ar"]], "العربية"),
        (["fr"], ["en", "ltr", "Study habits"], "English"),
    ):
        page = open_in(*wished)
        assert page.evaluate(ROOT) == shown
        assert page.locator("h1:visible").inner_text() == shown[2]
        assert page.inner_text("[data-languages] summary").strip() == name


def test_every_screen_is_in_the_chosen_language(open_in, site):
    make_multilingual_survey(SIX, helpline="Someone to talk to")
    page = open_in("en")
    choose(page, "ar")
    choose(page, "de")
    assert page.evaluate(ROOT) == ["de", "ltr", "Lerngewohnheiten"]
    assert page.evaluate("document.activeElement.textContent") == "Lerngewohnheiten"
    page.click("[data-start]")
    assert "möchten" in page.locator("[data-problem]").inner_text()
    page.check("#consent")
    page.click("[data-start]")
    # The switch goes when questions may have been seen.
    page.go_back()
    page.wait_for_selector("[data-screen=welcome]:visible")
    assert page.evaluate(ROOT) == ["de", "ltr", "Lerngewohnheiten"]
    assert not page.locator("[data-languages]").is_visible()
    page.click("[data-start]")
    page.click("[data-try] button >> text=Ja")
    assert "Ja" in page.locator("[data-try] [role=status]").inner_text()
    page.click(CONTINUE)
    assert "Sensitive question 1? in German" in page.inner_text("main")
    for _number in SIX:
        page.locator(".choice:visible").first.click()
        page.click(CONTINUE)
    assert page.locator("[data-answer]:visible").first.inner_text() == "Ja"
    page.click("[data-go=scramble]")
    page.wait_for_selector("h1.done:visible")
    assert page.inner_text("h1.done") == "Vielen Dank"
    assert "Someone to talk to in German" in page.inner_text("footer")
    page.click("summary:visible")
    assert page.locator("[data-sent]").first.inner_text() == "Ja"
    page.route("**/*", lambda route: route.fulfill(body="elsewhere"))
    with page.expect_navigation():
        page.click("[data-leave]")
    assert site.url not in page.url
    assert page.errors == []
    assert Response.objects.count() == 1


def test_requests_and_storage_do_not_depend_on_the_language(open_in):
    make_multilingual_survey(SIX[1:4])
    runs = []
    for language in ("en", "ar"):
        page = open_in("en")
        requests = []
        page.on(
            "request",
            lambda each, sent=requests: sent.append(
                (
                    each.method,
                    each.url,
                    sorted(each.all_headers().items()),
                    each.post_data,
                )
            ),
        )
        if language != "en":
            choose(page, language)
        answer(page, picks=[1, 0, None])
        assert page.evaluate("document.documentElement.lang") == language
        runs.append((requests, page.evaluate(STORED), page.context.cookies()))
        assert page.errors == []
    first, other = runs
    assert [method for method, *_rest in first[0]] == ["POST"]
    assert other == first


def test_the_page_is_small_and_identical_for_every_language(site):
    make_multilingual_survey(SIX, purpose="To learn how people study.")
    pages = {
        Client().get("/s/study-habits/", headers={"Accept-Language": each}).content
        for each in ("en", "de", "ar", "fr")
    }
    (content,) = pages
    unscripted = re.search("<noscript>.*?</noscript>", content.decode(), re.DOTALL)
    assert unscripted[0].count(' lang="') == 3
    names = set(FILE.findall(content.decode()))
    assert {"css/respondents.css", "js/collecting/language.js"} < names
    files = [Path(finders.find(name)).read_bytes() for name in names]
    assert sum(len(gzip.compress(each)) for each in [content, *files]) < MAX_BYTES


def test_a_form_stays_in_the_language_of_its_address(page, site):
    """And a one-time link stays with it."""
    survey = make_multilingual_survey(
        mode="server", access="invitation", least_links=10
    )
    token = Invitation.objects.make(survey, 10)[0]
    page.goto(f"{site.url}/s/study-habits/#{token}")
    page.wait_for_selector("[data-start]:visible")
    choose(page, "de")
    page.wait_for_url("**/?language=de")
    page.wait_for_selector("[data-start]:visible")
    assert page.input_value("#invitation") == token
    page.check("#consent")
    page.click("[data-start]")
    page.click(CONTINUE)
    page.locator(".choice:visible").first.click()
    page.click(CONTINUE)
    page.click("[type=submit]")
    page.wait_for_url("**/thanks/?language=de&received=*")
    assert page.inner_text("h1") == "Vielen Dank"
    assert Response.objects.count() == 1
