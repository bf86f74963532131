from fractions import Fraction

import pytest

from candor.cli.rows import format_csv
from estimation.files.codebook import list_variables, make_codebook_rows
from tests.estimation.exports.exported import csv_of, make_sealed, rows_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey():
    return make_sealed(title="=1+1")


def test_every_column_of_the_reports_has_a_row(survey):
    rows = rows_of(format_csv(make_codebook_rows(list_variables(survey))))
    header = csv_of(survey).splitlines()[0]
    assert [row["variable"] for row in rows] == header.split(",")


def test_codebook_formulas_give_the_scores_of_the_reports(survey):
    reports = rows_of(csv_of(survey))
    formulas = {
        row["variable"]: row["formula"]
        for row in rows_of(format_csv(make_codebook_rows(list_variables(survey))))
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
