"""The command as a whole, and its small parts."""

import csv
import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from openpyxl import Workbook

from candor import extras
from candor.mechanisms import load_families
from tests.candor.cli.command import CommandFailedError, candor, candor_json
from tests.candor.cli.files import FILES

ROOT = Path(__file__).resolve().parents[3]
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


def test_a_sample_follows_the_probabilities_of_the_mechanism():
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


def test_a_workbook_gives_the_same_result_as_a_csv_file(tmp_path):
    header, *rows = csv.reader(StringIO(FILES["heavy.csv"]))
    book = Workbook()
    book.active.append(header)
    for report, weight in rows:
        book.active.append([report, float(weight)])
    book.save(tmp_path / "heavy.xlsx")
    (tmp_path / "heavy.csv").write_text(FILES["heavy.csv"])
    given = ["--family", "coin", "--outcome", "heavy", "--weights", "w", "--data"]
    one, other = (
        candor("estimate", *given, tmp_path / name)
        for name in ("heavy.xlsx", "heavy.csv")
    )
    assert one == other


@pytest.mark.parametrize("arguments", ["families", "--help"])
@pytest.mark.parametrize(
    ("redirection", "reason"),
    [
        (">/dev/full", "No space left on device"),
        (">&{pipe}", "Broken pipe"),
        (">&-", "Bad file descriptor"),
    ],
)
def test_output_that_cannot_be_written_is_an_error(arguments, redirection, reason):
    closed, pipe = os.pipe()
    os.close(closed)
    # Without a buffer argparse ignores that its help cannot be written.
    python = f"env -u PYTHONUNBUFFERED {sys.executable}"
    command = f"{python} -m candor {arguments} {redirection.format(pipe=pipe)}"
    done = subprocess.run(  # noqa: S602 - our own command
        command,
        shell=True,
        executable="/bin/bash",  # Debian's shell accepts one digit only
        pass_fds=[pipe],
        check=False,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    os.close(pipe)
    assert done.returncode == 2
    *_help, error = done.stderr.splitlines()
    assert error == f"candor: the output cannot be written: {reason}"
    assert "Traceback" not in done.stderr


REAL = [
    path
    for path in (folder / "shared" / "data" / "nigeria.csv" for folder in ROOT.parents)
    if path.is_file()
]

if REAL:

    def test_it_reproduces_the_published_niger_delta_regression():
        """Blair, Imai & Zhou 2015; the same by rrreg of their package rr 1.4.2 and by
        R's glm with the link of the design, to the digits compared here.
        """
        found = candor_json(
            "regress", REAL[0], "--outcome", "rr.q1", "--family", "forced_response",
            "--set", "forced_yes=1/6", "forced_no=1/6", "--formula",
            "cov.asset.index + cov.married + I(cov.age/10) + I((cov.age/10)**2) "
            "+ cov.education + cov.female",
        )  # fmt: skip
        assert (found["respondents"], found["left_out"]) == (2423, 34)
        assert [row["estimate"] for row in found["coefficients"]] == pytest.approx(
            [-0.34016, 0.07896, -0.26742, -0.35283, 0.04099, -0.00691, -0.55440],
            abs=2e-5,
        )
        assert found["log_likelihood"] == pytest.approx(-1540.11785, abs=1e-5)


def test_a_missing_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "formulaic", None)
    monkeypatch.delitem(vars(extras), "formulaic", raising=False)
    (tmp_path / "known.csv").write_text(FILES["known.csv"])
    asked = ["--outcome", "report", "--family", "coin", "--formula", "x"]
    with pytest.raises(CommandFailedError, match=r"install .candor-surveys\[regress\]"):
        candor("regress", tmp_path / "known.csv", *asked)
