"""Questions by their kind, folded to a line, in real Chromium."""

import re

import pytest
from playwright.sync_api import expect

from surveys.models import Survey
from tests.browser.accessibility import DESKTOP, PHONE, find_problems
from tests.browser.authoring.steps import (
    choose_design,
    choose_kind,
    new_survey,
    open_draft,
    open_more,
    opened,
    question,
    reveal,
    show_questions,
)
from tests.factories import PASSWORD, make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

DECLINE = "Prefer not to answer"

MOST_CONTROLS, MAX_WORDS = 12, 300
"""Of the form of a new survey."""

MAX_CLICKS = 12
"""From the login to an open survey of three kinds of questions."""


def kind(card):
    return card.get_by_label("Kind", exact=True)


def strength(card, name):
    return card.locator("button[data-strength]").filter(
        has_text=re.compile(rf"^\s*{name}")
    )


def lines(page):
    return page.locator(".question:visible .question-line")


def is_in_sight(target):
    return target.evaluate(
        "each => { const { top, bottom } = each.getBoundingClientRect();"
        " return top >= 0 && bottom <= innerHeight }"
    )


def test_opening_a_survey_of_three_kinds_takes_a_dozen_clicks(
    page, site, researcher, console_messages
):
    clicks = []

    def click(target):
        target.click()
        clicks.append(target)

    def choose(card, label):
        kind(card).select_option(label=label)
        clicks.append(card)

    page.goto(f"{site.url}/admin/")
    expect(page.locator("#id_login")).to_be_focused()  # the page puts it there
    page.keyboard.type("owner")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    click(page.get_by_role("button", name="Log in", exact=True))
    click(page.get_by_role("link", name="New survey").first)
    expect(page.get_by_label("Title")).to_be_focused()
    page.keyboard.type("Study habits")
    click(question(page, 1).get_by_label("Question", exact=True))
    page.keyboard.type("Did you copy in the past year?")
    click(page.get_by_role("button", name="Add question"))
    page.keyboard.type("How often?")  # the new question has the focus
    choose(question(page, 2), "One of several")
    click(question(page, 2).get_by_role("textbox", name="Answers"))
    page.keyboard.type("Never\nOnce\nOften")
    click(page.get_by_role("button", name="Add question"))
    page.keyboard.type("Is this your first year?")
    choose(question(page, 3), "Not scrambled")
    click(page.get_by_role("button", name="Next: People"))
    expect(page.get_by_label("Who runs it")).to_be_focused()
    page.keyboard.type("Institute of Examples")
    click(page.get_by_role("link", name="Next: Check and open"))
    # One step is shown at a time, whatever the address.
    expect(page.get_by_label("Who runs it")).to_be_hidden()
    click(page.get_by_role("button", name="Check and open"))
    click(page.get_by_role("button", name="Open survey"))
    expect(page.get_by_text("The survey is open.")).to_be_visible()

    assert len(clicks) <= MAX_CLICKS
    survey = Survey.objects.get()
    assert survey.is_open
    asked = [
        (each.text, each.family, [choice.label for choice in each.choices.all()])
        for each in survey.questions.all()
    ]
    assert asked == [
        ("Did you copy in the past year?", "k_ary", ["Yes", "No", DECLINE]),
        ("How often?", "k_ary", ["Never", "Once", "Often", DECLINE]),
        ("Is this your first year?", "direct_choice", ["Yes", "No", DECLINE]),
    ]
    assert console_messages == []


def expect_pressed(card, *names):
    chosen = card.locator('[data-strength][aria-pressed="true"] strong')
    expect(chosen).to_have_text(list(names))


