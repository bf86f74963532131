"""A statistical audit of the deployed sampler with the system's randomness.

The proofs by enumeration inject the words; here a million reports are drawn as for
respondents. Each test below fails a correct sampler at most once in 10**10 runs.
"""

import numpy as np
import pytest
from scipy import stats

from candor.mechanisms import build
from candor.mechanisms.randomness import randomise
from candor.sampler_audit import least_epsilon, row_fit
from tests.candor.mechanisms import broken_samplers as broken

FALSE_ALARM = 1e-10

DRAWS = 1_000_000
CONTROL_DRAWS = 40_000

AUDITED = {
    "coin": build("coin"),
    "die": build("die"),
    "epsilon": build("epsilon", epsilon=2),
}


def draw_reports(sampler, mechanism, draws):
    """Return reports, shape (draws / answers, answers): the answers alternate."""
    answers = range(len(mechanism.answers))
    weights = mechanism.weights
    return np.array(
        [
            [sampler(weights, answer) for answer in answers]
            for _ in range(draws // len(answers))
        ],
        dtype=np.uint8,
    )


def counts_of(reports, mechanism):
    size = len(mechanism.reports)
    return [np.bincount(column, minlength=size).tolist() for column in reports.T]


def check_epsilon(reports, mechanism, alpha):
    """The lower confidence bound on epsilon must not exceed the stated epsilon."""
    counts = counts_of(reports, mechanism)
    assert least_epsilon(counts, alpha=alpha) <= mechanism.epsilon


def check_rows(reports, mechanism, alpha):
    """Reports of each answer must have the probabilities of its row."""
    rows = zip(mechanism.weights, counts_of(reports, mechanism), strict=True)
    assert min(row_fit(*row) for row in rows) > alpha / len(mechanism.weights)


def check_neighbours(reports, _mechanism, alpha):
    """Successive reports must be independent: Fisher's exact test."""
    yes, no = reports.T
    neighbours = [(yes, no), (no[:-1], yes[1:]), (yes[:-1:2], yes[1::2])]
    for one, other in neighbours:
        table = np.zeros((2, 2), dtype=np.int64)
        np.add.at(table, (one[: len(other)], other), 1)
        assert stats.fisher_exact(table).pvalue > alpha / len(neighbours)


CHECKS = [check_epsilon, check_rows, check_neighbours]


@pytest.fixture(scope="module", params=AUDITED)
def audited(request):
    mechanism = AUDITED[request.param]
    return draw_reports(randomise, mechanism, DRAWS // len(AUDITED)), mechanism


@pytest.mark.parametrize("check", CHECKS)
def test_a_million_reports_pass_the_audit(audited, check):
    check(*audited, FALSE_ALARM / len(AUDITED))


@pytest.mark.parametrize(
    ("sampler", "check"),
    [
        (broken.without_noise, check_epsilon),
        (broken.with_rows_swapped, check_rows),
        (broken.Reused(), check_neighbours),
    ],
    ids=lambda item: getattr(item, "__name__", "Reused"),
)
def test_the_audit_catches_a_broken_sampler(sampler, check):
    reports = draw_reports(sampler, AUDITED["die"], CONTROL_DRAWS)
    with pytest.raises(AssertionError):
        check(reports, AUDITED["die"], FALSE_ALARM)
