import json
import math
import re
from pathlib import Path

import pytest

from candor.binary import BinomialDesign
from candor.intervals import share_interval
from tests.candor.cli.command import CommandFailedError, candor, candor_json

PUBLISHED = sorted((Path(__file__).parents[2] / "published").glob("*.json"))

KEYS = [
    "family", "parameters", "weights", "epsilon", "respondents", "estimates", "method",
    "confidence_level",
]  # fmt: skip

ESTIMATE_KEYS = ["answer", "count", "raw", "share", "standard_error", "low", "high"]


def estimate(*arguments):
    return candor("estimate", *arguments)


def estimate_json(*arguments):
    return candor_json("estimate", *arguments)


def coin(*arguments, yes=40, no=60):
    return ("--family", "coin", "--reports", f"yes={yes}", f"no={no}", *arguments)


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.stem)
def test_it_reproduces_published_estimates(path):
    study = json.loads(path.read_text())
    parameters = [f"{name}={value}" for name, value in study["parameters"].items()]
    found = estimate_json(
        "--family",
        study["family"],
        *(["--set", *parameters] if parameters else []),
        "--reports",
        *(f"{report}={count}" for report, count in study["tally"].items()),
    )
    half_a_digit = 0.5 * 10.0 ** -study["decimals"]
    yes = found["estimates"][0]
    assert yes["raw"] == pytest.approx(study["raw"], abs=half_a_digit, rel=0)
    assert yes["standard_error"] == pytest.approx(
        study["standard_error"], abs=half_a_digit, rel=0
    )
    assert found["respondents"] == sum(study["tally"].values())


def test_its_json_has_these_keys_and_no_other():
    found = estimate_json(*coin())
    assert list(found) == KEYS
    assert [list(each) for each in found["estimates"]] == [ESTIMATE_KEYS] * 2
    assert (found["family"], found["parameters"]) == ("coin", {})
    assert found["weights"] == [[3, 1], [1, 3]]
    assert found["epsilon"] == pytest.approx(math.log(3))
    assert (found["method"], found["confidence_level"]) == ("feldman-cousins", 0.95)
    yes, no = found["estimates"]
    assert (yes["answer"], yes["count"], no["answer"], no["count"]) == (
        "yes", 40, "no", 60,
    )  # fmt: skip
    # Feldman & Cousins 1998, computed to five digits: docs/reference/statistics.md
    assert yes["low"] == pytest.approx(0.11416, abs=5e-6)
    assert yes["high"] == pytest.approx(0.5, abs=5e-6)


def test_a_count_is_that_of_the_report_that_stands_for_the_answer():
    found = estimate_json(
        "--family", "crosswise", "--set", "prevalence=1/4",
        "--reports", "different=112", "same=198",
    )  # fmt: skip
    assert [each["count"] for each in found["estimates"]] == [198, 112]


def test_numbers_that_are_not_defined_are_null():
    found = estimate_json("--family", "direct", "--reports", "yes=0", "no=0")
    assert found["epsilon"] is None
    assert found["estimates"][0]["share"] is None


def test_method_and_confidence_level_are_used():
    found = estimate_json(*coin("--method", "bayes", "--confidence-level", "4/5"))
    assert (found["method"], found["confidence_level"]) == ("bayes", 0.8)
    design = BinomialDesign(
        respondents=100, p_yes_given_yes=3 / 4, p_yes_given_no=1 / 4
    )
    low, high = share_interval(40, design, confidence_level=0.8, method="bayes")
    assert (found["estimates"][0]["low"], found["estimates"][0]["high"]) == (low, high)


