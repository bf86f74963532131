"""Open every exported file with the programs of users: `make check-exports`.

R runs the program that reproduces the estimates. LibreOffice opens the workbook and CSV
files of a survey whose texts all look like formulas, and must show them as text.
Neither is needed to run Candor or its tests.
"""

import csv
import math
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import django
from django.core.management import call_command

TIMEOUT_SECONDS = 300
"""Compiling a Stan program takes half a minute."""

TITLE = "=1+1"
TEXTS = ("=cmd|' /C calc'!A0", '=HYPERLINK("http://a.example","b")', "@SUM(1+1)")
CHOICES = ("+1+1", "-2+3", "=1+1")

# Commas, quotes, UTF-8 from the first line on, with formulas evaluated.
READ_CSV = "CSV:44,34,76,1,,0,false,true,false,false,true"
# The same, with full instead of displayed contents; -1: a file for each sheet.
WRITE_CSV = (
    "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1"
)

CLOSE = 1e-9
"""R prints 15 digits."""


def write_exports(folder: Path):
    """Write every file of a survey whose texts look like formulas; return it."""
    from candor.mechanisms.draws import NOT_ASKED
    from estimation.files.exports import EXPORTS, Source, TextFile, filename
    from respondents.models import SealedPattern
    from tests.factories import give_reason, make_survey

    three = ("k_ary", {"epsilon": 1, "choices": 3})
    survey = make_survey(["coin", "die", three], opened=False, title=TITLE)
    for question, text in zip(survey.questions.all(), TEXTS, strict=True):
        question.text = text
        question.save()
        question.set_choices(CHOICES[: len(question.mechanism.answers)])
    for family in ("one_bit", "grid"):
        survey.add_question(
            TITLE,
            family=family,
            parameters={"epsilon": 1, "points": 3},
            scale={"low": "1", "high": "5"},
        )
    give_reason(survey)
    survey.open()
    SealedPattern.objects.add(
        survey,
        {
            bytes([0, 0, 0, 0, 0]): 300,
            bytes([1, 0, 1, 1, 1]): 100,
            bytes([1, 1, 2, 0, 2]): 450,
            bytes([0, 1, NOT_ASKED, 1, NOT_ASKED]): 120,
        },
    )
    source = Source(survey, confidence_level=0.95, method="feldman-cousins")
    for export in EXPORTS.values():
        path = folder / filename(source, export)
        if isinstance(export, TextFile):
            text = export.text(source)
            path.write_text("".join(text), encoding="utf-8", newline="")
        else:
            export.write(source, path)
    return source.results


