"""Questions moved and removed, hints and suggested texts in real Chromium."""

import re

import pytest
from playwright.sync_api import expect

from surveys.authoring.hints import find_hints
from tests.browser.authoring.steps import (
    choose_design,
    has_focus,
    new_survey,
    open_draft,
    open_more,
    question,
)
from tests.factories import make_survey
from tests.surveys.authoring.test_hints import CASES

pytestmark = [
    pytest.mark.browser,
    pytest.mark.windowless,
    pytest.mark.usefixtures("all_steps"),
]

TEXTS = "**/survey/texts/"


def test_saved_and_new_questions_keep_their_own_inputs(
    page, site, researcher, console_messages
):
    survey = make_survey([], opened=False)
    for text in "abc":
        survey.add_question(f"{text}?")
    open_draft(page, site, survey)
    page.get_by_role("button", name="Add question").click()
    page.keyboard.type("d?")
    open_more(question(page, 4)).locator('[name$="-skip"]').uncheck()
    for _step in range(3):
        question(page, 4).get_by_role("button", name="Move up").click()
    question(page, 1).get_by_role("button", name="Move down").click()
    question(page, 2).get_by_role("button", name="Remove").click()
    choose_design(question(page, 3), value="die")
    page.get_by_label("Title").fill("Another title")
    page.get_by_label("Title").press("Enter")
    expect(page.get_by_role("heading", name="Another title")).to_be_visible()
    asked = survey.questions.values_list("text", "family", "position")
    assert list(asked) == [("d?", "coin", 1), ("a?", "coin", 2), ("c?", "die", 3)]
    assert console_messages == []


def test_hints_match_the_server_and_the_library_follows_the_language(
    page, site, researcher
):
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

    card = question(page, 1)
    text = card.get_by_label("Question", exact=True)
    about = card.locator("[data-hints]").get_attribute("id")
    assert text.get_attribute("aria-describedby") == about
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
    page.get_by_text("From the library").click()
    page.locator("summary", has_text="Study and research").click()
    page.locator('[data-template="study.left-out-results"]').click()
    card = question(page, 2)
    wanted = re.compile("Wie oft haben Sie in den letzten 3 Jahren ein Ergebnis")
    expect(card.get_by_label("Question", exact=True)).to_have_value(wanted)
    answers = card.get_by_role("textbox", name="Answers, one per line")
    expect(answers).to_have_value(re.compile("Kein Mal\nEinmal\nMehr als einmal\n"))


def test_previews_render_texts_and_suggestions_do_not_interrupt(
    page, site, researcher, console_messages
):
    new_survey(page, site, researcher)
    page.get_by_label("Why it is asked").fill("**All** <img src=x onerror=alert(1)>")
    page.get_by_role("button", name="Preview").first.click()
    shown = page.locator("#purpose-shown")
    expect(shown.locator("strong")).to_have_text("All")
    expect(shown).to_contain_text("<img src=x onerror=alert(1)>")
    assert shown.locator("img").count() == 0

    held = []  # delayed requests
    page.route(TEXTS, lambda route: held.append(route))
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
    page.wait_for_timeout(200)  # the page shows the response
    page.mouse.up()

    expect(page.locator("#library")).to_have_attribute("open", "")
    expect(agreement).to_have_value(re.compile("I take part"))
    assert console_messages == []
