"""The programs that work the estimates out again: pandas runs, as reviewers run it."""

import csv
import runpy
import subprocess
import sys
from contextlib import chdir, redirect_stdout
from io import StringIO
from types import SimpleNamespace

import numpy as np
import pytest

from candor.binary import BinomialDesign
from candor.intervals import METHODS, share_interval
from candor.mechanisms import Mechanism
from estimation.files.estimates import mean_as_object
from estimation.files.exports import Source
from estimation.files.limits import PANDAS_LIMITS
from estimation.files.reports import Reports
from estimation.files.snippets import PANDAS, R, reports_file
from estimation.files.variables import QuestionVariables, variables_of
from respondents.models import SealedPattern
from surveys.design import DesignQuestion
from tests.estimation.exports.exported import THREE, csv_of, make_sealed, raw_of
from tests.factories import make_survey

FIVE = ("k_ary", {"epsilon": 1, "choices": 5})

BELOW_ZERO = {bytes([0, row]): count for row, count in enumerate((150, 95, 60, 55, 40))}
"""statistics.md: two of these five raw shares are negative, and so is one of the
coin's, which nobody answers with No."""


def run(program, folder, *, start):
    """What the program prints, question and answer first."""
    file = folder / "reproduce.py"
    file.write_text(program, encoding="utf-8")
    rows = csv.DictReader(StringIO(start(file)))
    return {(int(row["question"][1:]), row["answer"]): row for row in rows}


def start_here(file):
    """Without waiting a second for a Python with pandas, and with nothing of ours."""
    printed = StringIO()
    with chdir(file.parent), redirect_stdout(printed):
        runpy.run_path(file.name, run_name="__main__")
    return printed.getvalue()


def start_apart(file):
    """As reviewers do."""
    return subprocess.run(  # noqa: S603
        [sys.executable, "-W", "error", file.name],
        cwd=file.parent,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


CONTRADICTING = {b"\0\0": 300, b"\1\1": 100, b"\1\2": 450}
"""The likeliest share of the first of three answers is below its exact interval."""


@pytest.mark.django_db
@pytest.mark.usefixtures("any_number_is_shown")
@pytest.mark.parametrize(
    ("counts", "questions", "start"),
    [
        pytest.param(None, None, start_apart, marks=pytest.mark.server),
        (BELOW_ZERO, ["coin", FIVE], start_here),
        (CONTRADICTING, ["coin", THREE], start_here),
        ({b"\0\0": 1}, ["coin", THREE], start_here),
        ({b"\0\xff": 3, b"\1\xff": 4}, ["die", THREE], start_here),
    ],
    ids=["several", "below zero", "contradicting", "one respondent", "nobody asked"],
)
def test_pandas_gives_the_numbers_of_the_results_page(
    counts, questions, start, tmp_path
):
    chosen = {"counts": counts, "questions": questions} if counts else {}
    survey = make_sealed(title='"""\nraise SystemExit', **chosen)
    file = tmp_path / reports_file(survey)
    file.write_text(csv_of(survey), encoding="utf-8", newline="")
    found = run(PANDAS.snippet(variables_of(survey)), tmp_path, start=start)
    expected = raw_of(survey)
    assert list(found) == list(expected)
    for (number, answer), row in expected.items():
        reported = sum(
            row.count for (other, _), row in expected.items() if other == number
        )
        assert int(found[number, answer]["n"]) == reported
        for name in ("raw", "standard_error", "share", "low", "high"):
            figure = getattr(row, name)
            if name == "standard_error" and reported > 1 and row.count in (0, reported):
                # The page has the error of the estimate, the program the spread.
                figure = 0.0
            # Sums of some hundred doubles; what is not defined is empty.
            assert float(found[number, answer][name] or "nan") == pytest.approx(
                figure, abs=1e-9, nan_ok=True
            )


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["feldman-cousins", "wald"])
def test_pandas_gives_the_means_of_scales(method, tmp_path):
    survey = make_survey(opened=False)
    for family, points, low, high in (
        ("one_bit", 11, "-1/2", "5"),
        ("grid", 3, "1", "5"),
        ("grid", 3, "0", "2"),
    ):
        survey.add_question(
            f"{family} to {high}?",
            family=family,
            parameters={"epsilon": 1, "points": points},
            scale={"low": low, "high": high},
        )
    survey.open()
    # The raw mean of question 4 lies below its scale.
    counts = {
        b"\0\0\0\0": 40,
        b"\1\1\2\0": 65,
        b"\1\1\2\1": 5,
        b"\1\1\1\xff": 50,
    }
    SealedPattern.objects.add(survey, counts)
    file = tmp_path / reports_file(survey)
    file.write_text(csv_of(survey), encoding="utf-8", newline="")
    source = Source(survey, 0.9, method)
    found = run(source.program(PANDAS), tmp_path, start=start_here)
    assert [key for key in found if key[1] == "mean"] == [
        (2, "mean"),
        (3, "mean"),
        (4, "mean"),
    ]
    assert found[4, "mean"]["n"] == "110"
    assert float(found[4, "mean"]["raw"]) < 0
    for question in source.results.questions[1:]:
        expected, got = mean_as_object(question.mean), found[question.number, "mean"]
        told = {**expected, "share": expected["estimate"]}
        has_interval = question.number == 2
        names = ["raw", "share", "standard_error", *["low", "high"] * has_interval]
        for name in names:
            assert float(got[name]) == pytest.approx(told[name], abs=1e-9)
        if not has_interval:
            assert (got["low"], got["high"]) == ("", "")
    for language in (PANDAS, R):
        program = source.program(language)
        assert "interval of the mean of q2" not in program
        assert "interval of the mean of q3 needs a search" in program


