"""Each family against the table and the epsilon of its publication."""

import math

import pytest

from candor.mechanisms import ParameterError, build, load_families
from candor.mechanisms.epsilon import epsilon_rounded_up
from candor.mechanisms.mechanism import compute_total_ratio

PUBLISHED = [
    # family, parameters, table, e**epsilon, where it is stated
    ("coin", {}, ((3, 1), (1, 3)), 3),  # Dwork & Roth 2014, section 3.2: ln 3
    ("die", {}, ((2, 1), (1, 2)), 2),
    ("warner", {"p": "3/4"}, ((3, 1), (1, 3)), 3),  # Warner 1965 with p = .75
    ("warner", {"p": "1/4"}, ((1, 3), (3, 1)), 3),
    # A die, 1-4 the truth, 5 "yes", 6 "no": Blair, Imai & Zhou 2015
    ("forced_response", {"forced_yes": "1/6", "forced_no": "1/6"}, ((5, 1), (1, 5)), 5),
    # Two dice: a sum of 2-4 is "yes" (6 of 36), 11-12 is "no" (3 of 36)
    (
        "forced_response",
        {"forced_yes": "1/6", "forced_no": "1/12"},
        ((11, 1), (2, 10)),
        10,
    ),
    (
        "custom",
        {"p_yes_given_yes": "5/6", "p_yes_given_no": "1/6"},
        ((5, 1), (1, 5)),
        5,
    ),
    (
        "custom",
        {"p_yes_given_yes": "11/12", "p_yes_given_no": "1/12"},
        ((11, 1), (1, 11)),
        11,
    ),
    (
        "custom",
        {"p_yes_given_yes": "11/12", "p_yes_given_no": "1/6"},
        ((11, 1), (2, 10)),
        10,
    ),
    # lambda = p pi + (1 - p) prevalence: Greenberg et al. 1969
    (
        "unrelated_question",
        {"p_sensitive": "2/3", "prevalence": "1/4"},
        ((9, 3), (1, 11)),
        9,
    ),
    # lambda = pi p + (1 - pi)(1 - p): Yu, Tian & Tang 2008
    ("crosswise", {"prevalence": "1/4"}, ((1, 3), (3, 1)), 3),
    ("kuk", {"p_red_given_yes": "4/5", "p_red_given_no": "1/5"}, ((4, 1), (1, 4)), 4),
]


@pytest.mark.parametrize(("family", "parameters", "weights", "odds"), PUBLISHED)
def test_a_published_design_has_its_table_and_epsilon(
    family, parameters, weights, odds
):
    mechanism = build(family, **parameters)
    assert [
        [weight * mechanism.total // sum(row) for weight in row] for row in weights
    ] == [list(row) for row in mechanism.weights]
    assert mechanism.worst_ratio == odds
    assert mechanism.epsilon == pytest.approx(math.log(odds), rel=1e-15)


def test_a_direct_question_is_marked_and_infinite():
    mechanism = build("direct")
    assert mechanism.weights == ((1, 0), (0, 1))
    assert mechanism.epsilon == math.inf
    assert not mechanism.is_protected
    unmarked = [name for name, family in load_families().items() if family.is_protected]
    assert set(load_families()) - set(unmarked) == {"direct", "direct_choice"}


def test_published_families_stay():
    published = "coin crosswise custom die direct epsilon forced_response kuk"
    published += " k_ary unrelated_question warner"
    assert set(published.split()) <= set(load_families())


@pytest.mark.parametrize("name", ["", "coins", "Coin", "base", "table", "../coin"])
def test_an_unknown_family_is_refused_with_the_known_ones(name):
    with pytest.raises(ParameterError, match="family must be one of coin, crosswise"):
        build(name)


def test_an_unknown_parameter_is_named_in_the_error():
    message = r"q must be left out \(Warner takes p\); got '1/3'"
    with pytest.raises(ParameterError, match=message):
        build("warner", p="1/4", q="1/3")
    with pytest.raises(
        ParameterError, match=r"p must be left out \(Coin flip takes no"
    ):
        build("coin", p="1/4")


def test_epsilons_add_over_questions():
    # Dwork & Roth 2014, theorem 3.14: ln 3 + ln 2 = ln 6
    assert compute_total_ratio([build("coin"), build("die")]) == 6
    assert (
        epsilon_rounded_up(compute_total_ratio([build("coin"), build("die")])) == "1.80"
    )
    assert compute_total_ratio([]) == 1
    assert compute_total_ratio([build("coin"), build("direct")]) is None