@pytest.mark.parametrize(
    ("given", "caution"),
    [
        (coin(yes=0, no=0), "No reports."),
        (coin(yes=24, no=76), "The raw estimate of “yes” is -0.0200, outside [0, 1]."),
        (coin(yes=10, no=90), "The reports do not fit the design (P = 0.0003):"),
        (coin(yes=1, no=0), "The interval of “yes” is too wide to interpret."),
        (coin(yes=10, no=19), "Fewer than 30 reports: the interval is very wide."),
        (
            ("--family", "direct", "--reports", "yes=40", "no=60"),
            "Not protected: reports are true answers, and epsilon is unbounded.",
        ),
        (
            ("--family", "forced_yes", "--set", "forced_yes=1/2", "--reports",
             "yes=60", "no=40"),
            "The report “no” proves the answer “no”.",
        ),
        (
            ("--family", "one_bit", "--set", "epsilon=1", "points=11", "--reports",
             "high=80", "low=20"),
            "The raw estimate of “mean” is 11.4919, outside [0, 10].",
        ),
    ],
)  # fmt: skip
def test_its_table_has_cautions(given, caution):
    lines = estimate(*given).splitlines()
    assert [line for line in lines if line.startswith(f"! {caution}")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "arguments are required: --family"),
        (["--family", "dice", "--reports", "yes=1"], "family must be one of .*'dice'"),
        (
            ["--family", "coin"],
            r"yes must be a whole number from 0 to 10+; got nothing",
        ),
        (coin(yes="0.5"), r"got '0.5'"),
        (coin(yes="9" * 5000), r"whole number from 0 to 10+; got '999"),
        (["--family", "coin", "--reports", "yes"], "NAME=VALUE; got 'yes'"),
        (["--family", "coin", "--reports", "yes=1", "yes=2"], "names 'yes' twice"),
        (["--family", "warner", "--set", "family=x"], "family must be left out"),
        (coin("--confidence-level", "x"), r"must be a number above 0 and below 1.*'x'"),
        (coin("--against", "maybe=1"), "--against must name yes, no; got 'maybe'"),
        (coin("--against", "yes=0", "no=0"), "must have at least one report; got none"),
    ],
    ids=str,
)
def test_bad_input_is_refused_by_name_range_and_value(arguments, message):
    with pytest.raises(CommandFailedError, match=message):
        estimate(*arguments)


class TestDifference:
    AGAINST = ("--against", "yes=30", "no=70")

    def test_its_json_has_first_minus_second(self):
        found = estimate_json(*coin(*self.AGAINST))
        assert list(found) == [*KEYS, "difference"]
        yes, no = found["difference"]
        assert list(yes) == [
            "answer", "estimate", "standard_error", "low", "high", "p_value",
        ]  # fmt: skip
        # .3 less .1; root of .45 / 99 / .25; Fisher's exact test of the reports
        assert yes["estimate"] == pytest.approx(0.2)
        assert yes["standard_error"] == pytest.approx(0.13484, abs=5e-6)
        assert (yes["low"], yes["high"]) == pytest.approx((-0.06425, 0.45921), abs=5e-6)
        assert yes["p_value"] == pytest.approx(0.18193, abs=5e-6)
        assert (no["answer"], no["estimate"]) == ("no", pytest.approx(-0.2))

    def test_the_page_on_differences_shows_what_it_prints(self):
        page = (
            Path(__file__).parents[3] / "docs" / "researchers" / "differences.md"
        ).read_text()
        _line, shown = re.findall(r"^```\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
        printed = estimate(*coin(*self.AGAINST)).replace("\N{NO-BREAK SPACE}", " ")
        assert printed == shown

    SCALE = "--family one_bit --set epsilon=1 points=11 --reports high=60 low=40"
    POINTS = "--family grid --set epsilon=2 points=3 --reports 0=60 1=90 2=120"

    def test_a_scale_has_the_difference_of_its_means(self):
        """Means 7.164 and 2.836; of 60 and 40 of 100 Fisher's P is .00706."""
        asked = [*self.SCALE.split(), "--against", "high=40", "low=60"]
        found = estimate_json(*asked)
        assert found["difference"] == []
        assert list(found["mean_difference"]) == [
            "estimate", "standard_error", "low", "high", "p_value", "method",
        ]  # fmt: skip
        assert found["mean_difference"]["estimate"] == pytest.approx(4.32791, abs=5e-6)
        assert found["mean_difference"]["p_value"] == pytest.approx(0.00706, abs=5e-6)
        assert found["mean_difference"]["method"] == "profile"
        assert "mean      4.327907        1.506784" in estimate(*asked)
        assert "First minus second, 0.95 intervals, profile" in estimate(*asked)
