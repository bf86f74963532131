"""The share of an answer behind a tally of reports that was released with noise.

Two chances stand one behind the other: who answered what and how it was scrambled, and
the noise on each count. Arguments are checked by the callers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from candor.binary import BinomialDesign, likely_counts
from candor.binomial import binomial
from candor.dichotomies import Dichotomy, dichotomy_of_answer
from candor.intervals import Interval
from candor.mechanisms import Mechanism
from candor.releases.noise import Law, Noise, summed
from candor.scores import scores
from candor.tolerance import ROUNDING

PART_FOR_RESPONDENTS = 0.1
"""Of the chance to miss, what the interval for the number of respondents may use: that
number matters much less than the count, so a small part will do."""

LEFT_OUT = 1e-12
"""Binomial counts less likely than this together are left out of a sum."""

SMALLEST_ALPHA, LARGEST_ALPHA = 1e-9, 1 - 1e-9
"""Between them a p-value is searched for. What is left out of sums is far smaller."""

SMALLEST_STEP = 1e-9
"""Of the logarithm of a p-value that is searched for."""


def released_at_most(
    count: float, respondents: int, chance: float, noise: Law
) -> float:
    """Return P(X + N <= count), X binomial and N the noise; never too small."""
    if respondents == 0 or chance in (0.0, 1.0):
        certain = np.array([respondents * round(chance)])
        return float(noise.at_most(math.floor(count) - certain)[0])
    x = likely_counts(respondents, chance, left_out=LEFT_OUT)
    chances = binomial(x, respondents, chance)
    return float(chances @ noise.at_most(math.floor(count) - x)) + 2 * LEFT_OUT


@dataclass(frozen=True, kw_only=True)
class TookPart:
    """How many took part in a survey, released beside the tally of a question.

    Attributes
    ----------
    released : int
    noise : Noise
    all_have_reports : bool
        Whether everybody who took part has a report to the question. It must follow
        from how the survey asks, and not from what was counted.
    """

    released: int
    noise: Noise
    all_have_reports: bool


def respondents_between(
    counts: Sequence[int], noise: Noise, miss: float, took_part: TookPart | None = None
) -> tuple[int, int]:
    """Return an interval for the number of respondents, missed so often at most.

    From the sum of the tally, whose noise is that of all its counts, and from how many
    took part: both hold together, with half of what may be missed for each. Arguments
    are checked; `miss` is in (0, 1).
    """
    if took_part is None:
        return _between(sum(counts), summed(noise, len(counts)), miss)
    least, most = _between(sum(counts), summed(noise, len(counts)), miss / 2)
    fewest, all_of_them = _between(took_part.released, took_part.noise, miss / 2)
    most = min(most, all_of_them)
    if took_part.all_have_reports:
        least = max(least, fewest)
    # Where they contradict each other one of them is a miss, whichever it is.
    return min(least, most), max(least, most)


def _between(released: int, noise: Law, miss: float) -> tuple[int, int]:
    reach = noise.reach(miss / 2)
    return max(0, released - reach), max(0, released + reach)


def share_interval_released(
    counts: Sequence[int],
    fold: Dichotomy,
    noise: Noise,
    *,
    confidence_level: float,
    took_part: TookPart | None = None,
) -> Interval:
    """Return an interval for the share behind the released count of some reports.

    As for Clopper & Pearson (1934): the share is rejected where so few of these, or so
    many, are too unlikely, for each number of respondents that the released tally
    leaves possible (Berger & Boos 1994). It holds the share at least as often as it
    says, with all noise allowed for, and is neither empty nor a single point.

    Parameters
    ----------
    counts : sequence of int
        The released count of each report, which may be below 0.
    fold : Dichotomy
        Which of them are counted, and their chances.
    noise : Noise
        What was added to each count.
    confidence_level : float
        In (0, 1).
    took_part : TookPart, optional
        What else was released of the number of respondents.

    References
    ----------
    Berger & Boos 1994, Journal of the American Statistical Association 89:1012.
    """
    low, high = _ends(counts, fold, noise, 1 - confidence_level, took_part)
    return Interval(1 - low.highest_share(), high.highest_share())


def released_p_value(
    counts: Sequence[int],
    fold: Dichotomy,
    noise: Noise,
    *,
    bound: float,
    is_above: bool,
    took_part: TookPart | None = None,
) -> float:
    """Return the smallest alpha at which the interval lies beyond a share.

    The interval is `share_interval_released` at level 1 - alpha, so the test and the
    interval never contradict each other.

    Parameters
    ----------
    counts, fold, noise, took_part
        As in `share_interval_released`.
    bound : float
        The share, in [0, 1].
    is_above : bool
        Whether the interval has to lie above it, and not below.

    Returns
    -------
    float
        In (0, 1]: `SMALLEST_ALPHA` where it is smaller, 1 where no interval lies beyond
        the share.
    """

    def excess(log_alpha: float) -> float:
        low, high = _ends(counts, fold, noise, math.exp(log_alpha), took_part)
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
    """What decides on the upper end of an interval; mirrored, on the lower one."""

    count: int
    design: BinomialDesign
    noise: Law
    one_side: float

    def excess(self, share: float) -> float:
        """Return P(so few reports or fewer) - `one_side`, above 0 within the end."""
        return self._excess(self.design.of_report(share))

    def highest_share(self) -> float:
        """Return the largest share with P(so few reports or fewer) > `one_side`."""
        design = self.design
        if self._excess(design.p_yes_given_yes) > 0:
            return 1.0
        if self._excess(design.p_yes_given_no) <= 0:
            return 0.0
        return design.share(
            scipy.optimize.brentq(
                self._excess, design.p_yes_given_no, design.p_yes_given_yes, xtol=1e-12
            )
        )

    def _excess(self, chance: float) -> float:
        n = self.design.respondents
        # No share explains a count below n b: it is read as the nearest that one does,
        # so that chance never makes the interval shrink to a point.
        least = n * self.design.p_yes_given_no * (1 + ROUNDING)
        count = max(self.count, math.floor(least))
        return released_at_most(count, n, chance, self.noise) - self.one_side


def _ends(
    counts: Sequence[int],
    fold: Dichotomy,
    noise: Noise,
    miss: float,
    took_part: TookPart | None,
) -> tuple[End, End]:
    """Return the lower end, mirrored, and the upper one."""
    least, most = respondents_between(
        counts, noise, miss * PART_FOR_RESPONDENTS, took_part
    )
    count, law = fold.count(counts), summed(noise, len(fold.counted))
    one_side = miss * (1 - PART_FOR_RESPONDENTS) / 2
    high = End(
        count=count, design=fold.channel.design(least), noise=law, one_side=one_side
    )
    # The same from the other side: n - X + N, as N is symmetric.
    mirrored = fold.channel.mirrored.design(most)
    return replace(high, count=most - count, design=mirrored), high


def released_intervals(
    mechanism: Mechanism,
    counts: Sequence[int],
    noise: Noise,
    *,
    confidence_level: float,
    took_part: TookPart | None = None,
) -> list[Interval]:
    """Return `share_interval_released` for each answer: of two, one mirrors the other.

    Raises
    ------
    ValueError
        For a table in which the other answers send a report with different chances.
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
    # The other one of two shares is what is left, to the last digit.
    mirrored = [Interval(1 - found[0].high, 1 - found[0].low)]
    return found + mirrored if len(places) == 2 else found


