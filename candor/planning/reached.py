"""How precise the reports that there are make a share, and how many more are needed.

By the formulas of `precision`, so that what a plan promised can be compared with what
came. The intervals of the results are exact; half their width differs a little.
"""

from collections.abc import Mapping

from candor.assumptions import Assumed, NormalMargins
from candor.dichotomies import channel_of, one_against_the_rest
from candor.estimands import MEAN, mean_of_points
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.mechanisms import Mechanism
from candor.planning.scales import WAYS, plan_scale
from candor.sample import Sample, kept_inside
from candor.scores import score_variance
from candor.validation import MARGIN, check_respondents


def margin_reached(
    mechanism: Mechanism,
    tally: Mapping[str, int],
    *,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> float:
    """Return the margin of error at the likeliest shares, the widest of all answers.

    Of a scale it is that of the mean, in parts of the scale.

    Parameters
    ----------
    mechanism : Mechanism
        As for `one_against_the_rest`, or of a scale.
    tally : mapping of str to int
        How many respondents sent each report, in total 1 or more.
    confidence_level : float
        In (0, 1).

    Examples
    --------
    Warner's coin, 1,600 people, half of the reports yes: 0.049, as was planned.

    >>> from candor.mechanisms import build
    >>> print(f"{margin_reached(build('coin'), {'yes': 800, 'no': 800}):.3f}")
    0.049
    """
    shares = likely_shares(mechanism, tally)
    widest = _widest(mechanism, shares, confidence_level=confidence_level)
    return widest.margin(sum(tally.values()))


def needed_for(
    mechanism: Mechanism,
    shares: list[float],
    *,
    margin: float,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> int:
    """Return how many respondents a margin needs, where it needs most of them.

    Parameters
    ----------
    mechanism, confidence_level
        As in `margin_reached`.
    shares : list of float
        Assumed shares, in [0, 1]: of two answers the first one's. Of a scale those of
        all points; where there are fewer, all are taken as equally common.
    margin : float
        In [1e-6, 1).
    """
    widest = _widest(mechanism, shares, confidence_level=confidence_level)
    return widest.needed(MARGIN.check("margin", margin))


def is_of_mean(mechanism: Mechanism) -> bool:
    """Whether a margin is that of the mean of a scale, not of shares."""
    return mechanism.family in WAYS or not mechanism.tells_shares


def likely_shares(mechanism: Mechanism, tally: Mapping[str, int]) -> list[float]:
    """Return the likeliest share of every answer, half a report away from 0 and 1.

    Of two answers only the first: the other one is what is left, and a table need not
    treat them alike. Of a scale whose mean alone is told, the mean as a part of it: it
    takes the place of a share. Parameters are those of `margin_reached`.
    """
    respondents = check_respondents(sum(tally.values()))
    sample = Sample.of(mechanism, tally)
    if not mechanism.tells_shares:
        last = len(mechanism.answers) - 1
        return [kept_inside(sample.estimate(MEAN) / last, respondents)]
    shares = list(sample.shares.values())
    told = shares[:1] if len(shares) == 2 else shares
    return [kept_inside(share, respondents) for share in told]


def _widest(
    mechanism: Mechanism, shares: list[float], *, confidence_level: float
) -> NormalMargins:
    if is_of_mean(mechanism) and mechanism.tells_shares:
        if len(shares) < len(mechanism.answers):
            return plan_scale(mechanism, confidence_level=confidence_level).margins()
        parts = [share / sum(shares) for share in shares]
        mean = mean_of_points(len(mechanism.answers))
        variance = score_variance(mechanism.weights, parts, mean) / mean.span**2
        return NormalMargins(variance=variance, confidence_level=confidence_level)
    law = channel_of(one_against_the_rest(mechanism))
    supposed = [
        Assumed(law=law, share=share, confidence_level=confidence_level)
        for share in shares
    ]
    return max(supposed, key=Assumed.variance).margins()
