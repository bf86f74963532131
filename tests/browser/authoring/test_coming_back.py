"""Leaving a draft while it is being saved, and coming back at once."""

import re
from collections import defaultdict
from threading import Event

import pytest
from playwright.sync_api import expect

from surveys.models import Membership, Role, Survey
from tests.browser.authoring.steps import (
    expect_saved,
    open_draft,
    pass_time,
    show_all_steps,
    state_of,
)
from tests.browser.line import recording_relay
from tests.factories import make_survey, make_user

pytestmark = [
    pytest.mark.browser,
    pytest.mark.windowless,
    pytest.mark.usefixtures("all_steps", "clock"),
]

MAX_SECONDS = 30
"""A busy machine takes longer than an idle one."""


class Line:
    """The events of a relay that delays each save until the test lets it pass."""

    def __init__(self):
        self.sent = defaultdict(Event)
        self.may_arrive = defaultdict(Event)

    def hold(self, request):
        if written := re.search(rb"contact=(typed-\d)", request.body):
            text = written[1].decode()
            self.sent[text].set()
            self.may_arrive[text].wait(MAX_SECONDS)


@pytest.fixture
def line(site):
    line = Line()
    with recording_relay(site, hold=line.hold) as (line.url, _passed):
        yield line
        for each in list(line.may_arrive.values()):
            each.set()


@pytest.fixture
def survey(researcher):
    return make_survey(["coin", "die"], opened=False)


@pytest.fixture
def draft(page, line, survey):
    open_draft(page, line, survey)
    page.on("dialog", lambda dialog: dialog.accept())
    return page


def leave(page):
    # Playwright's own click would wait for the next page.
    page.get_by_role("link", name="Collaborators").evaluate("link => link.click()")
    page.get_by_role("heading", name="People of").wait_for()


def leave_and_come_back(page):
    leave(page)
    page.go_back()
    page.get_by_label("Contact").wait_for()
    page.wait_for_load_state()


def wait_until_stored(page, contact):
    pass_time(page)
    for _attempt in range(10 * MAX_SECONDS):
        if Survey.objects.get().contact == contact:
            return
        page.wait_for_timeout(100)
    assert Survey.objects.get().contact == contact


def test_own_saves_before_leaving_the_page_are_not_conflicts(draft, line):
    contact = draft.get_by_label("Contact")

    def type_two(first, second):
        """Type the second text while the first one is on its way."""
        contact.fill(first)
        pass_time(draft)
        assert line.sent[first].wait(MAX_SECONDS)
        contact.fill(second)

    def let_pass(text):
        line.may_arrive[text].set()
        wait_until_stored(draft, text)

    def expect_no_conflict():
        expect_saved(draft)
        expect(draft.get_by_role("alert")).to_have_count(0)

    type_two("typed-1", "typed-2")
    leave_and_come_back(draft)
    expect(contact).to_have_value("typed-2")
    let_pass("typed-1")
    let_pass("typed-2")
    contact.fill("typed-3")
    let_pass("typed-3")
    expect_no_conflict()

    # A save that arrives late replaces no newer one.
    type_two("typed-4", "typed-5")
    leave_and_come_back(draft)
    expect(contact).to_have_value("typed-5")
    line.may_arrive["typed-5"].set()
    contact.fill("typed-6")
    let_pass("typed-6")
    line.may_arrive["typed-4"].set()
    draft.wait_for_timeout(500)
    assert Survey.objects.get().contact == "typed-6"
    expect_no_conflict()

    # Other browsers may keep the page, and notify it.
    type_two("typed-7", "typed-8")
    draft.evaluate(
        """["pagehide", "pageshow"].forEach((name) =>
            dispatchEvent(new PageTransitionEvent(name, { persisted: true })))"""
    )
    let_pass("typed-8")
    line.may_arrive["typed-7"].set()
    expect_no_conflict()
    contact.fill("typed-9")
    let_pass("typed-9")
    expect_no_conflict()


def test_restored_form_values_do_not_overwrite_a_colleagues_changes(
    draft, line, chromium, site, survey
):
    maria = make_user("maria")
    Membership.objects.create(survey=survey, user=maria, role=Role.EDITOR)
    line.may_arrive["typed-1"].set()
    contact = draft.get_by_label("Contact")
    contact.fill("typed-1")
    leave(draft)
    wait_until_stored(draft, "typed-1")
    hers = show_all_steps(chromium.new_context()).new_page()
    hers.clock.install()
    open_draft(hers, site, survey, maria)
    hers.get_by_label("Contact").fill("typed-2")
    wait_until_stored(hers, "typed-2")
    hers.context.close()
    draft.go_back()
    expect(state_of(draft)).to_contain_text("Merged with the changes by maria.")
    expect(contact).to_have_value("typed-2")
    assert Survey.objects.get().contact == "typed-2"
