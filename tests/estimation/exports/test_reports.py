import math
import re
import statistics
from collections import Counter
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from candor.cli.rows import FORMULA_STARTS
from candor.mechanisms import Mechanism, build
from estimation.files.codebook import QuestionVariables
from estimation.files.reports import Reports, format_reports
from respondents.models import close
from surveys.design import DesignQuestion
from tests.estimation.exports.exported import (
    COUNTS,
    csv_of,
    make_sealed,
    raw_of,
    read_reports,
    rows_of,
)

# PostgreSQL and the admin's forms accept neither NUL nor surrogates.
TEXT = st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20
)
DIRECT = build("direct_choice", choices=3)
RISKY = st.sampled_from(FORMULA_STARTS).flatmap(lambda c: TEXT.map(lambda t: c + t))


def asked(*mechanisms, choices=("Yes", "No")):
    """Return variables of questions with these mechanisms."""
    return tuple(
        QuestionVariables(
            number,
            DesignQuestion(
                text="?", innocuous_question="", choices=choices, mechanism=mechanism
            ),
        )
        for number, mechanism in enumerate(mechanisms, start=1)
    )


class TestNames:
    @pytest.mark.parametrize("answer", ["not so", "Ja!", "x" * 40, ""])
    def test_answers_unsuitable_as_variable_names_are_numbered(self, answer):
        odd = Mechanism(
            family="x",
            parameters={},
            answers=("yes", answer),
            reports=("a", "b"),
            weights=((3, 1), (1, 3)),
        )
        (question,) = asked(odd)
        assert question.score_names == ("q1_score_1", "q1_score_2")


@settings(deadline=None)
@given(
    st.sampled_from([build("k_ary", epsilon="1/3", choices=3), DIRECT]),
    st.lists(st.one_of(TEXT, RISKY), min_size=3, max_size=3),
    st.integers(0, 20),
)
def test_labels_never_start_a_formula_and_numbers_stay_unchanged(
    mechanism, labels, respondents
):
    (question,) = asked(mechanism, choices=tuple(labels))
    prefix = "" if mechanism is DIRECT else "report: "
    patterns = [bytes([number % 3]) for number in range(respondents)]
    reports = Reports(SimpleNamespace(), (question,), patterns)
    rows = rows_of("".join(format_reports(reports)))
    assert len(rows) == respondents
    for row, (report,) in zip(rows, patterns, strict=True):
        label = f"{prefix}{labels[report]}"
        assert not row["q1_label"].startswith(FORMULA_STARTS)
        assert row["q1_label"].removeprefix("'") == label.removeprefix("'")
        assert row["q1"] == str(report + 1)
        for name, score in zip(
            question.score_names, question.scores[report], strict=True
        ):
            assert float(row[name]) == float(score)


@pytest.mark.django_db
@pytest.mark.usefixtures("no_minimum_responses")
class TestFile:
    def test_there_is_one_row_for_each_respondent(self):
        rows = rows_of(csv_of(make_sealed()))
        found = Counter((row["q1"], row["q2_label"], row["q3"]) for row in rows)
        assert found == {
            ("1", "report: Yes", "1"): 30,
            ("2", "report: Yes", "2"): 10,
            ("2", "report: No", "3"): 45,
            ("1", "report: No", ""): 12,
            ("2", "", ""): 3,
        }

    def test_score_columns_reproduce_raw_shares_and_standard_errors(self):
        survey = make_sealed()
        rows = rows_of(csv_of(survey))
        for (number, answer), expected in raw_of(survey).items():
            cells = [row[f"q{number}_score_{answer}"] for row in rows]
            scores = [float(cell) for cell in cells if cell]
            error = statistics.stdev(scores) / math.sqrt(len(scores))
            # Sums of some hundred doubles
            assert statistics.fmean(scores) == pytest.approx(expected.raw, abs=1e-12)
            assert error == pytest.approx(expected.standard_error, rel=1e-12)

    def test_two_exports_have_the_same_rows_in_another_order(self):
        survey = make_sealed()
        first, second = (csv_of(survey).splitlines() for _ in range(2))
        # 100 rows of five kinds repeat an order with a chance below 1 in 10**40.
        assert first != second
        assert first[0] == second[0]
        assert Counter(first) == Counter(second)

    def test_the_order_of_exported_rows_is_random(self):
        survey = make_sealed({b"\0\0\0": 1, b"\1\1\1": 1})
        orders = set()
        for word in (0, 1):
            reports = read_reports(survey, draw=lambda word=word: word)
            assert set(reports.patterns) == {b"\0\0\0", b"\1\1\1"}
            orders.add(tuple(reports.patterns))
        assert len(orders) == 2

    def test_no_column_reveals_time_person_or_order(self):
        survey = make_sealed(slug="no-traces")
        close(survey)
        header, *lines = csv_of(survey).splitlines()
        for name in header.split(","):
            assert re.fullmatch(r"q\d+(_label|_score_(yes|no|\d))?", name)
        # Rows differ only by their reports: one kind per pattern.
        assert len(set(lines)) == len(COUNTS)


def test_a_hundred_thousand_rows_are_sent_in_pieces():
    questions = asked(build("coin"), build("coin"))
    patterns = [b"\0\1", b"\1\1"] * 50_000
    pieces = list(format_reports(Reports(SimpleNamespace(), questions, patterns)))
    assert len(pieces) == 1 + 100
    # The largest chunk in memory; the whole file has 5 MB.
    assert max(map(len, pieces)) < 100_000
    assert sum(piece.count("\n") for piece in pieces) == 100_001