def released_design_fit(
    mechanism: Mechanism, counts: Sequence[int], noise: Noise, *, miss: float
) -> float:
    """Return how well the best shares explain the scarcest released count.

    As `design_fit` of a sample, with the noise, times as many counts as there are
    (Bonferroni), and for the smallest number of respondents that the tally leaves
    possible: it is at least the p-value it stands for, but for a chance of `miss`.
    """
    least, _most = respondents_between(counts, noise, miss)
    law = summed(noise, 1)
    tails = [
        released_at_most(count, least, min(column) / mechanism.total, law)
        for count, column in zip(
            counts, zip(*mechanism.weights, strict=True), strict=True
        )
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

    Parameters
    ----------
    mechanism, place
        The table, and the row of the answer.
    standard_error, raw : float
        Of the share, as if the counts were exact.
    respondents : int
        The sum of the released counts.
    noise : Noise

    Returns
    -------
    float
        NaN where no count is above 0.
    """
    if not respondents:
        return math.nan
    numerators, denominator = scores(mechanism.weights)
    distances = numerators[:, place].astype(float) / denominator - raw
    # The mean of scores s over a sum of counts moves by (s - mean)/n for each report.
    spread = noise.standard_deviation / respondents
    return math.hypot(standard_error, spread * math.sqrt(float(distances @ distances)))
