"""`candor plan`; its figures are checked in test_planning_tables.py."""

import re

import pytest

from tests.candor.cli.command import CommandFailedError
from tests.candor.planning.planned import plan

COIN = ("--family", "coin", "--share", "0.1")
SCALE = ("--family", "one_bit", "--set", "epsilon=1", "points=11")


EVERYTHING = (
    *COIN, "--respondents", "1000", "--margin", "0.05", "--against", "0.2",
    "--power", "0.8", "--alpha", "0.05", "--prior", "0.1", "--forged", "20",
)  # fmt: skip


def blocks(*arguments):
    """The table's sections: {title: {name: figure}}."""
    found = {}
    for block in plan(*arguments).split("\n\n"):
        title, *lines = block.strip().splitlines()
        found[title] = dict(re.split(" {2,}", line.strip()) for line in lines)
    return found


def test_its_table_answers_every_question():
    assert blocks(*EVERYTHING) == {
        "Mechanism: coin": {
            "assumed share": "0.1",
            "confidence level": "0.95",
            "epsilon": "1.099",
            "cost of privacy": "9.333 times the respondents of a direct question",
        },
        "Posterior of an answer with a prior of 0.1": {
            "given yes": "0.25",
            "given no": "0.03571",
            "lowest of any report": "0.03571",
            "highest of any report": "0.25",
            "probability of a correct guess": "0.9",
            "the same without a report": "0.9",
        },
        "With 1,000 respondents": {
            "margin of error": "0.05681",
            "margin of a direct question": "0.01859",
            "expected half-width of interval": "0.05604",
            "standard error": "0.02898",
            "standard error, direct question": "0.009487",
            "standard error, central model": "0.009566",
            "shift by forged reports": "0.03 (20 forged, at most)",
            "epsilon of the counts": "0.1423 (delta 1e-06; only against those who see "
            "only the counts)",
        },
        "For a margin of error of 0.05": {
            "respondents": "1,291",
            "respondents of a direct question": "139",
            "smallest epsilon for 1,000": "1.252 (margin of a direct question 0.01859)",
        },
        "To show that the share is below 0.2 (one-sided test, alpha 0.05, power 0.8)": {
            "normal approximation": "548",
            "smallest number with power": "545",
            "sample size": "569 (the power is never less from here on)",
            "power of 1,000": "0.9538 (if more than 675 report no)",
        },
    }


def test_several_questions_come_with_advice():
    # 5 ln 3 = 5.49; the rule: 5.49 / 2.2 = 2.497, two questions.
    found = blocks(*COIN, "--questions", "5")["5 questions, total epsilon 5.494"]
    assert found["variance, all"] == "0.84 / respondents (5 at epsilon 1.099)"
    assert found["variance, one"] == "0.4707 / respondents (1 at epsilon 5.494)"
    assert found["variance, by the rule"].endswith("(2 at epsilon 2.747)")


def test_of_a_draw_figures_are_of_those_who_are_asked():
    asked = ("--respondents", "1000", "--margin", "0.05", "--response-rate", "0.5")
    # 4/5 of 1,000 and 5/4 of 1,537 (z^2 [.25 + .75] / .05^2), all of them to be invited
    found = blocks("--family", "coin", *asked, "--questions", "5", "--asked", "4")
    assert found["Mechanism: coin"]["questions per respondent"].startswith("4 of 5")
    assert found["Mechanism: coin"]["respondents asked this question"] == "800 of 1,000"
    assert found["With 800 respondents"]["margin of error"] == "0.0693"
    needed = found["For a margin of error of 0.05"]
    assert needed["respondents"] == "1,922"
    assert needed["respondents of a direct question"] == "482"
    (invited,) = (found[title] for title in found if title.startswith("Invitations"))
    assert invited["for the margin of error"] == "3,844 people (1,922 respondents)"
    assert invited["for the planned number"] == "2,000 people (1,000 respondents)"
    # (5/4) [1/4 + 3/4] = 1.25 as planned; three at 4 ln 3 / 3 = 1.465 have
    # (5/3) [1/4 + e^1.465 / (e^1.465 - 1)^2] = .979; two at 2.197, E = 9:
    # (5/2) [1/4 + 9/64] = .977.
    ways = found["5 questions, total epsilon 4.395"]
    assert ways["variance, as planned"] == "1.25 / respondents (4 at epsilon 1.099)"
    assert ways["margin, as planned"] == "0.0693"
    assert ways["variance, optimum"] == "0.9766 / respondents (2 at epsilon 2.198)"
    assert ways["margin, optimum"] == "0.06125"


