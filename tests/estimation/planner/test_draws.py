"""The planner compares asking everyone every question with asking some."""

import math

import pytest
from django.http import QueryDict

from candor.estimands import mean_of_points, score_variance
from candor.mechanisms import build
from candor.planning.assumptions import ScaleAnswers
from candor.planning.budget import Kind, divide_budget
from estimation.pages.planner.panels import plan_survey
from estimation.pages.planner.views import expected_margin
from tests.estimation.planner.asked import (
    COIN,
    SEVERAL,
    query_of,
    replace_no_break_spaces,
)
from tests.factories import make_survey

ZERO_TO_TEN = {"scale__low": "0", "scale__high": "10", "scale__points": "11"}
SCALE = {**ZERO_TO_TEN, "family": "one_bit", "one_bit__epsilon": "1"}
FIVE = [{**COIN, "number": [1, 2, 3, 4, 5]}]


def compute_mean_variance(weights, shares):
    """Return the variance with the scale as unit."""
    mean = mean_of_points(len(weights))
    return score_variance(weights, shares, mean) / mean.span**2


def plan(questions=FIVE, **assumed):
    planner = plan_survey(QueryDict(query_of(questions, assumed)))
    assert not planner.refused
    return planner


@pytest.mark.parametrize("epsilon", [0.5, 2, 4])
def test_the_best_scale_mechanism_depends_on_the_assumed_mean(epsilon):
    # Three of ten at 0, six at 1, one at 4 of 0 to 4: mean 1, variance .6 + 1.6 - 1.
    shares = [0.3, 0.6, 0, 0, 0.1]
    kind = Kind(answers=5, scale=ScaleAnswers.of(5, mean=1, sd=math.sqrt(1.2)))
    by_family = [
        compute_mean_variance(build(way, epsilon=epsilon, points=5).weights, shares)
        for way in ("one_bit", "grid")
    ]
    found = kind.variance(epsilon, share=0.3)
    assert found == pytest.approx(min(by_family), rel=1e-5)


class TestAdvice:
    def test_asking_fewer_questions_is_suggested_if_more_precise(self):
        (text,) = plan(respondents="1000").survey.advice
        # Five coins have epsilon 5 ln 3 = 5.49 and n x Var 1; three at 1.83 have
        # 5/3 (1/4 + e^1.83 / (e^1.83 - 1)^2) = .795.
        best = divide_budget(5 * math.log(3), questions=5, share=0.5).best
        assert (best.asked, round(best.variance, 3)) == (3, 0.795)
        assert text.startswith("Questions 1\N{EN DASH}5: ")
        assert "5 of 5 per person" in text
        assert text.endswith("with 3, each at epsilon 1.83.")

    def test_no_advice_is_given_if_asking_all_is_best(self):
        strong = {"family": "epsilon", "epsilon__epsilon": "4", "number": [1, 2]}
        assert plan([strong]).survey.advice == ()
        assert plan([{**COIN, "number": [1]}]).survey.advice == ()

    def test_advice_on_several_answers_uses_their_own_mechanism(self):
        (text,) = plan([{**SEVERAL, "number": [1, 2, 3]}], share="25").survey.advice
        # k = 4, E = e^3 for one of three: a - b = (E - 1) / (E + 3) = .8267, lam = 1/4:
        # n x Var = 3 x .1875 / .8267^2 = .823; all three at epsilon 1: 2.077.
        best = divide_budget(3, questions=3, share=0.25, kinds=(Kind(answers=4),))
        assert [round(way.variance, 3) for way in best.ways[::2]] == [0.823, 2.077]
        assert "with 1, each at epsilon 2.99" in text
        assert "least precise" not in text


class TestFigures:
    def test_drawn_questions_have_margins_of_those_asked(self):
        everybody = plan(respondents="1000", margin="5")
        some = plan(respondents="1000", margin="5", draws="2 of 1-5")
        (of_all,), (of_some,) = everybody.questions, some.questions
        assert (of_all.asked, of_some.asked) == (1000, 400)
        assert of_some.margin == pytest.approx(of_all.margin * math.sqrt(5 / 2))
        assert of_some.plan.size.respondents == math.ceil(
            of_all.plan.size.respondents * 5 / 2
        )
        assert of_some.facts[0].text == "2 of 5 respondents, about 400"
        # The title and table of the curve refer to reports.
        for each in (some.survey.plot.name, some.survey.plot.caption):
            assert each.endswith(", of those asked")
        assert "of those asked" not in everybody.survey.plot.caption

    def test_invitations_are_for_all_respondents(self):
        text = plan(margin="5", draws="2 of 1-5", response_rate="50").questions[0].facts
        (invite,) = (each.text for each in text if each.label == "Invitations")
        # 5/2 of 1,537
        assert invite.startswith("7,686 for 3,843 people and")

    @pytest.mark.parametrize("question", [COIN, SCALE])
    def test_every_figure_uses_the_planned_confidence_level(self, question):
        usual, surer = (
            plan([{**question, "number": [1]}], respondents="1000", level=level)
            for level in ("0.95", "0.99")
        )
        wider = pytest.approx(2.575829 / 1.959964, rel=1e-6)
        assert surer.questions[0].margin / usual.questions[0].margin == wider
        both = [
            next(row for row in each.survey.plot.rows if "planned" in row.mark)
            for each in (usual, surer)
        ]
        ratio = float(both[1].margin[2:]) / float(both[0].margin[2:])
        assert ratio == pytest.approx(1.314, abs=0.02)
        assert "99 % confidence" in replace_no_break_spaces(surer.survey.plot.caption)

    @pytest.mark.parametrize(
        "asked",
        [
            {"family": "epsilon", "epsilon__epsilon": "0.01"},
            {**SCALE, "one_bit__epsilon": "0.01"},
        ],
    )
    def test_margins_beyond_the_scale_are_uninformative(self, asked):
        planner = plan([{**asked, "number": [1]}], respondents="1000")
        (question,) = planner.questions
        assert question.margin > 1
        assert question.figures[1].number == "tells nothing"
        assert question.line == "ε 0.01 · tells nothing"
        if asked["family"] == "epsilon":
            return
        (ways,) = (each.text for each in question.facts if each.label == "Mechanism")
        assert "“Scale, sent as High or Low”: tells nothing" in ways
        assert planner.survey.status.startswith(
            "Total epsilon 0.01. Margin of error tells nothing of the mean on 0 to 10"
        )

    def test_draws_that_cannot_be_read_are_refused(self):
        planner = plan_survey(QueryDict(query_of(FIVE, {"draws": "6 of 1-5"})))
        assert [each.field for each in planner.refused] == ["draws"]

    def test_draws_of_missing_questions_are_ignored(self):
        assert plan(draws="1 of 1-6").survey.epsilon == "5.50"


@pytest.mark.django_db
def test_the_expected_margin_of_a_mean_is_relative_to_its_scale():
    scale = ("grid", {"epsilon": 1, "points": 11})
    survey = make_survey([scale], opened=False, target=1000)
    mechanism = survey.questions.get().mechanism
    points = len(mechanism.answers)
    variance = compute_mean_variance(mechanism.weights, [1 / points] * points)
    expected = 1.959964 * math.sqrt(variance / 1000)
    assert expected_margin(survey) == pytest.approx(expected, rel=1e-6)
