import pytest

from surveys.design import get_design
from tests.factories import make_survey

pytestmark = pytest.mark.django_db

TEXT = "Which of these have you done this year?"
DIE = ("die", {})


def make_ticks(questions=("coin",) * 4, draws="1 of 2-4", first=2, **fields):
    """A survey whose question `first` is the first item of a tick list."""
    survey = make_survey(questions, opened=False, draws=draws, **fields)
    survey.questions.filter(position=first).update(tick_list=TEXT)
    return survey


def test_a_tick_list_is_part_of_the_design():
    survey = make_ticks()
    assert survey.problems() == []
    survey.open()
    design = get_design(survey)
    (tick_list,) = design.tick_lists
    assert (tick_list.text, tick_list.numbers) == (TEXT, (2, 3, 4))
    assert design.find_tick_list(1) is None
    assert design.find_tick_list(4) is tick_list
    assert survey.definition()["questions"][1]["tick_list"] == TEXT


@pytest.mark.parametrize(
    ("mode", "draws", "asked", "leaves_out"),
    [
        ("browser", "1 of 2-4", 2, False),
        ("browser", "2 of 2-4", 2, False),
        ("browser", "1 of 2-4; 1 of 1, 5", 2, True),
        ("server", "1 of 2-4", 2, True),
        ("server", "2 of 2-4", 3, True),
    ],
)
def test_a_tick_list_counts_as_one_question(mode, draws, asked, leaves_out):
    count = 5 if "5" in draws else 4
    survey = make_ticks(("coin",) * count, draws, mode=mode)
    survey.open()
    design = get_design(survey)
    assert design.questions_asked == asked
    assert design.leaves_questions_out == leaves_out


def test_a_group_without_a_text_is_no_tick_list():
    survey = make_survey(("coin",) * 3, draws="1 of 1-3")
    assert get_design(survey).tick_lists == ()
    assert "tick_list" not in survey.definition()["questions"][0]


@pytest.mark.parametrize(
    ("survey", "message"),
    [
        ({"draws": ""}, "Add its items to the questions to draw from"),
        ({"first": 3}, "Add its items to the questions to draw from"),
        ({"draws": "1 of 2, 4"}, "questions in a row"),
        (
            {"questions": ["coin"] * 22, "draws": "1 of 2-22"},
            "A tick list has at most 20 items",
        ),
        ({"questions": ["coin", "coin", "coin", DIE]}, "need the same strength"),
        (
            {"questions": ["coin", "direct", "direct", "direct"]},
            "need the same strength",
        ),
        (
            {"questions": ["coin", *[("k_ary", {"epsilon": 1, "choices": 3})] * 3]},
            "answers Yes and No",
        ),
        (
            {"questions": ["coin", *[("grid", {"epsilon": 1, "points": 3})] * 3]},
            "answers Yes and No",
        ),
    ],
)
def test_invalid_tick_lists_are_rejected(survey, message):
    survey = make_ticks(**survey)
    number = survey.questions.get(tick_list=TEXT).position
    (problem,) = [each for each in survey.find_problems() if each.field == "tick_list"]
    assert (problem.question, message in problem.text) == (number, True)


def test_items_with_other_answers_are_refused():
    survey = make_ticks()
    survey.questions.get(position=3).set_choices(["No", "Yes"])
    assert survey.problems() == ["Question 2: Its items need the answers Yes and No."]


@pytest.mark.parametrize(
    "shown", [{"section": "Work"}, {"shuffle_section": True}, {"hint": "Ever"}]
)
def test_list_settings_are_allowed_only_at_the_first_item(shown):
    survey = make_ticks()
    survey.questions.filter(position=3).update(**shown)
    assert survey.problems() == [
        "Question 2: Enter hint, helpline, section and order at the first item."
    ]
    survey = make_ticks(slug="other")
    survey.questions.filter(position=2).update(**shown)
    assert survey.problems() == []
