"""`manage.py estimate` on surveys; counts are estimated by `candor estimate`."""

import csv
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from respondents.models import SealedPattern, close
from tests.factories import make_multilingual_survey, make_survey

KEYS = {
    "family", "parameters", "weights", "epsilon", "respondents", "estimates", "method",
    "confidence_level",
}  # fmt: skip


def estimate(*arguments):
    written = StringIO()
    call_command("estimate", *arguments, stdout=written)
    return written.getvalue()


def estimate_json(*arguments):
    return json.loads(estimate(*arguments, "--format", "json"))


@pytest.mark.django_db
class TestSurvey:
    @pytest.fixture(autouse=True)
    def survey(self):
        survey = make_survey(["coin", "die"])
        SealedPattern.objects.add(survey, {b"\0\0": 40, b"\1\1": 55, b"\1\xff": 5})
        return survey

    def test_it_estimates_every_question_of_a_survey(self):
        found = estimate_json("study-habits")
        assert found["slug"] == "study-habits"
        coin, die = found["questions"]
        assert coin["estimates"][0]["raw"] == pytest.approx(0.3)
        assert (die["respondents"], die["missing"]) == (95, 5)
        assert set(coin) >= KEYS

    def test_only_of_an_open_survey_it_says_that_there_are_none_yet(self):
        survey = make_survey(slug="nobody")
        assert "No responses yet" in estimate("nobody")
        close(survey)
        text = estimate("nobody")
        assert "No responses" in text
        assert "yet" not in text

    def test_a_draft_has_nothing_to_estimate(self):
        make_survey(slug="draft", opened=False)
        with pytest.raises(CommandError, match="'draft' is a draft"):
            estimate("draft")

    def test_an_unknown_survey_is_named(self):
        with pytest.raises(CommandError, match="no survey called 'nowhere'"):
            estimate("nowhere")


@pytest.mark.django_db
class TestOtherWords:
    @pytest.fixture(autouse=True)
    def versions(self):
        three = ("k_ary", {"epsilon": 1, "choices": 3})
        SealedPattern.objects.add(make_survey(), {b"\0": 40, b"\1": 60})
        german = make_survey([three, "die"], slug="german", language="de")
        SealedPattern.objects.add(german, {b"\0\0": 50, b"\1\1": 50})

    def test_the_author_says_which_questions_are_the_same(self):
        arguments = ("study-habits", "--against-survey", "german")
        with pytest.raises(CommandError, match="has no reports to a question"):
            estimate(*arguments)
        (question,) = estimate_json(*arguments, "--same", "1=2")["questions"]
        # .3 less .5, by two tables
        assert question["difference"][0]["estimate"] == pytest.approx(-0.2)

    def test_answers_in_another_order_are_mapped(self):
        """Reports "Yes" of the other survey are those of the second answer here."""
        arguments = ("study-habits", "--against-survey", "german")
        same, swapped = (
            estimate_json(*arguments, "--same", each)["questions"][0]["difference"][0]
            for each in ("1=2", "1=2:2,1")
        )
        assert same["estimate"] == pytest.approx(-0.2)
        assert swapped["estimate"] == pytest.approx(0.3 - (1 - 0.5))
        forced = {"forced_yes": "1/6", "forced_no": "1/3"}
        other = make_survey([("forced_response", forced)], slug="forced")
        SealedPattern.objects.add(other, {b"\0": 30, b"\1": 70})
        (question,) = estimate_json(
            "study-habits", "--against-survey", "forced", "--same", "1=1:2,1"
        )["questions"]
        # Of the other, no is (.7 - 1/3) / .5 = .733; of this one, yes is .3.
        assert question["difference"][0]["estimate"] == pytest.approx(
            0.3 - (0.7 - 1 / 3) / 0.5
        )

    @pytest.mark.parametrize(
        ("same", "told"),
        [
            (["1=1"], "Question 1 has 2 answers, but question 1 of the other survey"),
            (["1=3"], "--same 1=3: There is no question 3 in the other survey"),
            (["0=1"], "There is no question 0 in this survey"),
            (["1=2:1,1"], "assign each of the answers 1 to 2 to exactly one answer"),
            (["1=2:1"], "assign each of the answers 1 to 2"),
            (["1=2:1,2,3"], "assign each of the answers 1 to 2"),
            (["1=2", "1=2:2,1"], "names a question twice"),
            (["1"], "must be such as 2=3 or 2=3:2,1; got '1'"),
            (["1=2:"], "must be such as 2=3 or 2=3:2,1; got '1=2:'"),
        ],
    )
    def test_what_cannot_be_the_same_is_refused(self, same, told):
        arguments = ("study-habits", "--against-survey", "german")
        with pytest.raises(CommandError, match=told):
            estimate(*arguments, "--same", *same)

    def test_it_needs_another_survey(self):
        with pytest.raises(CommandError, match="--same needs --against-survey"):
            estimate("study-habits", "--same", "1=1")


@pytest.mark.django_db
class TestLanguage:
    @pytest.fixture(autouse=True)
    def survey(self):
        survey = make_multilingual_survey()
        SealedPattern.objects.add(survey, {b"\0": 40, b"\1": 60})

    def test_labels_are_in_the_chosen_language(self):
        rows = csv.DictReader(
            StringIO(estimate("study-habits", "--language", "de", "--format", "csv"))
        )
        assert [row["choice"] for row in rows] == ["Ja", "Nein"]
        table = estimate("study-habits", "--language", "de")
        assert "1. Sensitive question 1? in German" in table
        assert "“Ja”" in table
        (question,) = estimate_json("study-habits", "--language", "de")["questions"]
        assert question["question_text"] == "Sensitive question 1? in German"
        assert estimate("study-habits") == estimate("study-habits", "--language", "en")

    def test_another_language_is_refused_with_those_there_are(self):
        text = "--language must be one of en, ar, de; got 'fr'"
        with pytest.raises(CommandError, match=text):
            estimate("study-habits", "--language", "fr")

    def test_the_other_survey_is_found_by_the_words_of_the_main_language(self):
        SealedPattern.objects.add(make_survey(slug="later"), {b"\0": 50, b"\1": 50})
        arguments = ("study-habits", "--against-survey", "later", "--language", "de")
        (question,) = estimate_json(*arguments)["questions"]
        assert question["difference"][0]["estimate"] == pytest.approx(-0.2)
