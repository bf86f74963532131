"""Conditions on earlier answers, and the paths that they make."""

from fractions import Fraction
from functools import partial

import pytest
from django.core.exceptions import ValidationError

from surveys.models.conditions import (
    MAX_PATHS,
    Path,
    Step,
    find_problems,
    is_satisfied,
    list_paths,
    read_condition,
    renumber_condition,
    resolve,
)

DIRECT = partial(Step, ("Yes", "No"), is_direct=True)
IF = partial(Step, ("Yes", "No"))
YES_NO = Step(("Yes", "No"))
OFTEN = Step(("Never", "Now and then", "Often", "Prefer not to answer"), declined=3)
SCALE = Step(tuple("012345"), values=tuple(map(Fraction, range(6))))
EARLIER = [YES_NO, OFTEN, SCALE]


@pytest.mark.parametrize(
    ("text", "answers", "expected"),
    [
        ("1 is Yes", (0, 0, 0), True),
        ("1 is Yes", (1, 0, 0), False),
        ("1 is yes", (0, 0, 0), True),
        ("1 is not Yes", (1, 0, 0), True),
        ("not 1 is Yes", (1, 0, 0), True),
        ("2 is Now and then", (0, 1, 0), None),
        ('2 is "Now and then"', (0, 1, 0), True),
        ("2 is “Now and then”", (0, 2, 0), False),
        ("2 ist nicht „Now and then“ und 1 ist Yes", (0, 2, 0), True),
        ("2 is Prefer not to answer", (0, 3, 0), True),
        ("3 >= 3", (0, 0, 3), True),
        ("3 > 3", (0, 0, 3), False),
        ("3 is 3", (0, 0, 3), True),
        ("not (3 < 3)", (0, 0, 2), False),
        ("1 is No or 2 is Often and 3 > 4", (1, 0, 0), True),
        ("(1 is No or 2 is Often) and 3 > 4", (1, 0, 0), False),
        ("not (1 is No or 2 is Often)", (0, 0, 0), True),
        ("not (1 is No or 2 is Often)", (0, 2, 0), False),
    ],
)
def test_conditions_are_evaluated_as_written(text, answers, expected):
    if expected is None:
        with pytest.raises(ValidationError):
            read_condition(text)
        return
    condition = resolve(read_condition(text), EARLIER)
    assert is_satisfied(condition, dict(enumerate(answers, start=1))) is expected


@pytest.mark.parametrize(
    "text",
    [
        "", "Yes", "1", "1 is", "1 = Yes", "1 is Yes and", "(1 is Yes", "1 is Yes)",
        "x is Yes", "1 is Yes 2 is No or", '1 is "Yes', "not", "1234 is Yes",
        "1 is Yes and and 2 is No",
    ],
)  # fmt: skip
def test_invalid_conditions_are_rejected(text):
    with pytest.raises(ValidationError, match="Enter a condition such as"):
        read_condition(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 is Yes", "3 is Yes"),
        ("1 is Yes", "1 is Yes"),
        ("4  is Yes", "4  is Yes"),
        ("5 is Yes", "0 is Yes"),
        ('not (2 is "Yes and no" or 3 < 2)', '3 is not "Yes and no" and 2 >= 2'),
        ("1 is A and (2 is B or 3 is C)", "1 is A and (3 is B or 2 is C)"),
    ],
)
def test_a_condition_follows_questions_that_move(text, expected):
    assert renumber_condition(text, {2: 3, 3: 2, 5: None}) == expected


def test_conditions_round_trip_through_text():
    text = 'not ((1 is "no" or 2 is not Often) and 3 is "Never (at all)")'
    once = str(read_condition(text))
    assert read_condition(once) == read_condition(text)


