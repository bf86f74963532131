import math

import pytest
from scipy.optimize import brentq

from candor.planning.budget import EPSILON_EACH, advise_on_questions
from candor.planning.fieldwork import Draw


def advise(questions, budget, *, share=0.5):
    draw = Draw(questions=questions, asked=questions)
    return advise_on_questions(draw, total_epsilon=budget, share=share)


def noise(epsilon):
    return math.exp(epsilon) / (math.exp(epsilon) - 1) ** 2


@pytest.mark.parametrize("share", [0, 0.1, 0.5])
@pytest.mark.parametrize(("questions", "budget"), [(1, 0.5), (4, 3), (9, 12), (200, 1)])
def test_the_best_way_is_the_most_precise_of_all(questions, budget, share):
    variances = {
        asked: questions / asked * (share * (1 - share) + noise(budget / asked))
        for asked in range(1, questions + 1)
    }
    found = advise(questions, budget, share=share)
    assert found.best.variance == pytest.approx(min(variances.values()))
    for way in (found.best, found.by_rule, found.one_asked, found.all_asked):
        assert way.variance == pytest.approx(variances[way.asked])
        assert way.epsilon_each * way.asked == pytest.approx(budget)
    assert (found.one_asked.asked, found.all_asked.asked) == (1, questions)


def test_the_rule_comes_from_the_best_epsilon_for_a_question():
    # t minimising t [1/4 + g(t)] solves sinh t = 2 t: 2.18 at shares of one half.
    root = brentq(lambda t: math.sinh(t) - 2 * t, 1, 4)
    assert root == pytest.approx(2.18, abs=0.005)
    assert pytest.approx(root, abs=0.05) == EPSILON_EACH


@pytest.mark.parametrize(
    ("budget", "asked"), [(0.01, 1), (3.29, 1), (3.3, 2), (5.51, 3), (100, 5)]
)
def test_one_question_for_every_two_point_two_of_the_budget(budget, asked):
    assert advise(5, budget).by_rule.asked == asked
