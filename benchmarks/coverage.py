"""How often intervals hold what they are about, every outcome counted.

    python -m benchmarks.coverage

Nothing is simulated here: the chances of all outcomes whose interval holds the truth
are added up, so that no figure has an error of chance. Where it stands, "promised" is
what docs/reference/statistics.md says of that interval at 95 %; the exit code is 1
where less was found. Other intervals have commands of their own, which that page names.
"""

import sys
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.special import chdtri, gammaln, xlogy
from scipy.stats import binom

from candor.binary import FloatArray
from candor.dichotomies import dichotomy_of_answer, make_channel
from candor.intervals import METHODS, share_interval
from candor.likelihood import fit_mixture
from candor.mechanisms import Mechanism, build
from candor.poisoning import forgery_proof_interval
from candor.profile_likelihood import PairShare, TwoSampleLikelihood, likelihood_held
from candor.sample import Sample

LEVEL = 0.95
REACH = float(chdtri(1, 1 - LEVEL))
ROUNDING = 1e-9

COIN, DIRECT = build("coin"), build("direct")
EPSILON_2 = build("epsilon", epsilon=2)
SHARES = (0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1)


class Found(NamedTuple):
    """Of one kind of interval; `promised` is None where no page promises anything."""

    what: str
    promised: float | None
    chances: list[float]


def of_one_share() -> Iterator[Found]:
    """Next to every end of an interval and on a grid, where coverage is smallest."""
    promises = {"feldman-cousins": LEVEL, "pratt": LEVEL}
    for mechanism, method in product((COIN, EPSILON_2, DIRECT), METHODS):
        found = []
        for n in (10, 30, 100):
            law = make_channel(mechanism)
            ends = np.array(
                [share_interval(x, law.design(n), method=method) for x in range(n + 1)]
            )
            inner = ends[(ends > 0) & (ends < 1)]
            shares = np.r_[np.linspace(0, 1, 401), inner - ROUNDING, inner + ROUNDING]
            shares = np.clip(shares, 0, 1)
            reported = law.p_yes_given_no + law.span * shares
            held = (ends[:, :1] <= shares) & (shares <= ends[:, 1:])
            found += (
                (binom.pmf(np.arange(n + 1)[:, None], n, reported) * held)
                .sum(axis=0)
                .tolist()
            )
        yield Found(f"share, {mechanism.family}, {method}", promises.get(method), found)


def of_forged() -> Iterator[Found]:
    """Let forgers see each honest count, and send the worst."""
    for mechanism, forged in product((COIN, EPSILON_2), (1, 5)):
        n, law, found = 60, make_channel(mechanism), []
        ends = np.array(
            [
                forgery_proof_interval(
                    mechanism,
                    dict(zip(mechanism.reports, (x, n - x), strict=True)),
                    forged=forged,
                )
                for x in range(n + 1)
            ]
        )
        for share in SHARES:
            held = (ends[:, 0] <= share + ROUNDING) & (share - ROUNDING <= ends[:, 1])
            # Forgers see the honest count x and choose the worst count near it.
            worst = [
                held[max(0, x - forged) : x + forged + 1].all() for x in range(n + 1)
            ]
            chances = binom.pmf(np.arange(n + 1), n, law.report_chance(share))
            found.append(float(chances @ np.array(worst)))
        yield Found(f"{forged} of {n} forged, {mechanism.family}", LEVEL, found)


def outcomes_of(cells: int, n: int) -> FloatArray:
    """Return all counts of so many cells that sum to n, shape (outcomes, cells)."""
    if cells == 1:
        return np.array([[float(n)]])
    return np.concatenate(
        [
            np.column_stack([np.full(len(rest), float(first)), rest])
            for first in range(n + 1)
            for rest in [outcomes_of(cells - 1, n - first)]
        ]
    )


def chance_of(outcomes: FloatArray, chances: FloatArray) -> FloatArray:
    logs = gammaln(outcomes[0].sum() + 1) - gammaln(outcomes + 1).sum(axis=1)
    found: FloatArray = np.exp(logs + xlogy(outcomes, chances).sum(axis=1))
    return found


def of_several_answers() -> Iterator[Found]:
    """All intervals of a question together, and the bounds of who told nothing."""
    n = 24
    for mechanism in (
        build("k_ary", epsilon=1, choices=3),
        build("linked_pair", epsilon=2, choices=4),
    ):
        k, law = len(mechanism.answers), dichotomy_of_answer(mechanism, 0).channel
        table = np.array(mechanism.weights) / mechanism.total
        outcomes = outcomes_of(k, n)
        ends = np.array(
            [
                share_interval(x, law.design(n), confidence_level=1 - (1 - LEVEL) / k)
                for x in range(n + 1)
            ]
        )
        together, bounds = [], []
        tallies = outcomes.astype(int).tolist()
        texts = [
            Sample.of(
                mechanism, dict(zip(mechanism.reports, each, strict=True))
            ).bounds(mechanism.answers[0], mechanism.answers[-1], LEVEL)
            for each in tallies
        ]
        limits = np.array(texts)
        for shares in populations(k):
            chance = chance_of(outcomes, shares @ table)
            low, high = ends[outcomes.astype(int)].transpose(2, 0, 1)
            held = ((low <= shares + ROUNDING) & (shares - ROUNDING <= high)).all(
                axis=1
            )
            together.append(float(chance @ held))
            held = (limits[:, 0] <= shares[0] + ROUNDING) & (
                shares[0] + shares[-1] - ROUNDING <= limits[:, 1]
            )
            bounds.append(float(chance @ held))
        name = f"{mechanism.family}, {k} answers, n = {n}"
        yield Found(f"all answers together, {name}", LEVEL, together)
        yield Found(f"bounds of who told nothing, {name}", LEVEL, bounds)


