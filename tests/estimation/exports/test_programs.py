"""candor.py and candor.R reproduce the estimates of the export."""

import csv
import runpy
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from candor.binary import BinomialDesign
from candor.intervals import share_interval
from candor.mechanisms import Mechanism
from candor.sample import PROFILE, Sample
from estimation.files import candor as program
from estimation.files.codebook import (
    QuestionVariables,
    SurveyVariables,
    serialize_codebook,
)
from estimation.files.estimates import make_question_rows
from estimation.files.exports import EXPORTS, Source
from estimation.rows.row import Kind
from surveys.design import DesignQuestion
from tests.estimation.exports.exported import FORCED, THREE, make_sealed
from tests.factories import make_survey

FOLDER = Path(program.__file__).parent
FIGURES = ("raw", "standard_error", "share", "low", "high")
NOT_IN_PROGRAMS = {"pratt", "bayes", PROFILE}
FIVE = ("k_ary", {"epsilon": 1, "choices": 5})

BELOW_ZERO = {bytes([0, row]): count for row, count in enumerate((150, 95, 60, 55, 40))}
"""statistics.md: two of these five raw shares are negative, and so is one of the
coin's, to which no one reports No."""

CONTRADICTING = {b"\0\0": 300, b"\1\1": 100, b"\1\2": 450}
"""The maximum-likelihood share of the first of three answers is below its exact
interval."""


def run_python(*arguments):
    """Run the program in this process, which saves a second of imports."""
    printed = StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(printed):
        patch.setattr(sys, "argv", ["candor.py", *arguments])
        runpy.run_path(str(FOLDER / "candor.py"), run_name="__main__")
    return printed.getvalue()


def start(*command):
    return subprocess.run(  # noqa: S603
        command, capture_output=True, text=True, check=True
    ).stdout


def start_python(*arguments):
    """Run the program from a folder without any code of the project."""
    return start(sys.executable, "-W", "error", str(FOLDER / "candor.py"), *arguments)


def run_r(*arguments):
    return start("Rscript", str(FOLDER / "candor.R"), *arguments)


def write_files(source, folder):
    """Write the files that the programs read; return their paths."""
    paths = []
    for name in ("codebook.json", "reports.csv"):
        path = folder / name
        path.write_text("".join(EXPORTS[name].text(source)), "utf-8", newline="")
        paths.append(str(path))
    return paths


def check(source, run, folder):
    """Compare the output of a program with the exported estimates."""
    check_printed(source, run(*write_files(source, folder)))


def check_printed(source, text):
    printed = list(csv.DictReader(StringIO(text)))
    expected = [
        (question.respondents, cells)
        for question in source.results.questions
        for cells in make_question_rows(question)
    ]
    for found, (n, cells) in zip(printed, expected, strict=True):
        assert found["question"] == f"q{cells['question']}"
        assert found["answer"] == cells["answer"]
        assert int(found["n"]) == n
        for name in FIGURES:
            figure = cells[name]
            if name in {"low", "high"} and n and cells["method"] in NOT_IN_PROGRAMS:
                figure = np.nan
            # Sums of some hundred doubles; R prints 15 digits. NaN is an empty cell.
            assert float(found[name] or "nan") == pytest.approx(
                figure, abs=1e-9, nan_ok=True
            ), (name, found)


RUNNERS = [run_python, pytest.param(run_r, marks=pytest.mark.r)]


@pytest.mark.django_db
@pytest.mark.usefixtures("no_minimum_responses")
@pytest.mark.parametrize("run", RUNNERS)
@pytest.mark.parametrize(
    ("counts", "questions"),
    [
        (BELOW_ZERO, ["coin", FIVE]),
        (CONTRADICTING, ["coin", THREE]),
        ({b"\0\0\0": 5}, ["coin", FORCED, "direct"]),
        ({b"\1\0": 7}, [FIVE, "direct"]),
        ({b"\0\0": 1}, ["coin", THREE]),
        ({b"\0\xff": 3, b"\1\xff": 4}, ["die", THREE]),
    ],
    ids=["below 0", "contradicting", "identical", "of five", "one report", "none"],
)
def test_programs_give_the_exported_estimates(counts, questions, run, tmp_path):
    survey = make_sealed(counts, questions, title='"\\\n\u2028", [{"é')
    check(Source(survey, 0.95, "feldman-cousins"), run, tmp_path)


@pytest.mark.django_db
@pytest.mark.server
def test_the_python_program_runs_by_itself(tmp_path):
    check(Source(make_sealed(), 0.95, "feldman-cousins"), start_python, tmp_path)


@pytest.mark.django_db
@pytest.mark.parametrize("run", RUNNERS)
@pytest.mark.parametrize("method", ["feldman-cousins", "pratt"])
@pytest.mark.parametrize("simultaneous", [False, True])
def test_programs_use_the_level_and_method_of_the_export(
    method, simultaneous, run, tmp_path
):
    check(Source(make_sealed(), 0.9, method, simultaneous), run, tmp_path)


