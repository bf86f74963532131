"""The commands on the pages on commands and imports run."""

import csv
import json
import math
import re
import shlex
from io import StringIO
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command, get_commands

from candor import cli
from estimation.files.estimates import format_estimates
from estimation.rows.shares import get_results
from surveys.files.definition import PLAN_FIELDS, QUESTION_KEYS, STUDY_KEYS, SURVEY_KEYS
from tests.candor.cli.command import candor
from tests.factories import make_survey, make_user

PROJECT = Path(__file__).parents[2]
DOCS = PROJECT / "docs"
COMMANDS = (DOCS / "reference" / "commands.md").read_text()
IMPORT_FORMAT = (DOCS / "reference" / "import-format.md").read_text()

OURS = {
    config.name
    for config in apps.get_app_configs()
    if Path(config.path).parent == PROJECT
}

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page, language=""):
    return [text for found, text in BLOCK.findall(page) if found == language]


def run(line):
    _python, program, *arguments = shlex.split(line)
    if program == "-m":
        return candor(*arguments[1:])
    written = StringIO()
    call_command(*arguments, stdout=written)
    return written.getvalue()


def plain(text):
    return text.replace("\N{NO-BREAK SPACE}", " ").strip()


def named_in_tables(page):
    """Return the code in the first cells of the page's tables."""
    return {
        name
        for line in page.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`([\w]+)`", line.split("|")[1])
    }


def test_every_command_is_described():
    commands = {name for name, app in get_commands().items() if app in OURS}
    assert commands
    commands |= set(cli.COMMANDS)
    assert set(re.findall(r"^## (\w+)$", COMMANDS, re.MULTILINE)) == commands


def test_documented_estimate_examples_print_the_shown_output():
    lines = [
        line
        for block in blocks(COMMANDS)
        for line in block.splitlines()
        if "estimate --family" in line
    ]
    assert len(lines) == 3
    shown = blocks(COMMANDS)[1]
    assert plain(run(lines[0])) == plain(shown)
    assert "0.261910" in run(lines[1])
    assert "0.222581" in run(lines[2])


def test_the_documented_json_matches_the_command():
    (shown,) = blocks(COMMANDS, "json")
    line = blocks(COMMANDS)[0].strip()
    found = json.loads(run(f"{line} --format json"))
    shown = json.loads(shown)
    assert list(found) == list(shown)
    # The last digits may differ between versions of scipy.
    for name in ("raw", "share", "standard_error", "low", "high"):
        for mine, documented in zip(
            found["estimates"], shown["estimates"], strict=True
        ):
            assert mine.pop(name) == pytest.approx(documented.pop(name), rel=1e-9)
    assert found == shown


@pytest.mark.django_db
def test_every_column_of_the_csv_is_described():
    survey = make_survey(counts={b"\0": 10})
    columns = set(next(csv.reader(StringIO(format_estimates(get_results(survey))))))
    section = COMMANDS.partition("**CSV**")[2].partition("\n## ")[0]
    assert named_in_tables(section) == columns


def test_every_key_of_a_study_is_described():
    keys = set(SURVEY_KEYS) - set(PLAN_FIELDS) | set(QUESTION_KEYS) | set(STUDY_KEYS)
    assert named_in_tables(IMPORT_FORMAT) == keys


@pytest.mark.django_db
def test_the_documented_import_prints_the_shown_output(tmp_path):
    make_user()
    (study,), (reports,) = blocks(IMPORT_FORMAT, "json"), blocks(IMPORT_FORMAT, "csv")
    (tmp_path / "study.json").write_text(study)
    (tmp_path / "reports.csv").write_text(reports)
    line, shown = blocks(IMPORT_FORMAT)
    found = run(line.replace("study.json", f"{tmp_path}/study.json").replace(
        "reports.csv", f"{tmp_path}/reports.csv"
    ))  # fmt: skip
    number = re.compile(r"survey/\d+/")
    assert number.sub("", plain(found)) == number.sub("", plain(shown))


def test_the_documented_comparison_prints_the_shown_output():
    line, shown = blocks((DOCS / "researchers" / "differences.md").read_text())[:2]
    assert plain(run(line.strip())) == plain(shown)


@pytest.mark.parametrize("name", ["regression", "releases"])
def test_documented_python_examples_run(name):
    page = (DOCS / "researchers" / f"{name}.md").read_text()
    (shown,) = blocks(page, "python")
    known = {}
    exec(shown, known)  # noqa: S102
    if name == "regression":
        # The page computes it by hand: 49/9, whose logarithm is 1.695.
        assert known["fit"].estimates[1] == pytest.approx(math.log(49 / 9), abs=1e-6)
        assert "ln 5.44 = 1.695" in page
    else:
        low, high = known["found"].interval(0.95)
        assert high - known["found"].released == 6
        assert "a released 120 gives 114 to 126" in page
        assert low <= known["found"].released