def test_the_margin_of_a_mean_is_in_points():
    asked = ("--family", "grid", "--set", "epsilon=1", "points=5")
    found = blocks(*asked, "--respondents", "84", "--questions", "3", "--asked", "1")
    # (K + 2) / (12 K) ((E + K) / (E - 1))^2 K^2 = 30.58 with K = 4, E = e
    shown = "2.048 points (too imprecise to interpret)"
    assert found["With 28 respondents"]["margin of error"] == shown
    assert found["Family grid"]["margin of error"] == shown
    assert found["Family one_bit"]["variance"].endswith(
        "(the most precise at this epsilon)"
    )
    found = blocks(*asked, "--margin", "0.00001")
    assert found["For a margin of error of 1e-05"] == {
        "respondents": "more than 1,000,000,000"
    }
    asked = ("--family", "grid", "--set", "epsilon=4", "points=2", "--margin", "0.02")
    # 1/4 (1.96 / .02)^2 = 2,401, rounded up once.
    found = blocks(*asked)["For a margin of error of 0.02"]
    assert found["respondents of a direct question"] == "2,401"


def test_two_groups_are_tested_at_the_planned_level():
    asked = ("--share", "0.2", "--other-share", "0.4", "--confidence-level", "0.99")
    found = blocks("--family", "direct", *asked)
    # z = 2.5758 + .8416: (z / .2)^2 (.2 .8 + .4 .6) = 116.8, and Fisher's is strict.
    first = found["To distinguish 0.2 from 0.4 (Fisher's exact test, alpha 0.01, "
                  "power 0.8)"]  # fmt: skip
    assert 116 < int(first["first group"]) < 140
    # A level that is too low for a test is none where none is asked for.
    assert blocks("--family", "coin", "--confidence-level", "0.3")
    with pytest.raises(CommandFailedError, match="alpha must be"):
        blocks("--family", "coin", *asked[:4], "--confidence-level", "0.3")


def test_it_says_what_is_out_of_reach():
    found = blocks(*COIN, "--respondents", "100", "--margin", "0.01")
    assert found["For a margin of error of 0.01"]["smallest epsilon for 100"] == (
        "none (margin of a direct question 0.0588)"
    )
    found = blocks("--family", "coin", "--share", "0.10001", "--against", "0.1")
    (tested,) = [lines for title, lines in found.items() if title.startswith("To show")]
    assert tested["sample size"].startswith("more than 1,000,000,000")


def test_a_direct_question_has_no_finite_epsilon():
    found = blocks("--family", "direct", "--share", "0", "--respondents", "100")
    assert found["Mechanism: direct"]["epsilon"] == "unbounded"
    counts = found["With 100 respondents"]["epsilon of the counts"]
    assert counts.startswith("unbounded (")
    cost = blocks("--family", "coin", "--share", "0")["Mechanism: coin"]
    assert cost["cost of privacy"].startswith("unbounded times")


# Values out of range are refused by the library: test_bad_input.py.
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--family"),
        (["--family", "coin", "--set", "p"], "NAME=VALUE; got 'p'"),
        ([*COIN, "--share", "much"], "must be a number, such as 0.1 or 1/3; .*'much'"),
        ([*COIN, "--share", "1e400"], "share must be a number from"),
        ([*COIN, "--share", "nan"], "must be a number"),
        ([*COIN, "--respondents", "2.5"], "must be a whole number.* got '2.5'"),
        ([*COIN, "--against", "0.1"], "against must differ from share, which is 0.1"),
        ([*SCALE, "--against", "0.3"], "--against is about the share of an answer"),
        ([*COIN, "--sd", "0.3"], "--sd is about the mean of a scale"),
        ([*COIN, "--confidence-level", "1"], "--confidence-level: must be .* below 1"),
    ],
    ids=str,
)
def test_bad_input_is_refused_by_name_range_and_value(arguments, message):
    with pytest.raises(CommandFailedError, match=message):
        plan(*arguments)


def test_csv_has_a_row_for_each_figure():
    lines = plan(*COIN, "--margin", "0.05", "--format", "csv").split("\r\n")
    assert lines[0] == "section,figure,value,unit,note"
    assert "For a margin of error of 0.05,respondents,1291,respondents," in lines
    direct = plan("--family", "direct", "--format", "csv").split("\r\n")
    assert "Mechanism: direct,epsilon,,epsilon," in direct
