"""Results of a survey that draws questions: each counts those who were asked it."""

import pytest

from candor.differences import Difference
from candor.estimands import Estimand
from candor.mechanisms import build
from candor.mechanisms.draws import NOT_ASKED
from candor.sample import Sample
from estimation.rows.independent_samples import are_arms, compare_arms
from estimation.rows.shares import get_results
from surveys.design import get_design
from tests.estimation.pages import get
from tests.factories import make_survey

pytestmark = pytest.mark.django_db

OPTIONS = {"confidence_level": 0.95, "method": "feldman-cousins"}

_ = NOT_ASKED
# Everyone is asked the first coin, then another coin or a die. Yes is report 0.
ARMS = {
    bytes([0, 0, _]): 60,
    bytes([0, 1, _]): 40,
    bytes([1, 0, _]): 50,
    bytes([1, 1, _]): 50,
    bytes([0, _, 0]): 30,
    bytes([0, _, 1]): 60,
    bytes([1, _, 0]): 40,
    bytes([1, _, 1]): 70,
}


def make_arms(questions=("coin", "coin", "die"), **fields):
    return make_survey(questions, draws="1 of 2, 3", counts=ARMS, **fields)


def test_each_share_uses_only_respondents_who_were_asked():
    results = get_results(make_arms())
    always, first, second = results.questions
    assert [q.respondents for q in results.questions] == [400, 200, 200]
    assert [q.missing for q in results.questions] == [0, 200, 200]
    # Yes in 190 of 400, 110 of 200 and 70 of 200: (p - 1/4) / (1/2), and of the die
    # (p - 1/3) / (1/3).
    assert always.rows[0].raw == pytest.approx((190 / 400 - 1 / 4) * 2)
    assert first.rows[0].raw == pytest.approx((110 / 200 - 1 / 4) * 2)
    assert second.rows[0].raw == pytest.approx((70 / 200 - 1 / 3) * 3)
    # The spread of 200, not of 400: sqrt(.55 * .45 / 199) * 2.
    assert first.rows[0].standard_error == pytest.approx((0.55 * 0.45 / 199) ** 0.5 * 2)
    assert first.design_fit > 0.5


class TestArms:
    def test_only_questions_never_asked_together_are_arms(self):
        design = get_design(make_arms())
        assert are_arms(design, 2, 3)
        assert not are_arms(design, 1, 2)
        assert not are_arms(design, 2, 2)
        two = make_survey(("coin",) * 3, slug="two", draws="2 of 1-3")
        assert not are_arms(get_design(two), 1, 2)

    def test_arms_are_compared_as_two_independent_samples(self):
        found = compare_arms(make_arms(), 2, 3, **OPTIONS)
        coin = Sample.of(build("coin"), {"yes": 110, "no": 90})
        die = Sample.of(build("die"), {"yes": 70, "no": 130})
        expected = Difference(coin, die, Estimand.make_share(0, answers=2), 0.95)
        (row,) = found.differences
        assert row.estimate == pytest.approx(0.60 - 0.05)
        assert (row.low, row.high) == (expected.low, expected.high)
        # Variances add up: (.2475 * 4 + .2275 * 9) / 200, with 199 for 200 in both.
        assert row.standard_error**2 == pytest.approx(
            (0.55 * 0.45 * 4 + 0.35 * 0.65 * 9) / 199
        )
        assert (found.respondents, found.missing) == (400, 0)

    def test_arms_with_other_answers_are_refused(self, client):
        three = ("k_ary", {"epsilon": "1", "choices": 3})
        survey = make_arms(("coin", "coin", three))
        answer = get(client, "compare", survey, first=2, second=3)
        assert answer.status_code == 400
        assert "no mean or share in common" in answer.content.decode()
