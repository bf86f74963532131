"""Hints on wording: which question gets which, in both languages."""

import pytest

from surveys.authoring.hints import HINTS, MAX_WORDS, find_hints

LONG = "In the past year, have you " + "really " * 20 + "run?"

CASES = [
    ("en", "In the past 12 months, have you used an illegal drug?", []),
    ("en", "Have you ever had an abortion?", []),
    ("en", "Have you taken money?", ["no time frame"]),
    ("en", "Since 2019, have you smoked?", []),
    ("en", "Have you lasted long?", ["no time frame"]),
    ("en", "In the past year, have you smoked and drunk?", ["two in one"]),
    ("en", "In the past year, have you smoked and/or drunk?", ["two in one"]),
    ("en", "In the past year, have you met a band or a choir?", ["two in one"]),
    ("en", "In the past year, have you handled orders?", []),
    ("en", "In the past year, have you not paid?", ["negation"]),
    ("en", "In the past year, haven't you paid?", ["negation"]),
    ("en", "In the past year, haven\u2019t you paid?", ["negation"]),
    ("en", "Have you noticed a knot in the past year?", []),
    ("en", "Have you ever, don't you agree, been late?", ["negation", "leading"]),
    ("en", "As most people, were you late last week?", ["leading"]),
    ("en", LONG, ["too long"]),
    ("en", "How many days were you late last month?", ["not yes or no"]),
    ("en", "In the past 12 months, how often did you copy?", ["not yes or no"]),
    ("en", "Have you message anybody in the past year how you copy?", []),
    ("en", "In the past year, have you always paid?", ["absolute"]),
    ("en", "In the past year, have you often copied?", ["vague"]),
    ("en", "In the past year, have you cheated?", ["blaming"]),
    ("en", "Have you too copied in the past year?", ["revealing"]),
    ("en", "Have you copied in the past year, too?", ["revealing"]),
    ("en", "In the past year, have you taken drugs, e.g. pills?", ["jargon"]),
    ("en", "HAVE YOU NEVER COPIED?", ["no time frame", "negation"]),
    ("en", "   ", []),
    ("de", "Haben Sie in den letzten 12 Monaten abgeschrieben?", []),
    ("de", "Haben Sie abgeschrieben?", ["no time frame"]),
    ("de", "Haben Sie während des Studiums abgeschrieben?", []),
    ("de", "Haben Sie seit März geraucht und getrunken?", ["two in one"]),
    ("de", "Haben Sie im letzten Jahr keinen Sport getrieben?", ["negation"]),
    ("de", "Haben Sie im letzten Jahr regelmäßig geraucht?", ["vague"]),
    ("de", "Haben Sie im letzten Jahr gestohlen?", ["blaming"]),
    ("de", "Haben Sie auch im letzten Jahr geraucht?", ["revealing"]),
    ("de", "Wie oft haben Sie im letzten Jahr geraucht?", ["not yes or no"]),
    (
        "de",
        "Haben Sie im letzten Jahr immer, z. B. im Bus, bezahlt?",
        ["absolute", "jargon"],
    ),
    ("de", "Waren Sie im letzten Jahr natürlich pünktlich?", ["leading"]),
    ("eo", "Ĉu vi fumas kaj trinkas?", []),
]


@pytest.mark.parametrize(("language", "text", "names"), CASES)
def test_each_question_gets_the_hints_that_fit(language, text, names):
    hints = find_hints(text, language=language, is_yes_or_no=True)
    assert [hint.name for hint in hints] == names


def test_every_hint_rule_has_a_test_case():
    named = {(language, name) for language, _text, names in CASES for name in names}
    too_long = {("de", "too long")}
    rules = {(language, hint.name) for language in HINTS for hint in HINTS[language]}
    assert named | too_long == rules


@pytest.mark.parametrize("language", HINTS)
def test_a_question_of_more_than_25_words_is_too_long(language):
    assert MAX_WORDS == 25
    for count, is_long in {25: False, 26: True}.items():
        hints = find_hints("wort " * count, language=language, is_yes_or_no=False)
        assert ("too long" in [hint.name for hint in hints]) == is_long


def test_questions_with_several_answers_can_begin_with_how():
    text = "In the past 12 months, how often did you copy?"
    assert list(find_hints(text, language="en", is_yes_or_no=False)) == []
