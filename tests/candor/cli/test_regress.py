"""`candor regress`."""

import csv
import math
import sys
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from candor import extras, fit_logistic
from tests.candor.cli.command import CommandFailedError, candor, candor_json
from tests.candor.regression.surveys import fixture

COIN = ("--family", "coin")


def regress(*arguments):
    return candor("regress", *arguments)


def regress_json(*arguments):
    return candor_json("regress", *arguments)


@pytest.fixture
def table(tmp_path):
    """Writes a CSV of columns and returns its path."""

    def written(header, rows, separator=","):
        path = tmp_path / "rows.csv"
        lines = [separator.join(map(str, row)) for row in (header, *rows)]
        path.write_text("\n".join(lines))
        return path

    return written


@pytest.fixture
def known(table):
    """The fixture of design/2-statistics.md as a file with two gaps."""
    predictors, yes = fixture()
    rows = [(int(each), x) for each, (_, x) in zip(yes, predictors, strict=True)]
    return table(["report", "x"], [*rows, ("", 0.5), (1, "NA")])


def test_decimal_commas_of_a_semicolon_file_are_numbers(table):
    predictors, yes = fixture()
    rows = [
        (int(each), str(x).replace(".", ","), "1,5")
        for each, (_, x) in zip(yes, predictors, strict=True)
    ]
    path = table(["report", "x", "w"], rows, separator=";")
    options = (path, "--outcome", "report", *COIN, "--formula", "x")
    (_, slope) = regress_json(*options)["coefficients"]
    assert (slope["name"], slope["estimate"]) == (
        "x",
        pytest.approx(1.190479, abs=5e-7),
    )
    (_, weighted) = regress_json(*options, "--weights", "w")["coefficients"]
    assert weighted["estimate"] == pytest.approx(slope["estimate"])


def test_what_may_be_thousands_is_no_number(table):
    rows = [(i % 2, f"{1 + i % 60},{i % 7}00") for i in range(300)]
    with pytest.raises(CommandFailedError, match="different texts; at most"):
        regress(
            table(["report", "x"], rows, separator=";"),
            *("--outcome", "report", *COIN, "--formula", "x"),
        )


def test_the_fixture_comes_out_by_name(known):
    found = regress_json(known, "--outcome", "report", *COIN, "--formula", "x")
    constant, slope = found["coefficients"]
    assert [constant["name"], slope["name"]] == ["Intercept", "x"]
    assert list(slope) == [
        "name", "estimate", "standard_error", "low", "high", "p_value",
    ]  # fmt: skip
    assert slope["estimate"] == pytest.approx(1.190479, abs=5e-7)
    assert slope["standard_error"] == pytest.approx(0.422087, abs=5e-7)
    assert found["log_likelihood"] == pytest.approx(-270.242390, abs=5e-7)
    assert slope["low"] < slope["estimate"] < slope["high"]
    assert (found["respondents"], found["left_out"]) == (400, 2)
    assert found["patterns"] == 101
    (effect,) = found["effects"]
    assert (effect["name"], effect["against"]) == ("x", None)
    assert found["cautions"] == []


@pytest.mark.parametrize(
    ("yes", "no"), [("1", "0"), ("yes", "no"), ("Yes", "NO"), ("1.0", "0.0")]
)
def test_reports_may_be_written_in_several_ways(table, yes, no):
    rows = [(yes, "a")] * 60 + [(no, "a")] * 40 + [(yes, "b")] * 40 + [(no, "b")] * 60
    found = regress_json(
        table(["r", "group"], rows), "--outcome", "r", *COIN, "--formula", "group"
    )
    assert found["coefficients"][1]["name"] == "group[T.b]"
    assert found["coefficients"][1]["estimate"] == pytest.approx(-math.log(49 / 9))
    assert found["effects"][0]["name"] == "group: b"
    assert found["effects"][0]["estimate"] == pytest.approx(-0.4)


def test_a_family_has_its_own_reports_and_parameters(table):
    rows = [("same", 1)] * 60 + [("different", 1)] * 40
    rows += [("same", 0)] * 40 + [("different", 0)] * 60
    found = regress_json(
        table(["r", "g"], rows, ";"), "--outcome", "r", "--family", "crosswise",
        "--set", "prevalence=1/4", "--formula", "g",
    )  # fmt: skip
    # "same" speaks against yes: P(same | yes) = 1/4
    assert found["coefficients"][1]["estimate"] == pytest.approx(-math.log(49 / 9))
    assert found["weights"] == [[1, 3], [3, 1]]


