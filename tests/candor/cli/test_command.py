"""The command as a whole, and its small parts."""

import csv
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

import candor as library
from candor.cli import COMMANDS
from candor.cli.sample import MOST_ANSWERS
from candor.mechanisms import load_families
from tests.candor.cli.command import CommandFailedError, candor, candor_json

CHECKOUT = Path(library.__file__).parents[1]


WITHOUT_DJANGO = """
import runpy, sys
sys.modules["django"] = None
runpy.run_module("candor", run_name="__main__")
"""


def test_it_runs_from_a_checkout_without_django():
    asked = ("estimate", "--family", "coin", "--reports", "yes=40", "no=60")
    found = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", WITHOUT_DJANGO, *asked],
        check=True,
        capture_output=True,
        text=True,
        cwd=CHECKOUT,
    )
    assert found.stdout == candor(*asked)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name):
    assert f"usage: candor {name}" in candor(name, "--help")


def test_a_sample_has_a_report_for_each_answer():
    drawn = candor_json("sample", "--family", "direct", "--answers", "yes=30", "no=70")
    assert drawn["reports"] == {"yes": 30, "no": 70}
    assert drawn["answers"] == {"yes": 30, "no": 70}
    assert drawn["weights"] == [[1, 0], [0, 1]]


def test_a_sample_is_drawn_by_the_table():
    """Crosswise with a prevalence of 1/4: P(same | yes) = 1/4.

    Of 4,000,000 the standard deviation is 866, and 5 of them are exceeded in fewer than
    1 of 10**6 runs.
    """
    asked = ("--family", "crosswise", "--set", "prevalence=1/4")
    written = candor(
        "sample", *asked, "--answers", "yes=4000000", "no=0", "--format", "csv"
    )
    counts = {
        row["report"]: int(row["count"]) for row in csv.DictReader(StringIO(written))
    }
    assert counts["same"] == pytest.approx(1_000_000, abs=5 * 866)
    assert sum(counts.values()) == 4_000_000


def test_the_table_of_a_sample_names_each_report():
    shown = candor("sample", "--family", "direct", "--answers", "yes=3", "no=7")
    assert [line.split() for line in shown.splitlines()] == [
        ["report", "count"], ["yes", "3"], ["no", "7"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (["yes=1"], "--answers: no must be a whole number from 0 to .* got nothing"),
        (["maybe=1"], "--answers must name yes, no; got 'maybe'"),
        ([f"yes={MOST_ANSWERS}", "no=1"], "--answers must be at most 10000000"),
    ],
)
def test_a_sample_rejects_other_answers(answers, message):
    with pytest.raises(CommandFailedError, match=message):
        candor("sample", "--family", "coin", "--answers", *answers)


def test_every_family_is_listed_with_its_parameters():
    listed = candor_json("families")
    assert [each["family"] for each in listed] == list(load_families())
    [forced] = [each for each in listed if each["family"] == "forced_response"]
    assert forced["parameters"] == {
        "forced_yes": "a number above 0 and below 1, such as 1/6",
        "forced_no": "a number above 0 and below 1, such as 1/6",
    }
    shown = candor("families")
    for name, family in load_families().items():
        assert f"{name}: {family.label}\n" in shown
    rows = list(csv.DictReader(StringIO(candor("families", "--format", "csv"))))
    assert [row["family"] for row in rows] == list(load_families())
