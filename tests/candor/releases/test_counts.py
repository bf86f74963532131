"""Released counts: arguments, guarantee and reading back."""

from fractions import Fraction

import numpy as np
import pytest

from candor import Release, release
from candor.releases.counts import compute_count_interval, compute_histogram_sensitivity
from candor.releases.noise import DiscreteGaussian, DiscreteLaplace


def test_a_release_reports_noise_epsilon_delta_and_sensitivity():
    found = release(120, epsilon="0.5", sensitivity=2)
    assert found.noise == DiscreteLaplace(Fraction(1, 2), 2)
    assert (found.epsilon, found.delta, found.sensitivity) == (0.5, 0.0, 2)
    # 250 deviations away: chance below 1 in 10^150
    assert abs(found.released - 120) < 250 * found.standard_deviation


def test_gaussian_noise_accepts_epsilon_delta_or_both():
    by_delta = release(120, sigma=4, delta="1e-6")
    assert by_delta.noise == DiscreteGaussian(Fraction(4))
    by_epsilon = release(120, sigma="4", epsilon=by_delta.epsilon)
    assert by_epsilon.delta == pytest.approx(1e-6, rel=1e-6)
    both = release(120, sigma=4, epsilon=2, delta="1e-6")
    assert (both.epsilon, both.delta) == (2, DiscreteGaussian(Fraction(4)).delta(2))
    assert 0 < both.delta < 1e-6


def test_the_noise_is_added_to_the_count():
    # Numbers below 2 (scale), 2/1 and so on: all zeros make the noise 0 in a round.
    script = iter([0, 1, 1, 1, 1, 1, 1])
    assert release(7, epsilon=1, source=lambda n: next(script) % n).released == 7


def test_the_sensitivity_of_a_histogram():
    assert compute_histogram_sensitivity() == 2
    assert compute_histogram_sensitivity(may_change_cell=False) == 1
    assert compute_histogram_sensitivity(3) == 6
    with pytest.raises(ValueError, match="contributions must be"):
        compute_histogram_sensitivity(0)


@pytest.mark.parametrize(
    "noise",
    [
        DiscreteLaplace(Fraction(1, 2)),
        DiscreteLaplace(Fraction(1), 3),
        DiscreteGaussian(Fraction(4)),
        DiscreteGaussian(Fraction(1, 2)),
    ],
    ids=str,
)
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_intervals_of_released_counts_cover_every_true_count(noise, level):
    released = np.arange(-60, 106)
    low, high = np.transpose(
        [compute_count_interval(each, noise, level) for each in released.tolist()]
    )
    assert ((low >= 0) & (high >= low)).all()
    for count in range(45):
        held = (low <= count) & (count <= high)
        # Beyond the first and the last the chance is below 1e-8.
        assert noise.probability(released - count)[held].sum() >= level - 1e-8


def test_intervals_of_released_counts_match_hand_calculation():
    # q = e^-1/2 = .6065: P(|N| > 6) = 2 q^7 / (1 + q) = .0376, P(|N| > 5) = .0620;
    # P(N > 4) = q^5 / (1 + q) = .0511, P(N > 5) = .0310.
    noise = DiscreteLaplace(Fraction(1, 2))
    shown = [-3, 0, 5, 8, 12, 13, 120]
    assert [compute_count_interval(each, noise, 0.95) for each in shown] == [
        (0, 6),
        (0, 6),
        (0, 11),
        (3, 14),
        (6, 18),
        (7, 19),
        (114, 126),
    ]
    found = release(120, epsilon=Fraction(1, 2))
    assert found.interval(0.95) == compute_count_interval(found.released, noise, 0.95)
    with pytest.raises(ValueError, match="confidence_level must be"):
        found.interval(1.0)


def test_a_released_count_is_a_row_of_a_table():
    noise = DiscreteLaplace(Fraction(1, 2))
    found = Release(released=-3, noise=noise, sensitivity=1, epsilon=0.5, delta=0.0)
    row = found.table(0.9, estimand="participants")["participants"]
    assert (row.estimate, row.raw, row.n) == (0, -3, 0)
    assert row.standard_error == noise.standard_deviation
    assert (row.low, row.high) == found.interval(0.9)
    assert row.interval(0.5) == found.interval(0.5)
    assert row.method == "discrete Laplace"
    with pytest.raises(ValueError, match=r"confidence_level must be .* got 2"):
        found.table(2)
