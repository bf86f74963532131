"""No edit is lost: drafts that save themselves, two windows, and leaving."""

import re

import pytest
from playwright.sync_api import expect

from surveys.log import read_log
from surveys.models import Membership, Role, Survey
from tests.browser.authoring.steps import opened, question, reveal, show_all_steps
from tests.browser.everybody import log_in, objections
from tests.factories import make_survey, make_user

pytestmark = [
    pytest.mark.browser,
    pytest.mark.windowless,
    pytest.mark.usefixtures("all_steps"),
]

SAVED = re.compile(r"^Saved at \d\d:\d\d\.$")


@pytest.fixture
def survey(researcher):
    return make_survey(["coin", "die"], opened=False)


@pytest.fixture
def dialogs(page):
    """What the browser asked, and how it is answered: anyone who is asked stays."""
    asked = []

    def stay(dialog):
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    return asked


def go(page, site, user, survey):
    log_in(page, site, user)
    page.goto(f"{site.url}/admin/surveys/survey/{survey.pk}/change/")
    page.wait_for_load_state()
    return page


def state(page):
    return page.locator("[data-saved]")


def text_input(page, number):
    opened(question(page, number))
    return page.locator(f'[name="questions-{number - 1}-text"]')


def texts_of(survey):
    return list(survey.questions.values_list("text", flat=True))


def test_a_draft_saves_itself_with_all_that_is_done_to_it(
    page, site, researcher, survey, complaints
):
    go(page, site, researcher, survey)
    page.get_by_label("Contact").fill("me@example.org")
    page.get_by_label("Title", exact=True).fill("A better title")
    expect(state(page)).to_have_text(SAVED)
    assert Survey.objects.get().contact == "me@example.org"
    expect(page.get_by_role("heading", level=1)).to_have_text("A better title")

    page.get_by_role("button", name="Add question").click()
    page.keyboard.type("Third?")
    expect(state(page)).to_have_text("Not saved yet.")
    expect(state(page)).to_have_text(SAVED)
    assert texts_of(survey)[2:] == ["Third?"]

    question(page, 3).get_by_role("button", name="Move up").click()
    expect(state(page)).to_have_text("Not saved yet.")
    expect(state(page)).to_have_text(SAVED)
    assert texts_of(survey)[1] == "Third?"
    question(page, 1).get_by_role("button", name="Remove").click()
    expect(state(page)).to_have_text("Not saved yet.")
    expect(state(page)).to_have_text(SAVED)
    assert texts_of(survey) == ["Third?", "Sensitive question 2?"]
    page.get_by_role("button", name="Undo").click()
    expect(state(page)).to_have_text("Not saved yet.")
    expect(state(page)).to_have_text(SAVED)
    assert texts_of(survey)[0] == "Sensitive question 1?"

    # A line that names questions by number goes with them.
    drawn = reveal(page.get_by_label("Questions to draw from"))
    drawn.fill("1 of 1, 3")
    expect(state(page)).to_have_text("Not saved yet.")
    expect(state(page)).to_have_text(SAVED)
    question(page, 3).get_by_role("button", name="Move up").click()
    expect(drawn).to_have_value("1 of 2, 3")
    expect(state(page)).to_contain_text("Questions to draw from: 1 of 2, 3.")

    # The button stays, and finds nothing left to do.
    page.get_by_role("button", name="Save draft").first.click()
    expect(page.locator("[data-saved-aloud]")).to_have_text(SAVED)
    assert survey.questions.count() == 3
    assert len(read_log(survey)) == 1
    assert complaints == []


