"""Refusals in the words of a page."""

import pytest
from django.utils import translation

from candor.mechanisms import ParameterError, load_families
from surveys.files.values import FileProblem
from surveys.sentence import make_sentence
from surveys.text.errors import explain_error, explain_file_problem, spell_out_ranges


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (
            "in (0, 1), such as 3/4; got '7'",
            "above 0 and below 1, such as 3/4; got '7'",
        ),
        ("p in (0, 10], such as 1", "p above 0 and at most 10, such as 1"),
        ("a number in [0.1, 50]", "a number from 0.1 to 50"),
        ("a margin in [1e-06, 1)", "a margin from 1e-06 to below 1"),
        ("a count in [-1000, 10000000]", "a count from -1000 to 10000000"),
        ("It needs 2 choices.", "It needs 2 choices."),
    ],
)
def test_interval_notation_is_explained_in_words(said, message):
    assert spell_out_ranges(said) == message


def wrong(place, allowed, value):
    text = make_sentence(
        "must be %(allowed)s; got %(value)s", allowed=allowed, value=value
    )
    return FileProblem(place, text)


KNOWN = make_sentence(
    "known keys are %(keys)s; got %(key)s", keys="text, family", key="'hint'"
)


@pytest.mark.parametrize(
    ("problem", "message", "in_german"),
    [
        (
            wrong("questions[0]", make_sentence("an object"), "7"),
            "Question 1: must be an object; got 7",
            "Frage 1: muss sein: ein Objekt; es kam 7",
        ),
        (
            wrong("questions[1].parameters.p", "a number in (0, 1)", "[1]"),
            "Question 2: parameters.p must be a number above 0 and below 1; got [1]",
            "Frage 2: parameters.p muss sein: eine Zahl über 0 und unter 1; es kam [1]",
        ),
        (
            wrong("questions[0].choices[1]", make_sentence("a text"), "'in (0, 1)'"),
            "Question 1: answer 2: must be a text; got 'in (0, 1)'",
            "Frage 1: Antwort 2: muss sein: ein Text; es kam 'in (0, 1)'",
        ),
        (
            FileProblem("questions[9]", KNOWN, ": "),
            "Question 10: known keys are text, family; got 'hint'",
            "Frage 10: bekannte Schlüssel sind text, family; es kam 'hint'",
        ),
        (
            wrong("title", "x", "'questions[0]'"),
            "title must be x; got 'questions[0]'",
            "title muss sein: x; es kam 'questions[0]'",
        ),
        (
            wrong("questions[0].parameters", "chosen for an epsilon in (0, 10]", "12"),
            "Question 1: parameters must be chosen for an epsilon above 0 and at most "
            "10; got 12",
            "Frage 1: parameters muss sein: eine Wahl, deren Epsilon über 0 und "
            "höchstens 10 ist; es kam 12",
        ),
    ],
)
def test_questions_of_a_file_are_numbered_from_one(problem, message, in_german):
    assert explain_file_problem(problem) == message
    with translation.override("de"):
        assert explain_file_problem(problem) == in_german


def test_parameter_errors_contain_no_brackets():
    for family in load_families().values():
        for parameter in family.parameters:
            text = spell_out_ranges(parameter.allowed)
            assert not set("[]()") & set(text), text
            with pytest.raises(ParameterError) as caught:
                parameter.parse("x")
            assert not set("[]()") & set(explain_error(caught.value))
