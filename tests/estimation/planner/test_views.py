"""The planner's view: every figure that the form shows."""

import math

import pytest
from django.http import QueryDict
from django.test.html import parse_html

from estimation.pages.planner.panels import plan_survey
from tests.candor.planning.planned import TABLES, plan_json_of, rounds_to
from tests.estimation.planner.asked import (
    COIN,
    OK,
    SEVERAL,
    STRONG,
    ask,
    plan_behind,
    planned,
    query_of,
    refused,
    words,
)
from tests.estimation.planner.shown import attributes, having, planner_in, text
from tests.estimation.planner.test_inputs import subject_of
from tests.factories import make_user


@pytest.fixture
def researcher(client, db):
    client.force_login(make_user())


def test_one_question_with_everything_that_is_asked_of_a_planner(client, researcher):
    found = planned(client, COIN, share=20, against=10, respondents=1000, margin=5)
    (question,) = found["questions"]
    assert question["strength"] == "coin"
    assert question["figures"] == {
        "Privacy: epsilon": ("1.10", "A report is a hint, never proof"),
        # Warner 1965: lam = 0.35, M = 1.96 sqrt(0.35 * 0.65 / 1000) / 0.5 = 0.0591.
        "Margin of error": ("± 5.9 points", "with 1,000 people"),
        # n = 1.96**2 * 0.35 * 0.65 / (0.25 * 0.05**2) = 1398.3
        "People needed": ("1,399", "for ± 5 points"),
        # 0.35 * 0.65 / (0.25 * 0.2 * 0.8) = 5.69
        "Price of protection": (
            "5.7 times",
            "as many people as a direct question",
        ),
    }
    assert question["read"] == {
        "language": "en",
        "sentences": "Of 100 people whose answer is Yes, about 75 arrive as Yes and 25 "
        "as No. Of 100 people whose answer is No, about 25 arrive as Yes and 75 as No.",
        "conclusion": "So one scrambled answer is a hint, never proof.",
    }
    facts = question["facts"]
    # A suspicion of 10 %: 25 % and 3.6 % (planning.md), bounded outwards.
    assert facts["Protection."] == (
        "A suspicion of 10 % becomes at most 25 %, and at least 3.5 %. One report "
        "shifts the odds of an answer 3 times at most."
    )
    # From .1 to .2 with a coin: 707 respondents (docs/researchers/planning.md).
    assert facts["The test."].startswith(
        "To show that more than 10 % say Yes, if the true share is 20 %, with power "
        "80 %: 707 people. It is shown where the 95 % interval of the results lies "
        "above it."
    )
    # One forged report counts 1.5 times (planning.md): 0.15 points of 1,000.
    assert facts["Forgers."] == "One forged report can shift the result by 0.15 points."
    # Directly: 1.96**2 * 0.16 / 0.05**2 = 245.9, and 1.96 sqrt(0.16 / 1000) = 0.0248.
    assert facts["Asked directly."] == (
        "With honest answers to a direct question: 246 people for ± 5 points, or ± 2.5 "
        "points with 1,000 people."
    )
    assert "Limits." not in facts
    assert "Two groups." not in facts
    assert question["caution"] == ""


@pytest.mark.parametrize(
    ("family", "proof"), [("forced_yes", "No"), ("forced_no", "Yes")]
)
def test_of_a_one_sided_design_the_report_that_is_proof_is_named(
    client, researcher, family, proof
):
    """Nothing limits that one alone: the other moves a suspicion by so much."""
    design = {"family": family, f"{family}__{family}": "1/2"}
    found = planned(client, {**COIN, **design}, mode="hand")
    told = found["questions"][0]["facts"]["Protection."]
    assert told.endswith(
        f"“{proof}” is proof: it comes only from people whose answer is {proof}."
    )
    assert "Nothing limits" not in told
    # 0.1 / (0.1 + 0.9 / 2) = 18.2 %, rounded outwards.
    begins = "at most 18.2 %" if proof == "No" else "can become certainty"
    assert begins in told


