"""Coverage and width of the intervals, by enumerating every count."""

from itertools import product

import numpy as np
import pytest

from tests.candor.intervals.enumeration import (
    DESIGNS,
    SHARES,
    coverage,
    expected_width,
    limits,
    shares_where_coverage_is_lowest,
    shortest_possible_width,
)

# 0.95 less the rounding error of a sum of ten thousand floats.
PROMISED = 0.95 - 1e-6

# The exact study behind the choice of methods, `statistics.md`: n, method,
# smallest coverage over shares and designs, mean width over the shortest possible one.
STUDY = [
    (10, "feldman-cousins", 0.950, 1.084),
    (30, "feldman-cousins", 0.950, 1.052),
    (100, "feldman-cousins", 0.950, 1.034),
    (10, "pratt", 0.950, 1.078),
    (30, "pratt", 0.950, 1.046),
    (100, "pratt", 0.950, 1.028),
    (10, "bayes", 0.437, 0.995),
    (30, "bayes", 0.532, 0.998),
    (100, "bayes", 0.646, 1.001),
]

HALF_A_DIGIT = 0.0005 + 1e-9

# Large samples with the weakest and an ordinary design, and one without symmetry: each
# of their many counts has an interval.
CASES = [
    *product((10, 30, 100, 300), DESIGNS, ("feldman-cousins", "pratt")),
    *product((1000, 3000), ("coin, ln 3", "11/12 and 1/6"), ("feldman-cousins",)),
    *product((1000, 10_000), ("epsilon .1",), ("feldman-cousins",)),
]


@pytest.mark.parametrize(("n", "design", "method"), CASES)
def test_intervals_cover_every_share_and_grow_with_the_count(n, design, method):
    shares = shares_where_coverage_is_lowest(n, design, method)
    assert coverage(n, design, method, shares).min() >= PROMISED
    _, low, high = limits(n, design, method)
    assert (low >= 0).all()
    assert (high <= 1).all()
    assert (high > low).all()
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) >= 0).all()


@pytest.mark.parametrize(("n", "method", "smallest", "relative_width"), STUDY)
def test_the_study_behind_the_choice_is_reproduced(n, method, smallest, relative_width):
    found, width = study_row(n, method)
    assert found == pytest.approx(smallest, abs=HALF_A_DIGIT)
    # The study read the Bayesian interval off a grid.
    within = 0.0015 if method == "bayes" else HALF_A_DIGIT
    assert width == pytest.approx(relative_width, abs=within)


def study_row(n, method):
    smallest = min(
        coverage(
            n, design, method, shares_where_coverage_is_lowest(n, design, method)
        ).min()
        for design in DESIGNS
    )
    widths = [
        np.trapezoid(expected_width(n, design, method), SHARES)
        / shortest_possible_width(n, design)
        for design in DESIGNS
    ]
    return smallest, float(np.mean(widths))
