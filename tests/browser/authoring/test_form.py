"""A researcher's way to an open survey in real Chromium: by mouse and by keyboard."""

import pytest
from playwright.sync_api import expect

from candor.mechanisms import load_families
from surveys.models import Survey
from tests.browser.authoring.steps import (
    check_before_opening,
    choose_design,
    open_home,
    question,
    reveal,
    tab_to,
)
from tests.browser.everybody import log_in
from tests.factories import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.windowless]


def assert_three_questions_are_open():
    survey = Survey.objects.get()
    assert survey.is_open
    assert survey.slug == "study-habits"
    asked = [(each.text, each.mechanism.weights) for each in survey.questions.all()]
    assert asked == [
        ("Coin?", ((3, 1), (1, 3))),
        ("Forced?", ((5, 1), (1, 5))),
        # The largest whole number of 2**20ths below e, and 2**20.
        ("Epsilon?", ((2850325, 1048576), (1048576, 2850325))),
    ]


def test_three_questions_and_an_open_survey_by_keyboard_only(
    page, site, researcher, complaints
):
    def type_into(target, text):
        tab_to(page, target)
        page.keyboard.press("Control+a")
        page.keyboard.type(text)

    page.goto(f"{site.url}/admin/")
    expect(page.locator("#id_login")).to_be_focused()  # the page puts it there
    page.keyboard.type("owner")
    type_into(page.get_by_label("Password"), PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Your surveys").wait_for()
    tab_to(page, page.get_by_role("link", name="New survey"))
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="New survey").wait_for()
    type_into(page.get_by_label("Title"), "Study habits")
    tab_to(page, question(page, 1).get_by_label("Question", exact=True))
    for number, (text, first_letters) in enumerate(
        [("Coin?", "Coin"), ("Forced?", "Forced"), ("Epsilon?", "Any")], start=1
    ):
        if number > 1:
            tab_to(page, page.get_by_role("button", name="Add question"))
            page.keyboard.press("Enter")
        page.keyboard.type(text)  # the new question has the focus
        card = question(page, number)
        tab_to(page, card.locator("[data-more] > summary"))
        page.keyboard.press("Enter")
        tab_to(page, card.locator('[name$="-skip"]'))
        page.keyboard.press("Space")
        tab_to(page, card.get_by_role("button", name="Other mechanisms"))
        page.keyboard.press("Enter")
        tab_to(page, card.get_by_label("Mechanism"))
        page.keyboard.type(first_letters)
    epsilon = question(page, 3).get_by_role("textbox", name="Epsilon")
    tab_to(page, epsilon, key="Shift+Tab")
    type_into(epsilon, "1")
    tab_to(page, page.get_by_role("button", name="Save draft"))
    page.keyboard.press("Enter")

    page.wait_for_url("**/change/")
    tab_to(page, page.get_by_role("link", name="Next: People"))
    page.keyboard.press("Enter")
    page.keyboard.type("Institute of Examples")  # the first input has the focus
    tab_to(page, page.locator('.steps a[href="#questions"]'), key="Shift+Tab")
    page.keyboard.press("Enter")
    tab_to(page, question(page, 2).locator("[data-fold]"))
    page.keyboard.press("Enter")
    page.get_by_text("about 83 arrive as Yes and 17 as No").wait_for()
    tab_to(page, page.locator('.steps a[href="#check"]'), key="Shift+Tab")
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("button", name="Check and open"))
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="What opening freezes").wait_for()
    tab_to(page, page.get_by_role("button", name="Open survey"))
    page.keyboard.press("Enter")
    page.get_by_role("link", name=f"{site.url}/s/study-habits/").wait_for()
    assert_three_questions_are_open()
    assert complaints == []


def visible_groups(card):
    card.page.wait_for_load_state()
    return [
        group.inner_text()
        for group in card.locator("legend").all()
        if group.is_visible()
    ]


THE_SCALE = "The scale"
"""Its values, for both families that have them."""


def test_only_the_inputs_of_the_chosen_mechanism_are_shown(page, site, researcher):
    log_in(page, site, researcher)
    page.goto(f"{site.url}/admin/surveys/survey/add/")
    card = question(page, 1)
    for name in ("coin", "warner", "crosswise", "k_ary", "grid", "direct"):
        family = load_families()[name]
        choose_design(card, value=name)
        values = [THE_SCALE] if family.is_scale else []
        groups = [f"Parameters of “{family.label}”"] if family.parameters else []
        assert visible_groups(card) == values + groups
        harmless = card.get_by_label("Harmless question", exact=True)
        assert harmless.is_visible() == family.needs_innocuous_question


def test_without_scripts_all_inputs_are_shown_and_a_survey_can_be_written(
    chromium, site, researcher
):
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
    page.get_by_role("button", name="Save draft").first.click()
    page.get_by_role("link", name="Add another question").click()
    page.wait_for_load_state()  # a form sent from half a page is half a form
    question(page, 2).get_by_label("Question", exact=True).fill("Coin?")
    check_before_opening(page)
    page.get_by_role("button", name="Open survey").click()
    page.get_by_role("link", name=f"{site.url}/s/study-habits/").wait_for()
    assert [each.family for each in Survey.objects.get().questions.all()] == [
        "forced_response",
        "k_ary",  # of the coin, with an answer for those who skip
    ]
    context.close()


def test_errors_get_the_focus_and_keep_what_was_typed(page, site, researcher):
    log_in(page, site, researcher)
    page.goto(f"{site.url}/admin/surveys/survey/add/")
    page.get_by_label("Title").fill("Study habits")
    choose_design(question(page, 1), value="warner")
    page.get_by_label("Chance that the truth is reported").first.fill("often")
    page.get_by_role("button", name="Save draft").click()
    problems = page.get_by_role("alert")
    problems.get_by_text("There is a problem").wait_for()
    page.wait_for_load_state()
    assert problems.evaluate("element => element === document.activeElement")
    problems.get_by_role("link", name="Question 1, Chance that").click()
    truth = page.get_by_label("Chance that the truth is reported").first
    assert truth.evaluate("element => element === document.activeElement")
    assert truth.input_value() == "often"
