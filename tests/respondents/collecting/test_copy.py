"""The words of respondents' pages: short sentences, plain words, none that mislead."""

import re

import pytest

from tests.factories import make_survey
from tests.respondents.markup import Markup, sentences, words

MOST_WORDS = 19
HIGHEST_GRADE = 8

FORBIDDEN = (
    r"\blie[sd]?\b", r"\blying\b", r"\bfake", r"\bfalse answer", r"\brandom answer",
    r"\banonym",
)  # fmt: skip


def make_example(mode, access="link"):
    make_survey(
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
    make_example(mode, access)
    html = client.get("/s/study-habits/").content.decode()
    if mode != "browser":
        html += client.get("/s/study-habits/thanks/").content.decode()
    # Written for those who want the formula.
    return Markup(re.sub(r'(?s)<details class="maths">.*?</details>', "", html))


def syllables(word):
    """Groups of vowels, less a silent e; numbers count as one."""
    groups = len(re.findall(r"[aeiouy]+", word.lower()))
    is_silent = re.search(r"[^aeiouyl]e$|(?<![td])(?<![bgkp]l)ed$", word.lower())
    return max(1, groups - bool(is_silent and groups > 1))


def test_sentences_are_short(markup):
    long = [each for each in sentences(markup) if len(words(each)) > MOST_WORDS]
    assert long == []


def test_a_pupil_of_grade_eight_can_read_it(markup):
    whole = [each for each in sentences(markup) if each[-1] in ".?!:;"]
    all_words = [word for each in whole for word in words(each)]
    assert len(all_words) > 150
    # Kincaid, Fishburne, Rogers & Chissom 1975: grade level from words and syllables.
    grade = (
        0.39 * len(all_words) / len(whole)
        + 11.8 * sum(map(syllables, all_words)) / len(all_words)
        - 15.59
    )
    assert grade <= HIGHEST_GRADE


def test_some_words_are_never_used(markup):
    text = " ".join(markup.blocks).lower()
    assert [word for word in FORBIDDEN if re.search(word, text)] == []


@pytest.mark.parametrize(
    ("word", "count"),
    [("answer", 2), ("people", 2), ("scramble", 2), ("scrambled", 2), ("received", 2),
     ("database", 3), ("75", 1), ("survey", 2), ("protected", 3), ("time", 1)],
)  # fmt: skip
def test_syllables_are_counted_as_spoken(word, count):
    assert syllables(word) == count