def populations(k: int) -> Iterator[FloatArray]:
    for parts in product((0.0, 0.1, 0.3, 0.6), repeat=k - 1):
        if sum(parts) <= 1:
            yield np.array([*parts, 1 - sum(parts)])


def of_ratios() -> Iterator[Found]:
    """Share of one group by that of another."""
    for mechanism, n in product((COIN, EPSILON_2, DIRECT), (30,)):
        law, found = make_channel(mechanism), []
        counts = np.indices((n + 1, n + 1)).reshape(2, -1).astype(float)
        yes = np.arange(n + 1)
        laws = {share: binom.pmf(yes, n, law.report_chance(share)) for share in SHARES}
        pairs = [one_pair(each, n, mechanism) for each in counts.T]
        high = np.array([each.largest_ratio() for each in pairs])
        low = np.array([1 / each.swapped.largest_ratio() for each in pairs])
        for first, second in product(SHARES, SHARES[1:]):
            chance = np.outer(laws[first], laws[second]).ravel()
            ratio = first / second
            held = (low <= ratio + ROUNDING) & (ratio - ROUNDING <= high)
            found.append(float(chance @ held))
        yield Found(f"ratio, {mechanism.family}, {n} and {n}", 0.91, found)


def one_pair(counts: FloatArray, n: int, mechanism: Mechanism) -> TwoSampleLikelihood:
    law = make_channel(mechanism)
    yes = counts[:, None]
    return TwoSampleLikelihood(
        yes=yes,
        no=n - yes,
        least=np.full((2, 1), law.p_yes_given_no),
        most=np.full((2, 1), law.p_yes_given_yes),
        reach=REACH,
    )


def of_pairs() -> Iterator[Found]:
    """Two questions: shares within groups that are estimated, and joint shares."""
    promises = {PairShare.WITHIN: 0.91, PairShare.JOINT: 0.86}
    pairs = ((COIN, COIN), (DIRECT, COIN), (EPSILON_2, EPSILON_2))
    for (first, second), target in product(pairs, PairShare):
        both = [dichotomy_of_answer(each, 0).weights for each in (second, first)]
        table = np.kron(*[np.array(each) / sum(each[0]) for each in both])
        for n in (30, 60):
            outcomes = outcomes_of(4, n)
            tables = np.broadcast_to(table, (len(outcomes), 4, 4))
            _proportions, best = fit_mixture(tables, outcomes)
            found = []
            for share in (1e-12, 0.02, 0.1, 0.3, 0.5, 0.8, 1 - 1e-12):
                at = np.full(len(outcomes), share)
                held = likelihood_held(at, tables, outcomes, target)
                holds = 2 * (best - held) <= REACH
                for population in of_shares(share, target):
                    chances = chance_of(outcomes, np.array(population) @ table)
                    found.append(float(chances @ holds))
            name = f"{target.name.lower()}, {first.family} x {second.family}, n = {n}"
            yield Found(name, promises[target], found)


def of_shares(share: float, target: PairShare) -> Iterator[tuple[float, ...]]:
    """Yield joint shares (a, b), (not a, b), (a, not b), (not a, not b)."""
    for group, other in product((0, 0.1, 0.3, 0.5, 0.7, 0.9), (0, 0.1, 0.5, 1)):
        if target is PairShare.JOINT:
            rest = 1 - share
            beside = rest * (1 - group)
            yield share, rest * group, beside * other, beside * (1 - other)
        elif group:
            yield (
                group * share,
                group * (1 - share),
                (1 - group) * other,
                (1 - group) * (1 - other),
            )


def main() -> None:
    """Print a row for each; the exit code is 1 where a promise is not kept."""
    kept = True
    sys.stdout.write(f"{'95 % intervals':<56}{'promised':>9}{'least':>9}{'mean':>8}\n")
    for kind in (of_one_share, of_forged, of_several_answers, of_ratios, of_pairs):
        for what, promised, chances in kind():
            least, mean = min(chances), float(np.mean(chances))
            kept &= promised is None or least >= promised - ROUNDING
            text = "" if promised is None else f"{promised:.2f}"
            sys.stdout.write(f"{what:<56}{text:>9}{least:>9.4f}{mean:>8.4f}\n")
            sys.stdout.flush()
    sys.exit(not kept)


if __name__ == "__main__":
    main()
