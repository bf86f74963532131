import json
from fractions import Fraction

import pytest

from candor.cli.rows import format_csv, format_json
from estimation.files.codebook import codebook_as_object, codebook_rows, list_variables
from tests.estimation.exports.exported import csv_of, make_sealed, rows_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey():
    return make_sealed(title="=1+1")


def test_every_column_of_the_reports_has_a_row(survey):
    rows = rows_of(format_csv(codebook_rows(list_variables(survey))))
    header = csv_of(survey).splitlines()[0]
    assert [row["variable"] for row in rows] == header.split(",")


def test_the_formula_gives_the_score_that_stands_in_the_reports(survey):
    reports = rows_of(csv_of(survey))
    formulas = {
        row["variable"]: row["formula"]
        for row in rows_of(format_csv(codebook_rows(list_variables(survey))))
        if row["kind"] == "score"
    }
    assert len(formulas) == 2 + 2 + 3
    for name, formula in formulas.items():
        question = name.partition("_")[0]
        scores = {}
        for part in formula.split("; "):
            condition, _, score = part.partition(": ")
            assert condition.startswith(f"{question} = ")
            scores[condition.removeprefix(f"{question} = ")] = float(Fraction(score))
        for row in reports:
            if row[question]:
                assert float(row[name]) == scores[row[question]]


def test_codes_table_and_epsilon_are_told_in_full(survey):
    code, label, yes, *_ = codebook_rows(list_variables(survey))
    assert (code["kind"], label["kind"], yes["kind"]) == ("code", "label", "score")
    assert code["label"] == "1. Randomised report of: Sensitive question 1?"
    assert code["codes"] == "1 = report: Yes; 2 = report: No"
    assert yes["label"] == "1. score of the answer: Yes"
    assert yes["weights"] == "[[3, 1], [1, 3]]"
    assert yes["epsilon"] == pytest.approx(1.0986123, abs=1e-7)


def test_the_json_says_the_same_as_the_csv(survey):
    variables = list_variables(survey)
    rows = {row["variable"]: row for row in codebook_rows(variables)}
    found = json.loads(format_json(codebook_as_object(variables)))
    assert found["design_digest"] == survey.design_digest
    assert found["note"][0].startswith("Randomised reports, not answers: q1, q2, q3.")
    told = []
    for question in found["questions"]:
        code, label = question["code"], question["label"]
        told += [code["variable"], label["variable"]]
        assert rows[code["variable"]]["codes"] == "; ".join(
            f"{number} = {name}" for number, name in code["codes"].items()
        )
        for score in question["scores"]:
            told.append(score["variable"])
            row = rows[score["variable"]]
            assert (row["formula"], row["label"]) == (score["formula"], score["label"])
            assert row["answer"] == score["choice"]
            assert json.loads(row["weights"]) == question["weights"]
            assert row["formula"] == "; ".join(
                f"{code['variable']} = {number}: {value}"
                for number, value in score["by_code"].items()
            )
    assert told == list(rows)


def test_a_direct_question_has_an_epsilon_without_bound():
    variables = list_variables(make_sealed({b"\0": 1}, ["direct"]))
    row, *_rest = codebook_rows(variables)
    assert row["epsilon"] == float("inf")
    assert row["label"] == "1. Direct answer to: Sensitive question 1?"
    assert row["codes"] == "1 = Yes; 2 = No"
    found = json.loads(format_json(codebook_as_object(variables)))
    assert found["questions"][0]["epsilon"] is None
