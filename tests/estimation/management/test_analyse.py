"""An archive has the same results as its survey."""

import json

import pytest
from django.core.management import CommandError

from candor.cli.rows import format_csv, format_json
from estimation.files.analyses import make_comparison_rows, make_regression_rows
from estimation.files.estimates import serialize_survey
from estimation.rows.comparison import compare
from estimation.rows.regression import Chosen, regress_questions
from estimation.rows.shares import get_results
from respondents.models import SealedPattern, close
from tests.archives import archived, make_closed, patterns_of, run
from tests.factories import make_multilingual_survey

pytestmark = pytest.mark.django_db

INTERVAL = {"confidence_level": 0.9, "method": "pratt"}
OPTIONS = ("--confidence-level", 0.9, "--method", "pratt")


@pytest.fixture
def survey():
    return make_closed(patterns_of(4, respondents=3000))


@pytest.fixture
def folder(survey, tmp_path):
    return archived(survey, tmp_path / "site")


def analyse(*arguments):
    return json.loads(run("analyse", *arguments))


def test_analyse_gives_the_results_of_the_survey(survey, folder):
    found = analyse(folder, "--questions", 1, 2, 5, *OPTIONS)
    results = get_results(survey, **INTERVAL)
    same = json.loads(format_json(serialize_survey(results)))
    questions = {each["question"]: each for each in same.pop("questions")}
    assert found["questions"] == [questions[number] for number in (1, 2, 5)]
    # A file can claim any origin.
    assert found["imported"] == "yes"
    assert same == {key: found[key] for key in same} | {"imported": "no"}
    assert found["archives"][0]["respondents"] == 3000
    assert sum(each["count"] for each in found["counts"]) == 3000
    assert {each["reports"][0] for each in found["counts"]} == {"yes", "no", None}


def test_analyse_gives_the_comparison_of_the_survey(survey, folder):
    found = analyse(folder, "--questions", 2, 3, *OPTIONS)["compared"]
    same = compare(survey, 2, 3, **INTERVAL)
    assert found["independence"] == same.independence
    rows = [
        {name: float("nan") if cell is None else cell for name, cell in row.items()}
        for row in found["rows"]
    ]
    assert format_csv(rows) == format_csv(list(make_comparison_rows(same)))


@pytest.mark.parametrize(
    ("asked", "chosen"),
    [
        (
            ("--outcome", 1, "--predictors", 3),
            Chosen(outcome=1, answer=0, references={3: 1}),
        ),
        (
            ("--outcome", 2, "--answer", 2, "--predictors", 3, "--scrambled", 4),
            Chosen(outcome=2, answer=1, references={3: 1}, scrambled=4),
        ),
    ],
)
def test_analyse_gives_the_regression_of_the_survey(survey, folder, asked, chosen):
    found = analyse(folder, *asked)["coefficients"]
    same = regress_questions(survey, chosen, confidence_level=0.95)
    rows = [{k: v for k, v in row.items() if v is not None} for row in found]
    expected = json.loads(
        format_json(list(make_regression_rows(same, same.regression)))
    )
    # Rows with equal answers to the questions are added up before.
    for one, other in zip(rows, expected, strict=True):
        assert one["predictor_question"] == other["predictor_question"]
        assert one["coefficient"] == pytest.approx(other["coefficient"], rel=1e-6)
        assert one["respondents"] == other["respondents"]


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ((), "Give either --questions, or --outcome and --predictors"),
        (("--questions", 6), r"different numbers from 1 to 5; got 6"),
        (("--questions", 2, 2), r"different numbers from 1 to 5; got 2 2"),
        (("--questions", 1, "--predictors", 3), "belong to --outcome"),
        (("--outcome", 1), "--outcome goes with --predictors"),
        (("--outcome", 9, "--predictors", 3), "different numbers from 1 to 5"),
        (("--outcome", 1, "--predictors", 1), "different numbers from 1 to 5"),
        (("--outcome", 2, "--predictors", 4), "name it in --scrambled"),
        (("--outcome", 2, "--scrambled", 3), "must be scrambled, with two answers"),
        (("--outcome", 1, "--answer", 3, "--predictors", 3), "must be from 1 to 2"),
        (("--questions", 3, "--margins", "MARGINS"), "must not name 3: it has margins"),
        (("--questions", 3, "--margins", "NONE"), "NONE cannot be read"),
    ],
)
def test_invalid_requests_to_analyse_are_rejected(folder, tmp_path, asked, text):
    margins = tmp_path / "margins.csv"
    margins.write_text("question,answer,share\n3,Yes,30\n3,No,70\n")
    asked = [margins if each == "MARGINS" else each for each in asked]
    with pytest.raises(CommandError, match=text):
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
        found = analyse(folder, *asked)
        assert found["questions"][0]["question_text"].endswith("in German")
        assert {row["second_answer"] for row in found["compared"]["rows"]} == {
            "Ja",
            "Nein",
        }
        regressed = ("--outcome", 1, "--predictors", 2, "--language", "de")
        (row,) = analyse(folder, *regressed)["coefficients"]
        assert (row["answer"], row["reference"]) == ("Ja", "Nein")
        # Known shares name the answers in the survey's main language.
        margins = tmp_path / "margins.csv"
        margins.write_text("question,answer,share\n2,Yes,30\n2,No,70\n")
        weighted = ("--questions", 1, "--margins", margins, "--language", "de")
        (question,) = analyse(folder, *weighted)["weighted"]
        assert question["question_text"].endswith("in German")

    def test_another_language_is_refused(self, folder):
        text = "--language must be one of en, ar, de; got 'xx'"
        with pytest.raises(CommandError, match=text):
            analyse(folder, "--questions", 1, "--language", "xx")
