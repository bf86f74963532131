"""The planner's view: every figure that the form shows."""

import pytest

from tests.candor.planning.planned import plan_json_of
from tests.estimation.planner.asked import (
    COIN,
    OK,
    SEVERAL,
    STRONG,
    ask,
    figures_of,
    plan,
    planned,
    replace_no_break_spaces,
)
from tests.estimation.planner.test_inputs import subject_of


@pytest.mark.parametrize(
    ("family", "proof"), [("forced_yes", "No"), ("forced_no", "Yes")]
)
def test_the_report_that_proves_an_answer_is_named(family, proof):
    """Its odds are unlimited; the other report changes a suspicion by this much."""
    design = {"family": family, f"{family}__{family}": "1/2"}
    (panel,) = planned({**COIN, **design}, mode="hand").questions
    facts = figures_of(panel)
    assert facts["Protection"] == (
        f"“{proof}” is proof: it comes only from people whose answer is {proof}."
    )
    # 0.1 / (0.1 + 0.9 / 2) = 18.2 %, rounded outwards.
    highest = "to 18.2 %" if proof == "No" else "to 100 %"
    assert facts["A suspicion of 10 % becomes"].endswith(highest)


ZERO_TO_TEN = {"scale__high": "10"}
POINTS = {"family": "grid", "grid__epsilon": "4", **ZERO_TO_TEN}


@pytest.mark.parametrize(
    ("assumed", "field", "allowed"),
    [
        ({"mean": "101"}, "mean", "from 0 to 100, such as 50"),
        ({"mean": "-1"}, "mean", "from 0 to 100, such as 50"),
        ({"mean": "half"}, "mean", "from 0 to 100, such as 50"),
        # The groups differ by half on either side.
        ({"mean": "4", "difference": "10"}, "mean", "from 5 to 95, such as 50"),
        ({"mean": "95.1", "difference": "10"}, "mean", "from 5 to 95, such as 50"),
        ({"mean": "49", "difference": "100"}, "mean", "from 50 to 50, such as 50"),
        ({"mean": "49.9", "difference": "99.9"}, "mean", "from 50 to 50, such as 50"),
        # sqrt(.1 x .9) = .3, and for two means the outer one: sqrt(.05 x .95)
        ({"mean": "10", "sd": "30.1"}, "sd", "from 0 to 30, such as 15"),
        (
            {"mean": "10", "sd": "22", "difference": "10"},
            "sd",
            "from 0 to 21.7, such as 10.85",
        ),
        ({"mean": "0", "sd": "1"}, "sd", "from 0 to 0, such as 0"),
        # Means at .42 and .58: sqrt(.42 x .58) = .49356
        ({"difference": "16", "sd": "49.4"}, "sd", "from 0 to 49.3, such as 24.65"),
    ],
    ids=str,
)
def test_an_impossible_mean_is_rejected_with_name_and_range(assumed, field, allowed):
    (error,) = plan(POINTS, **assumed).refused
    assert error.field == field
    assert error.message.startswith(f"{subject_of(field)} must be a number {allowed}")


@pytest.mark.parametrize(
    ("family", "last", "mean", "sd", "difference"),
    [("grid", "1", "50", "", ""), ("one_bit", "10", "50", "", "10"),
     ("grid", "10", "20", "25", "10"), ("one_bit", "1", "70", "5", "50"),
     ("grid", "10", "100", "0", ""), ("one_bit", "10", "12.5", "", "25")],
)  # fmt: skip
def test_every_figure_of_a_mean_matches_the_command(family, last, mean, sd, difference):
    typed = {"mean": mean, "sd": sd, "difference": difference}
    inputs = {"family": family, f"{family}__epsilon": "2", "scale__high": last}
    (panel,) = planned(
        inputs, **typed, respondents="800", margin="2.5", ratio="2", power="90",
        design_effect="1.5", response_rate="40",
    ).questions  # fmt: skip
    units = {
        name: float(value) / 100 * int(last) for name, value in typed.items() if value
    }
    command = plan_json_of(
        family, {"epsilon": 2, "points": int(last) + 1}, **units, respondents=800,
        margin=0.025 * int(last), ratio=2, power=0.9, design_effect=1.5,
        response_rate=0.4,
    )  # fmt: skip
    assert panel.plan.to_dict() == command


