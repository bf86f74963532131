"""Results and reports as files for others, and the texts that go with them."""

from candor.cli.rows import FORMULA_STARTS, as_csv
from estimation.exports.estimates import (
    as_object,
    estimates_as_csv,
    question_rows,
    survey_as_object,
)

__all__ = [
    "FORMULA_STARTS",
    "as_csv",
    "as_object",
    "estimates_as_csv",
    "question_rows",
    "survey_as_object",
]
