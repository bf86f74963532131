"""Shares of answers behind counts of reports that were released with noise.

The intervals allow for both: randomised response, and the noise on each count.
Arguments are checked by the callers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import scipy

from candor.binary import BinomialDesign, likely_binomial
from candor.dichotomies import Dichotomy, dichotomy_of_answer
from candor.estimands import Estimand, score_values
from candor.intervals import Interval
from candor.mechanisms import Mechanism
from candor.releases.noise import Distribution, Noise, summed
from candor.sample import least_chances
from candor.tolerance import ROUNDING

PART_FOR_RESPONDENTS = 0.1
"""Part of the error probability for the interval of the number of respondents, which
matters much less than the count."""

LEFT_OUT = 1e-12
"""Probability of the binomial counts that are left out of a sum."""

SMALLEST_ALPHA, LARGEST_ALPHA = 1e-9, 1 - 1e-9
"""Range of the search for a p-value. What is left out of sums is far smaller."""

SMALLEST_STEP = 1e-9
"""Of the logarithm of a p-value at the end of its search."""


def released_at_most(
    count: float, respondents: int, chance: float, noise: Distribution
) -> float:
    """Return P(X + N <= count), X binomial and N the noise; never too small."""
    x, chances = likely_binomial(respondents, chance, left_out=LEFT_OUT)
    slack = 2 * LEFT_OUT if 0 < chance < 1 and respondents else 0.0
    return float(chances @ noise.at_most(math.floor(count) - x)) + slack


@dataclass(frozen=True, kw_only=True)
class TookPart:
    """The number of participants, released in addition to the counts of a question.

    `all_have_reports` must follow from the design of the survey, not from the counts.
    """

    released: int
    noise: Noise
    all_have_reports: bool


def respondents_between(
    counts: Sequence[int], noise: Noise, miss: float, took_part: TookPart | None = None
) -> tuple[int, int]:
    """Return an interval for the number of respondents, with coverage 1 - miss.

    From the sum of the counts, with the noise of all of them, and from the number of
    participants: each of both intervals misses with probability miss / 2.
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
    # Where they contradict each other, one of them misses.
    return min(least, most), max(least, most)


def share_interval_released(
    counts: Sequence[int],
    dichotomy: Dichotomy,
    noise: Noise,
    *,
    confidence_level: float,
    took_part: TookPart | None = None,
) -> Interval:
    """Return an interval for the share behind the released count of some reports.

    As for Clopper & Pearson (1934): the share is rejected where so few of these, or so
    many, are too unlikely, for each number of respondents that the released counts
    leave possible (Berger & Boos 1994, Journal of the American Statistical Association
    89:1012). The coverage is at least the confidence level, and the interval is neither
    empty nor a single point.
    """
    low, high = _ends(counts, dichotomy, noise, 1 - confidence_level, took_part)
    return Interval(1 - low.highest_share(), high.highest_share())


def released_p_value(
    counts: Sequence[int],
    dichotomy: Dichotomy,
    noise: Noise,
    *,
    bound: float,
    is_above: bool,
    took_part: TookPart | None = None,
) -> float:
    """Return the smallest alpha at which the interval excludes a share on one side.

    The interval is `share_interval_released` at level 1 - alpha, so the test and the
    interval never contradict each other. `SMALLEST_ALPHA` where it is smaller, 1 where
    no interval lies beyond the share.
    """

    def excess(log_alpha: float) -> float:
        low, high = _ends(counts, dichotomy, noise, math.exp(log_alpha), took_part)
        return low.excess(1 - bound) if is_above else high.excess(bound)

    least, most = math.log(SMALLEST_ALPHA), math.log(LARGEST_ALPHA)
    if excess(most) > 0:
        return 1.0
    if excess(least) <= 0:
        return SMALLEST_ALPHA
    while most - least > SMALLEST_STEP:
        middle = (least + most) / 2
        least, most = (middle, most) if excess(middle) > 0 else (least, middle)
    return math.exp(most)


@dataclass(frozen=True, kw_only=True)
class End:
    """The upper end of an interval; mirrored, the lower one."""

    count: int
    design: BinomialDesign
    noise: Distribution
    one_side: float

    def excess(self, share: float) -> float:
        """Return P(so few reports or fewer) - `one_side`, above 0 within the end."""
        return self._excess(self.design.report_chance(share))

    def highest_share(self) -> float:
        """Return the largest share with P(so few reports or fewer) > `one_side`."""
        low, high = self.design.p_yes_given_no, self.design.p_yes_given_yes
        if self._excess(high) > 0:
            return 1.0
        if self._excess(low) <= 0:
            return 0.0
        root = scipy.optimize.brentq(self._excess, low, high, xtol=1e-12)
        return self.design.share(root)

    def _excess(self, chance: float) -> float:
        n = self.design.respondents
        # No share explains a count below n b. It is taken as the nearest that one does,
        # so that the interval never shrinks to a point.
        least = n * self.design.p_yes_given_no * (1 + ROUNDING)
        count = max(self.count, math.floor(least))
        return released_at_most(count, n, chance, self.noise) - self.one_side


def _ends(
    counts: Sequence[int],
    dichotomy: Dichotomy,
    noise: Noise,
    miss: float,
    took_part: TookPart | None,
) -> tuple[End, End]:
    """Return the lower end, mirrored, and the upper one."""
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


def released_intervals(
    mechanism: Mechanism,
    counts: Sequence[int],
    noise: Noise,
    *,
    confidence_level: float,
    took_part: TookPart | None = None,
) -> list[Interval]:
    """Return `share_interval_released` for each answer; of two, one mirrors the other.

    `ValueError` for a table without dichotomies.
    """
    places = range(len(mechanism.answers))
    found = [
        share_interval_released(
            counts,
            dichotomy_of_answer(mechanism, place),
            noise,
            confidence_level=confidence_level,
            took_part=took_part,
        )
        for place in (places[:1] if len(places) == 2 else places)
    ]
    # The other one of two shares is the rest, to the last digit.
    mirrored = [Interval(1 - found[0].high, 1 - found[0].low)]
    return found + mirrored if len(places) == 2 else found


def released_design_fit(
    mechanism: Mechanism, counts: Sequence[int], noise: Noise, *, miss: float
) -> float:
    """Return the p-value of the rarest released count under the best shares.

    As `sample.design_fit`, with the noise, and for the smallest number of respondents
    that the counts leave possible: conservative, except with probability `miss`.
    """
    least, _most = respondents_between(counts, noise, miss)
    tails = [
        released_at_most(count, least, chance, noise)
        for count, chance in zip(counts, least_chances(mechanism), strict=True)
    ]
    return min(1.0, len(tails) * min(tails))


def error_with_noise(
    mechanism: Mechanism,
    place: int,
    *,
    standard_error: float,
    raw: float,
    respondents: int,
    noise: Noise,
) -> float:
    """Return the standard error of a raw share from released counts.

    `standard_error` and `raw` are those of the answer in this row as if the counts were
    exact, `respondents` is the sum of the released counts. NaN where that is 0.
    """
    if not respondents:
        return math.nan
    share = Estimand.make_share(place, answers=len(mechanism.answers))
    distances = score_values(mechanism.weights, share) - raw
    # The mean of scores s over a sum of counts moves by (s - mean)/n for each report.
    spread = noise.standard_deviation / respondents
    return math.hypot(standard_error, spread * math.sqrt(float(distances @ distances)))
