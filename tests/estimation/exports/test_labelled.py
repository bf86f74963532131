"""Files for SPSS and Stata, read by pyreadstat and pandas."""

from types import SimpleNamespace

import pandas as pd
import pyreadstat
import pytest

from candor.mechanisms import build
from estimation.files.codebook import QuestionVariables
from estimation.files.reports import (
    SPSS_LABEL_BYTES,
    SPSS_VALUE_LABEL_BYTES,
    STATA_LABEL_LETTERS,
    Reports,
    size_in_utf8,
    write_spss,
    write_stata,
)
from surveys.design import DesignQuestion
from tests.estimation.exports.exported import make_sealed, read_reports

WRITERS = {"sav": write_spss, "dta": write_stata}
READERS = {"sav": pyreadstat.read_sav, "dta": pyreadstat.read_dta}


def written(kind, reports, folder):
    path = folder / f"reports.{kind}"
    WRITERS[kind](reports, path)
    return path


def with_texts(text, *choices):
    question = DesignQuestion(
        text=text, innocuous_question="", choices=choices, mechanism=build("coin")
    )
    survey = SimpleNamespace(
        title=text, slug="x" * 50, is_simulated=False, merged_versions=[]
    )
    return Reports(survey, (QuestionVariables(1, question),), [b"\0", b"\1"])


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.django_db
class TestRoundTrip:
    @pytest.fixture
    def survey(self):
        return make_sealed(title="Study habits in Köln")

    def test_labelled_files_contain_the_rows_of_the_reports(
        self, kind, survey, tmp_path
    ):
        reports = read_reports(survey)
        frame, _ = READERS[kind](written(kind, reports, tmp_path))
        assert len(frame) == 100
        for (_, row), pattern in zip(frame.iterrows(), reports.patterns, strict=True):
            for question, byte in zip(reports.questions, pattern, strict=True):
                cells = [row[question.name], *row[list(question.score_names)]]
                expected = [byte + 1, *question.scores_by_byte[byte]]
                if byte >= len(question.scores):
                    assert all(pd.isna(cell) for cell in cells)
                else:
                    assert [float(cell) for cell in cells] == expected

    # Letters of one to four bytes, and one of several code points.
    @pytest.mark.parametrize("letter", ["a", "ö", "\u20ac", "\U0001f600", "e\u0301"])
    def test_long_texts_are_cut_between_letters(self, kind, letter, tmp_path):
        reports = with_texts(letter * 300, letter * 50, f"{letter * 49}x")
        _, meta = READERS[kind](written(kind, reports, tmp_path))
        labels = [*meta.column_labels, *meta.variable_value_labels["q1"].values()]
        if kind == "sav":
            assert max(map(size_in_utf8, meta.column_labels)) <= SPSS_LABEL_BYTES
            assert max(map(size_in_utf8, labels[-2:])) <= SPSS_VALUE_LABEL_BYTES
        else:
            assert max(map(len, meta.column_labels)) <= STATA_LABEL_LETTERS
        # The mechanism is kept with a long question and long answers.
        assert labels[0].startswith(f"1. Randomised report of: {letter}")
        assert labels[0].endswith("\N{HORIZONTAL ELLIPSIS}")
        assert all(label.startswith(f"report: {letter}") for label in labels[-2:])
        assert meta.file_label.startswith("Randomised reports, not answers; see")
        for label in labels:
            assert "\N{REPLACEMENT CHARACTER}" not in label
