"""The screens before question 1: short in every language, whatever a survey uses."""

import pytest

from tests.browser.everybody import count_words, objections, scrolls_sideways
from tests.factories import give_reason, make_survey, open_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

PHONE = {"width": 390, "height": 844}
NARROWEST = {"width": 320, "height": 844}
MOST_HEIGHTS = 1.6

MOST_WORDS = 220
"""On both screens before question 1: about a minute, at 200 words a minute."""

MOST_WORDS_OF_THE_WELCOME = 100
MOST_WORDS_OF_AN_ORDINARY_SURVEY = 200

TEXTS = {
    "en": {
        "title": "Study and pressure",
        "purpose": "We study how students cope with pressure, to offer better support.",
        "consent": "I am 16 or older.",
        "helpline": "Need to talk? Call 116 123, free, day and night.",
        "epsilon_reason": "We compare each of the answers.",
    },
    "de": {
        "title": "Studium und Druck",
        "purpose": "Wir fragen, wie Studierende mit Druck umgehen, um zu helfen.",
        "consent": "Ich bin mindestens 16 Jahre alt.",
        "helpline": "Brauchen Sie Hilfe? 116 123, kostenlos, Tag und Nacht.",
        "epsilon_reason": "Wir vergleichen alle Antworten miteinander.",
    },
    "fr": {
        "title": "Études et pression",
        "purpose": "Nous étudions la pression dans les études, pour mieux vous aider.",
        "consent": "J\u2019ai au moins 16 ans.",
        "helpline": "Besoin de parler ? Le 116 123, gratuit, jour et nuit.",
        "epsilon_reason": "Nous comparons toutes les réponses.",
    },
    "es": {
        "title": "Estudios y presión",
        "purpose": "Estudiamos la presión en los estudios para ofrecer mejor apoyo.",
        "consent": "Tengo 16 años o más.",
        "helpline": "¿Necesita hablar? Llame gratis al 116 123, día y noche.",
        "epsilon_reason": "Comparamos todas las respuestas.",
    },
    "ar": {
        "title": "الدراسة والضغط",
        "purpose": "ندرس كيف يتعامل الطلاب مع الضغط لنقدّم دعمًا أفضل.",
        "consent": "عمري 16 عامًا أو أكثر.",
        "helpline": "تحتاجون إلى الحديث؟ اتصلوا بالرقم 116 123 مجانًا ليلًا ونهارًا.",
        "epsilon_reason": "نقارن كل الإجابات.",
    },
}
QUESTION = {
    "de": "Frage", "fr": "Question", "es": "Pregunta", "ar": "سؤال",
}  # fmt: skip
YES_AND_NO = {
    "de": ["Ja", "Nein"], "fr": ["Oui", "Non"], "es": ["Sí", "No"], "ar": ["نعم", "لا"],
}  # fmt: skip


def make_complete_survey(questions, **fields):
    """A survey with everything that its first screens can show, in five languages."""
    survey = make_survey(
        questions,
        opened=False,
        organiser="Example University",
        contact="survey@example.org",
        **fields,
        **{
            name: text for name, text in TEXTS["en"].items() if name != "epsilon_reason"
        },
    )
    give_reason(survey, TEXTS["en"]["epsilon_reason"])
    survey.questions.filter(position=2).update(
        section="Pressure", section_text="These questions are personal."
    )
    others = [code for code in TEXTS if code != "en"]
    survey.translations = {code: TEXTS[code] for code in others}
    survey.save()
    for question in survey.questions.all():
        question.translations = {
            code: {
                "text": f"{QUESTION[code]} {question.position}",
                "choices": YES_AND_NO[code],
                "section": QUESTION[code],
                "section_text": QUESTION[code],
            }
            for code in others
        }
        question.save()
    open_survey(survey)
    return survey


def look(page):
    """Return the words of a screen, those below it included, and its phone heights."""
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
    for language in TEXTS:
        look_at_both_screens(page, site, language)


def look_at_both_screens(page, site, language):
    show(page, site, language)
    for said in ("title", "purpose", "consent", "helpline", "epsilon_reason"):
        assert page.get_by_text(TEXTS[language][said]).first.is_visible()
    welcome, height = look(page)
    assert height <= MOST_HEIGHTS
    assert object_to(page, language, "light") == []
    page.set_viewport_size(PHONE)
    page.check("#consent")
    page.click("[data-start]")
    page.wait_for_selector("[data-try]:visible")
    practice, height = look(page)
    assert height <= MOST_HEIGHTS
    page.click("[data-try] button >> nth=0")
    assert object_to(page, language, "dark") == []
    assert welcome + practice <= MOST_WORDS


def object_to(page, language, scheme):
    """Look for all that is wrong in one language; in others the width depends on it."""
    if language == "ar":
        return objections(page, [(NARROWEST, scheme)])
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
def test_question_1_is_two_short_screens_away(page, site, mode, questions):
    make_complete_survey(questions, mode=mode, batch_size=20)
    show(page, site)
    welcome, height = look(page)
    assert height <= MOST_HEIGHTS
    page.check("#consent")
    page.click("[data-start]")
    page.wait_for_selector("[data-screen=protection]:visible")
    protection, height = look(page)
    assert height <= MOST_HEIGHTS
    if mode == "browser":
        assert welcome <= MOST_WORDS_OF_THE_WELCOME
    assert welcome + protection <= MOST_WORDS_OF_AN_ORDINARY_SURVEY
