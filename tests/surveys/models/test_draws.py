import pytest
from django.core.exceptions import ValidationError

from candor.files.table import FileError
from candor.mechanisms.draws import NOT_ASKED, DrawnGroup
from surveys.design import get_design
from surveys.files.definition import write_definition
from surveys.files.read import read_definition
from surveys.models.draws import read_draws, renumber_draws
from surveys.text.explanations import get_total_protection
from tests.factories import make_survey

FOUR = ("coin",) * 4


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("", []),
        ("2 of 3-6", [(2, (3, 4, 5, 6))]),
        ("1 of 7, 8", [(1, (7, 8))]),
        ("1 von 2, 1", [(1, (1, 2))]),
        ("2 of 3-5, 9; 1 of 7,8\n", [(2, (3, 4, 5, 9)), (1, (7, 8))]),
    ],
)
def test_drawn_groups_are_parsed_in_common_notations(text, groups):
    assert read_draws(text) == [
        DrawnGroup(asked=asked, questions=questions) for asked, questions in groups
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("some", "such as 2 of 3-6"),
        ("2 of", "such as 2 of 3-6"),
        ("2 of 3-999", "such as 2 of 3-6"),
        ("1 of 3--6", "such as 2 of 3-6"),
        ("0 of 3-6", "fewer than all"),
        ("4 of 3-6", "fewer than all"),
        ("1 of 6-3", "fewer than all"),
        ("1 of 3, 3", "Enter question 3 once"),
        ("1 of 1-3; 1 of 3-5", "Enter question 3 once"),
    ],
)
def test_invalid_draws_are_rejected_with_a_message(text, message):
    with pytest.raises(ValidationError, match=message):
        read_draws(text)


@pytest.mark.parametrize(
    ("text", "positions", "expected"),
    [
        ("2 of 3-5", (1, 2, 4, 3, 5), "2 of 3-5"),  # moved within it
        ("2 of 3-5", (5, 1, 2, 3, 4), "2 of 2-4"),
        ("2 of 3-5", (None, 1, 2, 3, 4), "2 of 2-4"),  # one in front of it is gone
        ("1 of 3-5", (1, 2, 3, None, 4), "1 of 3, 4"),  # one of it
        ("1 of 1, 2; 1 of 4, 5", (1, None, 2, 3, 4), "1 of 3, 4"),
        ("1 von 5, 6", (5, 1, 2, 3, 4), "1 of 4, 6"),  # 6 is still to be written
    ],
)
def test_draws_follow_their_questions(text, positions, expected):
    assert renumber_draws(text, dict(enumerate(positions, start=1))) == expected


@pytest.mark.django_db
class TestDraws:
    def test_draws_of_missing_questions_are_a_problem(self):
        survey = make_survey(FOUR, opened=False, draws="2 of 3-5")
        assert survey.problems() == ["There is no question 5."]
        survey = make_survey(FOUR, opened=False, slug="other", draws="1 of 0, 1")
        assert survey.problems() == ["There is no question 0."]

    def test_comparing_questions_never_asked_together_is_a_problem(self):
        survey = make_survey(
            FOUR, opened=False, draws="1 of 1, 2", pinned_pairs="1-2, 1-3"
        )
        assert survey.problems() == ["No respondent is asked both question 1 and 2."]

    def test_only_a_survey_with_draws_defines_them(self):
        plain = make_survey(FOUR)
        drawing = make_survey(FOUR, slug="drawing", draws="2 of 2-4")
        assert "draws" not in plain.definition()
        assert drawing.definition()["draws"] == [{"asked": 2, "questions": [2, 3, 4]}]
        assert get_design(plain).groups == ()
        assert get_design(plain).questions_asked == 4
        assert get_design(drawing).questions_asked == 3

    def test_a_design_accepts_exactly_the_drawn_number_of_each_group(self):
        design = get_design(make_survey(FOUR, draws="2 of 2-4"))
        assert design.accepts(bytes([0, 1, NOT_ASKED, 1]))
        for wrong in (
            [0, 1, 1, 1],
            [0, NOT_ASKED, NOT_ASKED, 1],
            [NOT_ASKED, 1, 1, NOT_ASKED],
            [0, 1, NOT_ASKED, 2],
            [0, 1, 1],
        ):
            assert not design.accepts(bytes(wrong)), wrong
        everything = get_design(make_survey(FOUR, slug="all"))
        assert not everything.accepts(bytes([0, 1, NOT_ASKED, 1]))

    def test_total_protection_counts_only_drawn_questions(self):
        survey = make_survey(FOUR, opened=False, draws="1 of 1-4")
        assert get_total_protection(survey).numbers.ratio == 3

    def test_a_file_with_invalid_draws_is_rejected(self):
        survey = make_survey(FOUR, draws="2 of 2-4")
        written = write_definition(survey).replace("2 of 2-4", "5 of 2-4")
        with pytest.raises(FileError, match="draws must be"):
            read_definition(written)
