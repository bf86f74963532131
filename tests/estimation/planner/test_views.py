"""The planner's view: every figure that the form shows."""

import pytest

from tests.estimation.maths.planning.planned import TABLES, plan_json_of, rounds_to
from tests.estimation.planner.asked import COIN, SEVERAL, STRONG, planned, words
from tests.factories import make_user


@pytest.fixture
def researcher(client, db):
    client.force_login(make_user())


def test_one_question_with_everything_that_is_asked_of_a_planner(client, researcher):
    found = planned(client, COIN, share=20, against=10, respondents=1000, margin=5)
    (question,) = found["questions"]
    assert question["protection"]["epsilon"] == "1.10"
    assert question["protection"]["verdict"] == "A hint, never proof"
    assert question["stop"] == "coin"
    assert question["respondents_read"] == {
        "language": "en",
        "sentences": [
            "Of 100 people whose answer is Yes, about 75 arrive as Yes and 25 as No.",
            "Of 100 people whose answer is No, about 25 arrive as Yes and 75 as No.",
        ],
        "conclusion": "So what we receive about you is a hint, never proof.",
    }
    # Warner 1965: lam = 0.35, M = 1.96 sqrt(0.35 * 0.65 / 1000) / 0.5 = 0.0591.
    assert words(question["precision"]["margin"]) == "± 5.9 points"
    assert question["precision"]["with"] == "with 1,000 people"
    # n = 1.96**2 * 0.35 * 0.65 / (0.25 * 0.05**2) = 1398.3
    assert question["size"]["respondents"] == "1,399"
    assert words(question["size"]["for"]) == "for ± 5 points"
    # 0.35 * 0.65 / (0.25 * 0.2 * 0.8) = 5.69
    assert question["cost"]["number"] == "5.7"
    # A suspicion of 10 %: 25 % and 3.6 % (docs/planning.md), bounded outwards.
    assert words(question["suspicion"]["sentence"]) == (
        "A suspicion of 10 % becomes at most 25 %, and at least 3.5 %."
    )
    # From .1 to .2 with a coin: 566 respondents (docs/planning.md).
    assert words(question["test"]["sentence"]) == (
        "To show that more than 10 % say Yes, if in truth 20 % do, it takes 566 "
        "people: then 80 % of such surveys show it."
    )
    # One forged report counts 1.5 times (docs/planning.md): 0.15 points of 1,000.
    assert words(question["precision"]["forged"]) == (
        "One forged report can move the result by 0.15 points."
    )
    # Directly: 1.96**2 * 0.16 / 0.05**2 = 245.9, and 1.96 sqrt(0.16 / 1000) = 0.0248.
    assert words(question["direct"]) == (
        "With honest answers to a direct question: 246 people for ± 5 points, or ± 2.5 "
        "points with 1,000 people."
    )
    assert question["scope"] is None
    assert question["caution"] is None


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
def test_every_figure_is_that_of_the_command(client, researcher, name, share):
    inputs, family, parameters = QUESTIONS[name]
    typed = {"share": share, "respondents": "800", "margin": "2.5", "against": "30"}
    (question,) = planned(client, inputs, **typed, prior="5")["questions"]
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
    assert question["figures"] == {**command, "pile": None}


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
    needed = int(question["size"]["respondents"].replace(",", ""))
    assert needed == TABLES["respondents"]["0.05"][share][name]
    cost = TABLES["cost_of_privacy"][share][name]
    # The page has one decimal, from ten on none; the table has two or three digits.
    assert float(question["cost"]["number"]) == pytest.approx(float(cost), abs=0.5)
    assert rounds_to(question["figures"]["cost_of_privacy"], cost)


@pytest.mark.parametrize(
    ("respondents", "margin", "told"),
    [
        # Best epsilon for n and M at one half (published tables): 1.45, .68, and
        # none for 1,000 people and 3 points, which a direct question misses too.
        (1000, 5, "With 1,000 people, ± 5 points can be had with epsilon 1.45, not"),
        (10_000, 3, "With 10,000 people, ± 3 points can be had with epsilon 0.68, not"),
        (1000, 3, "Not even a direct question reaches ± 3 points with 1,000 people"),
    ],
)
def test_the_strongest_protection_for_the_plan_is_named(
    client, researcher, respondents, margin, told
):
    found = planned(client, COIN, respondents=respondents, margin=margin)
    assert words(found["questions"][0]["strongest"]).startswith(told)


def test_examples_are_called_examples(client, researcher):
    (question,) = planned(client, COIN)["questions"]
    # At shares of one half: 1.96 sqrt(1/4 / 1000) / (1/2) = 0.062; 1,537 for 5 points.
    assert words(question["precision"]["margin"]) == "± 6.2 points"
    assert question["precision"]["with"] == "with 1,000 people, an example"
    assert question["size"]["respondents"] == "1,537"
    assert words(question["size"]["for"]) == "for ± 5 points, an example"
    assert question["test"] == {}


