"""The command estimate on a file of rows with weights: nothing is stored."""

import csv
import json
from io import StringIO

import pytest
from openpyxl import Workbook

from candor.mechanisms import build
from candor.weighting import Sums, estimate_weighted
from tests.candor.cli.command import CommandFailedError, candor

# Two coins: the reports and weights of docs/researchers/weights.md.
ROWS = [("yes", 1), ("no", 2), ("yes", 0.5), ("no", 4), ("no", 1)] * 20


def estimate(*arguments):
    return candor("estimate", "--family", "coin", *arguments)


@pytest.fixture
def data(tmp_path):
    def write(text, name="data.csv"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def rows_of(rows=ROWS, header="id,heavy,w"):
    lines = (f"{number},{report},{w}" for number, (report, w) in enumerate(rows))
    return "\n".join([header, *lines]) + "\n"


def test_it_weighs_each_row_by_its_column(data):
    path = data(rows_of())
    written = estimate(
        "--data", path, "--outcome", "heavy", "--weights", "w", "--format", "json"
    )
    found = json.loads(written)
    expected = estimate_weighted(
        build("coin"),
        {
            report: Sums.of([w for each, w in ROWS if each == report])
            for report in ("yes", "no")
        },
    )
    yes = found["estimates"][0]
    # 30 of a weight of 170 report yes: (.17647 - .25) / .5
    assert yes["raw"] == pytest.approx((30 / 170 - 0.25) / 0.5)
    assert yes["share"] == 0
    assert yes["unweighted"] == pytest.approx((0.4 - 0.25) / 0.5)
    assert (yes["low"], yes["high"]) == (expected["yes"].low, expected["yes"].high)
    # Squares of five rows sum to 22.25, of all to 445.
    assert found["effective_respondents"] == pytest.approx(170**2 / 445)
    assert found["design_effect"] == pytest.approx(100 * 445 / 170**2)
    assert found["largest_weight"] == pytest.approx(4 / 1.7)
    assert (found["respondents"], found["left_out"]) == (100, 0)


def test_gaps_are_left_out_and_codes_are_read(data):
    rows = [*((("0", "1")[report == "yes"], w) for report, w in ROWS), ("", 1)]
    path = data(rows_of([*rows, ("NA", 1), ("1", ""), ("1.0", "1,0")][:-1]))
    written = estimate(
        "--data", path, "--outcome", "heavy", "--weights", "w", "--format", "json"
    )
    found = json.loads(written)
    assert (found["respondents"], found["left_out"]) == (100, 3)
    assert found["estimates"][0]["count"] == 40


def test_margins_are_made_true(data):
    path = data(
        "sex,heavy\n"
        + "f,yes\n" * 50
        + "f,no\n" * 50
        + "m,yes\n" * 105
        + "m,no\n" * 195
    )
    margins = data("question,answer,share\nsex,f,50\nsex,m,50\n", "margins.csv")
    options = ("--data", path, "--outcome", "heavy", "--margins", margins)
    (yes, _no) = csv.DictReader(StringIO(estimate(*options, "--format", "csv")))
    assert float(yes["raw"]) == pytest.approx(0.35)
    assert float(yes["effective_respondents"]) == pytest.approx(300)
    table = estimate(*options)
    assert "Effective sample size 300 of 400" in table
    assert "0.350000" in table


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            rows_of([("yes", "-1")]),
            "line 2, column 'w': must be a number from 1e-50 to 1e+50, such as 1.5",
        ),
        (
            rows_of([("yes", "0")]),
            "column 'w': must be a number from 1e-50 to 1e+50, such as 1.5",
        ),
        (rows_of([("yes", "1e300")]), "from 1e-50 to 1e+50, such as 1.5; got '1e300'"),
        (rows_of([("yes", "1e-300")]), "got '1e-300'"),
        (rows_of([("yes", "many")]), "got 'many'"),
        (rows_of([("yes", "inf")]), "got 'inf'"),
        (rows_of([("perhaps", "1")]), "column 'heavy': must be yes, no or empty"),
        (rows_of(header="id,heavy,weight"), "needs a column 'w'; found 'id'"),
        (rows_of([("", 1)]), "no row without a gap"),
        ("id,heavy,w\n1,yes\n", "line 2: 2 cells"),
        ("", "at least one row"),
        (rows_of([("yes", "x")] * 30), "... and 10 more"),
    ],
)
def test_what_is_wrong_is_named_by_line_and_column(data, text, problem):
    with pytest.raises(CommandFailedError) as caught:
        estimate("--data", data(text), "--outcome", "heavy", "--weights", "w")
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("margins", "problem"),
    [
        ("question,answer,share\nheavy,yes,50\n", "must sum to 100 % (or 1); got 50"),
        ("question,answer,share\nsex,f,50\nsex,m,50\n", "needs a column 'sex'"),
        ("question,answer,share\nid,0,50\nid,1,50\n", "its known shares are those of"),
        ("question,answer,share\nheavy,yes,50\nheavy,maybe,50\n", "got 'no'"),
        (
            "question,answer,share\nheavy,yes,50\nheavy,no,25\nheavy,maybe,25\n",
            "no one in the sample has 'maybe'",
        ),
    ],
)
def test_margins_that_do_not_belong_to_the_file_are_named(data, margins, problem):
    path, known = data(rows_of()), data(margins, "margins.csv")
    with pytest.raises(CommandFailedError) as caught:
        estimate("--data", path, "--outcome", "heavy", "--margins", known)
    assert problem in str(caught.value)


@pytest.mark.parametrize("family", ["one_bit", "grid"])
def test_a_scale_has_its_weighted_mean_in_every_format(data, family):
    reports = {"one_bit": ("high", "low"), "grid": ("0", "1", "2")}[family]
    rows = [(report, 1 + place) for place, report in enumerate(reports)] * 40
    settings = {"epsilon": "1", "points": "3"}
    arguments = ["--data", data(rows_of(rows)), "--outcome", "heavy", "--weights", "w"]

    def output(*more):
        given = [f"{name}={value}" for name, value in settings.items()]
        return candor(
            "estimate", "--family", family, "--set", *given, *arguments, *more
        )

    found = json.loads(output("--format", "json"))
    sums = {report: Sums.of([w for r, w in rows if r == report]) for report in reports}
    table = build(family, **settings)
    mean = estimate_weighted(table, sums)["mean"]
    assert found["mean"]["raw"] == pytest.approx(mean.raw)
    ends = found["mean"]["low"], found["mean"]["high"]
    assert ends == pytest.approx((mean.low, mean.high))
    last = list(csv.DictReader(StringIO(output("--format", "csv"))))[-1]
    assert (last["answer"], float(last["share"])) == (
        "mean",
        pytest.approx(mean.estimate),
    )
    assert f"{mean.estimate:.6f}" in output()


def test_a_workbook_is_read_as_a_csv_is(data, tmp_path):
    book = Workbook()
    book.active.append(["heavy", "w"])
    for row in ROWS:
        book.active.append(row)
    path = tmp_path / "data.xlsx"
    book.save(path)
    columns = ("--outcome", "heavy", "--weights", "w", "--format", "json")
    written = data(rows_of())
    assert estimate("--data", path, *columns) == estimate("--data", written, *columns)
