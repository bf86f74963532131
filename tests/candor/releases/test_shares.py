"""Shares from released counts: the interval covers and allows for the noise."""

from fractions import Fraction
from functools import cache, partial
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from benchmarks.validation.exact import released
from candor.binary import BinaryChannel
from candor.dichotomies import find_answer_dichotomy
from candor.mechanisms import build
from candor.releases.noise import DiscreteLaplace, summed
from candor.releases.shares import (
    MIN_ALPHA,
    End,
    ParticipantCount,
    compute_error_with_noise,
    compute_released_design_fit,
    compute_released_p_value,
    find_released_interval,
    find_released_intervals,
    respondents_between,
)
from candor.sample import Sample

COIN, DIRECT = build("coin"), build("direct")
THREE = build("k_ary", epsilon="1", choices=3)


def interval(mechanism, counts, epsilon, place=0, level=0.95):
    noise = DiscreteLaplace(Fraction(epsilon))
    dichotomy = find_answer_dichotomy(mechanism, place)
    return find_released_interval(counts, dichotomy, noise, confidence_level=level)


@pytest.mark.parametrize("mechanism", [COIN, DIRECT], ids=["coin", "direct"])
def test_released_intervals_cover_the_share(mechanism):
    found = released(8, "3", mechanisms=(mechanism,), shares=(0.0, 0.2, 0.5, 1.0))
    assert min(found.found) >= 0.95


def test_little_noise_gives_nearly_the_clopper_pearson_interval():
    # Of 100 reports 40: .30329 to .50279 at 95 %, and somewhat wider here.
    low, high = interval(DIRECT, [40, 60], "20")
    assert 0.295 < low < 0.30329
    assert 0.50279 < high < 0.512


@pytest.mark.parametrize("mechanism", [COIN, DIRECT, THREE], ids=str)
def test_released_intervals_have_a_length_and_stay_in_range(mechanism):
    cells = len(mechanism.answers)
    for counts in product((-20, -1, 0, 3, 40), repeat=cells):
        for place in range(cells):
            low, high = interval(mechanism, counts, "1/2", place)
            assert 0 <= low < high <= 1


def test_impossible_released_counts_count_as_the_nearest_possible():
    # Of 60 at least 10 report no: 60 (1 - 5/6), which floats put below 10.
    die = BinaryChannel(p_yes_given_yes=5 / 6, p_yes_given_no=1 / 6).mirrored.design(60)
    noise = summed(DiscreteLaplace(Fraction(1)), 1)
    shares = [
        End(count=count, design=die, noise=noise, one_side=0.025).find_highest_share()
        for count in (-5, 9, 10, 11)
    ]
    assert shares[0] == shares[1] == shares[2] < shares[3]


def test_released_intervals_of_two_shares_are_complementary():
    noise = DiscreteLaplace(Fraction(1, 2))
    yes, no = find_released_intervals(COIN, [38, 61], noise, confidence_level=0.9)
    assert yes == interval(COIN, [38, 61], "1/2", level=0.9)
    assert no == (1 - yes.high, 1 - yes.low)
    three = find_released_intervals(THREE, [38, 61, 50], noise, confidence_level=0.9)
    assert three[1] == interval(THREE, [38, 61, 50], "1/2", 1, level=0.9)


def took_part(released, epsilon="1", *, everybody=True):
    noise = DiscreteLaplace(Fraction(epsilon))
    return ParticipantCount(released=released, noise=noise, all_have_reports=everybody)


def test_participation_counts_bound_the_respondents():
    noise = DiscreteLaplace(Fraction(1, 5))
    between = partial(respondents_between, [180, 215], noise, 0.005)
    low, high = between()
    # At half of the misses: reach 6 of noise with epsilon 1, P(N > 6) = .00067
    assert between(took_part(400)) == (394, 406)
    assert between(took_part(400, everybody=False)) == (low - 4, 406)
    assert high > 406
    # A contradiction counts as a miss; the ends must stay in order.
    assert between(took_part(900)) < between(took_part(900))[::-1]
    counts, dichotomy = [180, 215], find_answer_dichotomy(COIN, 0)
    more, less = (
        find_released_interval(
            counts, dichotomy, noise, confidence_level=0.95, took_part=known
        )
        for known in (None, took_part(400))
    )
    assert more.low < less.low < less.high < more.high


