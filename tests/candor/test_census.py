"""Intervals for a census, and intervals that allow for forged reports."""

import numpy as np
import pytest

from candor.census import (
    census_interval,
    compute_count_tail,
    find_equal_tailed_interval,
    tabulate_count_chances,
)
from candor.dichotomies import make_channel
from candor.intervals import share_interval
from candor.mechanisms import build
from candor.poisoning import forgery_proof_interval

COIN, DIRECT = build("coin"), build("direct")
CHANNEL = make_channel(COIN)
LIMITS = ("low", "high")


def of_yes(yes, n):
    return {"yes": yes, "no": n - yes}


def limits_of(n, mechanism, level=0.95):
    found = [
        census_interval(mechanism, of_yes(x, n), confidence_level=level)
        for x in range(n + 1)
    ]
    return np.array([each.low for each in found]), np.array(
        [each.high for each in found]
    )


def smallest_coverage(low, high, channel=CHANNEL):
    n = len(low) - 1
    chances, numbers = tabulate_count_chances(n, channel), np.arange(n + 1)[:, None]
    return (chances * ((low <= numbers) & (numbers <= high))).sum(axis=1).min()


def test_a_class_of_thirty_has_the_published_width_and_coverage():
    # Statistics note, section 1, census mode: .498 against .551, at least .962.
    low, high = limits_of(30, COIN)
    assert smallest_coverage(low, high) == pytest.approx(0.9616, abs=5e-5)
    chances = tabulate_count_chances(30, CHANNEL)
    assert ((chances @ (high - low)) / 30).mean() == pytest.approx(0.498, abs=5e-4)
    sample = [share_interval(x, CHANNEL.design(30)) for x in range(31)]
    widths = np.array([each.high - each.low for each in sample])
    assert (chances @ widths).mean() == pytest.approx(0.551, abs=5e-4)


@pytest.mark.parametrize(
    "mechanism",
    [build("custom", p_yes_given_yes="11/12", p_yes_given_no="1/6"),
     build("custom", p_yes_given_yes="11/20", p_yes_given_no="9/20")],
)  # fmt: skip
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_census_intervals_cover_every_number(mechanism, level):
    low, high = limits_of(14, mechanism, level)
    assert smallest_coverage(low, high, make_channel(mechanism)) >= level
    assert (low <= high).all()


def test_count_probabilities_are_those_of_a_sum_of_two_binomials():
    # Two people, one of them with the answer: .75 .25, .75 .75 + .25 .25, .25 .75.
    assert tabulate_count_chances(2, CHANNEL)[1] == pytest.approx(
        [0.1875, 0.625, 0.1875]
    )
    # 500 people: every sum is 1, and the smallest chance does not underflow.
    chances = tabulate_count_chances(500, CHANNEL)
    assert chances.sum(axis=1) == pytest.approx(np.ones(501))
    assert chances[500, 0] == pytest.approx(0.25**500, rel=1e-9, abs=0)


def test_a_direct_census_is_exact():
    for n in (30, 1500):
        found = census_interval(DIRECT, of_yes(12, n))
        assert (found.low, found.estimate, found.high) == (12, 12, 12)


@pytest.mark.parametrize("yes", [0, 37, 120])
def test_computed_tail_probabilities_match_table_sums(yes):
    row = tabulate_count_chances(120, CHANNEL)[yes]
    for x in (0, 29, 45, 60, 120):
        at_most = compute_count_tail(x, yes, 120, CHANNEL)
        assert at_most == pytest.approx(row[: x + 1].sum(), rel=1e-9, abs=1e-18)


def test_equal_tailed_census_intervals_keep_their_level():
    """Each number of 60 is covered with a chance of 95 % at least."""
    found = [find_equal_tailed_interval(x, 60, CHANNEL, 0.025) for x in range(61)]
    low, high = (np.array([getattr(each, end) for each in found]) for end in LIMITS)
    assert 0.95 <= smallest_coverage(low, high) < 0.98


@pytest.mark.parametrize("n", [501, 100_000, 10**9])
def test_the_margin_of_a_large_census_is_that_of_the_mechanism(n):
    # Two coins: g = E/(E - 1)^2 = 3/4, standard error sqrt(g/n); within two people.
    found = census_interval(COIN, of_yes(round(n * 0.35), n))
    margin = 1.959964 * np.sqrt(0.75 * n)
    assert found.estimate == pytest.approx(n / 5, abs=1)
    assert found.low == pytest.approx(n / 5 - margin, abs=2)
    assert found.high == pytest.approx(n / 5 + margin, abs=2)


def test_the_smaller_of_two_equally_likely_numbers_is_estimated():
    # At p_yes_given_no = 1/4 as many as 30 of 120 are as likely from 0 as from 1.
    assert census_interval(COIN, of_yes(30, 120)).estimate == 0


def test_a_census_estimates_the_chosen_answer():
    three = build("k_ary", epsilon=2, choices=3)
    found = census_interval(three, {"1": 9, "2": 14, "3": 7}, answer="2")
    assert found.low < found.estimate < found.high
    mirrored = census_interval(COIN, of_yes(12, 30), answer="no")
    first = census_interval(COIN, of_yes(12, 30))
    assert (mirrored.low, mirrored.high) == (30 - first.high, 30 - first.low)


@pytest.mark.parametrize("method", ["feldman-cousins", "pratt"])
def test_the_forgery_proof_interval_contains_the_honest_one(method):
    design, forged = CHANNEL.design(40), 3
    for sent in (0, 2, 9, 17, 39, 40):
        low, high = forgery_proof_interval(
            COIN, of_yes(sent, 40), forged=forged, method=method
        )
        for honest in range(max(0, sent - forged), min(40, sent + forged) + 1):
            inside = share_interval(honest, design, method=method)
            assert low <= inside.low
            assert inside.high <= high


def test_forgery_proof_intervals_with_no_and_all_reports_forged():
    honest = share_interval(40, CHANNEL.design(100))
    assert forgery_proof_interval(COIN, of_yes(40, 100), forged=0) == honest
    assert forgery_proof_interval(COIN, of_yes(40, 100), forged=100) == (0, 1)
    with pytest.raises(ValueError, match=r"forged must be .* \[0, 100\]; got 101"):
        forgery_proof_interval(COIN, of_yes(40, 100), forged=101)