def test_two_groups_are_told_apart_where_a_second_share_is_given(client, researcher):
    found = planned(client, COIN, share=20, other=40, respondents=1000)
    # The table of docs/researchers/planning.md; 500 in each are more than 394.
    assert found["questions"][0]["facts"]["Two groups."].startswith(
        "To show 20 % against 40 % in two groups with power 80 %, by Fisher's exact "
        "test at 5 %: 394 people in each. With 1,000 people, half of them in each, it "
        "is 88 %."
    )


ZERO_TO_TEN = {"scale__high": "10"}
POINTS = {"family": "grid", "grid__epsilon": "4", **ZERO_TO_TEN}
ONE_BIT = {"family": "one_bit", "one_bit__epsilon": "1", **ZERO_TO_TEN}


def test_two_means_are_told_apart_where_their_difference_is_given(client, researcher):
    found = planned(client, POINTS, ONE_BIT, COIN, difference=10, respondents=1000)
    points, one_bit, coin = (each["facts"] for each in found["questions"])
    # The table of docs/researchers/planning.md.
    assert points["Two groups."].startswith(
        "To show a difference of 1 between the means 5.5 and 4.5 with a standard "
        "deviation of 3.2 in each, with power 80 %, by Welch's t test at 5 %: about "
        "233 people in each. With 1,000 people, half of them in each, it is 98 %."
    )
    assert one_bit["Two groups."].startswith(
        "To show a difference of 1 between the means 5.5 and 4.5 with power 80 %, by "
        "Fisher's exact test at 5 %: 1,891 people in each. With 1,000 people, half of "
        "them in each, it is 29 %."
    )
    assert "Two groups." not in coin


def test_groups_may_differ_in_size_and_power_may_be_another(client, researcher):
    asked = {"share": 20, "other": 40, "respondents": 900, "ratio": 2}
    told = planned(client, COIN, **asked)["questions"][0]["facts"]["Two groups."]
    assert "in the first and" in told
    assert "With 900 people, 300 and 600 of them, it is" in told
    more = planned(client, COIN, **asked, power="95", against="10")
    (facts,) = (each["facts"] for each in more["questions"])
    assert "with power 95 %" in facts["Two groups."]
    assert "with power 95 %" in facts["The test."]


def test_a_spread_has_no_more_room_than_the_means_leave(client, researcher):
    # Means at .2 and .8 of the scale: sqrt(.2 x .8) = .4
    assert planned(client, POINTS, difference=60, sd=40)
    wrong = refused(client, POINTS, difference=60, sd=40.1)
    assert "Standard deviation" in str(wrong) or "sd" in str(wrong)
    assert "from 0 to 40" in str(wrong)


def test_the_room_for_a_spread_is_told_as_it_is_kept(client, researcher):
    # Means at .42 and .58: sqrt(.42 x .58) = .49356, so 49.4 is too much.
    (error,) = refused(client, POINTS, difference=16, sd="49.4")
    assert "from 0 to 49.3," in error["message"]
    assert planned(client, POINTS, difference=16, sd="49.3")


