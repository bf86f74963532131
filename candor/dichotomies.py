"""A question of yes or no behind one of several answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from candor.binary import BinaryChannel
from candor.estimands import Estimand, every_share, mean_of_points
from candor.mechanisms import Mechanism
from candor.mechanisms.table import Weights
from candor.scores import CACHED_TABLES, scores
from candor.validation import check_mechanism, is_two_by_two, shape_of

OTHERS = "others"
"""Every other answer, and every report that does not speak for it."""


@dataclass(frozen=True)
class Dichotomy:
    """Reports whose count is binomial, whatever else the shares of the answers are.

    Their chance is b + (a - b) t, where t runs from 0 at the least value of a target to
    1 at its largest: every interval, test and sample size of yes and no holds for t.

    Attributes
    ----------
    counted : tuple of int
        Columns of the reports that are counted.
    weights : tuple of tuples of int
        Shape (2, 2): of an answer with the largest coefficient, and of one with the
        smallest, how often it sends one of these reports, and another one.
    """

    counted: tuple[int, ...]
    weights: Weights

    @property
    def law(self) -> BinaryChannel:
        """The chances a and b."""
        given_yes, given_no = (yes / (yes + no) for yes, no in self.weights)
        return BinaryChannel(p_yes_given_yes=given_yes, p_yes_given_no=given_no)

    def count(self, counts: Sequence[int]) -> int:
        """Return how many of all reports are counted."""
        return sum(counts[report] for report in self.counted)


@lru_cache(maxsize=CACHED_TABLES)
def folds(weights: Weights, *targets: Estimand) -> tuple[Dichotomy | None, ...]:
    """Return the fold of each target, None where there is none.

    There is one where the scores of the reports are but two numbers: then the share of
    reports with the larger one is affine in the target. Where each answer has one
    chance p and every other report one smaller chance q, the report of an answer is its
    fold (Wang et al. 2017, USENIX Security, "pure" protocols).

    Parameters
    ----------
    weights, targets
        As for `scores`, which also says what is raised.
    """
    numerators, _denominator = scores(weights, *targets)
    wanted = targets or every_share(len(weights))
    return tuple(
        _fold(weights, target.coefficients, column.tolist())
        for target, column in zip(wanted, numerators.T, strict=True)
    )


def _fold(
    weights: Weights, coefficients: tuple[int, ...], score: list[int]
) -> Dichotomy | None:
    possible = [
        report for report, sent in enumerate(zip(*weights, strict=True)) if any(sent)
    ]
    if len({score[report] for report in possible}) != 2:
        return None
    largest = max(score[report] for report in possible)
    counted = tuple(report for report in possible if score[report] == largest)
    rows = [
        weights[coefficients.index(value)]
        for value in (max(coefficients), min(coefficients))
    ]
    yes = [sum(row[report] for report in counted) for row in rows]
    total = sum(rows[0])
    return Dichotomy(counted, tuple((each, total - each) for each in yes))


def dichotomy_of_answer(mechanism: Mechanism, place: int) -> Dichotomy:
    """Return the fold of the share of the answer in this row.

    Raises
    ------
    ValueError
        Where the others send the report of this answer with different chances.
    """
    fold = folds(mechanism.weights)[place]
    if fold is None:
        column = [row[place] for row in mechanism.weights]
        others = {*column[:place], *column[place + 1 :]}
        raise ValueError(
            "mechanism must let all other answers send the report of an answer with "
            f"one chance; report {mechanism.reports[place]!r} has {sorted(others)} of "
            f"{mechanism.total}"
        )
    return fold


def dichotomy_of_mean(mechanism: Mechanism) -> Dichotomy | None:
    """Return the fold of the mean of the answers as the points 0 to K of a scale."""
    return folds(mechanism.weights, mean_of_points(len(mechanism.answers)))[0]


def channel_of(mechanism: Mechanism) -> BinaryChannel:
    """Return the chances of a checked 2 x 2 table; "yes" is its first answer."""
    return dichotomy_of_answer(mechanism, 0).law


def one_against_the_rest(mechanism: Mechanism) -> Mechanism:
    """Return the 2 x 2 table that the share of one answer is estimated by.

    What such a table says of one answer holds for each of them. Of a table that tells
    the mean of a scale alone it is the one by which the mean is estimated, as a part of
    the way from the lowest point to the highest.

    Parameters
    ----------
    mechanism : Mechanism
        With two answers and two reports, which is returned as it is; one that treats
        all answers alike; or one whose mean has a fold.

    Raises
    ------
    TypeError
        For what is no mechanism.
    ValueError
        For every other table: none of two answers stands for all of its answers.

    Examples
    --------
    >>> from candor.mechanisms import build
    >>> one_against_the_rest(build("k_ary", epsilon="1/2", choices=3)).reports
    ('1', 'others')
    """
    check_mechanism(mechanism)
    if is_two_by_two(mechanism):
        return mechanism
    if not mechanism.tells_shares:
        return ends_of_scale(mechanism)
    found = folds(mechanism.weights)
    fold, laws = found[0], {each and each.weights for each in found}
    if fold is None or len(laws) > 1:
        raise ValueError(
            "mechanism must have 2 answers and 2 reports, or treat all answers alike, "
            f"to be planned with; got {shape_of(mechanism)}"
        )
    names = dict(enumerate(mechanism.reports))
    sides = [names.pop(report) for report in fold.counted], [*names.values()]
    return Mechanism(
        family=mechanism.family,
        parameters=mechanism.parameters,
        answers=(mechanism.answers[0], OTHERS),
        reports=tuple(side[0] if len(side) == 1 else OTHERS for side in sides),
        weights=fold.weights,
    )


def ends_of_scale(mechanism: Mechanism) -> Mechanism:
    """Return the table of the highest and the lowest point: their share is the mean."""
    fold = dichotomy_of_mean(mechanism)
    if fold is None:
        raise ValueError(
            "mechanism must tell the mean of its answers by one count to be planned "
            f"with; got {shape_of(mechanism)}"
        )
    counted = fold.counted[0]
    (other,) = [each for each in range(len(mechanism.reports)) if each != counted]
    return Mechanism(
        family=mechanism.family,
        parameters=mechanism.parameters,
        answers=(mechanism.answers[-1], mechanism.answers[0]),
        reports=(mechanism.reports[counted], mechanism.reports[other]),
        weights=fold.weights,
    )
