"""The command as a whole, and its small parts."""

import csv
import json
import re
from io import StringIO
from pathlib import Path

import pytest

from candor.mechanisms import load_families
from tests.candor.cli.command import candor, candor_json

ROOT = Path(__file__).parents[3]
PUBLISHED = sorted((ROOT / "tests" / "published").glob("*.json"))


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.stem)
def test_it_reproduces_published_estimates(path):
    study = json.loads(path.read_text())
    parameters = [f"{name}={value}" for name, value in study["parameters"].items()]
    found = candor_json(
        "estimate",
        "--family",
        study["family"],
        *(["--set", *parameters] if parameters else []),
        "--reports",
        *(f"{report}={count}" for report, count in study["tally"].items()),
    )
    yes, half_a_digit = found["estimates"][0], 0.5 * 10.0 ** -study["decimals"]
    for figure in ("raw", "standard_error"):
        assert yes[figure] == pytest.approx(study[figure], abs=half_a_digit, rel=0)
    assert found["respondents"] == sum(study["tally"].values())


def test_the_page_on_differences_shows_what_it_prints():
    page = (ROOT / "docs" / "researchers" / "differences.md").read_text()
    _line, shown = re.findall(r"^```\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    asked = "--family coin --reports yes=40 no=60 --against yes=30 no=70"
    printed = candor("estimate", *asked.split())
    assert printed.replace("\N{NO-BREAK SPACE}", " ") == shown


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
