"""What reports and their counts reveal, and what protection costs.

An observer who sees only the counts of a survey's reports learns less than the table's
epsilon allows (shuffle amplification). Observers who see the reports themselves, such
as the operator of the survey, are limited by the table's epsilon alone. Costs are
compared with direct questions and with the central model.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from candor.binary import (
    BinaryChannel,
    FloatArray,
    compute_likely_binomial,
    symmetric_noise,
)
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.mechanisms import Mechanism
from candor.mechanisms.epsilon import MAX_EPSILON
from candor.planning.assumptions import Assumed, assume_share
from candor.validation import Range, check_respondents

EVEN = 0.5
"""The prior of an observer who considers both answers equally likely."""


@dataclass(frozen=True, kw_only=True)
class ReportPosterior:
    """Probability of a report, and of both answers given it (None if never sent)."""

    report: str
    chance: float
    posterior: float | None
    deniability: float | None


@dataclass(frozen=True, kw_only=True)
class Posterior:
    """How one report changes an observer's prior of the first answer.

    The bounds hold for every table with this epsilon: odds change by a factor of at
    most `factor`, e**epsilon. `guess` is the probability of guessing the answer
    correctly from the report, `blind_guess` without it, and `even_guess` with a prior
    of one half. All three are None for one answer against the rest, where `reports` has
    the first report only, and for a scale, where it is empty.
    """

    prior: float
    reports: tuple[ReportPosterior, ...]
    lowest: float
    highest: float
    factor: float
    guess: float | None = None
    blind_guess: float | None = None
    even_guess: float | None = None


def compute_posterior(
    mechanism: Mechanism, prior: float, *, of_one_answer: bool = False
) -> Posterior:
    """Return the posteriors of two answers, or of one answer against the rest."""
    bounds = compute_posterior_bounds(mechanism, prior)
    reports = tuple(_update_prior(mechanism, each, prior) for each in mechanism.reports)
    if of_one_answer:
        return replace(bounds, reports=reports[:1])
    return replace(
        bounds,
        reports=reports,
        guess=_compute_guess(mechanism, prior),
        blind_guess=max(prior, 1 - prior),
        even_guess=_compute_guess(mechanism, EVEN),
    )


def compute_posterior_bounds(mechanism: Mechanism, prior: float) -> Posterior:
    """Return only the bounds, for any answer and a checked prior."""
    ratio = mechanism.worst_ratio
    factor = math.inf if ratio is None else float(ratio)
    lowest = highest = prior
    # No report changes a prior of 0 or 1.
    if 0 < prior < 1:
        # Odds change by at most E = e^eps: [q / (q + (1 - q) E), q E / (q E + 1 - q)]
        against = (1 - prior) / prior
        lowest = 1 / (1 + against * factor)
        highest = 1.0 if ratio is None else 1 / (1 + against / factor)
    return Posterior(
        prior=prior, reports=(), lowest=lowest, highest=highest, factor=factor
    )


def _update_prior(mechanism: Mechanism, report: str, prior: float) -> ReportPosterior:
    given_yes, given_no = (
        float(mechanism.probability(report, given=answer))
        for answer in mechanism.answers
    )
    chance = prior * given_yes + (1 - prior) * given_no
    # Bayes (Kasiviswanathan & Smith 2014, Journal of Privacy and Confidentiality 6(1)):
    # q P(report | yes) / [q P(report | yes) + (1 - q) P(report | no)]
    posterior = prior * given_yes / chance if chance else None
    return ReportPosterior(
        report=report,
        chance=chance,
        posterior=posterior,
        deniability=None if posterior is None else 1 - posterior,
    )


def _compute_guess(mechanism: Mechanism, prior: float) -> float:
    # sum over reports of max [q P(report | yes), (1 - q) P(report | no)];
    # (a + 1 - b) / 2 at q = 1/2
    rows = mechanism.weights
    return sum(
        max(prior * given_yes, (1 - prior) * given_no) / mechanism.total
        for given_yes, given_no in zip(*rows, strict=True)
    )


DEFAULT_DELTA = 1e-6
"""Probability of counts that reveal more: one in a million."""

LEFT_OUT = 1e-16
"""Omitted probability, smaller than the rounding error of the sums below."""

FINE = 1e-9
"""Tolerance of the bisection, far below the digits of epsilon that are shown."""

MAX_PARTS = 250
"""Up to this number of respondents the maximum is exact. Beyond it, blocks of one 250th
of the range are bounded together, which adds at most one part in 200 (measured)."""

MAX_SHUFFLED_RESPONDENTS = 10**5
"""Takes half a second. The epsilon of this number is an upper bound for larger numbers,
because the counts of more respondents reveal less."""


@dataclass(frozen=True, kw_only=True)
class ShuffledPrivacy:
    """What the counts of all reports reveal about one person.

    Epsilon is at most the table's, and never below the true value.
    """

    respondents: int
    delta: float
    epsilon: float


def compute_shuffled_privacy(
    channel: BinaryChannel,
    *,
    respondents: int,
    epsilon: float,
    delta: float = DEFAULT_DELTA,
) -> ShuffledPrivacy:
    """Return the exact epsilon of the counts of all reports to one question.

    An observer may know the answers of all respondents except one. For all answers of
    the others, the two answers of this respondent must lead to distributions of the
    counts that are equal up to e**epsilon and `delta`, in [1e-9, 0.01] (Dwork & Roth
    2014, definition 2.4). See Erlingsson et al. 2019, SODA, and Balle et al. 2019,
    CRYPTO.
    """
    found = epsilon
    if math.isfinite(epsilon):
        others = min(respondents, MAX_SHUFFLED_RESPONDENTS) - 1
        found = _find_worst_epsilon(channel, others, delta=delta, most=epsilon)
    return ShuffledPrivacy(respondents=respondents, delta=delta, epsilon=found)


def _find_worst_epsilon(
    channel: BinaryChannel, others: int, *, delta: float, most: float
) -> float:
    # If m of the others answer yes, they send Bin(m, a) + Bin(n - m, b) yes reports.
    # The worst m need not be at an end, because counts are whole. All m of a block are
    # bounded by the distribution without the people whose answers differ within it:
    # adding their independent reports is post-processing (Dwork & Roth 2014,
    # proposition 2.1).
    worst, narrow = 0.0, others // MAX_PARTS
    # Start with the ends: they are mostly the worst, so that other blocks are skipped.
    blocks = [(0, others), (others, others), (0, 0)]
    while blocks:
        fewest, largest = blocks.pop()
        both = _compute_distributions(channel, yes=fewest, no=others - largest)
        if compute_smallest_delta(*both, worst) <= delta:
            continue
        if largest - fewest <= narrow:
            worst = _find_epsilon(*both, delta=delta, low=worst, high=most)
        else:
            middle = (fewest + largest) // 2
            blocks += [(fewest, middle), (middle + 1, largest)]
    return worst


def _compute_distributions(
    channel: BinaryChannel, *, yes: int, no: int
) -> tuple[FloatArray, FloatArray]:
    """Return the distributions of the count if one more person answers yes, or no."""
    a, b = channel.p_yes_given_yes, channel.p_yes_given_no
    reported = np.ones(1)
    for people, chance in ((yes, a), (no, b)):
        if people:
            _counts, chances = compute_likely_binomial(
                people, chance, left_out=LEFT_OUT
            )
            reported = np.convolve(reported, chances)
    silent, reporting = np.append(reported, 0.0), np.append(0.0, reported)
    return (1 - a) * silent + a * reporting, (1 - b) * silent + b * reporting


def _find_epsilon(
    one: FloatArray, other: FloatArray, *, delta: float, low: float, high: float
) -> float:
    """Return the smallest epsilon for `delta`; `low` is too small, `high` is enough."""
    while high - low > FINE:
        middle = (low + high) / 2
        if compute_smallest_delta(one, other, middle) <= delta:
            high = middle
        else:
            low = middle
    return high


def compute_smallest_delta(one: FloatArray, other: FloatArray, epsilon: float) -> float:
    """Return the smallest delta for which two distributions are epsilon-close."""
    # max of sum over x of [P(x) - e^eps Q(x)]_+ and the same with P and Q exchanged
    factor = math.exp(epsilon)
    return max(
        float(np.clip(one - factor * other, 0, None).sum()),
        float(np.clip(other - factor * one, 0, None).sum()),
    )


HALF_WIDTH = Range(low=0, high=0.5, open_low=True, example="0.05")
"""The widest interval of a share is [0, 1]."""

MIN_Z = 1e-100
"""Lower limit of z for confidence levels near 0, so that its square does not underflow.
"""


@dataclass(frozen=True, kw_only=True)
class SmallestEpsilon:
    """The strongest protection that reaches a margin of error.

    `epsilon`, of the best table for two answers, is in (0, 10]; None if no table
    reaches the margin.
    """

    respondents: int
    margin: float
    share: float
    confidence_level: float
    direct_margin: float
    epsilon: float | None


@dataclass(frozen=True, kw_only=True)
class StandardErrors:
    """Standard errors of a share: without noise, in the central and the local model.

    In the central model a trusted curator adds noise to the count of true answers, with
    the epsilon of the table. `noise_ratio` is the noise of the local model divided by
    the noise of the central model; None without noise.
    """

    direct: float
    central: float
    local: float
    noise_ratio: float | None


def smallest_epsilon(
    assumed: Assumed, *, respondents: int, margin: float
) -> SmallestEpsilon:
    """Return the smallest epsilon for a margin; the assumed channel is not used."""
    # The family `epsilon` has the best table for two answers (Kairouz, Oh & Viswanath
    # 2016, JMLR 17(17)).
    direct = assumed.direct_margins
    z = max(direct.z, MIN_Z)
    # n M^2 / z^2 - pi (1 - pi): the noise that the margin allows
    room = respondents * (margin / z) ** 2 - direct.variance
    epsilon = None
    if room >= symmetric_noise(MAX_EPSILON):
        # e^eps / (e^eps - 1)^2 = room, solved for eps
        epsilon = 2 * math.asinh(1 / (2 * math.sqrt(room)))
    return SmallestEpsilon(
        respondents=respondents,
        margin=margin,
        share=assumed.part,
        confidence_level=assumed.confidence_level,
        direct_margin=direct.margin(respondents),
        epsilon=epsilon,
    )


def standard_errors(
    assumed: Assumed, *, respondents: int, epsilon: float
) -> StandardErrors:
    """Return the standard errors, given the table's epsilon."""
    local = assumed.variance / respondents
    direct = assumed.direct_variance / respondents
    # Geometric noise is best for a count (Ghosh, Roughgarden & Sundararajan 2012, SIAM
    # Journal on Computing 41:1673): variance 2 e^eps / (e^eps - 1)^2
    central = 2 * symmetric_noise(epsilon) / respondents**2
    # Rounding may make the noise of a direct question negative.
    noise = max(0.0, local - direct)
    return StandardErrors(
        direct=math.sqrt(direct),
        central=math.sqrt(direct + central),
        local=math.sqrt(local),
        noise_ratio=math.sqrt(noise / central) if central else None,
    )


def compute_direct_half_width(
    *,
    respondents: int,
    share: float,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> float:
    """Return half the width of Wilson's interval for honest direct answers."""
    n = check_respondents(respondents)
    direct = assume_share(share, confidence_level=confidence_level)
    # z sqrt(n pi (1 - pi) + z^2 / 4) / (n + z^2)
    spread = math.sqrt(n * direct.variance + direct.z**2 / 4)
    return direct.z * spread / (n + direct.z**2)


def direct_respondents(
    *,
    half_width: float,
    share: float,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> int:
    """Return how many direct answers are needed for a half-width in (0, 1/2]."""
    wanted = HALF_WIDTH.check("half_width", half_width)
    direct = assume_share(share, confidence_level=confidence_level)
    spread, z = direct.variance, direct.z
    # The square of h, half the width of Wilson's interval, is quadratic in n + z^2:
    # n + z^2 = z^2 [v + sqrt(v^2 + 4 h^2 (1/4 - v))] / (2 h^2), v = pi (1 - pi)
    root = math.sqrt(spread**2 + 4 * wanted**2 * (1 / 4 - spread))
    needed = z**2 * ((spread + root) / (2 * wanted**2) - 1)
    return max(1, math.ceil(needed))