@pytest.mark.parametrize(
    ("assumed", "field", "allowed"),
    [
        ({"mean": "101"}, "mean", "from 0 to 100, such as 50"),
        ({"mean": "-1"}, "mean", "from 0 to 100, such as 50"),
        ({"mean": "half"}, "mean", "from 0 to 100, such as 50"),
        # Half of the difference lies above it, half below.
        ({"mean": "4", "difference": "10"}, "mean", "from 5 to 95, such as 50"),
        ({"mean": "95.1", "difference": "10"}, "mean", "from 5 to 95, such as 50"),
        ({"mean": "49", "difference": "100"}, "mean", "from 50 to 50, such as 50"),
        ({"mean": "49.9", "difference": "99.9"}, "mean", "from 50 to 50, such as 50"),
        # sqrt(.1 x .9) = .3, and of two means the one farther out: sqrt(.05 x .95)
        ({"mean": "10", "sd": "30.1"}, "sd", "from 0 to 30, such as 15"),
        (
            {"mean": "10", "sd": "22", "difference": "10"},
            "sd",
            "from 0 to 21.7, such as 10.85",
        ),
        ({"mean": "0", "sd": "1"}, "sd", "from 0 to 0, such as 0"),
    ],
    ids=str,
)
def test_a_mean_that_cannot_be_is_refused_by_name_and_range(
    client, researcher, assumed, field, allowed
):
    (error,) = refused(client, POINTS, **assumed)
    assert error["field"] == field
    assert error["message"].startswith(
        f"{subject_of(field)} must be a number {allowed}"
    )


@pytest.mark.parametrize("family", ["grid", "one_bit"])
@pytest.mark.parametrize("last", ["1", "4", "10"])
@pytest.mark.parametrize(
    ("mean", "sd", "difference"),
    [("50", "", ""), ("50", "", "10"), ("20", "25", "10"), ("70", "5", "50"),
     ("0", "", ""), ("100", "0", ""), ("95", "", "10"), ("12.5", "", "25")],
)  # fmt: skip
def test_of_a_mean_too_every_figure_is_that_of_the_command(
    family, last, mean, sd, difference
):
    typed = {"mean": mean, "sd": sd, "difference": difference}
    inputs = {"family": family, f"{family}__epsilon": "2", "scale__high": last}
    found = plan_behind(
        inputs, **typed, respondents="800", margin="2.5", ratio="2", power="90",
        design_effect="1.5", response_rate="40",
    )  # fmt: skip
    units = {
        name: float(value) / 100 * int(last) for name, value in typed.items() if value
    }
    command = plan_json_of(
        family, {"epsilon": 2, "points": int(last) + 1}, **units, respondents=800,
        margin=0.025 * int(last), ratio=2, power=0.9, design_effect=1.5,
        response_rate=0.4,
    )  # fmt: skip
    assert found.to_dict() == command


def test_what_is_supposed_of_a_mean_is_in_every_figure(client, researcher):
    assumed = {"mean": "10", "sd": "15", "respondents": "1000", "margin": "5"}
    found = planned(client, {**POINTS, "number": [1, 2]}, **assumed)
    (question,) = found["questions"]
    # Grid, epsilon 4, 11 points: a - b = (E - 1) / (E + 10) = .82972. The variance of
    # the report is .82972 x .15^2 + .17028 x .1 + .82972 x .17028 x .4^2 = .058302, of
    # its score that over .82972^2: .084688.
    margin = 10 * 1.959964 * math.sqrt(0.084688 / 1000)
    assert question["figures"]["Margin of error"] == (
        f"± {margin:.2g}",
        "of the mean on 0 to 10, with 1,000 people",
    )
    needed = math.ceil(0.084688 * (1.959964 / 0.05) ** 2)
    assert question["figures"]["People needed"][0] == f"{needed}"
    # .084688 / .15^2
    assert question["figures"]["Price of protection"][0] == "3.8 times"
    assert (
        "if the mean is 1 and the standard deviation 1.5: "
        in (question["facts"]["Mechanism."])
    )
    # The survey's own margin, its plot and the table beside it are of the same.
    assert found["survey"]["facts"]["Widest margin"] == f"± {margin:.2g}"
    (row,) = (each for each in found["survey"]["plot"]["rows"] if "1,000" in each[0])
    assert row[1:] == ["± 1.8", "± 0.93"]
    # One of both at epsilon 8: .99635 x .15^2 + .00365 x .1 + .99635 x .00365 x .4^2,
    # twice, over .99635^2: .04707.
    better = f"{100 * 1.959964 * math.sqrt(0.04707 / 1000):.1f}"
    panel = plan_survey(QueryDict(query_of([{**POINTS, "number": [1, 2]}], assumed)))
    (told,) = panel.survey.advice
    assert f"± {better} points instead of ± 1.8 points" in words(told)
    middle = planned(client, POINTS, respondents="1000", margin="5")
    assert found["survey"]["plot"]["labels"] != middle["survey"]["plot"]["labels"]


