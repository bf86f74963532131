"""Dichotomies: sets of reports whose count is binomial, as for yes and no."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from candor.binary import BinaryChannel
from candor.estimands import (
    CACHED_ESTIMANDS,
    Estimand,
    every_share,
    mean_of_points,
    score_numerators,
)
from candor.mechanisms import Mechanism
from candor.mechanisms.scale import reduce_to_ends
from candor.mechanisms.table import Weights
from candor.validation import check_mechanism, describe_shape, is_two_by_two

OTHERS = "others"
"""Name of all other answers, and of all reports that are not counted."""


@dataclass(frozen=True)
class Dichotomy:
    """Reports whose count is binomial and depends on the shares by one estimand only.

    Their chance is b + (a - b) t, where t runs from 0 at the smallest value of the
    estimand to 1 at its largest. Every interval, test and sample size for yes and no
    applies to t. `counted` are columns of the table. `weights` are the weights of these
    reports and of all others, given an answer with the largest coefficient and given
    one with the smallest.
    """

    counted: tuple[int, ...]
    weights: Weights

    @property
    def channel(self) -> BinaryChannel:
        given_yes, given_no = (yes / (yes + no) for yes, no in self.weights)
        return BinaryChannel(p_yes_given_yes=given_yes, p_yes_given_no=given_no)

    def count(self, counts: Sequence[int]) -> int:
        return sum(counts[report] for report in self.counted)


@lru_cache(maxsize=CACHED_ESTIMANDS)
def find_dichotomy(weights: Weights, estimand: Estimand) -> Dichotomy | None:
    """Return the dichotomy of an estimand, or None if it has none.

    An estimand has one if its scores take only two values: then the share of reports
    with the larger score is affine in the estimand. If every answer sends its own
    report with one chance p and each other report with one smaller chance q, the report
    of an answer is its dichotomy (Wang et al. 2017, USENIX Security, "pure" protocols).
    """
    numerators, _denominator = score_numerators(weights, estimand)
    score = numerators.tolist()
    possible = [
        report for report, sent in enumerate(zip(*weights, strict=True)) if any(sent)
    ]
    if len({score[report] for report in possible}) != 2:
        return None
    largest = max(score[report] for report in possible)
    counted = tuple(report for report in possible if score[report] == largest)
    rows = [
        weights[estimand.coefficients.index(value)]
        for value in (estimand.high, estimand.low)
    ]
    yes = [sum(row[report] for report in counted) for row in rows]
    total = sum(rows[0])
    return Dichotomy(counted, tuple((each, total - each) for each in yes))


def dichotomies(weights: Weights) -> tuple[Dichotomy | None, ...]:
    """Return the dichotomy of the share of each answer, None for answers without."""
    shares = every_share(len(weights))
    return tuple(find_dichotomy(weights, share) for share in shares)


def find_answer_dichotomy(mechanism: Mechanism, place: int) -> Dichotomy:
    """Return the dichotomy of the share of the answer in row `place`.

    `ValueError` if the other answers send its report with different chances.
    """
    share = Estimand.make_share(place, answers=len(mechanism.answers))
    dichotomy = find_dichotomy(mechanism.weights, share)
    if dichotomy is None:
        column = [row[place] for row in mechanism.weights]
        others = {*column[:place], *column[place + 1 :]}
        raise ValueError(
            "mechanism must let all other answers send the report of an answer with "
            f"one chance; report {mechanism.reports[place]!r} has {sorted(others)} of "
            f"{mechanism.total}"
        )
    return dichotomy


def find_mean_dichotomy(mechanism: Mechanism) -> Dichotomy | None:
    """Return the dichotomy of the mean of a scale with points 0 to K."""
    return find_dichotomy(mechanism.weights, mean_of_points(len(mechanism.answers)))


def make_channel(mechanism: Mechanism) -> BinaryChannel:
    """Return the chances of a checked 2 x 2 table; "yes" is its first answer."""
    return find_answer_dichotomy(mechanism, 0).channel


def one_against_the_rest(mechanism: Mechanism) -> Mechanism:
    """Return the 2 x 2 table that estimates the share of any one answer.

    For a mechanism that identifies only the mean of a scale, it estimates the mean as a
    part of the scale. `ValueError` if answers are treated differently.

    >>> from candor.mechanisms import build
    >>> one_against_the_rest(build("k_ary", epsilon="1/2", choices=3)).reports
    ('1', 'others')
    """
    check_mechanism(mechanism)
    mechanism = reduce_to_ends(mechanism)
    if is_two_by_two(mechanism):
        return mechanism
    if not mechanism.identifies_shares:
        return collapse_to_ends(mechanism)
    found = dichotomies(mechanism.weights)
    first, channels = found[0], {each and each.weights for each in found}
    if first is None or len(channels) > 1:
        raise ValueError(
            "mechanism must have 2 answers and 2 reports, or treat all answers "
            f"equally, to be planned with; got {describe_shape(mechanism)}"
        )
    return collapse_reports(mechanism, first, (mechanism.answers[0], OTHERS))


def collapse_to_ends(mechanism: Mechanism) -> Mechanism:
    """Return the 2 x 2 table of the ends of a scale, whose share is the mean."""
    found = find_mean_dichotomy(mechanism)
    if found is None:
        raise ValueError(
            "mechanism must identify the mean of its answers by one count to be "
            f"planned with; got {describe_shape(mechanism)}"
        )
    return collapse_reports(
        mechanism, found, (mechanism.answers[-1], mechanism.answers[0])
    )


def collapse_reports(
    mechanism: Mechanism, found: Dichotomy, answers: tuple[str, str]
) -> Mechanism:
    """Return the 2 x 2 table of a dichotomy."""
    names = dict(enumerate(mechanism.reports))
    sides = [names.pop(report) for report in found.counted], [*names.values()]
    return Mechanism(
        family=mechanism.family,
        parameters=mechanism.parameters,
        answers=answers,
        reports=tuple(side[0] if len(side) == 1 else OTHERS for side in sides),
        weights=found.weights,
    )
