"""The German words of respondents' pages: as short and plain as the English ones."""

import re

import pytest

from tests.respondents.languages import MODES, make_translated_survey, pages_of
from tests.respondents.markup import Markup, sentences, words

MOST_WORDS = 19
HIGHEST_GRADE = 8


@pytest.fixture(params=MODES)
def markup(request, db):
    html = "\n".join(pages_of(make_translated_survey(request.param)))
    # Written for those who want the formula.
    return Markup(re.sub(r'(?s)<details class="maths">.*?</details>', "", html))


def syllables(word):
    """Groups of vowels; German has diphthongs, but no silent e."""
    return max(1, len(re.findall(r"[aeiouyäöü]+", word.lower())))


def test_sentences_are_short(markup):
    long = [each for each in sentences(markup) if len(words(each)) > MOST_WORDS]
    assert long == []


def test_a_pupil_of_grade_eight_can_read_it(markup):
    whole = [each for each in sentences(markup) if each[-1] in ".?!:;"]
    all_words = [word for each in whole for word in words(each)]
    assert len(all_words) > 150
    counted = [syllables(word) for word in all_words]
    percent = 100 / len(all_words)
    # Bamberger & Vanecek 1984, first Wiener Sachtextformel: the grade from the share of
    # words of 3 or more syllables, words in a sentence, and the shares of words of more
    # than 6 letters and of one syllable.
    grade = (
        0.1935 * percent * sum(count >= 3 for count in counted)
        + 0.1672 * len(all_words) / len(whole)
        + 0.1297 * percent * sum(len(word) > 6 for word in all_words)
        - 0.0327 * percent * sum(count == 1 for count in counted)
        - 0.875
    )
    assert grade <= HIGHEST_GRADE


@pytest.mark.parametrize(
    ("word", "count"),
    [("Antwort", 2), ("verwürfelt", 3), ("Umfrage", 3), ("Ihr", 1), ("zeigen", 2),
     ("Beweis", 2), ("75", 1)],
)  # fmt: skip
def test_syllables_are_counted_as_spoken(word, count):
    assert syllables(word) == count
