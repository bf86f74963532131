"""The screens before question 1 are short in every language and mode."""

import pytest

from tests.browser.accessibility import count_words, find_problems, scrolls_sideways
from tests.browser.test_questionnaire import LANGUAGES, translate_all
from tests.factories import give_reason, make_survey, open_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

PHONE = {"width": 390, "height": 844}
NARROWEST = {"width": 320, "height": 844}
MAX_HEIGHTS = 1.6

MAX_WORDS = 220
"""On both screens before question 1: about a minute, at 200 words a minute."""

MAX_WORDS_OF_WELCOME = 100
MAX_WORDS_OF_SURVEY = 200

TEXTS = {
    "title": "Study pressure",
    "purpose": "We study how students cope with pressure.",
    "consent": "I am 16 or older.",
    "helpline": "Need to talk? Call 116 123.",
}
REASON = "We compare each answer."


def make_complete_survey(questions, **fields):
    """A survey with everything that its first screens can show, in all languages."""
    survey = make_survey(
        questions,
        opened=False,
        organiser="Example University",
        contact="survey@example.org",
        **TEXTS,
        **fields,
    )
    give_reason(survey, REASON)
    survey.questions.filter(position=2).update(
        section="Pressure", section_text="These questions are personal."
    )
    translate_all(survey)
    open_survey(survey)


def look(page):
    """Return the words of a whole page, and its height in phone screens."""
    height = page.evaluate("document.documentElement.scrollHeight")
    words = count_words(page, "main") + count_words(page, ".foot")
    return words, height / PHONE["height"]


def show(page, site, language="en"):
    page.set_viewport_size(PHONE)
    page.goto(f"{site.url}/s/study-habits/")
    page.wait_for_selector("[data-start]:visible")
    if language != "en":
        page.click("[data-languages] summary")
        page.click(f"[data-languages] [value={language}]")


def test_both_screens_are_short_in_every_language(page, site):
    make_complete_survey(["direct", *["coin"] * 8], draws="6 of 3-9", batch_size=20)
    page.emulate_media(reduced_motion="reduce")
    for language in LANGUAGES:
        check_both_screens(page, site, language)


def check_both_screens(page, site, language):
    show(page, site, language)
    for text in (*TEXTS.values(), REASON):
        said = text if language == "en" else f"{text} ({language})"
        assert page.get_by_text(said).first.is_visible()
    welcome, height = look(page)
    assert height <= MAX_HEIGHTS
    assert find_language_problems(page, language, "light") == []
    page.set_viewport_size(PHONE)
    page.check("#consent")
    page.click("[data-start]")
    page.wait_for_selector("[data-try]:visible")
    practice, height = look(page)
    assert height <= MAX_HEIGHTS
    page.click("[data-try] button >> nth=0")
    assert find_language_problems(page, language, "dark") == []
    assert welcome + practice <= MAX_WORDS


def find_language_problems(page, language, scheme):
    """Return all problems of one language; of others, whether they fit the width."""
    if language == "ar":
        return find_problems(page, [(NARROWEST, scheme)])
    page.set_viewport_size(NARROWEST)
    return [language] if scrolls_sideways(page) else []


@pytest.mark.parametrize(
    ("mode", "questions"),
    [
        ("browser", ["direct", *["coin"] * 2]),
        ("server", ["coin"] * 6),
        ("hand", ["coin"] * 4),
    ],
)
def test_question_1_follows_two_short_screens(page, site, mode, questions):
    make_complete_survey(questions, mode=mode, batch_size=20)
    show(page, site)
    welcome, height = look(page)
    assert height <= MAX_HEIGHTS
    page.check("#consent")
    page.click("[data-start]")
    page.wait_for_selector("[data-screen=protection]:visible")
    protection, height = look(page)
    assert height <= MAX_HEIGHTS
    if mode == "browser":
        assert welcome <= MAX_WORDS_OF_WELCOME
    assert welcome + protection <= MAX_WORDS_OF_SURVEY
