"""No edit is lost: automatic saves, two windows, and leaving the page."""

import pytest
from playwright.sync_api import expect

from surveys.log import read_log
from surveys.models import Membership, Role, Survey
from tests.browser.accessibility import find_problems
from tests.browser.authoring.steps import (
    SAVED,
    expect_saved,
    new_survey,
    open_draft,
    opened,
    pass_time,
    question,
    reveal,
    show_all_steps,
    state_of,
)
from tests.factories import make_survey, make_user

pytestmark = [
    pytest.mark.browser,
    pytest.mark.windowless,
    pytest.mark.usefixtures("all_steps", "clock"),
]


@pytest.fixture
def survey(researcher):
    return make_survey(["coin", "die"], opened=False)


@pytest.fixture
def dialogs(page):
    """Dismiss the browser's questions about leaving, and list their types."""
    asked = []

    def stay(dialog):
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    return asked


def text_input(page, number):
    opened(question(page, number))
    return page.locator(f'[name="questions-{number - 1}-text"]')


def expect_followed(page, draws):
    """Save; the server has renumbered the questions to draw from."""
    pass_time(page)
    expect(state_of(page)).to_contain_text(f"Questions to draw from: {draws}.")


def log_out(page):
    """Log out as in another window; return the session's cookie."""
    [session] = [each for each in page.context.cookies() if each["name"] == "sessionid"]
    page.context.clear_cookies(name="sessionid")
    return session


def texts_of(survey):
    return list(survey.questions.values_list("text", flat=True))


def test_every_change_to_a_draft_is_saved_automatically(
    page, site, survey, console_messages
):
    open_draft(page, site, survey)
    page.get_by_label("Contact").fill("me@example.org")
    page.get_by_label("Title", exact=True).fill("A better title")
    expect_saved(page)
    assert Survey.objects.get().contact == "me@example.org"
    expect(page.get_by_role("heading", level=1)).to_have_text("A better title")

    page.get_by_role("button", name="Add question").click()
    page.keyboard.type("Third?")
    drawn = reveal(page.get_by_label("Questions to draw from"))
    drawn.fill("1 of 1, 3")
    expect_saved(page)
    assert texts_of(survey)[2:] == ["Third?"]

    # Lines that name questions by number are renumbered.
    question(page, 1).get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Undo").click()
    question(page, 3).get_by_role("button", name="Move up").click()
    expect(drawn).to_have_value("1 of 1, 2")
    expect_followed(page, "1 of 1, 2")
    assert texts_of(survey)[1] == "Third?"

    # The button has nothing left to save.
    page.get_by_role("button", name="Save draft").first.click()
    expect(page.locator("[data-saved-aloud]")).to_have_text(SAVED)
    assert survey.questions.count() == 3
    assert len(read_log(survey)) == 1
    assert console_messages == []