def test_the_whole_survey_adds_epsilons_up_and_names_the_least_precise(
    client, researcher
):
    found = planned(client, {**COIN, "number": [1, 3]}, {**STRONG, "number": 2})
    survey = found["survey"]
    # 2 ln 3 + 0.5 = 2.697, rounded up; odds shift e**2.697 = 14.8 times.
    assert survey["epsilon"] == "2.70"
    assert survey["bar"] == pytest.approx(26.97, abs=0.01)
    assert survey["questions"] == "3 questions"
    assert survey["level"] == "good"
    assert "shift the odds of an answer 15 times at most" in survey["sentence"]
    assert survey["which"] == "question 2, the least precise"
    assert survey["least_precise"] == [2]
    # 1.96 sqrt(0.25 + 3.918) / sqrt(1000) = 0.1265; 6,405 people (docs/planning.md).
    assert words(survey["precision"]["margin"]) == "± 12.7 points"
    assert survey["size"]["respondents"] == "6,405"
    assert words(survey["status"]) == (
        "Total epsilon 2.70. Margin of error ± 12.7 points with 1,000 people, an "
        "example."
    )


@pytest.mark.parametrize(
    ("questions", "level", "epsilon", "told"),
    [
        ([], "note", "0.00", "Add a question"),
        # 4 ln 3 = 4.39; 5 ln 3 = 5.493, e**5.493 = 243.
        ([{**COIN, "number": [1, 2, 3, 4]}], "good", "4.40", "81 times at most"),
        ([{**COIN, "number": [1, 2, 3, 4, 5]}], "warning", "5.50", "up to 243 times"),
        ([COIN, {"family": "direct"}], "danger", "∞", "is the answer itself"),
    ],
    ids=["none", "four coins", "five coins", "direct"],
)
def test_weak_protection_is_warned_of(
    client, researcher, questions, level, epsilon, told
):
    survey = planned(client, *questions)["survey"]
    assert (survey["level"], survey["epsilon"]) == (level, epsilon)
    assert told in survey["sentence"]
    assert 0 <= survey["bar"] <= 100


def test_the_curve_has_the_numbers_of_its_table(client, researcher):
    curve = planned(client, COIN, respondents=1000, margin=5)["survey"]["curve"]
    marked = {row["mark"]: row for row in curve["rows"] if row["mark"]}
    # 1.96 sqrt(1/4 / 1000) / (1/2) = 0.062, half of it directly.
    assert marked["planned"] == {
        "respondents": "1,000",
        "margin": "± 6.2",
        "direct": "± 3.1",
        "mark": "planned",
    }
    assert words(curve["alternative"]).startswith(
        "Margin of error against the number of respondents."
    )
    assert "1,000 people: ± 6.2 points, direct question ± 3.1 points" in words(
        curve["alternative"]
    )
    assert "1,537" in [row["respondents"] for row in curve["rows"]]


def test_several_answers_are_planned_as_far_as_they_can_be(client, researcher):
    found = planned(client, SEVERAL, share=25, against=10)
    (question,) = found["questions"]
    assert "those of one answer" in question["scope"]
    assert "cannot be said here" in question["scope"]
    assert question["respondents_read"]["sentences"] == [
        "Of 100 people with the same answer, about 48 arrive as that answer. The other "
        "52 spread evenly over the other answers. This is so for every answer."
    ]
    assert question["precision"]["margin"]
    assert "say Notes" in question["test"]["sentence"]
    # E / (E + 9) and 1 / (1 + 9 E) with E = e, rounded outwards.
    assert words(question["suspicion"]["sentence"]) == (
        "A suspicion of 10 % becomes at most 23.2 %, and at least 3.9 %."
    )
    assert [row["answer"] for row in question["chances"]["rows"]] == [
        "Notes",
        "A phone",
        "Both",
        "Neither",
    ]


def test_respondents_read_it_in_the_language_of_the_survey(client, researcher):
    found = planned(client, {**COIN, "yes_label": "Stimmt"}, language="de")
    read = found["questions"][0]["respondents_read"]
    assert read["language"] == "de"
    assert read["sentences"][0] == (
        "Von 100 Menschen mit der Antwort „Stimmt“ kommen etwa 75 als „Stimmt“ und 25 "
        "als „Nein“ bei uns an."
    )
    # The researcher's page stays English.
    assert found["questions"][0]["protection"]["verdict"] == "A hint, never proof"


def test_what_nobody_can_do_by_hand_is_said(client, researcher):
    found = planned(client, COIN, STRONG, mode="hand")
    cautions = [question["caution"] for question in found["questions"]]
    assert cautions == [
        None,
        "“Any epsilon” with these parameters cannot be carried out by hand.",
    ]
    read = found["survey"]["respondents_read"]["sentences"]
    assert read[0].startswith("You scramble each answer yourself")
