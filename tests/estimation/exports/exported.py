"""A survey with every case that exports support, and readers of its files."""

import csv
from io import StringIO

from candor.mechanisms.draws import NOT_ASKED
from estimation.files.reports import format_reports, list_reports
from estimation.rows.counts import read_contingency_table
from estimation.rows.shares import get_results
from tests.factories import make_survey

FORCED = ("forced_response", {"forced_yes": "1/6", "forced_no": "1/12"})
THREE = ("k_ary", {"epsilon": 1, "choices": 3})

COUNTS = {
    bytes([0, 0, 0]): 30,
    bytes([1, 0, 1]): 10,
    bytes([1, 1, 2]): 45,
    bytes([0, 1, NOT_ASKED]): 12,
    bytes([1, NOT_ASKED, NOT_ASKED]): 3,
}
"""100 respondents; 42 report Yes to the first question."""


def make_sealed(counts=COUNTS, questions=("coin", FORCED, THREE), **fields):
    """Return an open survey whose sealed patterns are `counts`."""
    return make_survey(questions, counts=counts, **fields)


def read_reports(survey, **chance):
    """Return the sealed reports, shuffled."""
    return list_reports(read_contingency_table(survey), **chance)


def csv_of(survey):
    """Return the file of reports as served."""
    return "".join(format_reports(read_reports(survey)))


def rows_of(text):
    """Return the rows that a CSV reader finds."""
    return list(csv.DictReader(StringIO(text, newline="")))


def raw_of(survey):
    """Return {(question, answer): row} of the results page."""
    return {
        (question.number, row.estimand): row
        for question in get_results(survey).questions
        for row in question.rows
    }
