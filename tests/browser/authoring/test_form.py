"""A researcher writes and opens a survey, by mouse, by keyboard, without scripts."""

import re

import pytest
from playwright.sync_api import expect

from candor.mechanisms import load_families
from surveys.models import Survey
from tests.browser.authoring.steps import (
    SAVED,
    check_before_opening,
    choose_design,
    has_focus,
    new_survey,
    open_home,
    question,
    reveal,
    state_of,
    tab_to,
)
from tests.factories import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.windowless]


def test_a_survey_is_written_and_opened_by_keyboard_only(
    page, site, researcher, console_messages
):
    def press(target, key="Enter", by="Tab"):
        tab_to(page, target, key=by)
        page.keyboard.press(key)

    def type_into(target, text):
        press(target, "Control+a")
        page.keyboard.type(text)

    page.goto(f"{site.url}/admin/")
    expect(page.locator("#id_login")).to_be_focused()  # the page puts it there
    page.keyboard.type("owner")
    type_into(page.get_by_label("Password"), PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Your surveys").wait_for()
    press(page.get_by_role("link", name="New survey"))
    page.get_by_role("heading", name="New survey").wait_for()
    type_into(page.get_by_label("Title"), "Study habits")
    tab_to(page, question(page, 1).get_by_label("Question", exact=True))
    for number, (text, first_letters) in enumerate(
        [("Coin?", "Coin"), ("Forced?", "Forced"), ("Epsilon?", "Any")], start=1
    ):
        if number > 1:
            press(page.get_by_role("button", name="Add question"))
        page.keyboard.type(text)  # the new question has the focus
        card = question(page, number)
        press(card.locator("[data-more] > summary"))
        press(card.locator('[name$="-skip"]'), "Space")
        press(card.get_by_role("button", name="Other mechanisms"))
        tab_to(page, card.get_by_label("Mechanism"))
        page.keyboard.type(first_letters)
    epsilon = question(page, 3).get_by_role("textbox", name="Epsilon")
    tab_to(page, epsilon, key="Shift+Tab")
    type_into(epsilon, "1")

    # Add a question from the library, move it, remove it, undo, and remove it again.
    announcement = page.locator("[data-questions] > [data-announcement]")
    press(page.get_by_text("From the library"))
    press(page.locator("summary", has_text="Health"))
    press(page.locator('[data-template="health.doping"]'), "Space")
    expect(announcement).to_have_text("Added as question 4.")
    up = question(page, 4).get_by_role("button", name="Move up")
    tab_to(page, up)
    for place in (3, 2, 1):
        page.keyboard.press("Enter")
        expect(announcement).to_have_text(f"Now question {place} of 4.")
        assert has_focus(up)
    page.keyboard.press("Enter")
    expect(announcement).to_have_text("It cannot move further.")
    remove = question(page, 4).get_by_role("button", name="Remove")
    press(remove)
    expect(announcement).to_have_text("Question 1 is removed.")
    assert has_focus(page.get_by_role("button", name="Undo"))
    page.keyboard.press("Enter")
    expect(announcement).to_have_text("It is back as question 1.")
    press(remove)
    press(page.get_by_role("button", name="Save draft"))

    page.wait_for_url("**/change/")
    press(page.get_by_role("link", name="Next: People"))
    page.keyboard.type("Institute of Examples")  # the first input has the focus
    press(page.locator('.steps a[href="#questions"]'), by="Shift+Tab")
    press(question(page, 2).locator("[data-fold]"))
    page.get_by_text("about 83 arrive as Yes and 17 as No").wait_for()
    expect(state_of(page)).to_have_text(SAVED)
    press(page.locator('.steps a[href="#check"]'), by="Shift+Tab")
    press(page.get_by_role("button", name="Check and open"))
    page.get_by_role("heading", name="What opening freezes").wait_for()
    press(page.get_by_role("button", name="Open survey"))
    page.get_by_role("link", name=f"{site.url}/s/study-habits/").wait_for()
    survey = Survey.objects.get()
    assert survey.is_open
    asked = [(each.text, each.mechanism.weights) for each in survey.questions.all()]
    assert asked == [
        ("Coin?", ((3, 1), (1, 3))),
        ("Forced?", ((5, 1), (1, 5))),
        # The largest whole number of 2**20ths below e, and 2**20.
        ("Epsilon?", ((2850325, 1048576), (1048576, 2850325))),
    ]
    assert console_messages == []


def visible_groups(card):
    card.page.wait_for_load_state()
    return [
        group.inner_text()
        for group in card.locator("legend").all()
        if group.is_visible()
    ]


THE_SCALE = "The scale"
"""The legend of the values of scales, which two families have."""


def test_inputs_match_the_mechanism_and_errors_keep_typed_values(
    page, site, researcher
):
    new_survey(page, site, researcher)
    card = question(page, 1)
    for name in ("coin", "crosswise", "k_ary", "grid", "direct", "warner"):
        family = load_families()[name]
        choose_design(card, value=name)
        values = [THE_SCALE] if family.is_scale else []
        groups = [f"Parameters of “{family.label}”"] if family.parameters else []
        assert visible_groups(card) == values + groups
        harmless = card.get_by_label("Harmless question", exact=True)
        assert harmless.is_visible() == family.needs_innocuous_question
    page.get_by_label("Title").fill("Study habits")
    page.get_by_label("Chance that the truth is reported").first.fill("often")
    card.get_by_label("Question", exact=True).fill("First?")
    page.get_by_role("button", name="Add question").click()
    page.keyboard.type("Second?")
    question(page, 2).get_by_role("button", name="Move up").click()
    page.get_by_role("button", name="Save draft").click()
    problems = page.get_by_role("alert")
    problems.get_by_text("There is a problem").wait_for()
    page.wait_for_load_state()
    assert has_focus(problems)
    shown = page.locator('.question:visible [name$="-text"]').evaluate_all(
        "inputs => inputs.map((input) => input.value)"
    )
    assert shown == ["Second?", "First?"]
    problems.get_by_role("link", name="Chance that").click()
    truth = page.get_by_label("Chance that the truth is reported").locator(
        "visible=true"
    )
    assert has_focus(truth)
    assert truth.input_value() == "often"


def test_without_scripts_a_survey_is_planned_and_opened(chromium, site, researcher):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    open_home(page, site, researcher)
    page.get_by_role("link", name="New survey").click()
    card = question(page, 1)
    card.locator("[data-more] > summary").click()
    assert set(visible_groups(card)) == {
        THE_SCALE,
        *(
            f"Parameters of “{each.label}”"
            for each in load_families().values()
            if each.parameters and not each.without_skip
        ),
    }
    page.get_by_label("Title").fill("Study habits")
    reveal(page.get_by_label("Who runs it")).fill("Institute of Examples")
    card.get_by_label("Question", exact=True).fill("Forced?")
    card.get_by_label("Mechanism").select_option(value="forced_response")
    # Without scripts, its buttons would do nothing.
    expect(page.get_by_role("button", name=re.compile("^Strong"))).to_have_count(0)
    page.get_by_role("button", name="Save draft").first.click()
    page.locator("[data-planner] > summary").click()
    hint = page.locator("noscript p").filter(has_text="save to update")
    expect(hint).to_be_visible()
    needed = card.locator(".plan-figures > div").filter(has_text="People needed")
    # 1.96**2 p (1 - p) / ((2/3)**2 0.05**2): 864.4 for p = 1/2, 768.3 for p = 1/3
    question(page, 1).locator("[data-more] > summary").click()
    expect(needed.locator(".number")).to_have_text("865")
    reveal(page.get_by_label("Expected share")).fill("25")
    page.get_by_role("button", name="Recalculate").click()
    expect(needed.locator(".number")).to_have_text("769")
    expect(page.get_by_label("Expected share")).to_have_value("25")
    page.get_by_role("link", name="Add another question").click()
    page.wait_for_load_state()  # otherwise half of the form could be sent
    question(page, 2).get_by_label("Question", exact=True).fill("Coin?")
    check_before_opening(page)
    page.get_by_role("button", name="Open survey").click()
    page.get_by_role("link", name=f"{site.url}/s/study-habits/").wait_for()
    assert [each.family for each in Survey.objects.get().questions.all()] == [
        "forced_response",
        "k_ary",  # of the coin, with an answer for those who skip
    ]
    context.close()