def run(*command: str, folder: Path) -> str:
    done = subprocess.run(  # noqa: S603 - programs of this machine
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


def check_r(results, folder: Path) -> str:
    """Run the R program and compare its numbers with the results."""
    from candor.sample import PROFILE
    from estimation.files.estimates import make_question_rows

    files = ("study-habits-codebook.json", "study-habits-reports.csv")
    printed = run("Rscript", "candor.R", *files, folder=folder)
    rows = list(csv.DictReader(printed.splitlines()))
    expected = [
        (question.respondents, cells)
        for question in results.questions
        for cells in make_question_rows(question)
    ]
    for found, (respondents, cells) in zip(rows, expected, strict=True):
        assert found["question"] == f"q{cells['question']}"
        assert found["answer"] == cells["answer"]
        assert int(found["n"]) == respondents
        for column in ("raw", "standard_error", "share", "low", "high"):
            if not found[column]:
                # R omits only intervals of means that need a search.
                assert cells["method"] == PROFILE
                assert column in {"low", "high"}
                continue
            is_close = math.isclose(float(found[column]), cells[column], abs_tol=CLOSE)
            assert is_close, (found, column, cells[column])
    return f"R: {len(rows)} estimates are those of the results\n{printed}"


def check_multilevel(folder: Path) -> str:
    """Compare the multilevel model with its posterior by quadrature, if rstan is there.

    The draws have Monte Carlo errors of some 0.001.
    """
    has_rstan = 'cat(requireNamespace("rstan", quietly = TRUE))'
    if run("Rscript", "-e", has_rstan, folder=folder) != "TRUE":
        return "R: no rstan (Debian: r-cran-rstan, libboost-dev)"
    from estimation.files.exports import EXPORTS, Source
    from tests.estimation.exports.posterior import COUNTS, integrate, make_clusters

    source = Source(make_clusters(), confidence_level=0.95, method="feldman-cousins")
    for name in ("codebook.json", "reports.csv"):
        text = "".join(EXPORTS[name].text(source))
        (folder / name).write_text(text, encoding="utf-8", newline="")
    files = ("codebook.json", "reports.csv", "q1", "q2")
    printed = run("Rscript", "multilevel.R", *files, folder=folder)
    rows = [
        row for row in csv.DictReader(printed.splitlines()) if row["answer"] == "yes"
    ]
    shares = integrate(COUNTS)
    sizes = [sum(each) for each in COUNTS]
    overall = sum(map(math.prod, zip(shares, sizes, strict=True))) / sum(sizes)
    for row, expected in zip(rows, [overall, *shares], strict=True):
        assert math.isclose(float(row["share"]), expected, abs_tol=0.01), (
            row,
            expected,
        )
    return f"Stan: {len(rows)} posterior means are those of a quadrature\n{printed}"


def open_sheets(path: Path, *options: str) -> dict[str, list[list[str]]]:
    """Return the cells that LibreOffice shows, by sheet name."""
    target = path.parent / f"opened-{path.name}"
    profile = f"-env:UserInstallation=file://{path.parent / 'profile'}"
    command = ["soffice", profile, "--headless", *options, "--convert-to", WRITE_CSV]
    run(*command, "--outdir", str(target), str(path), folder=path.parent)
    return {
        written.stem.removeprefix(f"{path.stem}-"): read(written)
        for written in sorted(target.iterdir())
    }


def open_csv(path: Path) -> list[list[str]]:
    """Return the cells that LibreOffice shows for a CSV file; evaluates formulas."""
    (rows,) = open_sheets(path, f"--infilter={READ_CSV}").values()
    return rows


def read(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def shows(shown: str, written: str) -> bool:
    """Return whether a cell shows the written text or number."""
    if shown == written:
        return True
    try:
        return math.isclose(float(shown), float(written), rel_tol=1e-14)
    except ValueError:
        return False


def check_libreoffice(folder: Path) -> str:
    """Check that LibreOffice shows every cell as written, without evaluating any."""
    texts = []
    control = folder / "control.csv"
    control.write_text("text,end\n=1+1,x\n")
    # The control shows that LibreOffice does evaluate formulas.
    assert open_csv(control)[1][0] == "2"
    opened = {
        name: open_csv(folder / f"study-habits-{name}.csv")
        for name in ("estimates", "reports", "codebook")
    }
    sheets = open_sheets(folder / "study-habits-workbook.xlsx")
    for name in opened:
        written = read(folder / f"study-habits-{name}.csv")
        compare(opened[name], written, f"{name}.csv")
        # Workbook cells need no apostrophe: their type is text.
        bare = [[cell.removeprefix("'") for cell in row] for row in written]
        shown = sheets[name.capitalize()]
        if name == "reports":
            shown, bare = sorted_by_code(shown), sorted_by_code(bare)
        compare(shown, bare, f"sheet {name.capitalize()}")
        texts.append(f"LibreOffice: {name}.csv and its sheet show what was written")
    assert TITLE in {row[0] for row in sheets["Estimates"]}
    return "\n".join(texts)


def sorted_by_code(table: list[list[str]]) -> list[list[str]]:
    """Return the header and the rows sorted, because files differ in their order."""
    header, *rows = table
    codes = [place for place, name in enumerate(header) if "_" not in name]
    return [header, *sorted(rows, key=lambda row: [row[place] for place in codes])]


def compare(shown: list[list[str]], written: list[list[str]], name: str) -> None:
    assert len(shown) == len(written), f"{name}: {len(shown)} rows, not {len(written)}"
    for number, (row, expected) in enumerate(zip(shown, written, strict=True), start=1):
        for place, cell in enumerate(expected):
            assert shows(row[place], cell), (
                f"{name}, row {number}: {row[place]} for {cell}"
            )


def main() -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["DATABASE_URL"] = f"sqlite:///{folder / 'check.sqlite3'}"
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
        django.setup()
        call_command("migrate", verbosity=0)
        results = write_exports(folder)
        print(check_r(results, folder))
        print(check_multilevel(folder))
        print(check_libreoffice(folder))


if __name__ == "__main__":
    main()
