"""Samples that are no small picture of their population: weights, and what they cost.

Weights come from known margins (post-stratification, raking), from the way the sample
was drawn, or from both. Everything is worked out from counts of patterns, or sums over
those who have one: no cost grows with the number of respondents.
"""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from candor.dichotomies import ends_of_scale
from candor.mechanisms import Mechanism
from candor.validation import (
    Range,
    check_mechanism,
    check_square,
    is_whole,
)
from candor.weighting.estimate import WeightedEstimate
from candor.weighting.margins import Cells, Margin, check_margin, rake_cells

WEIGHT = Range(low=1e-50, high=1e50, example="1.5")
"""Squares of them, added up over any survey, are numbers."""


class Sums(NamedTuple):
    """What is needed of the weights of all respondents with one pattern."""

    respondents: int
    total: float
    squares: float
    largest: float

    @classmethod
    def of(cls, weights: Iterable[float]) -> Self:
        """Return the sums of weights.

        Raises
        ------
        TypeError, ValueError
            For a weight that is no number, or not one of `WEIGHT`.
        """
        checked = [WEIGHT.check("weight", weight) for weight in weights]
        return cls(
            respondents=len(checked),
            total=math.fsum(checked),
            squares=math.fsum(weight**2 for weight in checked),
            largest=max(checked, default=0.0),
        )


Counts = Mapping[tuple[Any, ...], int | Sums]
"""{(answer to each question with a margin, ..., report): how many respondents}."""


def post_stratify(
    mechanism: Mechanism, counts: Counts, shares: Margin
) -> WeightedEstimate:
    """Return the shares of a population whose groups are of known size.

    Each group counts as much as it is of the population: t = sum over the groups g of
    W_g times the mean score of its members, Var = sum of W_g^2 v_g / n_g.

    Parameters
    ----------
    mechanism : Mechanism
        Of the question that is estimated; as many reports as answers, or one that
        tells the mean of a scale by one count: then see `weighted_mean`.
    counts : mapping of (Hashable, str) to int or Sums
        {(group, report): count}, 0 or more; pairs left out count 0. In place of a count
        the sums of the weights that these respondents have already.
    shares : mapping of Hashable to float
        {group: its share of the population}, in [0, 1]; they sum to 1 within .005.

    Raises
    ------
    TypeError, ValueError
        For counts, reports or shares out of their range, groups that `shares` does not
        name, groups of which nobody is in the sample (`EmptyGroupError`), and a sample
        of nobody.

    References
    ----------
    Holt & Smith 1979, Journal of the Royal Statistical Society A 142:33; Cochran 1977,
    Sampling Techniques, section 5A.9.

    Examples
    --------
    Two coins; half of the population are women, of the sample one in four. Their raw
    share is (.5 - .25)/.5 = .5, that of the men .2; of all .5 * .5 + .5 * .2 = .35.

    >>> from candor.mechanisms import build
    >>> found = post_stratify(
    ...     build("coin"),
    ...     {("f", "yes"): 50, ("f", "no"): 50, ("m", "yes"): 105, ("m", "no"): 195},
    ...     {"f": 0.5, "m": 0.5},
    ... )
    >>> print(f"{found.raw['yes']:.2f} ({found.standard_errors['yes']:.4f})")
    0.35 (0.0573)
    >>> print(f"{found.effective_respondents:.0f} {found.largest_weight:.0f}")
    300 2
    """
    return _calibrated(mechanism, counts, [shares])


def rake(
    mechanism: Mechanism, counts: Counts, margins: Sequence[Margin]
) -> WeightedEstimate:
    """Return the shares of a population of which several margins are known.

    Parameters
    ----------
    mechanism, counts
        As for `post_stratify`, the keys of `counts` with one answer for each margin, in
        the order of `margins`, and the report last.
    margins : sequence of mappings
        One or more; each as `shares` of `post_stratify`. One is post-stratification.

    Raises
    ------
    TypeError, ValueError
        As `post_stratify`; `NotRakedError` where no weights make all margins true.

    References
    ----------
    Deming & Stephan 1940, Annals of Mathematical Statistics 11:427; Deville, Sarndal &
    Sautory 1993, Journal of the American Statistical Association 88:1013 (variance).
    """
    if isinstance(margins, Mapping) or not margins:
        raise TypeError(
            f"margins must be one or more mappings in a list; got {margins!r}"
        )
    return _calibrated(mechanism, counts, margins)


