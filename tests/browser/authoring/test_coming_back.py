"""Who leaves a draft while it is being saved, and comes back at once."""

import re
from threading import Event

import pytest
from playwright.sync_api import expect

from surveys.models import Membership, Role, Survey
from tests.browser.authoring.steps import show_all_steps
from tests.browser.everybody import log_in
from tests.browser.line import tapped_line
from tests.factories import make_survey, make_user

pytestmark = [
    pytest.mark.browser,
    pytest.mark.windowless,
    pytest.mark.usefixtures("all_steps"),
]

SAVED = re.compile(r"^Saved at \d\d:\d\d\.$")
LONG_ENOUGH = 30  # seconds, on a machine that is busy with much else
FIRST, SECOND, THIRD = "typed-first", "typed-then", "typed-at-last"


class Line:
    """Between browser and site; it delays some saves."""

    def __init__(self):
        self.sent = {each: Event() for each in (FIRST, SECOND, THIRD)}
        self.may_arrive = {FIRST: Event(), SECOND: Event(), THIRD: Event()}

    def hold(self, request):
        for each, sent in self.sent.items():
            if each.encode() in request.body:
                sent.set()
                self.may_arrive[each].wait(LONG_ENOUGH)

    def let_pass(self, *texts):
        for each in texts:
            self.may_arrive[each].set()


@pytest.fixture
def line(site):
    line = Line()
    with tapped_line(site, hold=line.hold) as (line.url, _passed):
        yield line
        line.let_pass(FIRST, SECOND, THIRD)


@pytest.fixture
def survey(researcher):
    return make_survey(["coin", "die"], opened=False)


@pytest.fixture
def draft(page, line, researcher, survey):
    log_in(page, line, researcher)
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"{line.url}/admin/surveys/survey/{survey.pk}/change/")
    page.wait_for_load_state()
    return page


def state(page):
    return page.locator("[data-saved]")


def leave(page):
    # Not by Playwright's click, which waits for what a click brings.
    page.get_by_role("link", name="Collaborators").evaluate("link => link.click()")
    page.get_by_role("heading", name="People of").wait_for()


def leave_and_come_back(page):
    leave(page)
    page.go_back()
    page.get_by_label("Contact").wait_for()
    page.wait_for_load_state()


def wait_until(happened):
    assert happened.wait(LONG_ENOUGH)


def wait_until_stored(page, contact):
    for _look in range(10 * LONG_ENOUGH):
        if Survey.objects.get().contact == contact:
            return
        page.wait_for_timeout(100)
    assert Survey.objects.get().contact == contact


def come_back_while_it_saves(draft, line):
    """Return the input with the second text; the first one is still on its way."""
    contact = draft.get_by_label("Contact")
    contact.fill(FIRST)
    wait_until(line.sent[FIRST])
    contact.fill(SECOND)
    leave_and_come_back(draft)
    expect(contact).to_have_value(SECOND)
    return contact


def test_a_save_that_was_under_way_is_no_other_window(draft, line):
    contact = come_back_while_it_saves(draft, line)
    line.let_pass(FIRST)
    wait_until_stored(draft, FIRST)
    line.let_pass(SECOND)
    wait_until_stored(draft, SECOND)
    contact.fill(THIRD)
    line.let_pass(THIRD)
    wait_until_stored(draft, THIRD)
    expect(state(draft)).to_have_text(SAVED)
    expect(draft.get_by_role("alert")).to_have_count(0)


def test_nor_in_a_page_that_the_browser_kept(draft, line):
    """Chromium keeps no page that has so much to do; others may: they tell the page."""
    contact = draft.get_by_label("Contact")
    contact.fill(FIRST)
    wait_until(line.sent[FIRST])
    contact.fill(SECOND)
    draft.evaluate(
        """["pagehide", "pageshow"].forEach((name) =>
            dispatchEvent(new PageTransitionEvent(name, { persisted: true })))"""
    )
    line.let_pass(SECOND)
    wait_until_stored(draft, SECOND)
    line.let_pass(FIRST)
    expect(state(draft)).to_have_text(SAVED)
    contact.fill(THIRD)
    line.let_pass(THIRD)
    wait_until_stored(draft, THIRD)
    expect(state(draft)).to_have_text(SAVED)
    expect(draft.get_by_role("alert")).to_have_count(0)


def test_what_is_filled_in_again_replaces_nothing_of_others(
    draft, line, chromium, site, survey
):
    maria = make_user("maria")
    Membership.objects.create(survey=survey, user=maria, role=Role.EDITOR)
    line.let_pass(FIRST)
    contact = draft.get_by_label("Contact")
    contact.fill(FIRST)
    leave(draft)
    wait_until_stored(draft, FIRST)
    hers = show_all_steps(chromium.new_context()).new_page()
    log_in(hers, site, maria)
    hers.goto(f"{site.url}/admin/surveys/survey/{survey.pk}/change/")
    hers.get_by_label("Contact").fill(THIRD)
    wait_until_stored(hers, THIRD)
    hers.context.close()
    draft.go_back()
    expect(state(draft)).to_contain_text("Merged with the changes by maria.")
    expect(contact).to_have_value(THIRD)
    assert Survey.objects.get().contact == THIRD


def test_a_save_that_comes_late_replaces_nothing_newer(draft, line):
    contact = come_back_while_it_saves(draft, line)
    line.let_pass(SECOND)
    contact.fill(THIRD)
    line.let_pass(THIRD)
    wait_until_stored(draft, THIRD)
    line.let_pass(FIRST)
    draft.wait_for_timeout(1000)
    assert Survey.objects.get().contact == THIRD
    expect(state(draft)).to_have_text(SAVED)