def test_groups_that_spread_differently_are_told_apart_so(client, researcher):
    found = planned(client, POINTS, mean=85, difference=30, respondents=1000)
    assert (
        "a difference of 3 between the means 10 and 7 with standard deviations of 0 "
        "and 3.2, with power 80 %"
    ) in found["questions"][0]["facts"]["Two groups."]
    prices = {"scale__low": "1000", "scale__high": "1010"}
    (question,) = planned(
        client, {**POINTS, **prices}, mean=51, difference=1, sd=20
    )["questions"]  # fmt: skip
    told = question["facts"]["Two groups."]
    assert "difference of 0.1 between the means 1,005.15 and 1,005.05 with a" in told


@pytest.mark.parametrize(
    "assumed",
    [{"difference": "100"}, {"difference": "0.1"}, {"difference": "100", "sd": "0"},
     {"sd": "50"}, {"difference": "50", "level": "0.8", "power": "50"},
     {"difference": "33.3", "sd": "47.1", "ratio": "0.01", "respondents": "1"},
     {"mean": "0"}, {"mean": "100", "sd": "0"}, {"mean": "5", "difference": "10"},
     {"mean": "83.3", "difference": "33.3", "sd": "2.2"}, {"mean": "16.7", "sd": "0",
     "difference": "33.3"}, {"mean": "0.1", "sd": "3.1", "margin": "0.1"}],
)  # fmt: skip
def test_means_are_planned_at_every_edge(client, researcher, assumed):
    for points in ("1", "2", "10", "19"):
        for family in ("grid", "one_bit"):
            asked = {"family": family, f"{family}__epsilon": "1", "scale__high": points}
            response = ask(client, asked, **assumed)
            assert response.status_code == OK, response.content.decode()


def test_the_planned_level_and_intervals_are_planned_with(client, researcher):
    asked = {"share": 20, "against": 10, "respondents": 1000}
    found = planned(client, COIN, level="0.99", intervals="pratt", **asked)
    (question,) = found["questions"]
    # 2.576 sqrt(0.35 * 0.65 / 1000) / 0.5 = 0.0777
    assert question["figures"]["Margin of error"][0] == "± 7.8 points"
    assert "the 99 % interval of the results" in question["facts"]["The test."]
    # A Bayesian interval tests nothing: planned is with the usual one.
    bayes = planned(client, COIN, intervals="bayes", **asked)
    assert bayes == planned(client, COIN, **asked)


QUESTIONS = {
    "coin": (COIN, "coin", {}),
    "epsilon": (STRONG, "epsilon", {"epsilon": "0.5"}),
    "forced": (
        {
            "family": "forced_response",
            "forced_response__forced_yes": "1/6",
            "forced_response__forced_no": "1/12",
        },
        "forced_response",
        {"forced_yes": "1/6", "forced_no": "1/12"},
    ),
    "direct": ({"family": "direct"}, "direct", {}),
    "several": (SEVERAL, "k_ary", {"epsilon": "1", "choices": "4"}),
}


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("share", ["50", "7.5"])
def test_every_figure_is_that_of_the_command(name, share):
    inputs, family, parameters = QUESTIONS[name]
    typed = {"share": share, "respondents": "800", "margin": "2.5", "against": "30"}
    found = plan_behind(inputs, **typed, prior="5").to_dict()
    command = plan_json_of(
        family,
        parameters,
        share=float(share) / 100,
        respondents=800,
        margin=0.025,
        against=0.3,
        prior=0.05,
    )
    # The pile takes up to a second, and the form does not show it.
    assert found == {**command, "pile": None}


