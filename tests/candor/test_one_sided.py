"""The one-sided p-value agrees with the interval and hand calculations."""

import pytest
from scipy.stats import binom

from candor.mechanisms import build
from candor.one_sided import one_sided_p_value
from candor.sample import Sample

COIN = build("coin")


def p_of(yes, bound, **options):
    return one_sided_p_value(
        COIN, {"yes": yes, "no": 100 - yes}, bound=bound, **options
    )


def test_the_p_value_agrees_with_the_end_of_the_interval():
    # 40 yes of 100 under two coins: the 95 % interval begins at .11416.
    assert p_of(40, 0.114) <= 0.05
    assert p_of(40, 0.1142) > 0.05
    # By hand, bound 0: P(X >= 40 | .25).
    assert p_of(40, 0) == pytest.approx(binom.sf(39, 100, 0.25), rel=1e-9)
    assert p_of(20, 0.1) == 1
    assert p_of(99, 1) == 1


@pytest.mark.parametrize("method", ["feldman-cousins", "pratt"])
def test_testing_below_equals_testing_the_other_answer_above(method):
    below = p_of(30, 0.4, is_above=False, method=method)
    assert below == p_of(30, 0.6, answer="no", method=method)
    assert below < 0.05


@pytest.mark.parametrize("method", ["feldman-cousins", "pratt"])
@pytest.mark.parametrize("level", [0.1, 0.49, 0.77])
def test_large_p_values_are_where_the_interval_ends_too(method, level):
    # The count nearest to its expectation at the bound may rank below its neighbours.
    for n in range(1, 13):
        for yes in range(n + 1):
            sample = Sample(COIN, (yes, n - yes))
            low = sample.interval("yes", level, method).low
            for bound in (0.0, 0.04, 0.21, 0.68, 0.93):
                found = one_sided_p_value(
                    COIN, {"yes": yes, "no": n - yes}, bound=bound, method=method
                )
                assert (found <= 1 - level) == (low > bound), (n, yes, bound)


def test_a_method_without_a_test_is_refused():
    with pytest.raises(
        ValueError, match="method must be one of feldman-cousins, pratt"
    ):
        p_of(40, 0.1, method="bayes")
