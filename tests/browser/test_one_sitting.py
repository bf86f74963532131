"""From the login to published results in one sitting, with nothing to object to."""

import re

import pytest
from playwright.sync_api import expect

from surveys.models import Survey
from tests.browser.authoring.steps import check_before_opening
from tests.browser.everybody import DESKTOP, note_complaints
from tests.browser.journey import Respondent
from tests.factories import PASSWORD, make_responses, make_user

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

FROM_THE_LIBRARY = ("health.doping", "study.copying", "work.expenses")
OTHERS = 39
"""Respondents beside the one in the browser: published are 30 and more."""


class Visitor:
    """A user with a browser; what the browser objects to is kept."""

    def __init__(self, chromium, site):
        context = chromium.new_context(viewport=DESKTOP)
        self.site, self.page = site, context.new_page()
        self.objections = note_complaints(self.page, site)

    def follow(self, name):
        """Go to a page about the survey by its navigation."""
        tabs = self.page.get_by_role("navigation", name="Pages about")
        tabs.get_by_role("link", name=name, exact=True).click()
        expect(tabs.locator("[aria-current=page]")).to_have_text(name)


@pytest.fixture
def visitor(chromium, site):
    """A function: another person with a browser of their own."""
    come = []

    def arrive():
        come.append(Visitor(chromium, site))
        return come[-1]

    yield arrive
    for each in come:
        each.page.context.close()


def log_in(researcher):
    page = researcher.page
    page.goto(f"{researcher.site.url}/admin/")
    page.get_by_label("Username").fill("researcher")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()
    page.get_by_role("link", name="New survey").wait_for()


def write(researcher):
    page = researcher.page
    page.get_by_role("link", name="New survey").click()
    page.wait_for_load_state()
    page.get_by_label("Title", exact=True).fill("Hard questions")
    page.get_by_text("From the library").click()
    for number, key in enumerate(FROM_THE_LIBRARY, start=1):
        entry = page.locator(f'[data-template="{key}"]')
        field = page.locator("details[name=library]").filter(has=entry)
        field.locator("summary").click()
        entry.click()
        page.get_by_text(f"Added as question {number}.").wait_for()
    page.get_by_role("button", name="Next: People").click()
    page.get_by_label("Who runs it", exact=True).fill("Institute of Examples")
    page.get_by_label("Contact", exact=True).fill("ethics@example.org")
    page.get_by_role("button", name="Use the suggested text").click()
    page.get_by_role("button", name="Save draft").click()
    researcher.follow("Overview")


def try_out(researcher):
    page = researcher.page
    researcher.follow("Try it")
    page.get_by_role("button", name="Start the test").click()
    page.frame_locator("[name=phone-frame]").locator("[data-start]").wait_for()
    page.get_by_role("link", name="Simulate respondents").click()
    page.get_by_label("How many respondents").fill("200")
    page.get_by_role("button", name="Simulate and see").click()
    page.get_by_role("link", name="Back to the test").wait_for()
    page.get_by_role("link", name="Back to the test").click()
    researcher.follow("Overview")


def open_survey(researcher):
    page = researcher.page
    check_before_opening(page)
    page.get_by_role("button", name="Open survey").click()
    page.get_by_text("The survey is open.").wait_for()
    return Survey.objects.get()


def publish(researcher):
    """Return the address of the public page."""
    page = researcher.page
    researcher.follow("Publish")
    form = page.url
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Preview").click()
    page.get_by_role("heading", level=1, name="Hard questions").wait_for()
    page.goto(form)
    page.get_by_role("button", name="Publish now").click()
    page.get_by_text("Published the results.").wait_for()
    return page.get_by_role("link", name=f"{researcher.site.url}/").inner_text()


def test_from_the_login_to_published_results(visitor, site):
    make_user("researcher")
    researcher = visitor()
    page = researcher.page
    log_in(researcher)
    write(researcher)
    try_out(researcher)
    survey = open_survey(researcher)
    researcher.follow("Share")

    respondent = visitor()
    Respondent(respondent.page, site, survey.slug).finish(0, 1, 0)
    make_responses(survey, [bytes([0, 1, number % 2]) for number in range(OTHERS)])

    researcher.follow("Monitor")
    expect(page.locator("[data-live=responses]")).to_have_text("20")
    researcher.follow("Results")
    researcher.follow("Export")
    with page.expect_download() as file:
        page.get_by_role("link", name=re.compile("Estimates .CSV")).click()
    assert file.value.suggested_filename == f"{survey.slug}-estimates.csv"
    researcher.follow("Overview")
    page.get_by_role("link", name="Close survey").click()
    page.get_by_role("button", name="Close survey").click()
    address = publish(researcher)

    reader = visitor()
    reader.page.goto(address)
    reader.page.get_by_role("heading", level=1, name="Hard questions").wait_for()
    assert reader.page.context.cookies() == []

    researcher.follow("Collaborators")
    researcher.follow("Log")
    for done in ("Opened", "Exported", "Closed", "Published"):
        assert page.get_by_text(re.compile(done)).count(), f"no line says {done}"
    everybody = (researcher, respondent, reader)
    assert [each.objections for each in everybody] == [[], [], []]