def test_paths_follow_answers_and_declared_answers():
    steps = [
        YES_NO,
        IF(show_if="1 is Yes"),
        # Who is not shown question 2 counts with No.
        IF(show_if="2 is No"),
        YES_NO,
    ]
    assert list_paths(steps) == [
        Path((1, 2, 4), {}),
        Path((1, 2, 3, 4), {}),
        Path((1, 3, 4), {}),
    ]
    assert [path.answers for path in list_paths(steps)] == [
        {1: {0}, 2: {0}}, {1: {0}, 2: {1}}, {1: {1}},
    ]  # fmt: skip


def test_an_answer_that_ends_the_survey_ends_its_path():
    steps = [DIRECT(ends_if="No"), YES_NO]
    assert list_paths(steps) == [Path((1, 2), {}), Path((1,), {}, is_ended=True)]
    assert find_problems(steps, (), ()) == []


def test_long_surveys_have_one_path_per_deciding_answer():
    steps = [YES_NO, *[Step(("A", "B"), show_if="1 is Yes")] * 199]
    assert [len(path.shown) for path in list_paths(steps)] == [200, 1]


@pytest.mark.parametrize(
    ("steps", "field", "number", "message"),
    [
        ([IF(show_if="1 is Yes")], "show_if", 1, "earlier questions"),
        ([IF(show_if="2 is Yes"), YES_NO], "show_if", 1, "not 2"),
        ([YES_NO, IF(show_if="0 is Yes")], "show_if", 2, "deleted"),
        ([YES_NO, IF(show_if="1 is Maybe")], "show_if", 2, "“Maybe”"),
        ([YES_NO, IF(show_if="1 is not Maybe")], "show_if", 2, "“Maybe”"),
        ([YES_NO, IF(show_if="1 > 2")], "show_if", 2, "not numbers"),
        ([SCALE, IF(show_if="1 > 9")], "show_if", 2, "no answer “9”"),
        (
            [YES_NO, IF(show_if="1 is Yes and 1 is No")],
            "show_if", 2, "No answers lead to this question",
        ),
        (
            [YES_NO, Step(("A", "B", "C"), show_if="1 is Yes")],
            "answer_if_hidden", 2, "Enter the answer",
        ),
        (
            [YES_NO, Step(("A", "B"), show_if="1 is Yes", answer_if_hidden="C")],
            "answer_if_hidden", 2, "Enter the answer",
        ),
        ([IF(ends_if="No"), YES_NO], "ends_if", 1, "not scrambled"),
        ([DIRECT(ends_if="Maybe")], "ends_if", 1, "“Maybe”"),
        ([DIRECT(ends_if="Yes; no")], "ends_if", 1, "All"),
        (
            [YES_NO, DIRECT(show_if="1 is Yes", ends_if="No")],
            "ends_if", 2, "The answer when hidden would end",
        ),
    ],
)  # fmt: skip
def test_problems_are_reported_with_their_location(steps, field, number, message):
    (problem,) = find_problems(steps, (), ())
    assert (problem.field, problem.question) == (field, number)
    assert message in problem.text


def test_questions_not_asked_of_everyone_cannot_decide_conditions():
    conditional = IF(show_if="1 is Yes")
    drawn = find_problems([YES_NO, conditional], {1, 3}, ())
    shuffled = find_problems([YES_NO, conditional], (), [range(1, 3)])
    screening = DIRECT(ends_if="No")
    ended = find_problems([screening], {1}, ())
    assert [each.text for each in (*drawn, *shuffled, *ended)] == [
        "Question 1 is not asked of everyone.",
        "Question 1 may come later in the random order.",
        "Only a question asked of everyone can end the survey.",
    ]


def test_a_question_that_is_drawn_may_have_a_condition():
    conditional = IF(show_if="1 is Yes")
    assert find_problems([YES_NO, conditional, YES_NO], {2, 3}, ()) == []


def test_too_many_paths_are_rejected():
    gates = [YES_NO] * 12
    steps = [*gates, *(Step(("A", "B"), show_if=f"{n} is Yes") for n in range(1, 13))]
    (problem,) = find_problems(steps, (), ())
    assert problem.text == f"The conditions make more than {MAX_PATHS} paths."