def test_changing_the_kind_shows_its_inputs_and_keeps_the_strength(
    page, site, researcher, console_messages
):
    new_survey(page, site, researcher)
    controls = page.locator("#survey_form").locator(
        "input, select, textarea, button, summary"
    )
    in_view = [each for each in controls.all() if each.is_visible()]
    assert len(in_view) <= MOST_CONTROLS, [each.inner_text() for each in in_view]
    assert len(page.locator("main").inner_text().split()) <= MAX_WORDS

    card = question(page, 1)
    answers = card.get_by_role("textbox", name="Answers, one per line")
    wording = card.get_by_label("Wording of Yes")
    epsilon = card.get_by_role("textbox", name="Epsilon")
    expect(kind(card)).to_have_value("coin")
    expect(wording).to_be_hidden()
    exactly = open_more(card).get_by_role("button", name="Set epsilon")
    expect(wording).to_be_visible()
    expect_pressed(card, "Coin flip")
    expect(card.get_by_label("Mechanism")).to_be_hidden()
    strength(card, "Strong").click()

    choose_kind(card, "One of several")
    expect(answers).to_be_visible()
    expect(wording).to_be_hidden()
    expect(epsilon).to_have_count(0)
    expect(card.get_by_role("button", name="Other mechanisms")).to_have_count(0)
    expect_pressed(card, "Strong")

    choose_kind(card, "Yes or no")
    expect_pressed(card, "Strong")
    exactly.click()
    expect(epsilon).to_be_focused()
    expect(epsilon).to_have_value("0.5")
    epsilon.fill("1,3")
    expect(card.locator("[data-line]")).to_contain_text("ε 1.30")
    expect_pressed(card)
    expect(card.get_by_text("Another strength is set under More.")).to_be_visible()
    choose_kind(card, "One of several")
    expect(epsilon).to_have_value("1,3")
    expect(exactly).to_have_attribute("aria-expanded", "true")
    strength(card, "Light").click()
    expect(epsilon).to_have_count(0)
    expect(card.locator("[data-line]")).to_contain_text("ε 2.00")
    exactly.click()
    expect(exactly).to_have_attribute("aria-expanded", "true")
    expect_pressed(card, "Light")

    # A scale keeps its mechanism at every strength.
    choose_kind(card, "Number or scale")
    highest = card.get_by_label("Highest value", exact=True)
    highest.fill("5000")
    card.get_by_label("Step", exact=True).fill("250")
    strength(card, "Light").click()
    expect(card.locator('[name$="-family"]')).to_have_value("one_bit")
    expect(card.locator('[name$="-one_bit__epsilon"]')).to_have_value("2")
    # The planner was asked with the values of the scale.
    panel = card.locator(".plan-panel")
    expect(panel).to_contain_text("of the mean on 0 to 5000")
    choose_design(card, value="grid")
    card.get_by_label("Step", exact=True).fill("500")
    expect(panel).to_contain_text("“Scale, sent as one of its")
    choose_kind(card, "Yes or no")
    expect(highest).to_be_hidden()
    assert console_messages == []


def test_background_questions_have_answers_and_others_can_be_skipped(
    page, site, researcher, console_messages
):
    new_survey(page, site, researcher)
    page.get_by_label("Title").fill("Study habits")
    reveal(page.get_by_label("Who runs it")).fill("Institute of Examples")
    card = question(page, 1)
    card.get_by_label("Question", exact=True).fill("How old are you?")
    choose_kind(card, "Not scrambled")
    expect(card.get_by_text("Ask only what no one would hide")).to_be_visible()
    expect(strength(card, "Coin flip")).to_be_hidden()
    turn = open_more(card).get_by_role("button", name="Answers other")
    expect(card.get_by_label("Wording of Yes")).to_be_visible()
    turn.press("Enter")
    expect(card.get_by_role("button", name="Only Yes and No")).to_be_focused()
    expect(kind(card)).to_have_value("direct")
    expect(card.get_by_label("Wording of Yes")).to_be_hidden()
    expect(card.get_by_label("Mechanism")).to_be_hidden()
    expect(card.get_by_text("narrow ones can identify a person")).to_be_visible()
    answers = card.get_by_role("textbox", name="Answers, one per line")
    answers.fill("Under 30\n30 or more")
    choose_kind(card, "One of several")
    expect(answers).to_have_value("Under 30\n30 or more")
    choose_kind(card, "Not scrambled")
    expect(card.get_by_role("button", name="Only Yes and No")).to_be_visible()

    page.get_by_role("button", name="Add question").click()
    # With a second question both have a number and tools.
    expect(page.get_by_role("button", name="Remove question")).to_have_count(2)
    card = question(page, 2)
    card.get_by_label("Question", exact=True).fill("Did you cheat?")
    skip = open_more(card).locator('[name$="-skip"]')
    line = card.locator("[data-line]")
    expect(skip).to_be_checked()
    expect(line).to_contain_text("ε")
    with_skipping = line.text_content()
    skip.press("Space")
    expect(line).not_to_have_text(with_skipping)  # the planner was asked again
    expect(strength(card, "Coin flip")).to_have_attribute("aria-pressed", "true")

    reveal(page.get_by_label("By hand")).check()
    expect(open_more(card).locator('[name$="-skip"]')).to_be_hidden()
    reveal(page.get_by_label("In the respondent's browser")).check()
    choose_kind(card, "Number or scale")
    expect(skip).to_be_hidden()
    choose_kind(card, "Yes or no")
    choose_design(card, value="crosswise")
    expect(skip).to_be_hidden()
    choose_design(card, value="coin")
    expect(skip).not_to_be_checked()
    page.get_by_role("button", name="Save draft").click()
    page.get_by_text("was added successfully").wait_for()
    stored = [
        (each.family, [choice.label for choice in each.choices.all()])
        for each in Survey.objects.get().questions.all()
    ]
    assert stored == [
        ("direct_choice", ["Under 30", "30 or more", DECLINE]),
        ("coin", ["Yes", "No"]),
    ]
    assert console_messages == []