SCALES = [
    ("one_bit", 11, "-1/2", "5"),
    ("grid", 3, "1", "5"),
    ("grid", 3, "0", "2"),
    ("one_bit", 3, "-1", "1"),
]


@pytest.mark.django_db
@pytest.mark.usefixtures("no_minimum_responses")
@pytest.mark.parametrize("run", RUNNERS)
@pytest.mark.parametrize(
    "counts",
    [
        # The raw mean of question 4 lies below its scale.
        {b"\0\0\0\0\1": 40, b"\1\1\2\0\1": 65, b"\1\1\2\1\0": 5, b"\1\1\1\xff\0": 50},
        {b"\0\0\0\2\1": 9},
        {b"\0\0\1\xff\xff": 9},
    ],
    ids=["several", "identical", "identical in the middle"],
)
def test_programs_give_the_means_of_scales(counts, run, tmp_path):
    scales = [
        {
            "family": family,
            "parameters": {"epsilon": 1, "points": points},
            "scale": {"low": low, "high": high},
        }
        for family, points, low, high in SCALES
    ]
    survey = make_survey(["coin", *scales], counts=counts)
    check(Source(survey, 0.9, "feldman-cousins"), run, tmp_path)


@pytest.mark.django_db
@pytest.mark.usefixtures("no_minimum_responses")
@pytest.mark.parametrize("run", RUNNERS)
@pytest.mark.parametrize(
    "counts",
    [
        {b"\0\0": 40, b"\1\2": 65, b"\2\3": 35},
        # Raw shares of question 2 are negative, and so is that of its answers.
        {b"\0\0": 30, b"\1\0": 20, b"\0\2": 10, b"\1\3": 80},
        {b"\0\3": 2, b"\1\3": 60, b"\2\3": 80},
        {b"\0\2": 9},
        {b"\2\3": 9},
        {b"\2\1": 1},
        {b"\0\xff": 5},
    ],
    ids=["several", "below 0", "skipped", "identical", "all skipped", "one", "none"],
)
def test_programs_give_the_means_of_scales_that_can_be_skipped(counts, run, tmp_path):
    scales = [
        {
            "family": family,
            "parameters": {"epsilon": 2, "points": 3},
            "scale": {"low": "-1", "high": "5"},
        }
        for family in ("one_bit_skip", "grid_skip")
    ]
    survey = make_survey(scales, counts=counts)
    source = Source(survey, 0.9, "feldman-cousins")
    for question in source.results.questions:
        assert question.mean is None or question.mean.kind is Kind.MEAN_AMONG_ANSWERED
    check(source, run, tmp_path)


@pytest.mark.django_db
@pytest.mark.parametrize("run", RUNNERS)
def test_an_option_changes_the_level(run, tmp_path):
    survey = make_sealed()
    options = ["0.8"]
    if run is run_python:
        options = ["--level", "0.8"]
    source = Source(survey, 0.95, "feldman-cousins")
    (tmp_path / "expected").mkdir()
    chosen = Source(survey, 0.8, "feldman-cousins")
    given = write_files(source, tmp_path)
    check(chosen, lambda *_files: run(*given, *options), tmp_path / "expected")


CHANCES = [(3 / 4, 1 / 4), (5 / 6, 1 / 6), (0.55, 0.45), (0.999, 0.98), (1, 0)]
# "Heads: say yes, tails: the truth", and the reverse.
ONE_SIDED = [(1, 1 / 2), (1 / 2, 0)]


@pytest.mark.parametrize("level", [0.5, 0.999])
def test_program_intervals_match_the_library(level):
    for a, b in CHANCES + ONE_SIDED:
        for n in (1, 9, 30):
            design = BinomialDesign(respondents=n, p_yes_given_yes=a, p_yes_given_no=b)
            for count in range(n + 1):
                ends = program.feldman_cousins(count, n, a, b, level)
                low, high = np.clip([(end - b) / (a - b) for end in ends], 0, 1)
                expected = share_interval(count, design, confidence_level=level)
                # There, limits are widened for rounding by a chance of 1e-14.
                assert (low, high) == pytest.approx(expected, abs=1e-9)


def test_shares_that_need_a_numerical_search_stay_empty():
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
    survey = SimpleNamespace(
        title="t", slug="s", design_digest="d", is_simulated=False, merged_versions=[]
    )
    variables = SurveyVariables(survey, (QuestionVariables(1, question),))
    codebook = serialize_codebook(variables)
    for counts, is_found in (((30, 30, 40), True), ((80, 10, 0), False)):
        codes = np.repeat([1, 2, 3], counts)
        found = program.estimate(codebook, program.pd.DataFrame({"q1": codes}))
        sample = Sample(uneven, counts)
        expected = [sample.raw(answer) for answer in uneven.answers]
        assert found["raw"].tolist() == pytest.approx(expected, abs=1e-9)
        assert found["share"].notna().all() == is_found