@pytest.mark.django_db
@pytest.mark.parametrize("language", [PANDAS, R], ids=["pandas", "R"])
def test_a_title_stays_in_its_comment(language):
    for letter in "\n\r\x0b\x0c\x1c\x85\u2028\u2029\x00":
        variables = variables_of(
            make_sealed({b"\0": 1}, ["coin"], slug=f"s{ord(letter)}")
        )
        variables.survey.title = f"Study{letter}stop()"
        first, second, *others = language.snippet(variables).splitlines()
        assert first.startswith("# The estimates of")
        assert "stop()" in first
        assert second.startswith("# Design digest")
        program = [line for line in others if not line.startswith("#")]
        assert program[0].split()[0] in {"import", "reports"}


@pytest.mark.django_db
@pytest.mark.parametrize("language", [PANDAS, R], ids=["pandas", "R"])
def test_a_program_says_that_reports_are_no_answers(language):
    survey = make_sealed({b"\0\0": 1}, ["coin", "direct"])
    program = language.snippet(variables_of(survey))
    assert "# Randomised reports, not answers: q1. How often" in program
    assert "# Direct answers, not randomised: q2." in program


@pytest.mark.django_db
def test_made_up_answers_are_called_so():
    for is_simulated in (False, True):
        survey = make_sealed(
            {b"\0": 1}, ["coin"], slug=f"s{is_simulated:d}", is_simulated=is_simulated
        )
        program = R.snippet(variables_of(survey))
        assert ("# A program gave the answers" in program) == is_simulated


def test_a_table_whose_shares_need_a_search_is_left_out_and_named():
    uneven = Mechanism(
        family="x",
        parameters={},
        answers=("a", "b", "c"),
        reports=("a", "b", "c"),
        weights=((8, 1, 3), (2, 7, 3), (2, 1, 9)),
    )
    question = DesignQuestion(
        text="?", innocuous_question="", choices=("A", "B", "C"), mechanism=uneven
    )
    survey = SimpleNamespace(title="t", slug="s", design_digest="d", is_simulated=False)
    reports = Reports(survey, (QuestionVariables(1, question),), [])
    for language in (PANDAS, R):
        program = language.snippet(reports)
        assert "# q1 is left out" in program
        assert '"q1"' not in program


CHANCES = [(3 / 4, 1 / 4), (5 / 6, 1 / 6), (0.55, 0.45), (0.999, 0.98), (1, 0)]
# "Heads: say yes, tails: the truth", and the other side of it.
ONE_SIDED = [(1, 1 / 2), (1 / 2, 0)]


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("method", PANDAS_LIMITS)
def test_the_function_of_each_method_finds_the_intervals_of_the_pages(method, level):
    imports, function = PANDAS_LIMITS[method]
    names = {"np": np, "level": level}
    exec(imports + function, names)  # noqa: S102 - ours
    for a, b in CHANCES + ONE_SIDED:
        for n in (1, 2, 9, 40):
            design = BinomialDesign(respondents=n, p_yes_given_yes=a, p_yes_given_no=b)
            for count in range(n + 1):
                ends = names["limits"](count, n, a, b)
                low, high = np.clip([(end - b) / (a - b) for end in ends], 0, 1)
                expected = share_interval(
                    count, design, confidence_level=level, method=method
                )
                # Ends are moved outwards by rounding there, 1e-14 of a chance.
                assert (low, high) == pytest.approx(expected, abs=1e-9)


@pytest.mark.django_db
@pytest.mark.parametrize("method", METHODS)
def test_a_program_has_the_intervals_that_were_chosen_or_says_why_not(method, tmp_path):
    survey = make_sealed()
    file = tmp_path / reports_file(survey)
    file.write_text(csv_of(survey), encoding="utf-8", newline="")
    source = Source(survey, 0.9, method)
    found = run(source.program(PANDAS), tmp_path, start=start_here)
    left_out = f"low and high are left out: {method} intervals"
    for language in (PANDAS, R):
        program = source.program(language)
        assert (left_out in program) == (method in {"pratt", "bayes"})
        assert "0.9" in program
    for question in source.results.questions:
        for row in question.rows:
            got = found[question.number, row.answer]
            if method in {"pratt", "bayes"}:
                assert (got["low"], got["high"]) == ("", "")
            else:
                ends = float(got["low"]), float(got["high"])
                assert ends == pytest.approx((row.low, row.high), abs=1e-9)