def test_what_is_half_typed_is_said_and_saved_when_it_is_whole(
    page, site, researcher, survey, dialogs, complaints
):
    go(page, site, researcher, survey)
    saves = []
    page.on("request", lambda each: saves.append(each) if each.method == "POST" else 0)
    text_input(page, 2).fill("")
    page.get_by_label("Contact").fill("me@example.org")
    text = "Not saved yet: Question 2, Question is still empty."
    expect(state(page)).to_have_text(text)
    expect(page.locator("[data-saved-aloud]")).to_have_text(text)
    assert Survey.objects.get().contact == ""
    assert text_input(page, 2).input_value() == ""
    page.wait_for_timeout(2_000)
    assert len(saves) == 1  # refused once, it does not ask again
    with page.expect_event("dialog"):
        page.get_by_role("link", name="Log", exact=True).click()
    expect(page.get_by_label("Contact")).to_have_value("me@example.org")
    assert dialogs == ["beforeunload"]
    text_input(page, 2).fill("Now?")
    expect(state(page)).to_have_text(SAVED)
    assert Survey.objects.get().contact == "me@example.org"
    assert texts_of(survey)[1] == "Now?"
    assert complaints == []


def test_leaving_asks_only_while_something_is_unsaved(
    page, site, researcher, survey, dialogs
):
    go(page, site, researcher, survey)
    saves = []
    page.route("**/change/", lambda route: saves.append(route))  # none is answered
    page.get_by_label("Contact").fill("me@example.org")
    with page.expect_event("dialog"):
        page.get_by_role("link", name="Collaborators").click()
    assert dialogs == ["beforeunload"]
    page.unroute("**/change/")
    for save in saves:
        save.continue_()
    expect(state(page)).to_have_text(SAVED)
    page.get_by_role("link", name="Collaborators").click()
    page.get_by_role("heading", name="People of").wait_for()
    assert dialogs == ["beforeunload"]


@pytest.fixture
def maria_page(chromium, site, survey):
    maria = make_user("maria")
    Membership.objects.create(survey=survey, user=maria, role=Role.EDITOR)
    context = show_all_steps(chromium.new_context())
    yield go(context.new_page(), site, maria, survey)
    context.close()


def test_two_people_on_one_draft_keep_what_both_wrote(
    page, site, researcher, survey, maria_page, complaints
):
    go(page, site, researcher, survey)
    maria_page.get_by_label("Title").fill("Maria's title")
    question(maria_page, 2).get_by_role("button", name="Remove").click()
    maria_page.get_by_role("button", name="Add question").click()
    maria_page.keyboard.type("Maria's question?")
    expect(state(maria_page)).to_have_text(SAVED)

    own = text_input(page, 1)
    own.fill("My words?")
    expect(state(page)).to_have_text(SAVED)
    expect(own).to_be_focused()
    expect(page.get_by_label("Title")).to_have_value("Maria's title")
    expect(page.locator(".question:visible .question-line [data-told]")).to_have_text(
        ["My words?", "Maria's question?"]
    )
    assert texts_of(survey) == ["My words?", "Maria's question?"]
    assert Survey.objects.get().title == "Maria's title"

    # What came from her can be changed here, and goes back to her.
    opened(page.locator("#questions-2"))
    page.locator('[name="questions-2-text"]').fill("Her question?")
    expect(state(page)).to_have_text(SAVED)
    maria_page.get_by_label("Contact").fill("maria@example.org")
    expect(state(maria_page)).to_have_text(SAVED)
    expect(text_input(maria_page, 1)).to_have_value("My words?")
    assert texts_of(survey) == ["My words?", "Her question?"]
    assert complaints == []


def test_two_people_who_change_one_text_choose_by_keyboard(
    page, site, researcher, survey, maria_page, complaints
):
    go(page, site, researcher, survey)
    maria_page.get_by_label("Title").fill("Maria's title")
    maria_page.get_by_label("Contact").fill("maria@example.org")
    expect(state(maria_page)).to_have_text(SAVED)

    page.get_by_label("Title").fill("My title")
    expect(state(page)).to_contain_text("Not saved: choose between two texts.")
    state(page).get_by_role("link", name="Choose").press("Enter")
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("maria changed this text")
    expect(notice).to_contain_text("My title")
    expect(notice.get_by_role("radio")).to_have_count(2)
    expect(notice.get_by_role("radio", checked=True)).to_have_count(0)
    assert objections(page, context="[data-conflict]") == []
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect(notice.get_by_label("Saved meanwhile")).to_be_checked()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_text("was changed successfully").wait_for()
    stored = Survey.objects.get()
    assert (stored.title, stored.contact) == ("My title", "maria@example.org")
    assert complaints == []


