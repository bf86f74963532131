"""The command as a whole, and its small parts."""

import csv
from io import StringIO

import pytest

from candor.cli.sample import MOST_ANSWERS
from candor.mechanisms import load_families
from tests.candor.cli.command import CommandFailedError, candor, candor_json


def test_a_sample_has_a_report_for_each_answer():
    asked = ("sample", "--family", "direct", "--answers", "yes=30", "no=70")
    drawn = candor_json(*asked)
    assert drawn["reports"] == drawn["answers"] == {"yes": 30, "no": 70}
    assert drawn["weights"] == [[1, 0], [0, 1]]
    assert candor(*asked).split() == ["report", "count", "yes", "30", "no", "70"]


def test_a_sample_is_drawn_by_the_table():
    """Crosswise with a prevalence of 1/4: P(same | yes) = 1/4.

    Of 40,000 the standard deviation is 86.6, and 5 of them are exceeded in fewer than
    1 of 10**6 runs.
    """
    asked = ("--family", "crosswise", "--set", "prevalence=1/4")
    written = candor(
        "sample", *asked, "--answers", "yes=40000", "no=0", "--format", "csv"
    )
    counts = {
        row["report"]: int(row["count"]) for row in csv.DictReader(StringIO(written))
    }
    assert counts["same"] == pytest.approx(10_000, abs=5 * 86.6)
    assert sum(counts.values()) == 40_000


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
