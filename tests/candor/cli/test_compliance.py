"""Non-compliance from two groups, or from an anchor question."""

import json
import shlex

import pytest

import candor
from tests.candor.cli.command import CommandFailedError
from tests.candor.cli.command import candor as run_candor

GROUPS = shlex.split(
    "--family forced_response --set forced_yes=2/8 forced_no=1/8 "
    "--reports yes=300 no=500 --second-set forced_yes=6/8 forced_no=1/8 "
    "--second-reports yes=510 no=290"
)
PAIRS = shlex.split(
    "--family crosswise --set prevalence=0.15 --pairs same,same=1160 "
    "same,different=267 different,same=381 different,different=192"
)
MISFIT = [
    *PAIRS[:5],
    *shlex.split("same,same=1099 same,different=328 different,same=442"),
    "different,different=131",
]


def run(*arguments):
    return run_candor("compliance", *arguments)


def test_two_groups_have_the_figures_of_the_library():
    found = json.loads(run(*GROUPS, "--format", "json"))
    tables = [
        candor.mechanism("forced_response", forced_yes=yes, forced_no="1/8")
        for yes in ("2/8", "6/8")
    ]
    counts = {"yes": 300, "no": 500}, {"yes": 510, "no": 290}
    cheating = candor.estimate_cheating(tables[0], counts[0], tables[1], counts[1])
    for row in found["estimates"]:
        assert row["share"] == cheating[row["estimand"]].estimate
        assert row["low"] == cheating[row["estimand"]].low
    pooled = candor.pool(list(zip(tables, counts, strict=True)))
    assert found["homogeneity"] == pooled.homogeneity


def test_an_anchor_question_has_the_published_figures():
    yes, attentive = run(*PAIRS, "--format", "csv").splitlines()[1:]
    assert yes.startswith("yes,0.10536")
    assert attentive.startswith("attentive,0.77285")


def test_the_table_says_whether_one_share_fits():
    assert "Both groups have one share if all comply: P = " in run(*GROUPS)
    assert "P = " not in run(*PAIRS)


def test_the_status_is_in_every_format():
    """Two guesses that were independent would give other pairs (P = .0003)."""
    for arguments, expected in ((PAIRS, "ok"), (MISFIT, "misfit")):
        for line in run(*arguments).splitlines()[1:]:
            assert line.endswith(f" {expected}")
        rows = json.loads(run(*arguments, "--format", "json"))["estimates"]
        assert [row["status"] for row in rows] == [expected, expected]
        for line in run(*arguments, "--format", "csv").splitlines()[1:]:
            _, *numbers, status = line.split(",")
            assert all(map(float, numbers))
            assert status == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*PAIRS, "--reports", "same=1", "different=2"], "--pairs does not go with"),
        (GROUPS[:8], "--second-reports: yes must be a whole number"),
        ([*GROUPS, "--safe-report", "maybe"], "safe_report must be one of yes, no"),
        (
            [*GROUPS[:8], "--second-reports", "yes=4", "no=5"],
            "second must have other chances than first",
        ),
    ],
)
def test_what_identifies_nothing_is_refused(arguments, message):
    with pytest.raises(CommandFailedError, match=message):
        run(*arguments)