def test_intervals_with_known_respondents_keep_their_coverage():
    # All counts of 8 respondents and all likely noise; the rest counts as missed.
    noise, dichotomy = DiscreteLaplace(Fraction(3)), find_answer_dichotomy(COIN, 0)
    n, share = 8, 0.3
    sent, held = np.arange(n + 1), 0.0
    reports = binom.pmf(sent, n, dichotomy.channel.report_chance(share))
    for total in (-1, 0, 1):
        for yes, no in product(range(-2, n + 3), repeat=2):
            both = noise.probability(yes - sent) * noise.probability(no - n + sent)
            chances = reports * both
            if chances.sum() < 1e-6:
                continue
            found = find_released_interval(
                [yes, no],
                dichotomy,
                noise,
                confidence_level=0.9,
                took_part=took_part(n + total, "3"),
            )
            if found.low <= share <= found.high:
                held += chances.sum() * noise.probability(total)
    assert held >= 0.9


@cache
def fit(*counts, mechanism=COIN, epsilon="1/2"):
    noise = DiscreteLaplace(Fraction(epsilon))
    return compute_released_design_fit(mechanism, counts, noise, miss=0.001)


def test_only_deviations_beyond_the_noise_are_misfits():
    assert fit(40, 60) == 1
    # 14 of 100 is a misfit of exact counts, P = .0054, but not of noisy ones.
    assert fit(14, 86) > 0.01
    assert fit(100, 900) < 1e-9
    assert fit(50, 45, 5, mechanism=THREE) > 0.01
    assert fit(500, 450, 50, mechanism=THREE, epsilon="2") < 1e-9


def test_the_standard_error_includes_the_noise_of_every_count():
    # Share 0.3 of 1,000, coin: s(yes) = 1.5, s(no) = -.5: noise variance
    # (1.2^2 + .8^2) Var(N) / 10^6, added to that of the reports.
    sample = Sample.of(COIN, {"yes": 400, "no": 600})
    noise = DiscreteLaplace(Fraction(1, 10))
    found = compute_error_with_noise(
        COIN,
        0,
        standard_error=sample.standard_error("yes"),
        raw=sample.raw("yes"),
        respondents=1000,
        noise=noise,
    )
    added = (1.44 + 0.64) * noise.standard_deviation**2 / 1e6
    assert found**2 == pytest.approx(sample.standard_error("yes") ** 2 + added)


@pytest.mark.parametrize("mechanism", [COIN, DIRECT, THREE], ids=str)
@pytest.mark.parametrize("is_above", [True, False])
def test_the_released_p_value_agrees_with_the_intervals(mechanism, is_above):
    noise, known = DiscreteLaplace(Fraction(1, 4), 2), took_part(1003)
    counts = [*[520, 310, 160][: len(mechanism.answers) - 1]]
    counts.append(1000 - sum(counts))
    dichotomy = find_answer_dichotomy(mechanism, 0)
    given = {"dichotomy": dichotomy, "noise": noise, "took_part": known}
    for bound in (0.3, 0.45, 0.52, 0.6):
        p = compute_released_p_value(counts, bound=bound, is_above=is_above, **given)
        for alpha in (1e-6, 0.001, 0.01, 0.05, 0.1, 0.2, 0.5, p * 1.0001, p * 0.9999):
            if not MIN_ALPHA < alpha < 1:
                continue
            low, high = find_released_interval(
                counts, confidence_level=1 - alpha, **given
            )
            is_beyond = low > bound if is_above else high < bound
            assert is_beyond == (p <= alpha), (bound, alpha, p)


def test_claims_beyond_the_ends_of_the_scale_have_p_value_1():
    given = {
        "dichotomy": find_answer_dichotomy(COIN, 0),
        "noise": DiscreteLaplace(Fraction(1)),
    }
    for counts in ([-4, -9], [0, 0], [70, 30], [900, -3]):
        assert compute_released_p_value(counts, bound=1, is_above=True, **given) == 1
        assert compute_released_p_value(counts, bound=0, is_above=False, **given) == 1