def test_a_removal_that_was_saved_is_undone_with_the_lines_that_it_changed(
    page, site, researcher
):
    survey = make_survey(["coin"] * 5, opened=False, draws="1 of 2-4")
    survey.questions.filter(position=5).update(show_if="1 is Yes")
    survey.questions.filter(position=4).update(show_if="not (2 is Yes or 3 is No)")
    before = [*survey.questions.values_list("show_if", flat=True)]
    open_draft(page, site, survey)

    question(page, 2).get_by_role("button", name="Remove").click()
    expect_followed(page, "1 of 2, 3")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#id_draws")).to_have_value("1 of 2-4")
    expect_saved(page)
    survey = Survey.objects.get()
    assert survey.draws == "1 of 2-4"
    assert [*survey.questions.values_list("show_if", flat=True)] == before

    # A line edited after the removal stays, and is renumbered by Undo.
    question(page, 2).get_by_role("button", name="Remove").click()
    expect_followed(page, "1 of 2, 3")
    reveal(page.get_by_label("Questions to draw from")).fill("1 of 1, 3")
    expect_saved(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#id_draws")).to_have_value("1 of 1, 4")


def test_incomplete_input_is_reported_and_saved_once_complete(
    page, site, survey, dialogs, console_messages
):
    open_draft(page, site, survey)
    saves = []
    page.on("request", lambda each: saves.append(each) if each.method == "POST" else 0)
    text_input(page, 2).fill("")
    page.get_by_label("Contact").fill("me@example.org")
    pass_time(page)
    text = "Not saved yet: Question 2, Question is still empty."
    expect(state_of(page)).to_have_text(text)
    expect(page.locator("[data-saved-aloud]")).to_have_text(text)
    assert Survey.objects.get().contact == ""
    pass_time(page)
    assert len(saves) == 1  # a refused save is not repeated
    collaborators = page.get_by_role("link", name="Collaborators")
    with page.expect_event("dialog"):
        collaborators.click()
    held = []
    page.route("**/change/", lambda route: held.append(route), times=1)
    with page.expect_request("**/change/"):
        text_input(page, 2).fill("Now?")
        pass_time(page)
    # A save that is under way is not saved yet.
    with page.expect_event("dialog"):
        collaborators.click()
    held.pop().continue_()
    expect_saved(page)
    assert Survey.objects.get().contact == "me@example.org"
    assert texts_of(survey)[1] == "Now?"
    collaborators.click()
    page.get_by_role("heading", name="People of").wait_for()
    assert dialogs == ["beforeunload"] * 2
    assert console_messages == []


def test_concurrent_edits_are_merged_and_conflicting_texts_chosen(
    page, site, survey, chromium, console_messages
):
    maria = make_user("maria")
    Membership.objects.create(survey=survey, user=maria, role=Role.EDITOR)
    context = show_all_steps(chromium.new_context())
    hers = context.new_page()
    hers.clock.install()
    open_draft(hers, site, survey, maria)
    open_draft(page, site, survey)
    hers.get_by_label("Title").fill("Maria's title")
    question(hers, 2).get_by_role("button", name="Remove").click()
    hers.get_by_role("button", name="Add question").click()
    hers.keyboard.type("Maria's question?")
    expect_saved(hers)

    own = text_input(page, 1)
    own.fill("My words?")
    expect_saved(page)
    expect(own).to_be_focused()
    expect(page.get_by_label("Title")).to_have_value("Maria's title")
    expect(
        page.locator(".question:visible .question-line [data-question-text]")
    ).to_have_text(["My words?", "Maria's question?"])
    assert texts_of(survey) == ["My words?", "Maria's question?"]
    assert Survey.objects.get().title == "Maria's title"

    # Her question can be changed here, and she gets the change.
    opened(page.locator("#questions-2"))
    page.locator('[name="questions-2-text"]').fill("Her question?")
    expect_saved(page)
    hers.get_by_label("Title").fill("Her title")
    hers.get_by_label("Contact").fill("maria@example.org")
    expect_saved(hers)
    expect(text_input(hers, 1)).to_have_value("My words?")
    assert texts_of(survey) == ["My words?", "Her question?"]
    context.close()

    page.get_by_label("Title").fill("My title")
    pass_time(page)
    expect(state_of(page)).to_contain_text("Not saved: choose between two texts.")
    state_of(page).get_by_role("link", name="Choose").press("Enter")
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("maria changed this text")
    expect(notice).to_contain_text("My title")
    expect(notice.get_by_role("radio")).to_have_count(2)
    expect(notice.get_by_role("radio", checked=True)).to_have_count(0)
    assert find_problems(page, context="[data-conflict]") == []
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect(notice.get_by_label("Saved meanwhile")).to_be_checked()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_text("was changed successfully").wait_for()
    stored = Survey.objects.get()
    assert (stored.title, stored.contact) == ("My title", "maria@example.org")
    assert console_messages == []


RETRY_SECONDS = 10
"""Until the next attempt after a save that did not reach the server."""

DELAY_ANSWERS = """() => {
  const ask = window.fetch;
  window.fetch = async (address, options) => {
    const answer = await ask(address, options);
    if (options?.body?.has?.("_autosave")) {
      window.isUnderWay = true;
      await new Promise((done) => setTimeout(done, 1000));
    }
    return answer;
  };
}"""


def test_connection_loss_logout_and_deletion_keep_unsaved_input(page, site, survey):
    open_draft(page, site, survey)
    contact = page.get_by_label("Contact")
    page.context.set_offline(True)
    contact.fill("me@example.org")
    pass_time(page)
    expect(state_of(page)).to_contain_text("no connection")
    page.context.set_offline(False)
    pass_time(page, RETRY_SECONDS)
    expect_saved(page)
    assert Survey.objects.get().contact == "me@example.org"

    session = log_out(page)
    contact.fill("me@example.com")
    pass_time(page)
    expect(state_of(page)).to_contain_text("log in in another window")
    page.context.add_cookies([session])
    contact.fill("me@example.net")
    expect_saved(page)
    assert Survey.objects.get().contact == "me@example.net"

    # The button waits for a save that is under way.
    page.evaluate(DELAY_ANSWERS)
    contact.fill("we@example.org")
    pass_time(page)
    page.wait_for_function("() => window.isUnderWay")
    page.get_by_role("button", name="Save draft").first.click()
    expect_saved(page)
    assert Survey.objects.get().contact == "we@example.org"

    # A page that can only be copied is not left.
    Survey.objects.all().delete()
    contact.fill("us@example.org")
    pass_time(page)
    gone = "this draft was deleted. Copy what you need."
    expect(state_of(page)).to_contain_text(gone)
    page.get_by_role("button", name="Save draft").first.click()
    page.wait_for_timeout(500)
    expect(contact).to_have_value("us@example.org")
    expect(state_of(page)).to_contain_text(gone)


def test_the_save_button_keeps_input_after_a_logout(page, site, researcher, dialogs):
    new_survey(page, site, researcher)
    page.get_by_label("Title").fill("Typed for an hour")
    page.get_by_label("Who runs it").fill("Institute")
    with page.expect_event("dialog"):
        page.get_by_role("link", name="Home").first.click()
    assert dialogs == ["beforeunload"]
    session = log_out(page)
    page.get_by_role("button", name="Save draft").first.click()
    expect(state_of(page)).to_contain_text("Not saved: log in in another window")
    expect(page.get_by_label("Title")).to_have_value("Typed for an hour")
    page.context.add_cookies([session])
    page.get_by_role("button", name="Save draft").first.dblclick()
    page.get_by_text("was added successfully").wait_for()
    assert Survey.objects.filter(title="Typed for an hour").count() == 1