def test_one_answer_of_several_is_chosen_by_name(table):
    generator = np.random.default_rng(3)  # noqa: TID251 -- any reports will do
    rows = [(report, i % 2) for i, report in enumerate(generator.integers(1, 4, 300))]
    path = table(["r", "g"], rows)
    family = ("--family", "k_ary", "--set", "epsilon=2", "choices=3")
    with pytest.raises(CommandFailedError, match="--answer must say which answer to r"):
        regress(path, "--outcome", "r", *family, "--formula", "g")
    found = regress_json(
        path, "--outcome", "r", *family, "--formula", "g", "--answer", "2"
    )
    assert found["answer"] == "2"
    with pytest.raises(
        CommandFailedError, match="--answer must be one of 1, 2, 3; got '4'"
    ):
        regress(path, "--outcome", "r", *family, "--formula", "g", "--answer", "4")


def test_a_scrambled_predictor_takes_its_own_table(table):
    # Of 1200 people: yes to both .3, to x alone .2, to y alone .1
    joint = np.array([0.3, 0.2, 0.1, 0.4])
    sent = np.round(100 * joint @ np.kron([[2, 1], [1, 2]], [[3, 1], [1, 3]]))
    rows = []
    for report, count in zip(["11", "10", "01", "00"], sent, strict=True):
        rows += [tuple(report)] * int(count)
    found = regress_json(
        table(["x", "y"], rows), "--outcome", "y", *COIN, "--formula", "x",
        "--scrambled", "x", "--scrambled-family", "die",
    )  # fmt: skip
    names = [each["name"] for each in found["coefficients"]]
    assert names == ["Intercept", "x"]
    odds = 0.3 * 0.4 / (0.2 * 0.1)
    assert found["coefficients"][1]["estimate"] == pytest.approx(math.log(odds))
    assert found["effects"][0]["estimate"] == pytest.approx(0.3 / 0.5 - 0.1 / 0.5)
    with pytest.raises(
        CommandFailedError, match="must stand by itself or in a product"
    ):
        regress(
            table(["x", "y"], rows), "--outcome", "y", *COIN, "--formula", "I(x*2)",
            "--scrambled", "x",
        )  # fmt: skip


def test_weights_have_a_mean_of_one_and_make_a_sandwich(table):
    rows = [(1, 1, 2), (0, 1, 4), (1, 0, 2), (0, 0, 2)] * 40
    rows += [(1, 1, 2)] * 60 + [(0, 0, 2)] * 20
    found = regress_json(
        table(["y", "x", "w"], rows), "--outcome", "y", "--family", "direct",
        "--formula", "x", "--weights", "w",
    )  # fmt: skip
    # Weighted odds: (200 / 160) / (80 / 120)
    assert found["interval"] == "wald-sandwich"
    assert found["coefficients"][1]["estimate"] == pytest.approx(
        math.log((200 / 160) / (80 / 120))
    )
    assert found["respondents"] == 240


def test_a_column_of_clusters_makes_their_errors_and_design_effects(table):
    rows = [
        (int(member < 4 + school + 3 * x), x, f"school {school}")
        for school in range(5)
        for x in (0, 1)
        for member in range(20)
    ]
    asked = (
        table(["y", "x", "c"], rows), "--outcome", "y", "--family", "direct",
        "--formula", "x", "--clusters", "c",
    )  # fmt: skip
    found = regress_json(*asked)
    yes = [(4 + school + 3 * x) for school in range(5) for x in (0, 1)]
    fit = fit_logistic(
        [[1, x] for _school in range(5) for x in (0, 1)],
        [[count, 20 - count] for count in yes],
        p_yes_given_yes=1,
        p_yes_given_no=0,
        names=["Intercept", "x"],
        clusters=[school for school in range(5) for _x in (0, 1)],
    )
    slope = found["coefficients"][1]
    assert slope["standard_error"] == pytest.approx(fit.standard_errors[1])
    assert slope["design_effect"] == pytest.approx(fit.design_effects[1])
    assert (found["clusters"], found["interval"]) == (5, "wald-clusters")
    assert found["held_at_least"] is None
    assert "Fewer than 20 clusters: intervals may cover too seldom." in regress(*asked)
    first, *_rest = csv.DictReader(StringIO(regress(*asked, "--format", "csv")))
    assert float(first["design_effect"]) == pytest.approx(fit.design_effects[0])