def test_an_interrupted_line_loses_nothing(page, site, researcher, survey):
    go(page, site, researcher, survey)
    page.context.set_offline(True)
    page.get_by_label("Contact").fill("me@example.org")
    expect(state(page)).to_contain_text("no connection")
    page.context.set_offline(False)
    expect(state(page)).to_have_text(SAVED)
    assert Survey.objects.get().contact == "me@example.org"


def test_who_is_logged_out_logs_in_elsewhere_and_goes_on(
    page, site, researcher, survey
):
    go(page, site, researcher, survey)
    session = next(
        each for each in page.context.cookies() if each["name"] == "sessionid"
    )
    page.context.clear_cookies(name="sessionid")
    page.get_by_label("Contact").fill("me@example.org")
    expect(state(page)).to_contain_text("log in in another window")
    page.context.add_cookies([session])
    page.get_by_label("Contact").fill("me@example.com")
    expect(state(page)).to_have_text(SAVED)
    assert Survey.objects.get().contact == "me@example.com"


def test_the_button_keeps_what_was_typed_by_whom_was_logged_out(
    page, site, researcher, dialogs
):
    log_in(page, site, researcher)
    page.goto(f"{site.url}/admin/surveys/survey/add/")
    page.wait_for_load_state()
    page.get_by_label("Title").fill("Typed for an hour")
    page.get_by_label("Who runs it").fill("Institute")
    with page.expect_event("dialog"):
        page.get_by_role("link", name="Home").first.click()
    assert dialogs == ["beforeunload"]
    cookies = page.context.cookies()
    session = next(each for each in cookies if each["name"] == "sessionid")
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Save draft").first.last.click()
    expect(state(page)).to_contain_text("Not saved: log in in another window")
    expect(page.get_by_label("Title")).to_have_value("Typed for an hour")
    page.context.add_cookies([session])
    page.get_by_role("button", name="Save draft").first.last.dblclick()
    page.get_by_text("was added successfully").wait_for()
    assert Survey.objects.filter(title="Typed for an hour").count() == 1


def test_the_button_leaves_no_page_that_can_only_be_copied_from(
    page, site, researcher, survey
):
    go(page, site, researcher, survey)
    Survey.objects.all().delete()
    page.get_by_label("Contact").fill("me@example.org")
    expect(state(page)).to_contain_text("this draft was deleted. Copy what you need.")
    page.get_by_role("button", name="Save draft").first.last.click()
    page.wait_for_timeout(500)
    expect(page.get_by_label("Contact")).to_have_value("me@example.org")
    expect(state(page)).to_contain_text("this draft was deleted. Copy what you need.")


def test_the_button_waits_for_a_save_that_is_under_way(page, site, researcher, survey):
    go(page, site, researcher, survey)
    page.evaluate(
        """() => {
          const ask = window.fetch;
          window.fetch = async (address, options) => {
            const answer = await ask(address, options);
            const isDraft = options?.body?.has?.("_autosave");
            if (isDraft) {
              window.isUnderWay = true;
              await new Promise((done) => setTimeout(done, 1000));
            }
            return answer;
          };
        }"""
    )
    page.get_by_label("Contact").fill("me@example.org")
    page.wait_for_function("() => window.isUnderWay")
    page.get_by_role("button", name="Save draft").first.click()
    expect(state(page)).to_have_text(SAVED)
    assert Survey.objects.get().contact == "me@example.org"
