"""Sample sizes to show a difference between two groups.

The tests are the ones that results use to compare groups: Fisher's exact test if one
count determines the estimand, as for shares and for means under one bit, and otherwise
Welch's t-test of the scores.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

from candor.binary import BinaryChannel
from candor.dichotomies import find_mean_dichotomy, make_channel, one_against_the_rest
from candor.mechanisms import Mechanism
from candor.planning.assumptions import (
    ROUNDING,
    ScaleAnswers,
    check_left_out,
    check_sd,
    is_of_mean,
)
from candor.planning.bound_power import find_smallest
from candor.planning.group_power import (
    compute_fisher_power,
    compute_welch_power,
    is_exact,
)
from candor.planning.inputs import DEFAULT_POWER, DEFAULT_SHARE, INPUTS
from candor.planning.power import DEFAULT_ALPHA, check_errors
from candor.validation import MAX_RESPONDENTS

FISHER, WELCH = "fisher", "welch"

SETTLED = 12
"""The search ends once this many consecutive numbers have the power. The longest run
before a relapse had one number (eight pairs of shares, three powers, up to 1,400 people
in each group)."""


@dataclass(frozen=True, kw_only=True)
class GroupTest:
    """Power of the test between two groups of these sizes, exact or approximate."""

    respondents: int
    others: int
    power: float
    is_exact: bool


@dataclass(frozen=True, kw_only=True)
class GroupSizes:
    """How many respondents the test needs in each of two groups.

    Attributes
    ----------
    values : pair of float
        Assumed shares, or means in points, of the first and of the second group.
    sds : pair of float or None
        Assumed standard deviations in points, for Welch's test.
    test : str
        "fisher" or "welch".
    alpha, power, ratio : float
        As given: two-sided level, wanted power, and respondents in the second group for
        each in the first.
    respondents, others : int or None
        Numbers in the first and in the second group from which on the power is never
        less. None beyond 10**9.
    is_exact : bool
        Whether the power is exact.
    """

    values: tuple[float, float]
    sds: tuple[float, float] | None
    test: str
    alpha: float
    power: float
    ratio: float
    respondents: int | None
    others: int | None
    is_exact: bool


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two groups as in `GroupSizes`; `power` takes their sizes."""

    values: tuple[float, float]
    sds: tuple[float, float] | None = None
    test: str = FISHER
    alpha: float
    power: Callable[[int, int], float]

    def with_sizes(self, respondents: int, others: int) -> GroupTest:
        return GroupTest(
            respondents=respondents,
            others=others,
            power=self.power(respondents, others),
            is_exact=self.test == FISHER and is_exact(respondents, others),
        )

    def sizes(self, *, power: float, ratio: float) -> GroupSizes:
        """Return how many respondents each group needs; arguments are checked."""

        @cache
        def has_power(n: int) -> bool:
            return self.power(n, _compute_other_size(n, ratio)) >= power

        # The power grows with n, except for small relapses.
        first = 1 + find_smallest(lambda n: n >= MAX_RESPONDENTS or has_power(1 + n))
        ahead = first + 1
        while ahead <= min(first, MAX_RESPONDENTS) + SETTLED:
            if not has_power(ahead):
                first = ahead + 1
            ahead += 1
        second, is_reached = _compute_other_size(first, ratio), first <= MAX_RESPONDENTS
        is_counted = self.test == FISHER and is_exact(first, second)
        return GroupSizes(
            values=self.values,
            sds=self.sds,
            test=self.test,
            alpha=self.alpha,
            power=power,
            ratio=ratio,
            respondents=first if is_reached else None,
            others=second if is_reached else None,
            is_exact=is_reached and is_counted,
        )