@pytest.mark.parametrize("name", ["coin", "die", "epsilon .5", "epsilon 2"])
@pytest.mark.parametrize("share", ["0.5", "0.1"])
def test_texts_show_the_published_figures(client, researcher, name, share):
    recipe = TABLES["mechanisms"][name]
    inputs = {
        "family": recipe["family"],
        **{
            f"{recipe['family']}__{parameter}": value
            for parameter, value in recipe.get("parameters", {}).items()
        },
    }
    percent = float(share) * 100
    (question,) = planned(client, inputs, share=percent, margin=5)["questions"]
    needed, _for = question["figures"]["People needed"]
    needed = int(needed.replace(",", ""))
    assert needed == TABLES["respondents"]["0.05"][share][name]
    cost = TABLES["cost_of_privacy"][share][name]
    # The page has one decimal, from ten on none; the table has two or three digits.
    shown, _unit = question["figures"]["Price of protection"][0].split()
    assert float(shown) == pytest.approx(float(cost), abs=0.5)
    plan = plan_behind(inputs, share=percent, margin=5)
    assert rounds_to(plan.cost_of_privacy, cost)


@pytest.mark.parametrize(
    ("respondents", "margin", "told"),
    [
        # Best epsilon for n and M at one half (published tables): 1.45, .68, and
        # none for 1,000 people and 3 points, which a direct question misses too.
        (1000, 5, "With 1,000 people, ± 5 points needs epsilon 1.45 or more"),
        (10_000, 3, "With 10,000 people, ± 3 points needs epsilon 0.68 or more"),
        (1000, 3, "Not even a direct question reaches ± 3 points with 1,000 people"),
    ],
)
def test_the_strongest_protection_for_the_plan_is_named(
    client, researcher, respondents, margin, told
):
    found = planned(client, COIN, respondents=respondents, margin=margin)
    (question,) = found["questions"]
    assert question["facts"]["The strongest protection."].startswith(told)


def test_examples_are_called_examples(client, researcher):
    (question,) = planned(client, COIN)["questions"]
    # At shares of one half: 1.96 sqrt(1/4 / 1000) / (1/2) = 0.062; 1,537 for 5 points.
    figures = question["figures"]
    assert figures["Margin of error"] == (
        "± 6.2 points",
        "with 1,000 people, an example",
    )
    assert figures["People needed"] == ("1,537", "for ± 5 points, an example")
    assert "The test." not in question["facts"]


def test_the_whole_survey_adds_epsilons_up_and_names_the_least_precise(
    client, researcher
):
    found = planned(client, {**COIN, "number": [1, 3]}, {**STRONG, "number": 2})
    survey = found["survey"]
    # 2 ln 3 + 0.5 = 2.697, rounded up: odds of e**2.697 = 14.8 to 1.
    assert survey["epsilon"] == "2.70"
    assert (survey["level"], survey["tier"]) == ("note", 3)
    assert survey["verdict"] == "can come close to proof"
    assert survey["facts"] == {
        # 1.96 sqrt(0.25 + 3.918) / sqrt(1000) = 0.1265
        "Widest margin question 2": "± 12.7 points",
        # docs/researchers/planning.md
        "People needed for ± 5 points, an example": "6,405",
    }
    assert survey["remedy"].startswith("Ask each person 2 of questions 1\N{EN DASH}3")
    assert survey["plot"]["name"] == "Question 2: Any epsilon"
    assert survey["status"] == (
        "Total epsilon 2.70. Margin of error ± 12.7 points with 1,000 people, an "
        "example."
    )


