"""Shares of answers, estimated from counts of reports that were released with noise.

The intervals allow for both randomised response and the noise on each count. Callers
check the arguments.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import scipy

from candor.binary import BinomialDesign, compute_likely_binomial
from candor.dichotomies import Dichotomy, find_answer_dichotomy
from candor.estimands import Estimand, score_values
from candor.intervals import Interval
from candor.mechanisms import Mechanism
from candor.releases.noise import Distribution, Noise, summed
from candor.sample import find_smallest_chances
from candor.tolerance import ROUNDING

PART_FOR_RESPONDENTS = 0.1
"""Part of the error probability for the interval of the number of respondents, which
matters much less than the count."""

LEFT_OUT = 1e-12
"""Probability of the binomial counts that are omitted from a sum."""

MIN_ALPHA, MAX_ALPHA = 1e-9, 1 - 1e-9
"""Range of the search for a p-value; `LEFT_OUT` is far smaller."""

MIN_STEP = 1e-9
"""Tolerance of the search, in the logarithm of the p-value."""


def compute_released_cdf(
    count: float, respondents: int, chance: float, noise: Distribution
) -> float:
    """Return P(X + N <= count), rounded up, with X binomial and N the noise."""
    x, chances = compute_likely_binomial(respondents, chance, left_out=LEFT_OUT)
    slack = 2 * LEFT_OUT if 0 < chance < 1 and respondents else 0.0
    return float(chances @ noise.at_most(math.floor(count) - x)) + slack


@dataclass(frozen=True, kw_only=True)
class ParticipantCount:
    """The number of participants, released in addition to the counts of a question.

    `all_have_reports` must follow from the design of the survey, not from the counts.
    """

    released: int
    noise: Noise
    all_have_reports: bool


def respondents_between(
    counts: Sequence[int],
    noise: Noise,
    miss: float,
    took_part: ParticipantCount | None = None,
) -> tuple[int, int]:
    """Return an interval for the number of respondents, with coverage 1 - miss.

    It intersects two intervals, from the sum of the counts and from the number of
    participants; each misses with probability miss / 2.
    """

    def between(released: int, noise: Distribution, miss: float) -> tuple[int, int]:
        reach = noise.reach(miss / 2)
        return max(0, released - reach), max(0, released + reach)

    if took_part is None:
        return between(sum(counts), summed(noise, len(counts)), miss)
    least, most = between(sum(counts), summed(noise, len(counts)), miss / 2)
    fewest, all_of_them = between(took_part.released, took_part.noise, miss / 2)
    most = min(most, all_of_them)
    if took_part.all_have_reports:
        least = max(least, fewest)
    # If they contradict each other, one of them misses.
    return min(least, most), max(least, most)


def find_released_interval(
    counts: Sequence[int],
    dichotomy: Dichotomy,
    noise: Noise,
    *,
    confidence_level: float,
    took_part: ParticipantCount | None = None,
) -> Interval:
    """Return an interval for a share from the released count of its reports.

    As in Clopper & Pearson (1934), a share is rejected if so small or so large a count
    is too improbable, for each number of respondents that the released counts allow
    (Berger & Boos 1994, Journal of the American Statistical Association 89:1012). The
    coverage is at least the confidence level, and the interval is neither empty nor a
    single point.
    """
    low, high = _make_ends(counts, dichotomy, noise, 1 - confidence_level, took_part)
    return Interval(1 - low.find_highest_share(), high.find_highest_share())


def compute_released_p_value(
    counts: Sequence[int],
    dichotomy: Dichotomy,
    noise: Noise,
    *,
    bound: float,
    is_above: bool,
    took_part: ParticipantCount | None = None,
) -> float:
    """Return the smallest alpha at which the interval excludes a share on one side.

    The interval is `find_released_interval` at level 1 - alpha, so the test and the
    interval never contradict each other. The result is at least `MIN_ALPHA`, and 1
    if no interval excludes the share.
    """

    def excess(log_alpha: float) -> float:
        low, high = _make_ends(counts, dichotomy, noise, math.exp(log_alpha), took_part)
        return low.excess(1 - bound) if is_above else high.excess(bound)

    least, most = math.log(MIN_ALPHA), math.log(MAX_ALPHA)
    if excess(most) > 0:
        return 1.0
    if excess(least) <= 0:
        return MIN_ALPHA
    while most - least > MIN_STEP:
        middle = (least + most) / 2
        least, most = (middle, most) if excess(middle) > 0 else (least, middle)
    return math.exp(most)


@dataclass(frozen=True, kw_only=True)
class End:
    """The upper end of an interval; for the mirrored share, the lower end."""

    count: int
    design: BinomialDesign
    noise: Distribution
    one_side: float

    def excess(self, share: float) -> float:
        """Return P(`count` or fewer) - `one_side`, above 0 inside the interval."""
        return self._compute_excess(self.design.report_chance(share))

    def find_highest_share(self) -> float:
        """Return the largest share with P(`count` or fewer) > `one_side`."""
        low, high = self.design.p_yes_given_no, self.design.p_yes_given_yes
        if self._compute_excess(high) > 0:
            return 1.0
        if self._compute_excess(low) <= 0:
            return 0.0
        root = scipy.optimize.brentq(self._compute_excess, low, high, xtol=1e-12)
        return self.design.share(root)

    def _compute_excess(self, chance: float) -> float:
        n = self.design.respondents
        # No share explains a count below n b. Replace it by the nearest possible count,
        # so that the interval never shrinks to a point.
        least = n * self.design.p_yes_given_no * (1 + ROUNDING)
        count = max(self.count, math.floor(least))
        return compute_released_cdf(count, n, chance, self.noise) - self.one_side


def _make_ends(
    counts: Sequence[int],
    dichotomy: Dichotomy,
    noise: Noise,
    miss: float,
    took_part: ParticipantCount | None,
) -> tuple[End, End]:
    """Return the mirrored lower end, and the upper end."""
    least, most = respondents_between(
        counts, noise, miss * PART_FOR_RESPONDENTS, took_part
    )
    high = End(
        count=dichotomy.count(counts),
        design=dichotomy.channel.design(least),
        noise=summed(noise, len(dichotomy.counted)),
        one_side=miss * (1 - PART_FOR_RESPONDENTS) / 2,
    )
    # The same from the other side: n - X + N, as N is symmetric.
    mirrored = dichotomy.channel.mirrored.design(most)
    return replace(high, count=most - high.count, design=mirrored), high


def find_released_intervals(
    mechanism: Mechanism,
    counts: Sequence[int],
    noise: Noise,
    *,
    confidence_level: float,
    took_part: ParticipantCount | None = None,
) -> list[Interval]:
    """Return `find_released_interval` for each answer; two answers mirror each other.

    `ValueError` for a table without dichotomies.
    """
    places = range(len(mechanism.answers))
    found = [
        find_released_interval(
            counts,
            find_answer_dichotomy(mechanism, place),
            noise,
            confidence_level=confidence_level,
            took_part=took_part,
        )
        for place in (places[:1] if len(places) == 2 else places)
    ]
    # The second of two shares is exactly 1 - the first.
    mirrored = [Interval(1 - found[0].high, 1 - found[0].low)]
    return found + mirrored if len(places) == 2 else found


def compute_released_design_fit(
    mechanism: Mechanism, counts: Sequence[int], noise: Noise, *, miss: float
) -> float:
    """Return the p-value of the rarest released count under the best shares.

    It is `sample.design_fit` with the noise, for the smallest number of respondents
    that the counts allow. It is conservative, except with probability `miss`.
    """
    least, _most = respondents_between(counts, noise, miss)
    tails = [
        compute_released_cdf(count, least, chance, noise)
        for count, chance in zip(counts, find_smallest_chances(mechanism), strict=True)
    ]
    return min(1.0, len(tails) * min(tails))


def compute_error_with_noise(
    mechanism: Mechanism,
    place: int,
    *,
    standard_error: float,
    raw: float,
    respondents: int,
    noise: Noise,
) -> float:
    """Return the standard error of a raw share from released counts.

    `standard_error` and `raw` are those of the answer in row `place` if the counts were
    exact. `respondents` is the sum of the released counts; NaN if it is 0.
    """
    if not respondents:
        return math.nan
    share = Estimand.make_share(place, answers=len(mechanism.answers))
    distances = score_values(mechanism.weights, share) - raw
    # One more report with score s changes the mean score by (s - mean) / n.
    spread = noise.standard_deviation / respondents
    return math.hypot(standard_error, spread * math.sqrt(float(distances @ distances)))