def group_sizes(
    mechanism: Mechanism,
    *,
    share: float = DEFAULT_SHARE,
    other_share: float | None = None,
    difference: float | None = None,
    mean: float | None = None,
    sd: float | None = None,
    ratio: float = 1.0,
    alpha: float = DEFAULT_ALPHA,
    power: float = DEFAULT_POWER,
) -> GroupSizes:
    """Return how many respondents are needed to show a difference between two groups.

    Parameters
    ----------
    mechanism : Mechanism
        Mechanism of both groups: with two answers and two reports, one that treats all
        answers equally, or one for a scale.
    share, other_share : float
        Assumed shares of the first answer in the first and in the second group, in
        [0, 1], not equal. Not for a difference of means.
    difference : float, optional
        Difference between the means of a scale, in points: in [1e-6 K, K].
    mean : float, optional
        Halfway between the two means, in [difference / 2, K - difference / 2]; the
        middle of the scale by default.
    sd : float, optional
        Standard deviation of the answers in each group, in points, at most the largest
        that both means allow. The default is for equally common points. One bit does
        not depend on it.
    ratio : float
        Respondents in the second group for each in the first, in [0.01, 100].
    alpha : float
        Two-sided level of the test, in [1e-9, 0.5].
    power : float
        Wanted probability of finding the difference, in (alpha, 1).

    Returns
    -------
    GroupSizes

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or is out of its range.

    References
    ----------
    Fisher 1935, Journal of the Royal Statistical Society 98:39; Welch 1947, Biometrika
    34:28.

    Examples
    --------
    With a direct question, 20 % against 40 % takes 90 respondents in each group:

    >>> import candor
    >>> build = candor.mechanisms.build
    >>> found = candor.group_sizes(build("direct"), share=0.2, other_share=0.4)
    >>> found.respondents, found.others
    (90, 90)

    A difference of one point on a scale from 0 to 10, as one bit and as points:

    >>> for family in ("one_bit", "grid"):
    ...     scale = build(family, epsilon=1, points=11)
    ...     found = candor.group_sizes(scale, difference=1)
    ...     print(found.test, found.respondents)
    fisher 1891
    welch 8629
    """
    level, wanted = check_errors(alpha=alpha, power=power)
    comparison = compare(
        mechanism,
        share=share,
        other_share=other_share,
        difference=difference,
        mean=mean,
        sd=sd,
        alpha=level,
    )
    return comparison.sizes(power=wanted, ratio=INPUTS["ratio"].check(ratio))


def compare(
    mechanism: Mechanism,
    *,
    share: float = DEFAULT_SHARE,
    other_share: float | None = None,
    difference: float | None = None,
    mean: float | None = None,
    sd: float | None = None,
    alpha: float = DEFAULT_ALPHA,
) -> Comparison:
    """Return the comparison of two groups; parameters as for `group_sizes`."""
    estimand = None if difference is None else "mean"
    if is_of_mean(mechanism, "share" if other_share is not None else estimand):
        return _compare_means(mechanism, difference, mean=mean, sd=sd, alpha=alpha)
    check_left_out("a share", difference=difference, mean=mean, sd=sd)
    channel = make_channel(one_against_the_rest(mechanism))
    first = INPUTS["share"].check(share)
    second = INPUTS["other_share"].check(other_share)
    if first == second:
        raise ValueError(
            f"other_share must differ from share, which is {first:g}; got {second:g}"
        )
    return _compare_counts(channel, (first, second), last=1, alpha=alpha)


def _compare_means(
    mechanism: Mechanism,
    difference: float | None,
    *,
    mean: float | None,
    sd: float | None,
    alpha: float,
) -> Comparison:
    if mechanism.can_be_skipped:
        raise ValueError(
            "mechanism must be of a scale that cannot be skipped: there is no test of "
            f"two means among those who answered; got {mechanism.family}"
        )
    last = len(mechanism.answers) - 1
    apart, center = INPUTS["difference"].check(difference, length=last), last / 2
    if mean is not None:
        # The ends are computed and may have rounding errors.
        least = max(apart / 2 - ROUNDING * last, 0.0)
        center = INPUTS["mean"].check(
            mean, length=last, low=least, high=last - apart / 2 + ROUNDING * last
        )
    means = min(center + apart / 2, last), max(center - apart / 2, 0.0)
    if sd is not None:
        check_sd(sd, *means, last=last)
    groups = first, second = (
        ScaleAnswers.of(last + 1, mean=means[0], sd=sd),
        ScaleAnswers.of(last + 1, mean=means[1], sd=sd),
    )
    values, dichotomy = (first.mean, second.mean), find_mean_dichotomy(mechanism)
    if dichotomy is not None:
        return _compare_counts(dichotomy.channel, values, last=last, alpha=alpha)
    power = partial(
        compute_welch_power, weights=mechanism.weights, groups=groups, alpha=alpha
    )
    sds = first.sd, second.sd
    return Comparison(values=values, sds=sds, test=WELCH, alpha=alpha, power=power)


def _compare_counts(
    channel: BinaryChannel, values: tuple[float, float], *, last: int, alpha: float
) -> Comparison:
    first, second = (channel.report_chance(each / last) for each in values)
    power = partial(compute_fisher_power, first=first, second=second, alpha=alpha)
    return Comparison(values=values, alpha=alpha, power=power)


def split_into_groups(respondents: int, ratio: float) -> tuple[int, int]:
    """Return the sizes of two groups, each at least 1, of 2 or more respondents."""
    first = min(max(round(respondents / (1 + ratio)), 1), respondents - 1)
    return first, respondents - first


def _compute_other_size(respondents: int, ratio: float) -> int:
    return max(1, math.ceil(round(ratio * respondents, 9)))