@pytest.mark.parametrize(
    ("questions", "level", "epsilon", "verdict"),
    [
        ([], "note", "0.00", "no question yet"),
        ([COIN], "good", "1.10", "a hint, never proof"),
        ([{**COIN, "number": [1, 2]}], "good", "2.20", "a strong hint, never proof"),
        # 4 ln 3 = 4.39; 5 ln 3 = 5.493, odds of 243 to 1.
        ([{**COIN, "number": [1, 2, 3, 4]}], "note", "4.40", "can come close to proof"),
        ([{**COIN, "number": [1, 2, 3, 4, 5]}], "warning", "5.50", "weak protection"),
        ([{"family": "direct"}], "danger", "∞", "not protected"),
        ([COIN, {"family": "direct"}], "note", "1.10", "a hint, never proof"),
    ],
    ids=str,
)
def test_weak_protection_is_warned_of(
    client, researcher, questions, level, epsilon, verdict
):
    survey = planned(client, *questions)["survey"]
    shown = survey["level"], survey["epsilon"], survey["verdict"]
    assert shown == (level, epsilon, verdict)


def test_the_curve_has_the_numbers_of_its_table(client, researcher):
    plot = planned(client, COIN, respondents=1000, margin=5)["survey"]["plot"]
    # 1.96 sqrt(1/4 / 1000) / (1/2) = 0.062, half of it directly.
    assert ["1,000 planned", "± 6.2", "± 3.1"] in plot["rows"]
    alternative = words(plot["alternative"])
    assert alternative.startswith("Margin of error against the number of respondents.")
    assert "1,000 people: ± 6.2 points, direct question ± 3.1 points" in alternative
    assert "1,537 needed for ± 5 points" in [row[0] for row in plot["rows"]]


def test_several_answers_are_planned_as_far_as_they_can_be(client, researcher):
    found = planned(client, SEVERAL, share=25, against=10)
    (question,) = found["questions"]
    facts = question["facts"]
    assert "hold for each answer by itself" in facts["Limits."]
    assert question["read"]["sentences"] == (
        "Of 100 people with the same answer, about 48 arrive as that answer. The other "
        "52 spread evenly over the other answers. This is so for every answer."
    )
    assert question["figures"]["Margin of error"][0] != "\N{EN DASH}"
    assert "say Notes" in facts["The test."]
    # E / (E + 9) and 1 / (1 + 9 E) with E = e, rounded outwards.
    assert facts["Protection."].startswith(
        "A suspicion of 10 % becomes at most 23.2 %, and at least 3.9 %."
    )
    assert [*question["chances"]] == ["Notes", "A phone", "Both", "Neither"]


def test_respondents_read_it_in_the_language_of_the_survey(client, researcher):
    found = planned(client, {**COIN, "yes_label": "Stimmt"}, language="de")
    (question,) = found["questions"]
    assert question["read"]["language"] == "de"
    assert question["read"]["sentences"].startswith(
        "Von 100 „Stimmt“-Antworten kommen bei uns etwa 75 als „Stimmt“ und 25 als "
        "„Nein“ an."
    )
    # The researcher's page stays English.
    assert (
        question["figures"]["Privacy: epsilon"][1] == "A report is a hint, never proof"
    )


def test_what_nobody_can_do_by_hand_is_said(client, researcher):
    found = planned(client, COIN, STRONG, mode="hand")
    assert [question["caution"] for question in found["questions"]] == [
        "",
        "“Any epsilon” with these parameters does not work by hand.",
    ]
    read = found["survey"]["read"]["sentences"]
    assert read.startswith("You scramble each answer yourself")


def test_what_was_typed_is_shown_as_it_is(client, researcher):
    answers = {**COIN, "yes_label": "<b>Yes</b> & more", "no_label": "5 %"}
    response = ask(client, answers)
    assert b"<b>Yes" not in response.content
    (question,) = planner_in(response.content.decode())["questions"]
    assert [*question["chances"]] == ["<b>Yes</b> & more", "5 %"]


