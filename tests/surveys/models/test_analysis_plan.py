"""An analysis that is planned before a survey opens."""

import json
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError

from candor.files.table import FileError
from surveys.files.read import read_definition
from surveys.models.analysis_plan import PlannedClaim, read_claims, read_pairs
from tests.factories import make_survey

PLAN = {
    "pinned_level": "0.99",
    "pinned_method": "pratt",
    "shares_to_beat": "1 > 20, 2.2 < 7.5",
    "pinned_pairs": "1-2",
}


def test_planned_claims_and_pairs_are_parsed():
    first, second = read_claims("1 > 20\n3.2<7.5 %")
    assert first == PlannedClaim(
        question=1, answer=1, is_above=True, percent=Decimal(20)
    )
    assert (second.question, second.answer, second.is_above) == (3, 2, False)
    assert second.share == 0.075
    assert read_claims("1 > 20, 3.2 < 7,5") == [first, second]
    assert read_pairs("1-2,10 - 3") == [(1, 2), (10, 3)]
    assert read_claims("") == read_pairs("") == []


@pytest.mark.parametrize(
    ("read", "texts"),
    [
        (
            read_claims,
            ["20", "1 = 20", "1 > 101", "1 > 100", "1 < 0", "1 > 20, 1 > 20", "a > 1",
             "1 >> 2", ", ".join(f"1 > {share}" for share in range(51))],
        ),
        (read_pairs, ["1", "1-1", "1-2, 1-2", "1 to 2"]),
    ],
)  # fmt: skip
def test_invalid_analysis_plans_are_rejected(read, texts):
    for text in texts:
        with pytest.raises(ValidationError):
            read(text)


@pytest.mark.django_db
class TestSurvey:
    @pytest.mark.parametrize(
        ("planned", "message"),
        [
            ({"shares_to_beat": "3 > 20"}, "There is no question 3."),
            ({"shares_to_beat": "1.3 > 20"}, "Question 1 has no answer “3”."),
            ({"pinned_pairs": "1-3"}, "There is no question 3."),
            (
                {"shares_to_beat": "1 > 20", "pinned_method": "bayes"},
                "A share to beat is tested by an exact interval.",
            ),
        ],
    )
    def test_an_impossible_analysis_plan_prevents_opening(self, planned, message):
        draft = make_survey(["coin", "coin"], opened=False, **planned)
        (problem,) = draft.problems()
        assert problem.startswith(message)
        with pytest.raises(ValidationError):
            draft.open()

    @pytest.mark.parametrize(
        "planned", [{"shares_to_beat": "2 > 20"}, {"pinned_pairs": "1-2"}]
    )
    def test_shares_cannot_be_planned_for_a_mean(self, planned):
        scale = ("one_bit", {"epsilon": "1", "points": 11})
        draft = make_survey(["coin", scale], opened=False, **planned)
        (problem,) = draft.problems()
        assert problem.startswith("Question 2 has a mean but no share")

    def test_bayesian_intervals_are_rejected_for_planned_tests(self):
        draft = make_survey(opened=False)
        draft.shares_to_beat, draft.pinned_method = "1 > 20", "bayes"
        with pytest.raises(ValidationError, match="exact interval"):
            draft.full_clean()


def test_invalid_plans_in_files_are_rejected_with_their_key():
    asked = {"title": "A", "organiser": "We", "questions": []}
    for planned, text in (
        ({"pinned_level": "0.5"}, "pinned_level must be one of 0.8"),
        ({"shares_to_beat": "x"}, "shares_to_beat must be"),
        (
            {"shares_to_beat": "1 > 20", "pinned_method": "bayes"},
            "pinned_method must be feldman-cousins or pratt",
        ),
    ):
        with pytest.raises(FileError, match=text):
            read_definition(json.dumps(asked | planned))
