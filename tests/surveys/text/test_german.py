"""German sentences are made from the same tables: here they are read back."""

import re
from fractions import Fraction

import pytest
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from candor.mechanisms import build, load_families
from surveys.text.icon_arrays import draw_icon_arrays
from surveys.text.protection import Protection
from surveys.text.tables import (
    TableDescription,
    format_question_numbers,
    label_reports,
    list_instruction_steps,
)
from tests.surveys.tables import (
    build_example,
    make_design,
    table_of,
    two_by_two_tables,
)

LABELS = (
    "Ja",
    "Nein",
    "Keine Angabe",
    "Weiß nicht",
    "Vielleicht",
    "Nie",
    "Oft",
    "Immer",
)

pytestmark = pytest.mark.usefixtures("german")

fixed = settings(derandomize=True, deadline=None, max_examples=60, database=None)

SHARE = re.compile(r"([\d.]+) als „(.+?)“")
ONE_CHANCE = re.compile(
    r"Von ([\d.]+) Menschen mit der Antwort „(.+)“ kommen etwa ([\d.]+) als „(.+)“ bei "
    r"uns an\. (?:Jede der anderen Antworten kommt etwa ([\d.]+)-mal an"
    r"|Die übrigen ([\d.]+) verteilen sich gleichmäßig auf die anderen Antworten)\."
)


def in_words(mechanism):
    choices = LABELS[: len(mechanism.answers)]
    return TableDescription(numbers=(1,), mechanism=mechanism, choices=choices)


def whole(text):
    """Read a number as Germans write it: thousands end with a point."""
    assert re.fullmatch(r"\d{1,3}(\.\d{3})*", text)
    return int(text.replace(".", ""))


@pytest.fixture
def german():
    with translation.override("de"):
        yield


@fixed
@given(two_by_two_tables())
def test_a_sentence_says_the_numbers_of_its_row(weights):
    words = in_words(table_of(weights))
    for row, choice, sentence in zip(
        words.odds.counts, words.choices, words.sentences, strict=True
    ):
        start = f" Menschen mit der Antwort „{choice}“ kommen "
        base, shares = sentence.removeprefix("Von ").split(start)
        assert whole(base) == words.odds.base == sum(row)
        if shares.startswith("alle"):
            (index,) = [i for i, count in enumerate(row) if count]
            assert shares == f"alle als „{LABELS[index]}“ bei uns an."
        else:
            told = [(whole(count), label) for count, label in SHARE.findall(shares)]
            assert told == list(zip(row, LABELS, strict=False))
            assert shares.startswith("etwa ")
            assert shares.endswith(" bei uns an.")


@fixed
@given(st.fractions("1/50", 10, max_denominator=1000), st.integers(3, 8))
def test_sentences_of_several_answers_add_up(epsilon, choices):
    words = in_words(build("k_ary", epsilon=epsilon, choices=choices))
    sentences = [words.sentence(answer) for answer in range(choices)]
    truth, other = words.mechanism.weights[0][:2]
    for answer, sentence in enumerate(sentences):
        base, named, same, report, each, rest = ONE_CHANCE.fullmatch(sentence).groups()
        assert named == report == words.choices[answer]
        others = whole(rest) if rest else (choices - 1) * whole(each)
        assert whole(same) + others == whole(base) == words.odds.base
        total = Fraction(words.odds.base, words.mechanism.total)
        assert abs(whole(same) - total * truth) < 1
        assert abs(others - total * (choices - 1) * other) < 1


def test_two_coins_in_full():
    words = in_words(build("coin"))
    assert words.sentences == [
        "Von 100 Menschen mit der Antwort „Ja“ kommen etwa 75 als „Ja“ und 25 als "
        "„Nein“ bei uns an.",
        "Von 100 Menschen mit der Antwort „Nein“ kommen etwa 25 als „Ja“ und 75 als "
        "„Nein“ bei uns an.",
    ]
    assert words.reassurance == (
        "Ob Ja oder Nein: Der Schutz ist derselbe. „Ja“ bei uns heißt nicht, dass "
        "Ihre echte Antwort „Ja“ ist."
    )
    assert words.epsilon == "1,10"  # ln 3 = 1.0986...
    assert draw_icon_arrays(words)[0].label == "100 Punkte: 75 für Ja, 25 für Nein"


def test_thousands_and_halves_are_written_the_german_way():
    words = in_words(table_of([[999, 1], [1, 999]]))
    assert words.sentences[0].startswith("Von 1.000 Menschen")
    design = make_design(build("custom", p_yes_given_yes="5/7", p_yes_given_no="2/7"))
    assert Protection(design).total_epsilon == "0,92"  # ln 2.5 = 0.9162...


@pytest.mark.parametrize(
    ("numbers", "named"),
    [
        ([4], "Frage 4"),
        ([1, 2, 3, 6], "Fragen 1\u20133 und 6"),
        ([1, 3, 5], "Fragen 1, 3 und 5"),
    ],
)
def test_questions_are_named_in_short(numbers, named):
    assert format_question_numbers(numbers) == named


@pytest.mark.parametrize("name", load_families())
def test_steps_by_hand_are_filled_in_and_ask_for_what_the_form_offers(name):
    question = make_design(build_example(name)).questions[0]
    steps = " ".join(list_instruction_steps(question))
    assert "%(" not in steps
    offered = label_reports(question.mechanism, question.choices)
    if offered == question.choices or not steps:
        return
    assert offered in {
        ("Gleich", "Verschieden"),
        ("Rot", "Schwarz"),
        ("Mindestens eins", "Keins von beiden"),
    }
    assert all(label in steps for label in offered)