def test_of_questions_that_are_not_shown_there_is_a_line(client, researcher):
    numbered = [{**COIN, "number": [1, 4]}, {**STRONG, "number": 2}]
    numbered.append({**SEVERAL, "number": 3})
    whole = planned(client, *numbered)
    response = ask(client, *numbered, shown="2 x 999")
    found = planner_in(response.content.decode())
    assert found["survey"] == whole["survey"]
    assert [each["numbers"] for each in found["questions"]] == [[2]]
    page = parse_html(response.content.decode())
    lines = {
        attributes(line)["data-numbers"]: words(text(line))
        for line in having(page, "data-folded")
    }
    # Margins are those of the panels.
    assert lines == {
        "1 4": "ε 1.10 · ± 6.2 points",
        "3": "ε 1.00 · ± 9.7 points",
    }
    for number, panel in ((0, "± 6.2 points"), (2, "± 9.7 points")):
        figures = whole["questions"][number]["figures"]
        assert words(figures["Margin of error"][0]) == panel


def test_nothing_shown_is_only_lines(client, researcher):
    found = planned(client, COIN, {"family": "direct"}, shown="")
    assert found["questions"] == []
    assert found["survey"]


def test_a_folded_question_that_is_not_scrambled_has_a_margin_alone(client, researcher):
    page = parse_html(ask(client, {"family": "direct"}, shown="").content.decode())
    (line,) = having(page, "data-folded")
    assert words(text(line)) == "± 3.1 points"


def test_how_many_to_invite_is_said_where_not_all_answer(client, researcher):
    typed = {"respondents": "1000", "margin": "5", "share": "10"}
    (question,) = planned(client, COIN, **typed)["questions"]
    assert "Invitations." not in question["facts"]
    typed |= {"response_rate": "40", "design_effect": "1,5"}
    (question,) = planned(client, COIN, **typed)["questions"]
    told = words(question["facts"]["Invitations."])
    # 1,291 * 1.5, and that by 0.4
    assert told == (
        "± 5 points takes 1,937 people at a design effect of 1.5. At a response rate "
        "of 40 %, invite 4,843 people. For 1,000 people to answer, invite 2,500 "
        "people: then ± 7.0 points."
    )


def test_how_many_to_invite_is_said_of_a_mean_in_its_units(client, researcher):
    typed = {"respondents": "1000", "margin": "5", "response_rate": "40"}
    (question,) = planned(client, ONE_BIT, **typed)["questions"]
    # 1.17072 (1.96 / .05)^2 = 1,799, and that by .4; 1.96 sqrt(117.07 / 1000) = .67
    assert words(question["facts"]["Invitations."]) == (
        "± 0.5 takes 1,799 people at a design effect of 1. At a response rate of "
        "40 %, invite 4,498 people. For 1,000 people to answer, invite 2,500 people: "
        "then ± 0.67."
    )


def test_the_price_of_skipping_is_that_of_one_more_answer(client, researcher):
    """1.96 standard errors: 3.92 and 3.29 points at epsilon 1 and a share of 20 %."""
    question = {"family": "epsilon", "epsilon__epsilon": "1"}
    asked = {"share": "20", "respondents": "1000"}
    (found,) = planned(client, question | {"skip": "on"}, **asked)["questions"]
    assert found["facts"]["Skipping."] == (
        "The margin of error is ± 7.7 points. Without it: ± 6.4 points."
    )
    assert found["figures"]["Margin of error"][0] == "± 7.7 points"
    assert [*found["chances"]] == ["Yes", "No", "Prefer not to answer"]
    (found,) = planned(client, question, **asked)["questions"]
    assert "Skipping." not in found["facts"]
    assert found["figures"]["Margin of error"][0] == "± 6.4 points"


def test_skipping_has_no_price_without_scrambling(client, researcher):
    question = {"family": "direct", "skip": "on"}
    (found,) = planned(client, question)["questions"]
    assert "Skipping." not in found["facts"]
