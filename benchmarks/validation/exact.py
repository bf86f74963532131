"""Coverage by enumeration: adds the probabilities of all outcomes."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product

import numpy as np
from scipy.special import chdtri, ndtri
from scipy.stats import beta, binom

from benchmarks.validation.coverage import (
    LEVEL,
    ROUNDING,
    Coverage,
    add_up,
    chances_of,
    covers,
    list_outcomes,
    list_populations,
    multinomial,
    name_counts,
)
from candor import NoFitError, fit_logistic, forgery_proof_interval
from candor.binary import BinaryChannel, FloatArray
from candor.census import census_interval, tabulate_count_chances
from candor.dichotomies import find_answer_dichotomy, make_channel
from candor.estimands import MEAN
from candor.intervals import share_interval
from candor.joint import JointSample
from candor.latent_groups import LatentPair, Profile, combinations
from candor.likelihood import fit_mixture
from candor.mechanisms import Mechanism, build
from candor.planning.power import sample_size
from candor.profile_likelihood import (
    PairShare,
    TwoSampleLikelihood,
    maximise_with_share,
)
from candor.regression.fit import HELD_AT_LEAST
from candor.releases.noise import DiscreteLaplace
from candor.releases.shares import find_released_interval
from candor.sample import Sample
from candor.weighting import weigh

REACH = float(chdtri(1, 1 - LEVEL))
COIN, DIRECT = build("coin"), build("direct")
EPSILON_2, EPSILON_4 = (build("epsilon", epsilon=each) for each in (2, 4))
SHARES = np.array(
    [
        0,
        0.005,
        0.01,
        0.02,
        0.03,
        0.04,
        0.05,
        0.0625,
        0.065,
        0.08,
        0.1,
        0.2,
        0.3,
        0.5,
        0.8,
        1,
    ]
)
"""Denser near 0, where the coverage of approximate intervals is lowest."""

DESIGNS = {
    "epsilon 0.5": build("epsilon", epsilon="0.5"),
    "coin (ln 3)": COIN,
    "epsilon 2": EPSILON_2,
    "epsilon 4": EPSILON_4,
    "11/12 and 1/6": build("custom", p_yes_given_yes="11/12", p_yes_given_no="1/6"),
}
ON_PAGES = ("feldman-cousins", "pratt", "bayes")
TEXTBOOK = ("clopper-pearson", "wilson", "wald")
GRID = np.linspace(0, 1, 401)


def textbook_interval(method: str, n: int, channel: BinaryChannel) -> FloatArray:
    """Return the textbook interval of every count, clipped to [0, 1]."""
    x, z = np.arange(n + 1), float(ndtri((1 + LEVEL) / 2))
    if method == "clopper-pearson":
        tail = (1 - LEVEL) / 2
        low = np.nan_to_num(beta.ppf(tail, x, n - x + 1))
        high = np.nan_to_num(beta.isf(tail, x + 1, n - x), nan=1)
    elif method == "wilson":
        root = z * np.sqrt(x * (n - x) / n + z**2 / 4)
        low, high = (x + z**2 / 2 + side * root for side in (-1, 1))
        low, high = low / (n + z**2), high / (n + z**2)
    else:
        error = z * np.sqrt(x / n * (1 - x / n) / n)
        low, high = x / n - error, x / n + error
    ends = np.stack([low, high], axis=1) - channel.p_yes_given_no
    return np.clip(ends / channel.span, 0, 1)


def share_ends(method: str, n: int, mechanism: Mechanism) -> FloatArray:
    """Return the interval of every count of yes, shape (n + 1, 2)."""
    channel = make_channel(mechanism)
    if method in TEXTBOOK:
        return textbook_interval(method, n, channel)
    return np.array(
        [share_interval(x, channel.design(n), method=method) for x in range(n + 1)]
    )


def binomial(n: int, channel: BinaryChannel, shares: FloatArray) -> FloatArray:
    """Return the chance of each count of yes, shape (shares, n + 1)."""
    chance = channel.p_yes_given_no + channel.span * shares[:, None]
    found: FloatArray = binom.pmf(np.arange(n + 1), n, np.clip(chance, 0, 1))
    return found


def share_coverage(
    ends: FloatArray, channel: BinaryChannel, shares: FloatArray
) -> FloatArray:
    """Return the coverage at each share; `ends` are those of every count of yes."""
    pmfs = binomial(len(ends) - 1, channel, shares)
    held = (ends[:, 0] <= shares[:, None]) & (shares[:, None] <= ends[:, 1])
    return np.asarray((pmfs * held).sum(axis=1), dtype=np.float64)


def find_critical_shares(ends: FloatArray) -> FloatArray:
    """Return a grid and shares next to each end, where coverage is lowest."""
    inner = ends[(ends > 0) & (ends < 1)]
    shares = np.r_[GRID, inner - 1e-9, inner + 1e-9]
    return np.clip(shares, 0, 1)


def one_share(
    method: str, n: int, designs: Sequence[Mechanism] = tuple(DESIGNS.values())
) -> Coverage:
    """Return the coverage of the interval of a share under several designs."""
    found = []
    for each in designs:
        ends = share_ends(method, n, each)
        found += share_coverage(
            ends, make_channel(each), find_critical_shares(ends)
        ).tolist()
    return Coverage(method, LEVEL if method in ON_PAGES[:2] else None, found)


def share() -> Coverage:
    found = [one_share("feldman-cousins", n) for n in (10, 30, 100, 300)]
    return Coverage("a share", LEVEL, [x for each in found for x in each.found])


def all_answers() -> Coverage:
    """Return the simultaneous coverage of the intervals of all answers."""
    found, n = [], 24
    for mechanism in (
        build("k_ary", epsilon=1, choices=3),
        build("linked_pair", epsilon=2, choices=4),
    ):
        k, outcomes = len(mechanism.answers), list_outcomes(len(mechanism.answers), n)
        design = find_answer_dichotomy(mechanism, 0).channel.design(n)
        level = 1 - (1 - LEVEL) / k
        ends = np.array(
            [share_interval(x, design, confidence_level=level) for x in range(n + 1)]
        )[outcomes.astype(int)]
        for shares in list_populations(k):
            pmf = multinomial(outcomes, shares @ chances_of(mechanism))
            held = [covers(ends[:, at], shares[at]) for at in range(k)]
            found.append(float(pmf @ np.all(held, axis=0)))
    return Coverage("all answers of a question together", LEVEL, found)


def cover_three_answers(
    what: str,
    n: int,
    find: Callable[[Sample], tuple[float, float]],
    true: Callable[[FloatArray], float],
) -> Coverage:
    """Return the coverage of an interval for a question with three answers."""
    found: list[float] = []
    for epsilon in (1, 4):
        mechanism = build("k_ary", epsilon=epsilon, choices=3)
        cases = [
            (shares @ chances_of(mechanism), true(shares))
            for shares in list_populations(3)
            if shares[2] < 1
        ]
        found += add_up(
            list_outcomes(3, n),
            lambda counts, table=mechanism: find(
                Sample.of(table, name_counts(table, counts))
            ),
            cases,
        )
    return Coverage(what, LEVEL, found)


def among_answered() -> Coverage:
    return cover_three_answers(
        "a share among those who answered",
        15,
        lambda sample: sample.share_among_answered(*sample.mechanism.answers[::2])[1],
        lambda shares: shares[0] / (1 - shares[2]),
    )


def bounds_of_declined() -> Coverage:
    """Return the coverage of both bounds of a share if everyone had answered."""
    n, found = 24, []
    mechanism = build("k_ary", epsilon=1, choices=3)
    outcomes = list_outcomes(3, n)
    answers = mechanism.answers
    ends = np.array(
        [
            Sample.of(mechanism, name_counts(mechanism, each)).bounds(
                answers[0], answers[-1], LEVEL
            )
            for each in outcomes
        ]
    )
    for shares in list_populations(3):
        pmf = multinomial(outcomes, shares @ chances_of(mechanism))
        held = (ends[:, 0] <= shares[0] + ROUNDING) & (
            shares[0] + shares[-1] - ROUNDING <= ends[:, 1]
        )
        found.append(float(pmf @ held))
    return Coverage("bounds with *Prefer not to answer*", LEVEL, found)


def forged() -> Coverage:
    """Return coverage if forgers see the honest count and send the worst reports."""
    n, found = 60, []
    for mechanism, forgers in product((COIN, EPSILON_2), (1, 5)):
        channel = make_channel(mechanism)
        ends = np.array(
            [
                forgery_proof_interval(
                    mechanism, name_counts(mechanism, (x, n - x)), forged=forgers
                )
                for x in range(n + 1)
            ]
        )
        for each, pmf in zip(SHARES, binomial(n, channel, SHARES), strict=True):
            held = covers(ends, each)
            worst = [
                held[max(0, x - forgers) : x + forgers + 1].all() for x in range(n + 1)
            ]
            found.append(float(pmf @ np.array(worst)))
    return Coverage("a share with forged reports", LEVEL, found)


def census() -> Coverage:
    found: list[float] = []
    for mechanism, n in product((COIN, EPSILON_2), (10, 30, 60)):
        ends = np.array(
            [
                (each.low, each.high)
                for x in range(n + 1)
                for each in [
                    census_interval(mechanism, name_counts(mechanism, (x, n - x)))
                ]
            ]
        )
        pmfs = tabulate_count_chances(n, make_channel(mechanism))
        found += [float(pmf @ covers(ends, people)) for people, pmf in enumerate(pmfs)]
    return Coverage("how many of all in a group (census)", LEVEL, found)


def mean_of_bit() -> Coverage:
    found: list[float] = []
    for epsilon, n in product((1, 4), (10, 30, 100)):
        mechanism = build("one_bit", epsilon=epsilon, points=11)
        ends = np.array(
            [
                Sample.of(mechanism, name_counts(mechanism, (x, n - x))).interval(
                    MEAN, LEVEL
                )
                for x in range(n + 1)
            ]
        )
        low = float(mechanism.probability("high", given="0"))
        channel = BinaryChannel(p_yes_given_yes=1 - low, p_yes_given_no=low)
        shares = find_critical_shares(ends / 10)
        found += share_coverage(ends / 10, channel, shares).tolist()
    return Coverage("the mean of a scale sent as one bit", LEVEL, found)


def make_pair(
    mechanism: Mechanism, yes: FloatArray, sizes: FloatArray
) -> TwoSampleLikelihood:
    channel = make_channel(mechanism)
    return TwoSampleLikelihood(
        yes=yes,
        no=sizes - yes,
        least=np.full((2, 1), channel.p_yes_given_no),
        most=np.full((2, 1), channel.p_yes_given_yes),
        reach=REACH,
    )


def difference_ends(mechanism: Mechanism, first: int, second: int) -> FloatArray:
    """Return the interval for each pair of counts, shape (first + 1, second + 1, 2)."""
    yes = np.indices((first + 1, second + 1), dtype=float).reshape(2, -1)
    found = make_pair(mechanism, yes, np.array([[first], [second]])).differences()
    return np.stack(found, axis=-1).reshape(first + 1, second + 1, 2)


def pair_coverage(
    mechanism: Mechanism, ends: FloatArray, of_both: Callable[[float, float], float]
) -> list[float]:
    """Return the coverage at all pairs of `SHARES`; `ends` are by both counts."""
    channel = make_channel(mechanism)
    pmfs = [binomial(size - 1, channel, SHARES) for size in ends.shape[:2]]
    return [
        float(pmfs[0][i] @ covers(ends, of_both(SHARES[i], SHARES[j])) @ pmfs[1][j])
        for i, j in np.ndindex(len(SHARES), len(SHARES))
        if SHARES[j] or of_both is subtract
    ]


def subtract(first: float, second: float) -> float:
    return first - second


def difference(name: str, mechanisms: Sequence[Mechanism], promised: float) -> Coverage:
    found: list[float] = []
    for mechanism, sizes in product(
        mechanisms, ((30, 30), (30, 100), (30, 300), (100, 100))
    ):
        ends = difference_ends(mechanism, *sizes)
        found += pair_coverage(mechanism, ends, subtract)
    return Coverage(f"a difference, two groups, {name}", promised, found)


def ratio() -> Coverage:
    """Return coverage for the ratio of two shares."""
    n, found = 30, []
    for mechanism in (COIN, EPSILON_2):
        ends = np.empty((n + 1, n + 1, 2))
        for place in np.ndindex(n + 1, n + 1):
            pair = make_pair(mechanism, np.array(place, float)[:, None], n)
            ends[place] = 1 / pair.swapped.largest_ratio(), pair.largest_ratio()
        found += pair_coverage(mechanism, ends, lambda first, second: first / second)
    return Coverage("a ratio of two shares, scrambled", 0.94, found)


def estimated_groups(
    n: int = 24,
    pairs: Sequence[tuple[Mechanism, Mechanism]] = (
        (COIN, COIN),
        (DIRECT, COIN),
        (COIN, DIRECT),
    ),
) -> Coverage:
    """Return coverage for a difference between groups by a scrambled answer."""
    found: list[float] = []
    outcomes = list_outcomes(4, n)
    for pair in pairs:
        sample = JointSample.of(*pair, {("yes", "yes"): 1})
        table, _counts = combinations(sample, LatentPair(0, 0, 1))
        ends = np.stack(
            Profile(
                np.broadcast_to(table, (len(outcomes), *table.shape)), outcomes
            ).interval(LEVEL),
            axis=-1,
        )
        within = (0, 0.1, 0.3, 0.5, 0.8, 1)
        for first, second, group in product(within, within, (0.3, 0.5, 0.7)):
            population = np.array(
                [*split(group, first), *split(1 - group, second)], dtype=float
            )
            pmf = multinomial(outcomes, population @ table)
            found.append(float(pmf @ covers(ends, first - second)))
    return Coverage("a difference, groups estimated", 0.92, found)


def split(whole: float, part: float) -> tuple[float, float]:
    return whole * part, whole * (1 - part)


def two_questions(
    target: PairShare,
    promised: float,
    *,
    sizes: Sequence[int] = (30, 60),
    pairs: Sequence[tuple[Mechanism, Mechanism]] = (
        (COIN, COIN),
        (DIRECT, COIN),
        (EPSILON_2, EPSILON_2),
        (DIRECT, EPSILON_4),
    ),
) -> Coverage:
    """Return coverage for a share within an estimated group, or for a joint share."""
    found = []
    for (first, second), n in product(pairs, sizes):
        outcomes = list_outcomes(4, n)
        both = [find_answer_dichotomy(each, 0).weights for each in (second, first)]
        table = np.kron(*[np.array(each) / sum(each[0]) for each in both])
        tables = np.broadcast_to(table, (len(outcomes), 4, 4))
        _proportions, best = fit_mixture(tables, outcomes)
        for each in (1e-12, 0.02, 0.05, 0.07, 0.08, 0.1, 0.3, 0.5, 0.8, 1 - 1e-12):
            at = np.full(len(outcomes), each)
            held = (
                2 * (best - maximise_with_share(at, tables, outcomes, target)) <= REACH
            )
            for population in pairs_with(each, target):
                pmf = multinomial(outcomes, np.array(population) @ table)
                found.append(float(pmf @ held))
    is_joint = target is PairShare.JOINT
    name = "a joint share" if is_joint else "a share within an estimated group"
    return Coverage(name, promised, found)


def pairs_with(share: float, target: PairShare) -> Iterator[tuple[float, ...]]:
    """Yield joint shares (a, b), (not a, b), (a, not b), (not a, not b)."""
    for group, other in product((0, 0.1, 0.3, 0.5, 0.7, 0.9), (0, 0.1, 0.5, 1)):
        if target is PairShare.JOINT:
            rest = 1 - share
            yield share, rest * group, *split(rest * (1 - group), other)
        elif group:
            yield *split(group, share), *split(1 - group, other)


STRATA = (((30, 60), (0.5, 0.5)), ((30, 90), (0.75, 0.25)))
"""Sample sizes of two groups, and their shares of the population."""


def weighted_share(
    name: str, mechanisms: Sequence[Mechanism], promised: float
) -> Coverage:
    found = []
    for mechanism, (sizes, known) in product(mechanisms, STRATA):
        channel = make_channel(mechanism)
        ends = np.empty((sizes[0] + 1, sizes[1] + 1, 2))
        for counts in np.ndindex(*ends.shape[:2]):
            sample = weigh(
                mechanism,
                {
                    (group, report): count
                    for group, (yes, size) in enumerate(zip(counts, sizes, strict=True))
                    for report, count in zip(
                        ("yes", "no"), (yes, size - yes), strict=True
                    )
                },
                [dict(enumerate(known))],
            )
            ends[counts] = sample.interval("yes")
        pmfs = [binomial(size, channel, SHARES) for size in sizes]
        for i, j in np.ndindex(len(SHARES), len(SHARES)):
            true = known[0] * SHARES[i] + known[1] * SHARES[j]
            found.append(float(pmfs[0][i] @ covers(ends, true) @ pmfs[1][j]))
    return Coverage(f"a weighted share, {name}", promised, found)


def released(
    respondents: int = 30,
    epsilon: str = "1",
    mechanisms: Sequence[Mechanism] = (DIRECT, COIN),
    shares: Sequence[float] = (0, 0.02, 0.1, 0.3, 0.5, 0.8, 1),
) -> Coverage:
    """Return the coverage for a share from two counts that were released with noise."""
    tail, found = 1e-5, []
    noise, n = DiscreteLaplace(Fraction(epsilon)), respondents
    reach = noise.reach(tail)
    yes = np.arange(-reach, n + reach + 1)
    first = noise.probability(yes[:, None] - np.arange(n + 1))
    for mechanism in mechanisms:
        dichotomy = find_answer_dichotomy(mechanism, 0)
        pmfs = binomial(n, dichotomy.channel, np.array(shares))
        covered = np.zeros(len(shares))
        for (place, one), other in product(enumerate(yes.tolist()), yes.tolist()):
            chances = first[place] * noise.probability(other - np.arange(n, -1, -1))
            # Omitted outcomes count as not covered.
            if chances.max() < tail / len(yes) ** 2 / 100:
                continue
            ends = find_released_interval(
                [one, other], dichotomy, noise, confidence_level=LEVEL
            )
            for at, (each, pmf) in enumerate(zip(shares, pmfs, strict=True)):
                covered[at] += (ends[0] <= each <= ends[1]) * float(pmf @ chances)
        found += covered.tolist()
    return Coverage("a share from counts released with noise", LEVEL, found)


FITTED = ((EPSILON_2, (60, 40)), (DIRECT, (60, 40)))


def regression() -> tuple[Coverage, Coverage]:
    """Return coverages for a coefficient and an effect, predictor yes or no.

    Only surveys with a fit count, at shares for which pages show no caution.
    """
    slopes: list[float] = []
    effects: list[float] = []
    for mechanism, sizes in FITTED:
        channel = make_channel(mechanism)
        chances = {
            "p_yes_given_yes": channel.p_yes_given_yes,
            "p_yes_given_no": channel.p_yes_given_no,
        }
        if not mechanism.is_scrambled:
            chances = {"p_yes_given_yes": 1 - 1e-9, "p_yes_given_no": 1e-9}
        shares = np.array([0.1, 0.2, 0.3, 0.5, 0.7, 0.9])
        # The average of each pair has enough respondents for no caution.
        pairs = [
            (a, b)
            for a, b in product(shares, shares)
            if 100 * min(average := 0.6 * a + 0.4 * b, 1 - average) * channel.span**2
            >= 20
        ]
        pmfs = [binomial(size, channel, shares) for size in sizes]
        place = {each: at for at, each in enumerate(shares)}
        chance = {
            (a, b): np.outer(pmfs[0][place[a]], pmfs[1][place[b]]) for a, b in pairs
        }
        likely = np.max(list(chance.values()), axis=0) > 1e-7
        ends = np.full((2, sizes[0] + 1, sizes[1] + 1, 2), np.nan)
        for counts in np.argwhere(likely):
            table = [[yes, size - yes] for yes, size in zip(counts, sizes, strict=True)]
            try:
                fit = fit_logistic(
                    [[1, 0], [1, 1]], table, names=["Intercept", "x"], **chances
                )
                effect = fit.effect([[1, 1], [1, 1]], [[1, 0], [1, 0]])
                ends[(slice(None), *counts)] = (
                    fit.interval("x", LEVEL),
                    (effect.low, effect.high),
                )
            except NoFitError:
                continue
        has_fit = ~np.isnan(ends[0, ..., 0])
        for a, b in pairs:
            pmf = chance[a, b][has_fit]
            odds = np.log(b / (1 - b)) - np.log(a / (1 - a))
            for found, at, true in ((slopes, 0, odds), (effects, 1, b - a)):
                held = covers(ends[at][has_fit], true)
                found.append(float(pmf @ held / pmf.sum()))
    return (
        Coverage(
            "a coefficient of a regression, two groups",
            HELD_AT_LEAST["coefficients"],
            slopes,
        ),
        Coverage("an average effect, two groups", HELD_AT_LEAST["effects"], effects),
    )


def planned_power() -> Coverage:
    """Return the power of the planned sample size to show a share above a bound."""
    found = []
    for mechanism, (bound, each) in product(
        (COIN, EPSILON_2), ((0, 0.05), (0.1, 0.2), (0.2, 0.3), (0.5, 0.6))
    ):
        n = sample_size(
            mechanism, share=each, against=bound, method="feldman-cousins"
        ).safe
        if n is None:
            continue
        channel = make_channel(mechanism)
        count = int(n * channel.report_chance(bound))
        while share_interval(count + 1, channel.design(n)).low <= bound:
            count += 1
        found.append(float(binom.sf(count, n, channel.report_chance(each))))
    return Coverage("(power) a planned claim about a share", 0.8, found)


EXACT: dict[str, Callable[[], Coverage | tuple[Coverage, ...]]] = {
    "share": share,
    "all answers": all_answers,
    "among answered": among_answered,
    "bounds": bounds_of_declined,
    "forged": forged,
    "census": census,
    "one bit": mean_of_bit,
    "difference": lambda: difference("epsilon 2 or less", (COIN, EPSILON_2), 0.93),
    "weak difference": lambda: difference("epsilon 4", (EPSILON_4,), 0.89),
    "direct difference": lambda: difference("direct", (DIRECT,), 0.81),
    "estimated groups": estimated_groups,
    "ratio": ratio,
    "within": lambda: two_questions(PairShare.WITHIN, 0.87),
    "joint": lambda: two_questions(PairShare.JOINT, 0.86),
    "weighted": lambda: weighted_share("scrambled", (COIN, EPSILON_2), LEVEL),
    "direct weighted": lambda: weighted_share("direct", (DIRECT,), 0.91),
    "released": released,
    "regression": regression,
    "power": planned_power,
}
"""Functions that compute one or two rows of the table of intervals."""

QUICK = (
    "share",
    "all answers",
    "bounds",
    "forged",
    "census",
    "one bit",
    "difference",
    "weak difference",
    "direct difference",
    "power",
)
"""Names of functions that take less than a second each."""
