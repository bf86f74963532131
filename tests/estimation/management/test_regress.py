"""`manage.py regress` on surveys; a CSV is regressed by `candor regress`."""

import json
import math
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from candor.mechanisms.draws import NOT_ASKED
from respondents.models import SealedPattern
from tests.factories import make_multilingual_survey, make_survey


def regress(*arguments):
    written = StringIO()
    call_command("regress", *map(str, arguments), stdout=written)
    return written.getvalue()


def regress_json(*arguments):
    return json.loads(regress(*arguments, "--format", "json"))


@pytest.mark.django_db
class TestSurvey:
    def make(self):
        survey = make_survey(["coin", "direct", "coin"])
        counts = {
            b"\0\0\0": 90, b"\1\0\0": 60, b"\0\1\0": 40, b"\1\1\0": 70,
            b"\0\0\1": 80, b"\1\0\1": 70, b"\0\1\1": 30, b"\1\1\1": 80,
            bytes([0, NOT_ASKED, 0]): 5,
        }  # fmt: skip
        SealedPattern.objects.add(survey, counts)
        return survey

    def test_its_own_questions_are_columns(self):
        survey = self.make()
        with CaptureQueriesContext(connection) as queries:
            found = regress_json(survey.slug, "--outcome", "q1", "--formula", "q2")
        # No more is read than these two questions together.
        assert not any("SELECT pattern, count" in each["sql"] for each in queries)
        # Shares (170/300 - .25)/.5 and (70/220 - .25)/.5 of Yes and of No
        odds = [share / (1 - share) for share in (19 / 30, 3 / 22)]
        slope = found["coefficients"][1]
        assert slope["name"] == "q2[T.Yes]"
        assert slope["estimate"] == pytest.approx(math.log(odds[0] / odds[1]))
        assert (found["respondents"], found["left_out"]) == (520, 5)

    def test_a_scrambled_question_is_named_as_such(self):
        survey = self.make()
        asked = (survey.slug, "--outcome", "q1", "--formula", "q2 + q3")
        with pytest.raises(CommandError, match="by --scrambled q3"):
            regress(*asked)
        found = regress_json(*asked, "--scrambled", "q3")
        names = [each["name"] for each in found["coefficients"]]
        assert names == ["Intercept", "q2[T.Yes]", "q3"]

    def test_a_scale_with_only_a_mean_cannot_be_an_outcome(self):
        survey = make_survey([("one_bit", {"epsilon": "1", "points": 5}), "direct"])
        SealedPattern.objects.add(survey, {b"\0\0": 60, b"\1\1": 60})
        with pytest.raises(CommandError, match="only the mean is estimated"):
            regress(survey.slug, "--outcome", "q1", "--formula", "q2", "--answer", "3")

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["--outcome", "q9", "--formula", "q2"], "--outcome must be one of q1"),
            (["--outcome", "q1", "--formula", "q9"], "there is no column 'q9'"),
            (["--outcome", "q1", "--formula", "q1"], "must not hold the outcome"),
            (["--outcome", "q1", "--formula", "q2", "--weights", "w"], "unrecognized"),
        ],
    )
    def test_bad_options_are_named(self, arguments, told):
        with pytest.raises(CommandError) as caught:
            regress(self.make().slug, *arguments)
        assert told in str(caught.value)

    def test_a_draft_has_no_reports(self):
        survey = make_survey(["coin", "direct"], opened=False)
        with pytest.raises(CommandError, match="is a draft"):
            regress(survey.slug, "--outcome", "q1", "--formula", "q2")


@pytest.mark.django_db
def test_groups_are_named_in_the_chosen_language():
    survey = make_multilingual_survey(["coin", "direct"])
    counts = {b"\0\0": 50, b"\1\0": 40, b"\0\1": 30, b"\1\1": 60}
    SealedPattern.objects.add(survey, counts)
    asked = (survey.slug, "--outcome", "q1", "--formula", "q2")
    found = regress_json(*asked, "--language", "de")
    same = regress_json(*asked)
    assert [each.pop("name") for each in found["coefficients"]] == [
        "Intercept",
        "q2[T.Ja]",
    ]
    for each in same["coefficients"]:
        del each["name"]
    assert found["coefficients"] == same["coefficients"]
    text = "--language must be one of en, ar, de; got 'fr'"
    with pytest.raises(CommandError, match=text):
        regress(*asked, "--language", "fr")
