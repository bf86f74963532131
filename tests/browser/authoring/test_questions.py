"""Questions added, moved and removed in real Chromium, by keyboard only; and hints."""

import re

import pytest
from playwright.sync_api import expect

from surveys.authoring.hints import find_hints
from surveys.models import Survey
from tests.browser.authoring.steps import (
    choose_design,
    open_more,
    question,
    reveal,
    tab_to,
)
from tests.browser.everybody import PHONE, log_in
from tests.factories import make_survey
from tests.surveys.authoring.test_hints import CASES

pytestmark = [
    pytest.mark.browser,
    pytest.mark.windowless,
    pytest.mark.usefixtures("all_steps"),
]

TEXTS = "**/survey/texts/"
DOPING = (
    "In the past 12 months, have you used a substance that is banned in your sport?"
)


def new_survey(page, site, researcher):
    log_in(page, site, researcher)
    page.goto(f"{site.url}/admin/surveys/survey/add/")
    page.wait_for_load_state()


def press(page, target, key="Enter"):
    tab_to(page, target)
    page.keyboard.press(key)


def has_focus(target):
    return target.evaluate("element => element === document.activeElement")


def test_a_survey_is_written_by_keyboard_from_the_first_field_to_saving(
    page, site, researcher, complaints
):
    page.set_viewport_size(PHONE)
    new_survey(page, site, researcher)
    said = page.locator("[data-questions] > [data-said]")
    expect(page.get_by_label("Title")).to_be_focused()
    page.keyboard.type("Sport")
    tab_to(page, page.get_by_label("Who runs it"))
    page.keyboard.type("Institute of Examples")
    press(page, page.get_by_role("button", name="Use the suggested text"))
    agreement = page.get_by_label("To agree to")
    expect(agreement).to_have_value(re.compile("I take part in “Sport”"))
    assert has_focus(agreement)

    tab_to(page, question(page, 1).get_by_label("Question", exact=True))
    page.keyboard.type("First?")
    press(page, page.get_by_role("button", name="Add question"))
    page.keyboard.type("Second?")  # the new question has the focus
    press(page, page.get_by_text("From the library"))
    press(page, page.locator("summary", has_text="Health"))
    press(page, page.locator('[data-template="health.doping"]'), key="Space")
    expect(said).to_have_text("Added as question 3.")

    card = question(page, 3)
    up = card.get_by_role("button", name="Move up")
    up.focus()
    for place in (2, 1):
        page.keyboard.press("Enter")
        expect(said).to_have_text(f"Now question {place} of 3.")
        assert has_focus(up)
    page.keyboard.press("Enter")
    expect(said).to_have_text("It cannot move further.")
    press(page, question(page, 1).get_by_role("button", name="Remove"))
    expect(said).to_have_text("Question 2 is removed.")
    assert has_focus(page.get_by_role("button", name="Undo"))
    page.keyboard.press("Enter")
    expect(said).to_have_text("It is back as question 2.")
    press(page, question(page, 2).get_by_role("button", name="Remove"))
    press(page, page.get_by_role("button", name="Save draft").first)

    expect(page.get_by_role("heading", name="Sport", exact=True)).to_be_visible()
    expect(page.locator(".question:visible")).to_have_count(2)
    asked = Survey.objects.get().questions.values_list("text", "position")
    assert list(asked) == [(DOPING, 1), ("First?", 2)]
    assert complaints == []


def test_saved_and_new_questions_keep_their_own_inputs(
    page, site, researcher, complaints
):
    survey = make_survey([], opened=False)
    for text in "abc":
        survey.add_question(f"{text}?")
    log_in(page, site, researcher)
    page.goto(f"{site.url}/admin/surveys/survey/{survey.pk}/change/")
    page.get_by_role("button", name="Add question").click()
    page.keyboard.type("d?")
    open_more(question(page, 4)).locator('[name$="-skip"]').uncheck()
    for _step in range(3):
        question(page, 4).get_by_role("button", name="Move up").click()
    question(page, 1).get_by_role("button", name="Move down").click()
    question(page, 2).get_by_role("button", name="Remove").click()
    choose_design(question(page, 3), value="die")
    page.get_by_role("button", name="Save draft").first.click()
    expect(page.locator("[data-saved]")).to_contain_text("Saved at")
    asked = survey.questions.values_list("text", "family", "position")
    assert list(asked) == [("d?", "coin", 1), ("a?", "coin", 2), ("c?", "die", 3)]
    assert complaints == []


def test_enter_in_an_input_saves_the_draft(page, site, researcher):
    survey = make_survey(opened=False)
    log_in(page, site, researcher)
    page.goto(f"{site.url}/admin/surveys/survey/{survey.pk}/change/")
    page.get_by_label("Title").fill("Another title")
    page.get_by_label("Title").press("Enter")
    expect(page.get_by_role("heading", name="Another title")).to_be_visible()
    assert page.url.endswith("/change/")
    assert page.locator("[data-hints]").first.get_attribute("id") == question(
        page, 1
    ).get_by_label("Question", exact=True).get_attribute("aria-describedby")


