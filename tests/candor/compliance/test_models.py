"""Models of non-compliance: equations, published figures, coverage."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

import candor

FIRST = candor.mechanism("forced_response", forced_yes="2/8", forced_no="1/8")
SECOND = candor.mechanism("forced_response", forced_yes="6/8", forced_no="1/8")
CROSSWISE = candor.mechanism("crosswise", prevalence="0.15")

FALSE_ALARM = 1e-4
SURVEYS = 60
MIN_COVERAGE = 0.90
"""The target is 0.95; a lower coverage would be an error, not a small sample."""

MIN_COVERED = binom.ppf(FALSE_ALARM, SURVEYS, MIN_COVERAGE)


def of_two(yes, n):
    return {"yes": yes, "no": n - yes}


def test_it_gives_the_figures_of_the_package_rrreg():
    """`RRuni(y, model="CDMsym", p=c(2/8, 1/8, 6/8, 1/8), group=g)` of RRreg 0.7.6.

    310 of 800 and 510 of 800 are yes. Its variances are divided by n - 1.
    """
    table = candor.estimate_cheating(FIRST, of_two(310, 800), SECOND, of_two(510, 800))
    yes, no, cheaters = table
    assert [row.raw for row in table] == pytest.approx([0.3, 0.5, 0.2])
    for row, error in ((yes, 0.0311032), (cheaters, 0.0247893)):
        assert row.standard_error == pytest.approx(error * (799 / 800) ** 0.5, rel=1e-5)
    assert no.estimate == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize(
    ("counts", "honest", "one_saying", "error"),
    [
        ((109, 60, 46, 139), 0.131, 0.106, 0.049),
        ((270, 192, 129, 324), 0.213, 0.131, 0.031),
    ],
)
def test_the_estimated_share_of_cheaters_matches_the_package_rrsp1(
    counts, honest, one_saying, error
):
    """Surveys A and C of its `doping`; `sp_one` of RRsp1 1.0, M1 (M. Cruyff)."""
    first, second = (
        candor.mechanism("crosswise", prevalence=each) for each in ("0.2", "0.8")
    )
    names = first.reports
    table = candor.estimate_cheating(
        first,
        dict(zip(names, counts[:2], strict=True)),
        second,
        dict(zip(names, counts[2:], strict=True)),
    )
    cheaters = table["cheaters"]
    assert cheaters.estimate == pytest.approx(one_saying, abs=5e-4)
    assert cheaters.standard_error == pytest.approx(error, abs=5e-4)
    # The package reports the share among those who do not always say "one".
    share = table["honest yes"].estimate / (1 - cheaters.estimate)
    assert share == pytest.approx(honest, abs=1e-3)


def test_intervals_cover_the_shares_of_the_three_kinds():
    """Near the edge, where coverage is lowest."""
    shares = 0.05, 0.95, 0
    draws = np.random.default_rng(20261127)  # noqa: TID251 -- simulates
    honest_yes, honest_no, _cheaters = shares
    chances = [honest_yes * 7 / 8 + honest_no * forced for forced in (2 / 8, 6 / 8)]
    covered = np.zeros(3)
    for _ in range(SURVEYS):
        yes = [int(draws.binomial(500, chance)) for chance in chances]
        table = candor.estimate_cheating(
            FIRST, of_two(yes[0], 500), SECOND, of_two(yes[1], 500)
        )
        covered += [
            row.low - 1e-9 <= share <= row.high + 1e-9
            for row, share in zip(table, shares, strict=True)
        ]
    assert (covered >= MIN_COVERED).all()


PAIRS = list(product(CROSSWISE.reports, repeat=2))


def test_it_gives_the_figures_of_the_package_cwise():
    """`bc.est` of its README: .1950 without, .1054 with the anchor, .7729 attentive.

    The two questions have 1427 and 1541 of 2,000 reports "same".
    """
    pairs = dict(zip(PAIRS, (1099, 328, 442, 131), strict=True))
    table = candor.estimate_attentive(CROSSWISE, CROSSWISE, pairs)
    assert table["yes"].raw == pytest.approx(0.1054, abs=5e-5)
    assert table["attentive"].raw == pytest.approx(0.7729, abs=5e-5)
    naive = candor.estimate(CROSSWISE, {"same": 1427, "different": 573})
    assert naive["yes"].raw == pytest.approx(0.1950, abs=5e-5)


def test_intervals_cover_the_share_among_attentive_respondents():
    share, attentive = 0, 0.7
    draws = np.random.default_rng(20261127)  # noqa: TID251 -- simulates
    same = share * 0.15 + (1 - share) * 0.85
    first, anchor = (np.array([p, 1 - p]) for p in (same, 0.85))
    chances = attentive * np.outer(first, anchor).ravel() + (1 - attentive) / 4
    covered = np.zeros(2)
    for _ in range(SURVEYS):
        counts = map(int, draws.multinomial(1000, chances))
        pairs = dict(zip(PAIRS, counts, strict=True))
        table = candor.estimate_attentive(CROSSWISE, CROSSWISE, pairs)
        covered += [
            row.low - 1e-9 <= true <= row.high + 1e-9
            for row, true in zip(table, (share, attentive), strict=True)
        ]
    assert (covered >= MIN_COVERED).all()


def test_the_standard_error_equals_the_simulated_standard_deviation():
    draws = np.random.default_rng(20261127)  # noqa: TID251 -- simulates
    chances = 0.8 * np.outer([0.78, 0.22], [0.85, 0.15]).ravel() + 0.2 / 4
    drawn = draws.multinomial(2000, chances, size=10_000)
    same, anchor_same = (drawn @ each / 2000 for each in ([1, 1, 0, 0], [1, 0, 1, 0]))
    attentive = (anchor_same - 0.5) / 0.35
    raws = (0.85 - (same - (1 - attentive) / 2) / attentive) / 0.7
    pairs = dict(zip(PAIRS, (int(2000 * chance) for chance in chances), strict=True))
    row = candor.estimate_attentive(CROSSWISE, CROSSWISE, pairs)["yes"]
    assert row.raw == pytest.approx(raws.mean(), abs=0.005)
    # The spread of 10,000 has a relative error of 0.7 %; five of these are 1 in 10**6.
    assert raws.std() == pytest.approx(row.standard_error, rel=0.035)


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        (of_two(1, 1), of_two(0, 1), "one report"),
        (of_two(0, 100), of_two(0, 100), "identical reports"),
        (of_two(100, 100), of_two(0, 100), "misfit"),
        (of_two(45, 100), of_two(65, 100), "ok"),
    ],
)
def test_rows_have_a_status_and_a_positive_standard_error(first, second, status):
    table = candor.estimate_cheating(FIRST, first, SECOND, second)
    assert {str(row.status) for row in table} == {status}
    assert all(row.standard_error > 0 for row in table)


@pytest.mark.parametrize(
    ("counts", "status"),
    [
        ((1, 0, 0, 0), "one report"),
        ((0, 0, 0, 100), "misfit"),
        ((0, 40, 60, 0), "misfit"),
        ((1099, 328, 442, 131), "misfit"),
        ((1160, 267, 381, 192), "ok"),
    ],
)
def test_an_anchor_that_contradicts_the_question_is_a_misfit(counts, status):
    """Inattentive respondents guess twice, so the pairs follow from both questions."""
    pairs = dict(zip(PAIRS, counts, strict=True))
    table = candor.estimate_attentive(CROSSWISE, CROSSWISE, pairs)
    assert {str(row.status) for row in table} == {status}


def test_the_raw_share_is_nan_if_no_respondent_is_attentive():
    pairs = dict(zip(PAIRS, (0, 50, 50, 0), strict=True))
    row = candor.estimate_attentive(CROSSWISE, CROSSWISE, pairs)["yes"]
    assert np.isnan([row.raw, row.standard_error]).all()


def test_an_anchor_that_looks_like_random_answers_is_rejected():
    coin = candor.mechanism("forced_response", forced_yes="1/2", forced_no="1/4")
    pairs = {("same", "yes"): 5, ("different", "no"): 5}
    with pytest.raises(ValueError, match="anchor must have reports that depend"):
        candor.estimate_attentive(CROSSWISE, coin, pairs)
