"""Accessible sections, conditions, tick lists and screening in every language."""

import re

import pytest
from django.conf import settings

from respondents.models import Response
from surveys.kinds import label_answers
from tests.browser.accessibility import (
    PHONE,
    find_problems,
    scrolls_sideways,
    watch_console,
)
from tests.browser.journey import CONTINUE, Respondent
from tests.factories import give_reason, make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

LANGUAGES = [code for code, _name in settings.LANGUAGES]
FULLY_CHECKED_LANGUAGES = {"en", "ar"}
"""In others no rule but the width depends on the words; German has the longest."""
DRAWN_ITEM = ":has-text('Which of these?')"
"""Of a form, the drawn item is a question of Yes and No."""
FOCUSED = "(selector) => document.activeElement.matches(selector)"
MAX_TABS = 30


def make_questionnaire(**fields):
    """Answer No to 1 ends it, 2 decides on 3, 4 to 6 are a tick list."""
    three = ("k_ary", {"epsilon": 1, "choices": 3})
    exams = {"section": "Exams", "section_text": "Two *more* questions."}
    papers = {"section": "Papers", "hint": "This year"}
    survey = make_survey(
        [
            {"family": "direct", "ends_if": "No"},
            "direct",
            {"show_if": "2 is Yes", **exams},
            {"tick_list": "Which of these?", **papers},
            "coin",
            "coin",
            three,
        ],
        opened=False,
        draws="1 of 4-6",
        screened_code="NOT-YOU",
        screened_link="https://panel.example/no",
        helpline="Someone to talk to: 116 123",
        **fields,
    )
    give_reason(survey)
    translate_all(survey)
    survey.open()
    return survey


def translate_all(survey):
    others = [code for code in LANGUAGES if code != survey.language]
    survey.translations = {code: translate(survey, code) for code in others}
    survey.save()
    for question in survey.questions.all():
        question.translations = {
            code: {
                **translate(question, code),
                "choices": label_answers(question.mechanism, question.scale, code),
            }
            for code in others
        }
        question.save()


def translate(written, code):
    texts = written.get_originals().items()
    return {name: f"{text} ({code})" for name, text in texts if name != "choices"}


def choose(page, place):
    page.locator("[data-screen]:visible .choice").nth(place).click()
    page.click(CONTINUE)


@pytest.mark.parametrize(
    ("mode", "languages"), [("browser", ["ar", "de"]), ("server", ["en"])]
)
def test_every_screen_is_accessible(page, site, mode, languages):
    make_questionnaire(mode=mode)
    console_messages = watch_console(page, site)
    page.emulate_media(reduced_motion="reduce")

    def look(code, has="*"):
        page.wait_for_selector(f"main {has} >> visible=true")
        shown = page.locator("main").inner_text()
        if code in FULLY_CHECKED_LANGUAGES:
            assert find_problems(page, context="main") == [], shown
        page.set_viewport_size(PHONE)
        assert (scrolls_sideways(page), console_messages) == (False, []), shown

    for code in languages:
        page.goto(f"{site.url}/s/study-habits/?language={code}")
        page.wait_for_selector("[data-start]:visible")
        if mode == "browser" and code != "en":
            page.click("[data-languages] summary")
            page.click(f"[data-languages] [value={code}]")
        assert page.evaluate("document.documentElement.lang") == code
        page.check("#consent")
        page.click("[data-start]")
        page.click(CONTINUE)
        choose(page, 0)
        choose(page, 0)
        look(code, "[data-screen=section]")
        page.click(CONTINUE)
        look(code, "[data-number='3']")
        choose(page, 0)
        look(code, "[data-ticks]" if mode == "browser" else DRAWN_ITEM)
        # Back to the first question, whose other answer ends the survey.
        for _screen in range(4):
            page.go_back()
        page.wait_for_selector("[data-number='1']:visible")
        choose(page, 1)
        page.wait_for_selector("text=NOT-YOU")
        look(code)
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
    assert not Response.objects.exists()


def test_the_whole_survey_can_be_answered_by_keyboard(page, site):
    make_questionnaire()
    page.goto(f"{site.url}/s/study-habits/")
    page.wait_for_selector("[data-start]:visible")

    def press(selector, *keys):
        """Go to it with Tab, and press the keys."""
        for _tab in range(MAX_TABS):
            if page.evaluate(FOCUSED, selector):
                break
            page.keyboard.press("Tab")
        assert page.evaluate(FOCUSED, selector), selector
        for key in keys:
            page.keyboard.press(key)

    def see(text):
        Respondent(page, site).heading(text)
        # Where it continues, for a reader of screens too.
        assert page.evaluate(FOCUSED, "h1, h2")

    press("[data-languages] summary", "Enter")
    press("[data-languages] [lang=de]:is(a, button)", "Enter")
    page.wait_for_selector("html[lang=de] [data-start]:visible")
    press("#consent", "Space")
    press("[data-start]", "Enter")
    press(CONTINUE, "Enter")
    see("Sensitive question 1? (de)")
    press("[type=radio]", "Space")
    press(CONTINUE, "Enter")
    see("Sensitive question 2? (de)")
    press("[type=radio]", "Space")
    press(CONTINUE, "Enter")
    see("Exams (de)")
    press(CONTINUE, "Enter")
    see("Sensitive question 3? (de)")
    press("[type=radio]", "Space", "ArrowDown")
    press(CONTINUE, "Enter")
    see("Which of these? (de)")
    press("[type=checkbox]", "Space", "Tab", "Tab", "Space")
    press(CONTINUE, "Enter")
    see("Sensitive question 7? (de)")
    press("[data-go=skip]", "Enter")
    see(re.compile(r"\s*Prüfen Sie Ihre Antworten\s*"))
    press("[data-go=scramble]", "Enter")
    Respondent(page, site).heading("Vielen Dank")
    assert Response.objects.count() == 1
