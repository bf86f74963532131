"""Respondents' pages in English and German: short sentences, plain words."""

import re

import pytest

from tests.factories import find_thanks, make_survey
from tests.respondents.languages import MODES, make_translated_survey, pages_of
from tests.respondents.markup import Markup, sentences, words

MAX_WORDS = 19
MAX_GRADE = 8

FORBIDDEN = (
    r"\blie[sd]?\b", r"\blying\b", r"\bfake", r"\bfalse answer", r"\brandom answer",
    r"\banonym",
)  # fmt: skip


def make_example(mode, access="link"):
    return make_survey(
        [
            "coin",
            ("forced_response", {"forced_yes": "1/6", "forced_no": "1/6"}),
            ("kuk", {"p_red_given_yes": "4/5", "p_red_given_no": "1/5"}),
        ],
        mode=mode,
        access=access,
        contact="study@example.org",
    )


@pytest.fixture(
    params=[
        ("browser", "link"),
        ("server", "link"),
        ("hand", "link"),
        ("browser", "invitation"),
        ("server", "invitation"),
        "/how-it-works/",
        "/what-we-store/",
        "/s/study-habits/card/",
    ]
)
def markup(request, client, db):
    if isinstance(request.param, str):
        make_example("hand")
        return Markup(client.get(request.param).content.decode())
    mode, access = request.param
    survey = make_example(mode, access)
    html = client.get("/s/study-habits/").content.decode()
    if mode != "browser":
        html += client.get(find_thanks(survey)).content.decode()
    return Markup(leave_out_formulas(html))


@pytest.fixture(params=MODES)
def german(request, db):
    return Markup(
        leave_out_formulas("\n".join(pages_of(make_translated_survey(request.param))))
    )


def leave_out_formulas(html):
    return re.sub(r'(?s)<details class="maths">.*?</details>', "", html)


def assert_short(markup):
    long = [each for each in sentences(markup) if len(words(each)) > MAX_WORDS]
    assert long == []


def count_syllables(word):
    """Count groups of vowels, less a silent e; numbers count as one."""
    groups = len(re.findall(r"[aeiouy]+", word.lower()))
    is_silent = re.search(r"[^aeiouyl]e$|(?<![td])(?<![bgkp]l)ed$", word.lower())
    return max(1, groups - bool(is_silent and groups > 1))


def list_words_in_sentences(markup):
    """Return the words of whole sentences, and the number of sentences."""
    whole = [each for each in sentences(markup) if each[-1] in ".?!:;"]
    found = [word for each in whole for word in words(each)]
    assert len(found) > 150
    return found, len(whole)


def test_sentences_suit_grade_eight_and_avoid_forbidden_words(markup):
    assert_short(markup)
    text = " ".join(markup.blocks).lower()
    assert [word for word in FORBIDDEN if re.search(word, text)] == []
    found, count = list_words_in_sentences(markup)
    # Kincaid, Fishburne, Rogers & Chissom 1975: grade level from words and syllables.
    grade = (
        0.39 * len(found) / count
        + 11.8 * sum(map(count_syllables, found)) / len(found)
        - 15.59
    )
    assert grade <= MAX_GRADE


def test_german_sentences_suit_grade_eight(german):
    assert_short(german)
    found, count = list_words_in_sentences(german)
    # German has diphthongs, but no silent e.
    counted = [max(1, len(re.findall(r"[aeiouyäöü]+", each.lower()))) for each in found]
    percent = 100 / len(found)
    # Bamberger & Vanecek 1984, first Wiener Sachtextformel: the grade from the share of
    # words of 3 or more syllables, words in a sentence, and the shares of words of more
    # than 6 letters and of one syllable.
    grade = (
        0.1935 * percent * sum(each >= 3 for each in counted)
        + 0.1672 * len(found) / count
        + 0.1297 * percent * sum(len(each) > 6 for each in found)
        - 0.0327 * percent * sum(each == 1 for each in counted)
        - 0.875
    )
    assert grade <= MAX_GRADE