def test_after_an_error_questions_stand_where_they_were_put(page, site, researcher):
    new_survey(page, site, researcher)
    question(page, 1).get_by_label("Question", exact=True).fill("First?")
    page.get_by_role("button", name="Add question").click()
    page.keyboard.type("Second?")
    question(page, 2).get_by_role("button", name="Move up").click()
    reveal(page.get_by_label("Address")).fill("not an address")
    page.get_by_role("button", name="Save draft").first.click()
    page.get_by_text("There is a problem").wait_for()
    page.wait_for_load_state()
    shown = page.locator('.question:visible [name$="-text"]').evaluate_all(
        "inputs => inputs.map((input) => input.value)"
    )
    assert shown == ["Second?", "First?"]


def test_scripts_give_the_same_hints_as_the_server(page, site, researcher):
    new_survey(page, site, researcher)
    texts = [(language, text) for language, text, _names in CASES]
    given = page.evaluate(
        """async (texts) => {
            const script = document.querySelector('script[src*="js/authoring/hints"]');
            const { hintsFor } = await import(script.src);
            return texts.map(([language, text]) => hintsFor(text, language, true));
        }""",
        texts,
    )
    expected = [
        [
            str(hint.message)
            for hint in find_hints(text, language=language, is_yes_or_no=True)
        ]
        for language, text in texts
    ]
    assert given == expected


def test_hints_come_while_one_writes_and_go_when_it_is_mended(page, site, researcher):
    new_survey(page, site, researcher)
    card = question(page, 1)
    text = card.get_by_label("Question", exact=True)
    hints = card.locator("[data-hints] > li")
    text.fill("How often have you copied in the past year?")
    expect(hints).to_have_text([re.compile("Ask for Yes or No")])
    choose_design(card, value="k_ary")
    expect(hints).to_have_count(0)
    text.fill("Have you copied?")
    expect(hints).to_have_text([re.compile("Add a time frame")])
    choose_design(card, value="direct")
    expect(hints).to_have_count(0)
    choose_design(card, value="k_ary")
    expect(hints).to_have_count(1)
    page.get_by_label("Language", exact=True).select_option("de")
    text.fill("Haben Sie im letzten Jahr abgeschrieben?")
    expect(hints).to_have_count(0)


def test_texts_are_shown_as_respondents_will_see_them(
    page, site, researcher, complaints
):
    new_survey(page, site, researcher)
    page.get_by_label("Why it is asked").fill("**All** <img src=x onerror=alert(1)>")
    page.get_by_role("button", name="Preview").first.click()
    shown = page.locator("#purpose-shown")
    expect(shown.locator("strong")).to_have_text("All")
    expect(shown).to_contain_text("<img src=x onerror=alert(1)>")
    assert shown.locator("img").count() == 0
    assert complaints == []


def test_the_library_speaks_the_language_of_the_survey(page, site, researcher):
    new_survey(page, site, researcher)
    page.get_by_label("Language", exact=True).select_option("de")
    page.get_by_text("From the library").click()
    page.locator("summary", has_text="Study and research").click()
    page.locator('[data-template="study.left-out-results"]').click()
    card = question(page, 1)
    wanted = re.compile("Wie oft haben Sie in den letzten 3 Jahren ein Ergebnis")
    expect(card.get_by_label("Question", exact=True)).to_have_value(wanted)
    answers = card.get_by_role("textbox", name="Answers, one per line")
    expect(answers).to_have_value(re.compile("Kein Mal\nEinmal\nMehr als einmal\n"))


def hold_back(page, path):
    """Requests to this path wait until they are let go."""
    held = []
    page.route(path, lambda route: held.append(route))
    return held


def test_a_suggested_text_takes_no_focus_and_moves_nothing_under_a_pressed_pointer(
    page, site, researcher
):
    new_survey(page, site, researcher)
    held = hold_back(page, TEXTS)
    page.get_by_role("button", name="Use the suggested text").click()
    contact = page.get_by_label("Contact")
    contact.click()
    held.pop().continue_()
    agreement = page.get_by_label("To agree to")
    expect(agreement).to_have_value(re.compile("I take part"))
    assert has_focus(contact)

    agreement.fill("")
    page.get_by_role("button", name="Use the suggested text").click()
    page.get_by_text("From the library").hover()
    page.mouse.down()
    with page.expect_response(TEXTS):
        held.pop().continue_()
    page.wait_for_timeout(200)  # more than the page takes to show what came
    page.mouse.up()

    expect(page.locator("#library")).to_have_attribute("open", "")
    expect(agreement).to_have_value(re.compile("I take part"))
