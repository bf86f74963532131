"""Each broken sampler must fail the checks that the real one passes.

A check that passes one of these would prove nothing about the real sampler.
"""

import pytest

from candor.mechanisms import build
from candor.mechanisms.randomness import randomise
from tests.candor.mechanisms import broken_samplers as broken
from tests.candor.mechanisms.checks import (
    check_draw_comes_first,
    check_every_pair,
    check_every_word,
    check_rejection,
    check_steps,
)

DIE = build("die").weights
AWKWARD = build("epsilon", epsilon=10).weights


def every_word(sampler):
    check_every_word(sampler, DIE, 8)


def every_pair(sampler):
    check_every_pair(sampler, DIE, 4)


def steps(sampler):
    check_steps(sampler, AWKWARD)


def rejection(sampler):
    check_rejection(sampler, AWKWARD)


def draw_comes_first(sampler):
    check_draw_comes_first(sampler, DIE)


CHECKS = [every_word, every_pair, steps, rejection, draw_comes_first]

CAUGHT_BY = [
    (broken.without_rejection, {every_word, rejection}),
    (broken.with_rejection_one_late, {every_word, rejection}),
    (broken.with_rejection_of_a_lap_too_many, {every_word, rejection, steps}),
    (broken.with_rows_swapped, {every_word, every_pair, steps}),
    (broken.without_noise, {every_word, every_pair, steps}),
    (broken.with_too_little_noise, {every_word, steps}),
    (broken.with_steps_one_late, {every_word, every_pair, steps}),
    (broken.with_scaling, {every_word, steps, rejection}),
    (broken.with_one_word_more_for_yes, {every_word, steps, rejection}),
    (broken.with_the_answer_read_first, {draw_comes_first}),
    (broken.Reused, {every_word, every_pair, steps, rejection}),
]


@pytest.mark.parametrize("check", CHECKS)
def test_the_sampler_in_use_passes(check):
    check(randomise)


@pytest.mark.parametrize(
    ("sampler", "check"),
    [
        pytest.param(sampler, check, id=f"{sampler.__name__}-{check.__name__}")
        for sampler, checks in CAUGHT_BY
        for check in CHECKS
        if check in checks
    ],
)
def test_a_broken_sampler_is_caught(sampler, check):
    with pytest.raises(AssertionError):
        check(broken.Reused() if sampler is broken.Reused else sampler)
