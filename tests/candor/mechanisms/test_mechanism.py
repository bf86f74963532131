"""Properties of every mechanism, run over all families."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest

from candor.estimands import scores
from candor.mechanisms import Mechanism, build, load_families
from candor.mechanisms.composition import compose
from candor.mechanisms.epsilon import epsilon_rounded_up
from candor.mechanisms.randomness import randomise
from tests.candor.mechanisms.checks import (
    check_draw_comes_first,
    check_every_pair,
    check_every_word,
    check_rejection,
    check_steps,
    every_example,
    rescaled,
)
from tests.reference import exp_bounds, worst_ratio

SMALL_TOTAL = 2**10
SMALL_PRIME = 251
"""Does not divide 2**8: five words of 256 must be drawn again."""

EXAMPLES = list(every_example())


@pytest.fixture(params=EXAMPLES, ids=[f"{name}{given}" for name, given in EXAMPLES])
def mechanism(request):
    family, parameters = request.param
    return build(family, **parameters)


def test_report_frequencies_over_all_words_match_the_weights(mechanism):
    weights = mechanism.weights
    if mechanism.total > SMALL_TOTAL:
        weights = rescaled(weights, SMALL_PRIME)
    check_every_word(randomise, weights, 8 if sum(weights[0]) <= 2**8 else 12)


def test_every_pair_of_words_gives_independent_reports(mechanism):
    weights = mechanism.weights
    if mechanism.total > 2**4:
        weights = rescaled(weights, 13)
    check_every_pair(randomise, weights, 4)


def test_the_report_changes_exactly_at_the_running_sums(mechanism):
    check_steps(randomise, mechanism.weights)


def test_words_beyond_the_last_full_lap_are_drawn_again(mechanism):
    check_rejection(randomise, mechanism.weights)


def test_a_word_is_drawn_before_the_answer_is_read(mechanism):
    check_draw_comes_first(randomise, mechanism.weights)


def test_an_unbiased_estimate_exists(mechanism):
    """The expected score of each answer's reports is its unit vector.

    For a scale sent as one bit, it is the point of the scale.
    """
    if not mechanism.identifies_shares:
        bottom, *between, top = (
            Fraction(high, high + low)
            for high, low, *_none in mechanism.weights[: mechanism.points]
        )
        step = (top - bottom) / (len(between) + 1)
        assert between == [
            bottom + step * point for point in range(1, len(between) + 1)
        ]
        return
    numerators, denominator = scores(mechanism.weights)
    expected = np.array(mechanism.weights, dtype=object) @ numerators
    unit = np.identity(len(mechanism.answers), dtype=object)
    assert (expected == mechanism.total * denominator * unit).all()


def test_epsilon_is_the_largest_log_ratio_and_never_understated(mechanism):
    ratio = worst_ratio(mechanism.weights)
    assert mechanism.worst_ratio == ratio
    if ratio is None:
        assert mechanism.epsilon == math.inf
        assert epsilon_rounded_up(ratio) == "∞"
        return
    below, _ = exp_bounds(Fraction(mechanism.epsilon))
    assert below >= ratio
    _, above = exp_bounds(Fraction(math.nextafter(mechanism.epsilon, 0)))
    assert above < ratio

    shown = Fraction(epsilon_rounded_up(ratio))
    assert exp_bounds(shown)[0] >= ratio
    assert exp_bounds(shown - Fraction(1, 100))[1] < ratio


def test_only_a_marked_family_shows_its_answers(mechanism):
    family = load_families()[mechanism.family]
    assert mechanism.is_protected == (family.is_protected and not family.is_one_sided)
    assert mechanism.is_protected == (mechanism.epsilon <= 10)
    assert mechanism.is_scrambled == family.is_protected
    assert bool(mechanism.proofs) == family.is_one_sided


@pytest.mark.parametrize(
    ("family", "parameters", "proofs"),
    [
        ("forced_yes", {"forced_yes": "1/2"}, {"no": "no"}),
        ("forced_no", {"forced_no": "1/2"}, {"yes": "yes"}),
        ("triangular", {"prevalence": "1/4"}, {"neither": "no"}),
        ("coin", {}, {}),
        ("direct", {}, {}),
    ],
)
def test_proofs_map_reports_to_the_answers_they_reveal(family, parameters, proofs):
    assert build(family, **parameters).proofs == proofs


def test_it_survives_being_stored_as_json(mechanism):
    stored = json.loads(json.dumps(mechanism.to_dict()))
    assert Mechanism.from_dict(stored) == mechanism
    assert set(stored) == {"family", "parameters", "answers", "reports", "weights"}


def test_the_parameters_it_keeps_build_the_same_table(mechanism):
    again = build(mechanism.family, **mechanism.parameters)
    assert again == mechanism


@pytest.mark.parametrize("name", load_families())
def test_randomising_by_name_and_by_position_agree(name):
    family = load_families()[name]
    mechanism = family.build(**{p.name: p.example for p in family.parameters})
    for position, answer in enumerate(mechanism.answers):
        for word in (0, mechanism.total // 2, mechanism.total - 1):
            report = mechanism.randomise(answer, lambda word=word: word)
            drawn = randomise(mechanism.weights, position, lambda word=word: word)
            assert report == mechanism.reports[drawn]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda m: m.randomise("maybe"), ValueError, "answer must be one of yes, no"),
        (lambda m: m.randomise(0), TypeError, "answer must be one of yes, no; got 0"),
        (lambda m: m.probability("1", given="no"), ValueError, "report must be one of"),
        (lambda m: m.probability("no", given="1"), ValueError, "given must be one of"),
    ],
)
def test_unknown_answers_and_reports_are_rejected(call, error, message):
    with pytest.raises(error, match=message):
        call(build("coin"))


def test_a_prior_is_a_probability():
    with pytest.raises(ValueError, match=r"prior must be in \[0, 1\]; got 2"):
        compose([build("coin")]).posterior(Fraction(2))