def test_a_long_draft_opens_one_question_and_folds_the_others(
    page, site, console_messages
):
    questions = [
        {
            "text": f"Question of number {number}?",
            "family": "k_ary",
            "parameters": {"epsilon": "1", "choices": 3},
            "choices": [f"{number} times", "Never", "No answer"],
        }
        for number in range(1, 13)
    ]
    draft = make_survey(questions, opened=False)
    # A link opens its card.
    open_draft(page, site, draft, at="#id_questions-10-text")
    text = question(page, 11).get_by_label("Question", exact=True)
    expect(text).to_be_visible()
    assert is_in_sight(text)
    for words in ("One of several", "Question of number 1?", "ε 1.00", "± "):
        expect(lines(page).first).to_contain_text(words)

    # Folded questions get their inputs when they are opened.
    assert page.locator("[name=questions-8-text]").get_attribute("type") == "hidden"
    card = opened(question(page, 9))
    expanded = page.locator('.question:visible [data-fold][aria-expanded="true"]')
    expect(expanded).to_have_count(1)
    text = card.get_by_label("Question", exact=True)
    expect(text).to_have_value("Question of number 9?")
    text.fill("What else?")
    expect(lines(page).nth(8)).to_contain_text("What else?")
    answers = card.get_by_role("textbox", name="Answers, one per line")
    expect(answers).to_have_value("9 times\nNever\nNo answer")
    expect(card.locator(".plan-figures")).to_contain_text("1.00")
    expect(card.locator('[name$="-skip"]')).not_to_be_checked()
    answers.fill("9 times\nNever")

    # The summary of the survey stays visible.
    summary = page.get_by_role("complementary", name="Whole survey")
    expect(summary).to_contain_text("ε 12.00")
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
        assert is_in_sight(summary)

    # Tools name their question by its new number: the twelfth is now the eleventh.
    page.get_by_role("button", name="Remove question 3", exact=True).click()
    page.get_by_role("button", name="Move up question 11").click()
    expect(summary).to_contain_text("ε 11.00")
    # An applied remedy is shown on its line.
    summary.get_by_role("button", name="Apply").click()
    expect(summary).to_contain_text("ε 2.00")
    expect(summary.get_by_role("button", name="Apply")).to_have_count(0)
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator("[data-saved]")).to_contain_text("Saved at")
    page.locator('.steps a[href="#check"]').click()
    line = page.locator("[data-setting]").filter(has_text="Questions per person")
    expect(line.locator("[data-value]")).to_have_text("2 of 1-11")
    draft.refresh_from_db()
    assert draft.draws == "2 of 1-11"
    asked = list(draft.questions.all())
    numbers = [*range(1, 3), *range(4, 9), 10, 12, 11]
    expected = [f"Question of number {number}?" for number in numbers]
    expected.insert(7, "What else?")
    assert [each.text for each in asked] == expected
    assert [choice.label for choice in asked[7].choices.all()] == ["9 times", "Never"]
    assert asked[6].parameters == {"epsilon": "1", "choices": "3"}

    # The library is fetched on demand, and adds a question.
    assert page.locator("[data-template]").count() == 0
    show_questions(page)
    page.get_by_text("From the library").click()
    page.locator("summary", has_text="Health").click()
    page.locator('[data-template="health.doping"]').click()
    text = question(page, 13).get_by_label("Question", exact=True)
    expect(text).to_have_value(re.compile("banned in your sport"))
    assert console_messages == []


def test_folded_and_opened_cards_are_accessible(page, site, console_messages):
    draft = make_survey(["coin"] * 3, opened=False)
    open_draft(page, site, draft)
    card = opened(question(page, 2))
    open_more(card).get_by_role("button", name="Set epsilon").click()
    card.get_by_role("button", name="Other mechanisms").click()
    card.get_by_text("When to take which mechanism").click()
    advice = page.get_by_text("People name the colour of a card")
    expect(advice).to_be_visible()
    mine = {"include": [["[data-questions]"], ["[data-summary]"]]}
    assert find_problems(page, context=mine) == []
    # On a phone the name of a mechanism is above the advice on when to use it.
    page.set_viewport_size(PHONE)
    name, when = (card.locator(f".family-guide {each}").first for each in ("dt", "dd"))
    assert when.bounding_box()["y"] > name.bounding_box()["y"]
    assert when.bounding_box()["x"] == name.bounding_box()["x"]
    # The page has one list, which moves to the card whose mechanisms are shown.
    open_more(question(page, 3)).get_by_role("button", name="Other mechanisms").click()
    expect(question(page, 3).get_by_text("People name the colour")).to_be_visible()
    expect(advice).to_have_count(1)
    assert console_messages == []
