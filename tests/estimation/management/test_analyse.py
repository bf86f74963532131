"""What is said of an archive is what is said of its survey."""

import json

import pytest
from django.core.management import CommandError

from candor.cli.rows import format_csv, format_json
from estimation.files.analyses import comparison_as_csv, weighted_as_object
from estimation.rows.comparison import compare
from estimation.rows.counts import read_tallies
from estimation.rows.weighted import weighted_results
from respondents.models import SealedPattern, close
from tests.archives import archived, make_closed, patterns_of, run
from tests.factories import make_multilingual_survey

pytestmark = pytest.mark.django_db

INTERVAL = {"confidence_level": 0.9, "method": "wilson"}
OPTIONS = ("--confidence-level", 0.9, "--method", "wilson")


@pytest.fixture
def survey():
    return make_closed(patterns_of(4, respondents=3000))


@pytest.fixture
def folder(survey, tmp_path):
    return archived(survey, tmp_path / "site")


def analyse(*arguments):
    return json.loads(run("analyse", *arguments, "--format", "json"))


def test_each_question_is_told_as_of_the_survey(survey, folder):
    text = analyse(folder, "--questions", 1, 2, 5, *OPTIONS)
    same = json.loads(run("estimate", survey.slug, *OPTIONS, "--format", "json"))
    questions = {each["question"]: each for each in same.pop("questions")}
    assert text["questions"] == [questions[number] for number in (1, 2, 5)]
    # A file says what it likes of how it came about.
    assert text["imported"] == "yes"
    assert same == {key: text[key] for key in same} | {"imported": "no"}
    assert text["archives"][0]["respondents"] == 3000
    assert sum(each["count"] for each in text["counts"]) == 3000
    assert {each["reports"][0] for each in text["counts"]} == {"yes", "no", None}


def test_two_questions_are_told_as_the_comparison_has_them(survey, folder):
    text = analyse(folder, "--questions", 2, 3, *OPTIONS)["compared"]
    same = compare(survey, 2, 3, **INTERVAL)
    assert text["independence"] == same.independence
    rows = [
        {name: float("nan") if cell is None else cell for name, cell in row.items()}
        for row in text["rows"]
    ]
    assert format_csv(rows) == comparison_as_csv(same)


@pytest.mark.parametrize(
    "asked",
    [
        ("--outcome", "q1", "--formula", "q3"),
        ("--outcome", "q2", "--answer", "2", "--formula", "q3"),
        ("--outcome", "q2", "--answer", "2", "--formula", "q4", "--scrambled", "q4"),
    ],
)
def test_a_regression_is_that_of_the_survey(survey, folder, asked):
    text = analyse(folder, *asked)
    same = json.loads(run("regress", survey.slug, *asked, "--format", "json"))
    assert text.keys() == same.keys()
    for part in ("respondents", "left_out"):
        assert text[part] == same[part]
    # Rows that the questions asked for do not tell apart are added up before.
    for one, other in zip(text["coefficients"], same["coefficients"], strict=True):
        assert one.pop("name") == other.pop("name")
        assert one == pytest.approx(other, rel=1e-6, abs=1e-9)
    assert run("analyse", folder, *asked).startswith(f"{text['respondents']} resp")


def test_weighted_shares_are_those_of_the_survey(survey, folder, tmp_path):
    margins = tmp_path / "margins.csv"
    margins.write_text("question,answer,share\n3,Yes,30\n3,No,70\n")
    text = analyse(folder, "--questions", 2, "--margins", margins, *OPTIONS)
    same = weighted_results(
        read_tallies(survey), {3: [0.3, 0.7]}, sees_reports=True, **INTERVAL
    )
    [question] = [each for each in same.questions if each.unweighted.number == 2]
    expected = json.loads(format_json(weighted_as_object(question)))
    [found] = text["weighted"]
    assert {key: found[key] for key in expected} == expected
    table = run("analyse", folder, "--questions", 2, "--margins", margins, *OPTIONS)
    assert "Effective sample size" in table


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ((), "Give either --questions, or --outcome and --formula"),
        (("--questions", 0), r"different numbers from 1 to 5; got 0"),
        (("--questions", 6), r"different numbers from 1 to 5; got 6"),
        (("--questions", 2, 2), r"different numbers from 1 to 5; got 2 2"),
        (("--questions", 1, "--formula", "q2"), "belong to --outcome"),
        (("--outcome", "q1"), "--outcome goes with --formula"),
        (("--outcome", "q9", "--formula", "q3"), "--outcome must be one of q1, q2"),
        (("--questions", 3, "--margins", "MARGINS"), "must not name 3: it has margins"),
        (("--questions", 3, "--margins", "NONE"), "NONE cannot be read"),
    ],
)
def test_what_cannot_be_asked_is_refused(folder, tmp_path, asked, told):
    margins = tmp_path / "margins.csv"
    margins.write_text("question,answer,share\n3,Yes,30\n3,No,70\n")
    asked = [margins if each == "MARGINS" else each for each in asked]
    with pytest.raises(CommandError, match=told):
        run("analyse", folder, *asked)


class TestLanguage:
    @pytest.fixture
    def folder(self, tmp_path):
        survey = make_multilingual_survey(["coin", "direct"])
        counts = {b"\0\0": 50, b"\1\0": 40, b"\0\1": 30, b"\1\1": 60}
        SealedPattern.objects.add(survey, counts)
        close(survey)
        return archived(survey, tmp_path / "site")

    def test_labels_are_in_the_chosen_language(self, folder, tmp_path):
        asked = ("--questions", 1, 2, "--language", "de")
        text = analyse(folder, *asked)
        assert text["questions"][0]["question_text"].endswith("in German")
        assert {row["second_answer"] for row in text["compared"]["rows"]} == {
            "Ja",
            "Nein",
        }
        assert "1. Sensitive question 1? in German" in run("analyse", folder, *asked)
        regressed = ("--outcome", "q1", "--formula", "q2", "--language", "de")
        names = [each["name"] for each in analyse(folder, *regressed)["coefficients"]]
        assert names == ["Intercept", "q2[T.Ja]"]
        # Known shares name the answers as the survey's main language does.
        margins = tmp_path / "margins.csv"
        margins.write_text("question,answer,share\n2,Yes,30\n2,No,70\n")
        weighted = ("--questions", 1, "--margins", margins, "--language", "de")
        assert "answered Ja" in run("analyse", folder, *weighted)

    def test_another_language_is_refused(self, folder):
        text = "--language must be one of en, ar, de; got 'xx'"
        with pytest.raises(CommandError, match=text):
            analyse(folder, "--questions", 1, "--language", "xx")