@pytest.mark.parametrize(
    "assumed",
    [{"difference": "100"}, {"difference": "0.1"}, {"difference": "100", "sd": "0"},
     {"sd": "50"}, {"difference": "50", "level": "0.8", "power": "50"},
     {"difference": "33.3", "sd": "47.1", "ratio": "0.01", "respondents": "1"},
     {"mean": "0"}, {"mean": "100", "sd": "0"}, {"mean": "5", "difference": "10"},
     {"mean": "83.3", "difference": "33.3", "sd": "2.2"}, {"mean": "16.7", "sd": "0",
     "difference": "33.3"}, {"mean": "0.1", "sd": "3.1", "margin": "0.1"},
     {"difference": "16", "sd": "49.3"}],
)  # fmt: skip
def test_means_are_planned_for_extreme_assumptions(client, researcher, assumed):
    for family, points in (("grid", "10"), ("one_bit", "1")):
        asked = {"family": family, f"{family}__epsilon": "1", "scale__high": points}
        response = ask(client, asked, **assumed)
        assert response.status_code == OK, response.content.decode()


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
def test_every_figure_of_a_share_matches_the_command(name):
    inputs, family, parameters = QUESTIONS[name]
    typed = {"share": "7.5", "respondents": "800", "margin": "2.5", "against": "30"}
    (panel,) = planned(inputs, **typed, prior="5").questions
    command = plan_json_of(
        family,
        parameters,
        share=0.075,
        respondents=800,
        margin=0.025,
        against=0.3,
        prior=0.05,
    )
    # Shuffle amplification takes up to a second, and the form does not show it.
    assert panel.plan.to_dict() == {**command, "pile": None}


@pytest.mark.parametrize(
    ("questions", "level", "epsilon", "verdict"),
    [
        ([], "note", "0.00", "no question yet"),
        # 5 ln 3 = 5.493, odds of 243 to 1.
        ([{**COIN, "number": [1, 2, 3, 4, 5]}], "warning", "5.50", "weak protection"),
        ([COIN, {"family": "direct"}], "note", "1.10", "a hint, never proof"),
    ],
    ids=str,
)
def test_weak_protection_is_warned_of(questions, level, epsilon, verdict):
    survey = planned(*questions).survey
    assert survey.verdict == {"level": level, "short": verdict}
    assert survey.epsilon == epsilon


def test_families_that_do_not_work_by_hand_show_a_caution():
    found = planned(COIN, STRONG, mode="hand")
    assert [question.caution for question in found.questions] == [
        "",
        "“Any epsilon” with these parameters does not work by hand.",
    ]
    first, *_more = found.survey.read.sentences
    assert first.startswith("You scramble each answer yourself")


def test_typed_text_is_escaped(client, researcher):
    answers = {**COIN, "yes_label": "<b>Yes</b> & more", "no_label": "5 %"}
    response = ask(client, answers)
    assert b"<b>Yes" not in response.content
    assert b"&lt;b&gt;Yes&lt;/b&gt; &amp; more" in response.content


def test_collapsed_questions_have_one_line():
    numbered = [{**COIN, "number": [1, 4]}, {**STRONG, "number": 2}]
    numbered.append({**SEVERAL, "number": 3})
    whole = planned(*numbered)
    found = planned(*numbered, shown="2 x 999")
    assert found.survey == whole.survey
    assert [each.table.numbers for each in found.panels] == [(2,)]
    lines = {
        each.table.numbers: replace_no_break_spaces(each.line) for each in found.lines
    }
    # The margins equal those of the panels.
    assert lines == {(1, 4): "ε 1.10 · ± 6.2 points", (3,): "ε 1.00 · ± 9.7 points"}
    for number, panel in ((0, "± 6.2 points"), (2, "± 9.7 points")):
        assert figures_of(whole.questions[number])["Margin of error"] == panel


def test_skipping_costs_as_much_precision_as_one_more_answer():
    """1.96 standard errors: 3.92 and 3.29 points at epsilon 1 and a share of 20 %."""
    question = {"family": "epsilon", "epsilon__epsilon": "1"}
    asked = {"share": "20", "respondents": "1000"}
    (panel,) = planned(question | {"skip": "on"}, **asked).questions
    figures = figures_of(panel)
    assert figures["Skipping"] == "± 6.4 points without it"
    assert figures["Margin of error"] == "± 7.7 points"
    assert panel.table.choices == ("Yes", "No", "Prefer not to answer")
    (panel,) = planned(question, **asked).questions
    figures = figures_of(panel)
    assert "Skipping" not in figures
    assert figures["Margin of error"] == "± 6.4 points"