def estimate_weighted(
    mechanism: Mechanism, sums: Mapping[str, Sums]
) -> WeightedEstimate:
    """Return the shares behind reports whose respondents came with weights.

    Var = sum w^2 (s - t)^2 / (sum w)^2, with n - 1, as for a sample drawn with
    replacement (Horvitz & Thompson 1952, Hajek 1971: weights are taken as known).

    Parameters
    ----------
    mechanism : Mechanism
        As many reports as answers.
    sums : mapping of str to Sums
        {report: sums of the weights of those who sent it}; reports left out: nobody.
    """
    return _calibrated(
        mechanism, {(report,): each for report, each in sums.items()}, []
    )


def _calibrated(
    mechanism: Mechanism, counts: Counts, margins: Sequence[Margin]
) -> WeightedEstimate:
    check_mechanism(mechanism)
    if not mechanism.tells_shares:
        mechanism = ends_of_scale(mechanism)
    check_square(mechanism)
    known = [
        check_margin(
            margin, name=f"margins[{number}]" if len(margins) > 1 else "shares"
        )
        for number, margin in enumerate(margins)
    ]
    checked = _checked(mechanism, counts, known)
    found = sorted({key[:-1] for key in checked}, key=repr)
    row = {key: place for place, key in enumerate(found)}
    column = {report: place for place, report in enumerate(mechanism.reports)}
    numbers = np.zeros((3, len(found), len(column)))
    largest = np.zeros(len(found))
    for (*answers, report), sums in checked.items():
        place = row[tuple(answers)]
        numbers[:, place, column[str(report)]] = sums[:3]
        largest[place] = max(largest[place], sums.largest)
    members, weights, squares = numbers
    cells = Cells(
        margins=tuple(map(tuple, known)),
        places=np.array(
            [
                [
                    list(margin).index(answer)
                    for answer, margin in zip(key, known, strict=True)
                ]
                for key in found
            ],
            dtype=np.int64,
        ).reshape(len(found), len(known)),
    )
    by_cell = weights.sum(axis=1)
    # What each cell is of the population, by what it is of the sample.
    factors = rake_cells(cells, by_cell, known) / by_cell
    return WeightedEstimate(
        mechanism=mechanism,
        counts=members.astype(np.int64),
        weights=weights * factors[:, None],
        squares=squares * factors[:, None] ** 2,
        largest=largest * factors,
        sampled=by_cell,
        indicators=cells.indicators,
        is_by_cell=len(known) < 2,
    )


def _checked(
    mechanism: Mechanism, counts: Counts, margins: Sequence[Margin]
) -> dict[tuple[Hashable, ...], Sums]:
    """Return the sums of every pattern that somebody has."""
    if not isinstance(counts, Mapping):
        raise TypeError(f"counts must map patterns to counts; got {counts!r}")
    found = {}
    for key, count in counts.items():
        if len(key) != len(margins) + 1:
            raise ValueError(
                f"a pattern in counts must have {len(margins) + 1} parts, an answer to "
                f"each margin and the report last; got {key!r}"
            )
        *answers, report = key
        if report not in mechanism.reports:
            allowed = ", ".join(mechanism.reports)
            raise ValueError(
                f"a report in counts must be one of {allowed}; got {report!r}"
            )
        for answer, margin in zip(answers, margins, strict=True):
            if answer not in margin:
                allowed = ", ".join(map(repr, margin))
                raise ValueError(
                    f"an answer in counts must be one of {allowed}, whose shares are "
                    f"known; got {answer!r}"
                )
        sums = count if isinstance(count, Sums) else _alike(key, count)
        if sums.respondents:
            found[key] = sums
    if not found:
        raise ValueError("counts must have one respondent or more; got none")
    return found


def _alike(key: tuple[Hashable, ...], count: int) -> Sums:
    """Return the sums of respondents who all count alike so far."""
    if not is_whole(count):
        raise TypeError(
            f"counts[{key!r}] must be a whole number, 0 or more; got {count!r}"
        )
    if count < 0:
        raise ValueError(f"counts[{key!r}] must be 0 or more; got {count!r}")
    return Sums(int(count), float(count), float(count), 1.0 if count else 0.0)
