"""Randomising and estimating a million answers, compared with two packages.

multi-freq-ldpy and pure-ldp process the same answers by the same mechanisms (two coins
and k-ary randomised response), interleaved, and all estimates are printed. Processor
time without the peers' compilation. Packages that are not installed are left out.

    python -m venv /tmp/peers
    /tmp/peers/bin/pip install multi-freq-ldpy pure-ldp scikit-learn statsmodels
    /tmp/peers/bin/python -m benchmarks.randomising
"""

import importlib.util
import math
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from candor.mechanisms import Mechanism, build
from candor.mechanisms.sampling import randomise_many
from candor.sample import Sample

RESPONDENTS, ROUNDS = 1_000_000, 3
LIMIT_MILLISECONDS = 30
TABLES = (
    # Two coins are k-ary randomised response of two answers whose odds are 3 to 1.
    (build("coin"), [0.3, 0.7], math.log(3)),
    (build("k_ary", epsilon=1, choices=4), [0.4, 0.3, 0.2, 0.1], 1.0),
)

Answers = npt.NDArray[np.int64]


def main() -> None:
    for mechanism, shares, epsilon in TABLES:
        counts = [round(share * RESPONDENTS) for share in shares]
        answers = np.repeat(np.arange(len(shares)), counts)
        np.random.default_rng(8).shuffle(answers)  # noqa: TID251
        compare(mechanism, answers, shares, epsilon)


def compare(
    mechanism: Mechanism, answers: Answers, shares: Sequence[float], epsilon: float
) -> None:
    k = len(shares)
    runs: dict[str, Callable[[Answers], Sequence[float]]] = {
        "candor": partial(candor, mechanism)
    } | find_peers(k, epsilon)
    for run in runs.values():
        run(answers[:1000])
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    estimated: dict[str, Sequence[float]] = {}
    for _ in range(ROUNDS):
        for name, run in runs.items():
            start = time.process_time()
            estimated[name] = run(answers)
            seconds[name].append(time.process_time() - start)
    ours = statistics.median(seconds["candor"])
    sys.stdout.write(
        f"{mechanism.family}, {RESPONDENTS:,} respondents, true shares {list(shares)}\n"
    )
    for name, taken in seconds.items():
        median = statistics.median(taken)
        estimates = ", ".join(f"{share:.4f}" for share in estimated[name])
        sys.stdout.write(
            f"  {name}: {median * 1000:.0f} ms ({min(taken) * 1000:.0f} to "
            f"{max(taken) * 1000:.0f}), {median / ours:.1f} times candor; {estimates}\n"
        )
    alone = []
    for _ in range(3 * ROUNDS):
        start = time.process_time()
        randomise_many(mechanism.weights, answers)
        alone.append((time.process_time() - start) * 1000)
    median = statistics.median(alone)
    sys.stdout.write(
        f"  candor, randomising alone: {median:.1f} ms, "
        f"{median / LIMIT_MILLISECONDS:.2f} of the limit\n"
    )


def candor(mechanism: Mechanism, answers: Answers) -> Sequence[float]:
    reports = randomise_many(mechanism.weights, answers)
    report_counts = {
        report: int(np.count_nonzero(reports == place))
        for place, report in enumerate(mechanism.reports)
    }
    return list(Sample.of(mechanism, report_counts).raw_shares.values())


def find_peers(
    k: int, epsilon: float
) -> dict[str, Callable[[Answers], Sequence[float]]]:
    """Return the installed peers."""
    known = {"multi_freq_ldpy": multi_freq_ldpy, "pure_ldp": pure_ldp}
    return {
        name: partial(run, k, epsilon)
        for name, run in known.items()
        if importlib.util.find_spec(name)
    }


def multi_freq_ldpy(k: int, epsilon: float, answers: Answers) -> Sequence[float]:
    """Estimate as in its documentation: one compiled call for each respondent."""
    from multi_freq_ldpy.pure_frequency_oracles.GRR import (
        GRR_Aggregator_MI,
        GRR_Client,
    )

    reports = [GRR_Client(answer, k, epsilon) for answer in answers]
    return list(GRR_Aggregator_MI(reports, k, epsilon))


def pure_ldp(k: int, epsilon: float, answers: Answers) -> Sequence[float]:
    """Estimate as in its documentation, with answers from 0."""
    from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer

    client = DEClient(epsilon, k, index_mapper=int)
    server = DEServer(epsilon, k, index_mapper=int)
    for answer in answers.tolist():
        server.aggregate(client.privatise(answer))
    return [
        server.estimate(answer, suppress_warnings=True) / len(answers)
        for answer in range(k)
    ]


if __name__ == "__main__":
    main()
