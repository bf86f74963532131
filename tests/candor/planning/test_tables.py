"""Every cell of the published planning tables, through `plan --format json`."""

from fractions import Fraction

import pytest

from candor.dichotomies import make_channel
from candor.planning.privacy import compute_shuffled_privacy
from tests.candor.planning.planned import (
    TABLES,
    half_a_digit,
    mechanism_of,
    plan_json,
    plan_json_of,
    rounds_to,
)


def test_cost_of_privacy():
    for share, row in TABLES["cost_of_privacy"].items():
        for name, cell in row.items():
            found = plan_json(name, share=share)["cost_of_privacy"]
            assert rounds_to(found, cell), (share, name)


def test_respondents_for_a_margin():
    for margin, shares in TABLES["respondents"].items():
        for share, row in shares.items():
            for name, cell in row.items():
                found = plan_json(name, share=share, margin=margin)["size"]
                assert found["respondents"] == cell, (margin, share, name)


def test_smallest_epsilon():
    for row in TABLES["smallest_epsilon"]:
        asked = {name: row[name] for name in ("respondents", "margin", "share")}
        found = plan_json("coin", **asked)["smallest_epsilon"]["epsilon"]
        none = row["epsilon"] is None
        assert found is None if none else rounds_to(found, row["epsilon"]), row


def test_standard_errors():
    for row in TABLES["standard_errors"]:
        asked = {"share": row["share"], "respondents": row["respondents"]}
        found = plan_json(row["mechanism"], **asked)["precision"]["standard_errors"]
        for name in ("direct", "central", "local"):
            assert rounds_to(found[name], row[name]), (row, name)


@pytest.mark.parametrize("row", TABLES["sample_size"], ids=str)
def test_sample_size(row):
    # The published figures are one-tailed.
    asked = {"share": row["share"], "against": row["against"], "alpha": 0.05}
    found = plan_json(row["mechanism"], **asked)
    for name in ("normal", "first", "safe"):
        assert found["sample_size"][name] == row[name]


def shuffled(name, respondents):
    mechanism = mechanism_of(name)
    return compute_shuffled_privacy(
        make_channel(mechanism), respondents=respondents, epsilon=mechanism.epsilon
    )


@pytest.mark.parametrize("respondents", TABLES["pile"])
@pytest.mark.parametrize("name", ["coin", "ln 10", "epsilon .5", "epsilon 4"])
def test_shuffle_amplification(respondents, name):
    cell = TABLES["pile"][respondents][name]
    found = shuffled(name, int(respondents))
    assert found.delta == 1e-6
    # The published figures assume equal answers of all others. Mixed answers can be
    # worse by up to 1 %; the figure is never below the worst.
    assert rounds_to(min(found.epsilon, float(cell)), cell)
    assert found.epsilon <= 1.01 * float(cell) + half_a_digit(cell)


@pytest.mark.parametrize(("name", "respondents"), TABLES["pile_halved"].items())
def test_shuffling_halves_epsilon_from_the_documented_number(name, respondents):
    before, at = (shuffled(name, n).epsilon for n in (respondents - 1, respondents))
    assert at <= mechanism_of(name).epsilon / 2 < before


@pytest.mark.parametrize("questions", TABLES["sharing"])
def test_documented_figures_on_sharing_a_budget_match(questions):
    for budget, cells in TABLES["sharing"][questions].items():
        # Equal parts of the questions add up to the budget.
        each = {"epsilon": Fraction(budget) / int(questions)}
        found = plan_json_of("epsilon", each, questions=questions)
        assert found["total_epsilon"] == pytest.approx(float(budget), abs=1e-5)
        for name in ("one_asked", "all_asked", "best"):
            assert rounds_to(found["questions"][name]["variance"], cells[name])
        assert found["questions"]["by_rule"]["asked"] == cells["asked"]
        assert found["questions"]["best"]["asked"] == cells["asked"]


@pytest.mark.parametrize(("share", "cell"), TABLES["asked_two_from"].items())
def test_two_questions_beat_one_from_the_documented_budget(share, cell):
    for step, asked in ((-0.01, 1), (0.01, 2)):
        epsilon = (float(cell) + step) / 2
        found = plan_json_of("epsilon", {"epsilon": epsilon}, questions=2, share=share)
        assert found["questions"]["best"]["asked"] == asked
