from functools import partial

import numpy as np
import pytest
from scipy.stats import binom

from candor.mechanisms import build
from candor.planning import power as planning
from candor.planning.bound_power import OneSidedPower
from tests.candor.planning.planned import power_of

TABLES = {
    "coin": build("coin"),
    "forced yes": build("forced_response", forced_yes="1/3", forced_no="1/100"),
    "crosswise": build("crosswise", prevalence="1/4"),
    "direct": build("direct"),
}


sample_size = partial(planning.sample_size, method="one-sided")
exact_test = partial(power_of, method="one-sided")


def every_power(null, alternative, alpha, most):
    """Return the power for each n up to `most`, by scipy's quantiles."""
    n = np.arange(1, most + 1)
    critical = binom.isf(alpha, n, null)
    return n, critical, binom.sf(critical, n, alternative)


DESIGNS = [
    (null, alternative, alpha, power)
    for null, alternative in [
        (0.001, 0.2), (0.05, 0.1), (0.25, 0.3), (0.3, 0.9), (0.6, 0.7), (0.97, 1),
        (0.99, 0.999),
    ]
    for alpha in (0.001, 0.05, 0.5)
    for power in (0.55, 0.8, 0.99)
]  # fmt: skip


@pytest.mark.parametrize(("null", "alternative", "alpha", "power"), DESIGNS)
def test_first_and_safe_sizes_match_an_exhaustive_search(
    null, alternative, alpha, power
):
    test = OneSidedPower(null=null, alternative=alternative, alpha=alpha)
    first, safe = test.sizes(power)
    assert first == test.first(power)
    n, critical, powers = every_power(null, alternative, alpha, 3 * safe + 200)
    short = n[powers < power]
    assert first == n[powers >= power][0]
    assert safe == (short[-1] + 1 if len(short) else 1)
    for respondents in (1, first, safe, int(n[-1])):
        assert test.critical_count(respondents) == critical[respondents - 1]


def test_one_report_impossible_under_the_null_rejects_it():
    # Direct question against 0: 1 - .9^n >= .8 from n = 16 on.
    found = sample_size(build("direct"), share=0.1, against=0)
    assert (found.first, found.safe) == (16, 16)
    nearly = sample_size(build("direct"), share=0.1, against=1e-300)
    assert (nearly.first, nearly.safe) == (16, 16)
    sure = sample_size(build("direct"), share=1, against=0)
    assert (sure.first, sure.safe) == (1, 1)


@pytest.mark.parametrize(("share", "against"), [(0.3, 0.15), (0.15, 0.3), (1, 0)])
@pytest.mark.parametrize("name", TABLES)
def test_size_and_power_are_the_probabilities_of_rejection(name, share, against):
    mechanism = TABLES[name]
    found = exact_test(mechanism, respondents=120, share=share, against=against)

    def rejecting(true_share):
        yes, no = (
            float(mechanism.probability(found.report, given=answer))
            for answer in mechanism.answers
        )
        chance = no + (yes - no) * true_share
        counts = np.arange(found.critical_count + 1, 121)
        return binom.pmf(counts, 120, chance).sum()

    assert found.size == pytest.approx(rejecting(against), abs=1e-12)
    assert found.power == pytest.approx(rejecting(share), abs=1e-12)
    assert found.size <= 0.05 < found.power
    assert found.direction == ("above" if share > against else "below")


def test_testing_below_mirrors_testing_above():
    above = sample_size(build("coin"), share=0.2, against=0.1)
    below = sample_size(build("coin"), share=0.8, against=0.9)
    assert (above.direction, below.direction) == ("above", "below")
    assert (below.normal, below.first, below.safe) == (534, 549, 566)
    assert (above.normal, above.first, above.safe) == (534, 549, 566)


def test_an_excessive_sample_size_is_none():
    found = sample_size(build("coin"), share=0.10001, against=0.1)
    assert found.normal > 10**9
    assert found.first is found.safe is None


@pytest.mark.parametrize(
    ("name", "share", "against"),
    [
        ("coin", 0.1001, 0.1),
        # One run has half a million respondents; followed the other way, only one.
        ("direct", 2e-6, 1e-6),
        ("direct", 1e-6, 2e-6),
    ],
)
def test_sample_sizes_of_millions_are_exact(name, share, against):
    bound = {"share": share, "against": against}
    found = sample_size(TABLES[name], **bound)
    assert 10**6 < found.first < found.safe
    before, at, short, kept = (
        exact_test(TABLES[name], respondents=n, **bound).power
        for n in (found.first - 1, found.first, found.safe - 1, found.safe)
    )
    assert before < 0.8 <= at
    assert short < 0.8 <= kept


def test_symmetric_answers_are_tested_one_against_the_rest():
    found = sample_size(build("k_ary", epsilon=1, choices=2), share=0.2, against=0.1)
    two = sample_size(build("epsilon", epsilon=1), share=0.2, against=0.1)
    assert (found.first, found.safe) == (two.first, two.safe)
    three = sample_size(build("k_ary", epsilon=1, choices=3), share=0.2, against=0.1)
    assert three.safe > two.safe
