"""Tests of homogeneity: exact sums over all tables and published numbers."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chi2_contingency, fisher_exact, random_table

from candor.homogeneity import (
    MAX_EXACT,
    MIN_EXPECTED,
    NEVER,
    exact_test,
    holm,
    run_independence_test,
)
from candor.tolerance import is_at_most


class TestExact:
    def test_the_exact_test_reproduces_the_lady_tasting_tea(self):
        # Fisher 1935, The Design of Experiments, chapter 2: 3 of 4 cups right; one
        # side is 17/70, both 34/70.
        assert exact_test([[3, 1], [1, 3]]) == pytest.approx(34 / 70)

    def test_the_exact_test_agrees_with_scipy_on_many_tables(self):
        rng = np.random.default_rng(3)  # noqa: TID251 - seeded, so that it repeats
        for largest in (3, 10, 200, 50_000):
            for table in rng.integers(1, largest, (25, 2, 2)).tolist():
                expected = max(fisher_exact(table).pvalue, NEVER)
                assert exact_test(table) == pytest.approx(expected, rel=1e-6)

    @pytest.mark.parametrize("table", [[[0, 0], [3, 4]], [[0, 5], [0, 7]]])
    def test_equal_groups_are_not_rejected(self, table):
        assert exact_test(table) == 1

    def test_the_exact_test_handles_groups_of_a_billion(self):
        # z = 2.28216 without a correction: .02248
        table = [[400_000_000, 600_000_000], [399_950_000, 600_050_000]]
        assert exact_test(table) == pytest.approx(0.02248, abs=1e-5)
        table = [[400_000_000, 600_000_000], [300_000_000, 700_000_000]]
        assert exact_test(table) == NEVER
        # Three people: all, or none, of them, .125 each
        assert exact_test([[3, 0], [10**9, 10**9]]) == pytest.approx(0.25, rel=1e-6)

    def test_beyond_the_limit_the_approximation_takes_over(self):
        table = [[MAX_EXACT, 3 * MAX_EXACT], [MAX_EXACT + 10**5, 3 * MAX_EXACT]]
        expected = chi2_contingency(table, correction=False).pvalue
        assert exact_test(table) == pytest.approx(expected)


class TestIndependence:
    def test_large_counts_use_the_pearson_test(self):
        p_value, is_exact = run_independence_test([[310, 190], [170, 130]])
        # 2-statistics: 2.2222, one degree of freedom
        assert (p_value, is_exact) == (pytest.approx(0.1360, abs=5e-5), False)

    def test_small_counts_use_the_exact_test(self):
        assert run_independence_test([[4, 4], [4, 4]]) == (pytest.approx(1), True)
        least = [[MIN_EXPECTED] * 2] * 2
        assert run_independence_test(least) == (pytest.approx(1), False)

    def test_small_counts_in_larger_tables_are_enumerated(self):
        """Three groups of three, each with its own answer."""
        table = [[3, 0, 0], [0, 3, 0], [0, 0, 3]]
        # 6 of 9!/(3!)^3 = 1,680 permutations are as extreme.
        assert run_independence_test(table) == (pytest.approx(6 / 1680), True)

    @pytest.mark.parametrize(
        "table", [[[2, 10, 13], [5, 26, 34]], [[1, 13, 15], [3, 38, 43]]]
    )
    def test_the_table_nearest_to_independence_has_p_value_1(self, table):
        """No table with these sums is nearer to the expected one."""
        assert run_independence_test(table) == (pytest.approx(1), True)

    def test_tables_too_large_to_enumerate_use_exact_moments(self):
        table = np.array([[60, 70, 3], [80, 60, 2], [3, 4, 1]])
        p_value, is_exact = run_independence_test(table)
        assert not is_exact
        # Tables with the same sums, drawn elsewhere from a seed
        drawn = random_table.rvs(
            table.sum(axis=1), table.sum(axis=0), size=20_000, random_state=1
        )
        expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
        each, found = (
            ((counts - expected) ** 2 / expected).sum(axis=(-2, -1))
            for counts in (drawn, table)
        )
        assert p_value == pytest.approx((each >= found).mean(), abs=0.035)
        billion = [[4, 10**9, 10**9], [4, 10**9, 3 * 10**9]]
        assert run_independence_test(billion) == (NEVER, False)

    def test_exact_p_values_equal_their_probabilities(self):
        """All permutations of five reports: the p-value is never too small."""
        groups, found = (0, 0, 1, 1, 2), []
        for reports in permutations((0, 0, 1, 2, 2)):
            table = np.zeros((3, 3), dtype=int)
            np.add.at(table, (groups, reports), 1)
            found.append(tuple(map(tuple, table.tolist())))
        p_values = {table: run_independence_test(table)[0] for table in set(found)}
        ranked = sorted(p_values[table] for table in found)
        for rank, p_value in enumerate(ranked, start=1):
            as_small = sum(is_at_most(each, p_value) for each in ranked)
            assert p_value == pytest.approx(as_small / len(ranked)), rank

    @pytest.mark.parametrize("table", [[[50, 0], [50, 0]], [[0, 0], [0, 0]], [[9, 9]]])
    def test_tables_without_variation_have_no_p_value(self, table):
        assert run_independence_test(table) is None


def test_holm_adjustment_matches_the_published_example():
    # Holm 1979, by hand: 3 x .01, 2 x .03, and never below the one before
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1, 1]
    assert holm([0.2]) == [0.2]
    assert holm([]) == []