def test_a_table_and_a_csv_hold_the_same_numbers(known):
    asked = (known, "--outcome", "report", *COIN, "--formula", "x")
    shown = regress(*asked)
    assert "400 respondents in 101 patterns, 2 left out" in shown
    rows = list(csv.DictReader(StringIO(regress(*asked, "--format", "csv"))))
    assert [row["kind"] for row in rows] == ["coefficient"] * 2 + ["average effect"]
    for row in rows:
        assert f"{float(row['estimate']):.6f}" in shown


def test_an_interval_without_an_end_is_null_and_said(table):
    rows = [(1, "a")] * 26 + [(0, "a")] * 74 + [(1, "b")] * 60 + [(0, "b")] * 40
    asked = (table(["r", "g"], rows), "--outcome", "r", *COIN, "--formula", "g")
    slope = regress_json(*asked)["coefficients"][1]
    assert slope["high"] is None
    assert slope["low"] > 0
    assert "Nothing limits the intervals of Intercept, g[T.b]." in regress(*asked)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"outcome": "nothing"}, "there is no column 'nothing'; there are: r, x, t"),
        ({"formula": "nothing"}, "there is no column 'nothing'"),
        ({"formula": "log(t)"}, "column 't' must hold numbers"),
        ({"formula": "x + r"}, "--formula must not hold the outcome 'r'"),
        ({"formula": "x + I(2*x)"}, "columns must not be sums of each other"),
        ({"formula": "__import__('os').getcwd()"}, "a formula may hold"),
        ({"outcome": "t"}, "line 2: column 't' must hold the reports yes, no"),
        ({"family": "guess"}, "family must be one of"),
        (
            {"weights": "t"},
            "line 2: column 't' must hold weights, numbers from 1e-50 to",
        ),
        ({"weights": "w"}, "there is no column 'w'"),
        ({"answer": "maybe"}, "--answer must be one of yes, no; got 'maybe'"),
    ],
)
def test_bad_input_is_named(table, changed, message):
    rows = [(i % 2, i % 7, "abc"[i % 3]) for i in range(300)]
    options = {"outcome": "r", "family": "coin", "formula": "x", **changed}
    with pytest.raises(CommandFailedError) as caught:
        regress(
            table(["r", "x", "t"], rows),
            *(part for name, value in options.items() for part in (f"--{name}", value)),
        )
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "needs a header and at least one row"),
        ("r,x\n", "no row has a value in each of: r, x; 0 have gaps"),
        ("r,x\n,1\n1,\n", "no row has a value in each of: r, x; 2 have gaps"),
        ("r,x\n1,2,3\n", "line 2: 3 cells; the header has 2"),
        ("r,x,x\n1,2,3\n", "The header names the column 'x' twice"),
    ],
)
def test_a_bad_file_is_named(tmp_path, content, message):
    path = tmp_path / "rows.csv"
    path.write_text(content)
    with pytest.raises(CommandFailedError) as caught:
        regress(path, "--outcome", "r", *COIN, "--formula", "x")
    assert message in str(caught.value)


ROOT = Path(__file__).resolve().parents[3]
REAL = [
    path
    for path in (folder / "shared" / "data" / "nigeria.csv" for folder in ROOT.parents)
    if path.is_file()
]

if REAL:

    def test_the_study_of_the_niger_delta_comes_out_as_published():
        """Blair, Imai & Zhou 2015; the same by rrreg of their package rr 1.4.2 and by
        R's glm with the link of the design, to the digits compared here.
        """
        found = regress_json(
            REAL[0], "--outcome", "rr.q1", "--family", "forced_response", "--set",
            "forced_yes=1/6", "forced_no=1/6", "--formula",
            "cov.asset.index + cov.married + I(cov.age/10) + I((cov.age/10)**2) "
            "+ cov.education + cov.female",
        )  # fmt: skip
        assert (found["respondents"], found["left_out"]) == (2423, 34)
        assert [row["estimate"] for row in found["coefficients"]] == pytest.approx(
            [-0.34016, 0.07896, -0.26742, -0.35283, 0.04099, -0.00691, -0.55440],
            abs=2e-5,
        )
        assert found["log_likelihood"] == pytest.approx(-1540.11785, abs=1e-5)


def test_a_missing_extra_is_named(known, monkeypatch):
    monkeypatch.setitem(sys.modules, "formulaic", None)
    monkeypatch.delitem(vars(extras), "formulaic", raising=False)
    with pytest.raises(CommandFailedError, match=r"install .candor-surveys\[regress\]"):
        regress(known, "--outcome", "report", *COIN, "--formula", "x")
