"""The plan as a whole: which figures belong to which question, and its JSON."""

import doctest
import json
import math
from dataclasses import FrozenInstanceError
from fractions import Fraction

import numpy as np
import pytest

from candor import dichotomies, poisoning, validation
from candor.mechanisms import build
from candor.planning import (
    budget,
    circumstances,
    groups,
    power,
    precision,
    privacy_cost,
)
from candor.planning import reading as posterior_reading
from candor.planning.plan import make_plan
from candor.planning.planned import plan_as_object

PARTS = [
    "precision", "poisoning", "pile", "size", "smallest_epsilon", "sample_size", "test",
]  # fmt: skip


WITH_EXAMPLES = [
    budget, groups, poisoning, posterior_reading, power, precision, privacy_cost,
]  # fmt: skip


@pytest.mark.parametrize("module", WITH_EXAMPLES, ids=lambda each: each.__name__)
def test_the_examples_are_true(module):
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed


def parts_of(**options):
    plan = make_plan(build("coin"), **options)
    return [name for name in PARTS if getattr(plan, name) is not None]


def test_a_part_is_there_where_its_question_was_asked():
    assert parts_of() == []
    assert parts_of(respondents=100) == ["precision", "poisoning", "pile"]
    assert parts_of(margin=0.1) == ["size"]
    assert parts_of(against=0.1) == ["sample_size"]
    assert parts_of(respondents=100, margin=0.1, against=0.1) == PARTS


def test_reports_that_stay_together_have_no_pile_of_their_own():
    assert "pile" not in parts_of(respondents=100, questions=2)


def test_epsilons_of_all_questions_are_shared_out():
    plan = make_plan(build("coin"), questions=5)
    assert plan.total_epsilon == pytest.approx(5 * math.log(3))
    assert plan.questions.total_epsilon == plan.total_epsilon
    assert plan.questions.all_asked.epsilon_each == pytest.approx(math.log(3))


def test_a_question_without_protection_has_no_epsilon_to_share_out():
    plan = make_plan(build("direct"), questions=5)
    assert plan.total_epsilon == math.inf
    assert plan.questions is None


def test_half_is_assumed_where_nothing_is():
    assert make_plan(build("coin")).share == 0.5


def test_above_a_million_respondents_the_margin_is_all():
    plan = make_plan(build("coin"), respondents=10**6 + 1)
    assert plan.precision.expected_half_width is None
    assert plan.precision.margin == pytest.approx(0.00196, abs=5e-6)


def test_a_plan_does_not_change():
    plan = make_plan(build("coin"))
    with pytest.raises(FrozenInstanceError):
        plan.share = 0.1


@pytest.mark.parametrize("family", ["coin", "direct"])
@pytest.mark.parametrize("share", [0, 0.1])
def test_its_object_is_strict_json(family, share):
    plan = make_plan(
        build(family), share=share, respondents=50, margin=0.1, against=0.3, prior=0
    )
    written = json.dumps(plan_as_object(plan), allow_nan=False)
    assert json.loads(written) == plan_as_object(plan)


def test_what_has_no_bound_or_meaning_is_null():
    found = plan_as_object(make_plan(build("direct"), share=0, respondents=50, prior=0))
    assert found["epsilon"] is found["total_epsilon"] is found["questions"] is None
    assert found["pile"]["epsilon"] is None
    assert found["reading"]["factor"] is None
    assert found["reading"]["reports"][0]["posterior"] is None
    assert found["precision"]["standard_errors"]["noise_ratio"] is None
    coin = plan_as_object(make_plan(build("coin"), share=0))
    assert coin["cost_of_privacy"] is None


def test_fractions_and_numpys_numbers_become_plain_ones():
    plan = make_plan(
        build("coin"),
        share=Fraction(1, 10),
        margin=np.float64(0.05),
        respondents=np.int64(1000),
        against=Fraction(1, 5),
    )
    found = json.loads(json.dumps(plan_as_object(plan)))
    assert found["share"] == 0.1
    assert found["size"]["respondents"] == 1291
    assert found["precision"]["respondents"] == 1000


def test_every_argument_is_checked_once(monkeypatch):
    seen = []

    def watched(check):
        def noted(*arguments, **options):
            named = (each for each in arguments if isinstance(each, str))
            seen.append(next(named, "mechanism"))
            return check(*arguments, **options)

        return noted

    monkeypatch.setattr(validation.Range, "check", watched(validation.Range.check))
    for name, module in (
        ("check_whole", circumstances),
        ("check_mechanism", dichotomies),
    ):
        watching = watched(getattr(validation, name))
        monkeypatch.setattr(module, name, watching)
        monkeypatch.setattr(validation, name, watching)
    make_plan(build("coin"), respondents=1000, margin=0.05, against=0.1)
    assert sorted(seen) == [
        "against", "alpha", "confidence_level", "design_effect", "forged", "margin",
        "mechanism", "power", "prior", "questions", "respondents", "response_rate",
        "share",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        ({"share": 2}, ValueError, r"share must be a number in \[0, 1\].* got 2"),
        ({"confidence_level": 1}, ValueError, "confidence_level must be"),
        ({"respondents": 0}, ValueError, "respondents must be a whole number"),
        ({"margin": 1}, ValueError, "margin must be"),
        ({"against": 0.5}, ValueError, "against must differ from share"),
        ({"alpha": 0.9}, ValueError, "alpha must be"),
        ({"power": 0.01}, ValueError, "power must be"),
        ({"prior": -1}, ValueError, "prior must be"),
        ({"questions": 201}, ValueError, "questions must be"),
        ({"questions": 1.5}, TypeError, "questions must be a whole number"),
        ({"forged": -1}, ValueError, r"forged must be a whole number in \[0, "),
        ({"forged": 11, "respondents": 10}, ValueError, r"forged .* \[0, 10\]; got 11"),
    ],
    ids=str,
)
def test_bad_arguments_are_refused_by_name_range_and_value(bad, error, message):
    with pytest.raises(error, match=message):
        make_plan(build("coin"), **bad)
