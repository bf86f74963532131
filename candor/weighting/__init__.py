"""Weighted estimates for a population from a sample that does not represent it.

Weights come from known margins (post-stratification, raking), from the sampling design,
or from both. Everything is computed from counts of patterns, or from sums over the
respondents with a pattern, so no cost grows with the number of respondents.
"""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from candor.estimands import Estimand
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from candor.mechanisms import Mechanism
from candor.mechanisms.parameters import check_choice, shown
from candor.table import Estimates
from candor.tolerance import is_at_most
from candor.validation import (
    Range,
    check_count,
    check_sequence,
    check_total,
    reduce_to_estimable,
)
from candor.weighting.margins import Margin, check_margin, rake_cells
from candor.weighting.sample import WeightedSample

WEIGHT = Range(low=1e-50, high=1e50, example="1.5")
"""Sums of squares of such weights are finite for every survey."""

SUM = Range(low=0, high=math.inf, open_high=True, example="12.5")


@dataclass(frozen=True)
class Sums:
    """Sums over the weights of all respondents with one pattern.

    Attributes
    ----------
    respondents : int
        0 or more.
    total, squares, largest : float
        The sum of their weights, the sum of squared weights, and the largest weight:
        above 0, or 0 without respondents.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or is out of its range.

    Examples
    --------
    >>> Sums.of([1, 2, 0.5])
    Sums(respondents=3, total=3.5, squares=5.25, largest=2.0)
    """

    respondents: int
    total: float
    squares: float
    largest: float

    def __post_init__(self) -> None:
        check_count("respondents", self.respondents)
        for name in ("total", "squares", "largest"):
            value = SUM.check(name, getattr(self, name))
            if (value > 0) != (self.respondents > 0):
                raise ValueError(
                    f"{name} must be above 0 with respondents and 0 without; got "
                    f"{shown(value)} with {self.respondents}"
                )
        # By the Cauchy-Schwarz inequality, and because no weight exceeds the largest.
        least = self.total * self.total / max(self.respondents, 1)
        least = max(least, self.largest * self.largest)
        most = self.total * self.largest
        if not (is_at_most(least, self.squares) and is_at_most(self.squares, most)):
            raise ValueError(
                "squares must be at least total^2 / respondents and largest^2, and at "
                "most total * largest, as those of weights are; got "
                f"{shown(self.squares)}"
            )

    @classmethod
    def of(cls, weights: Iterable[float]) -> Self:
        """Return the sums of weights, each in the range `WEIGHT`."""
        checked = [WEIGHT.check("weight", weight) for weight in weights]
        return cls(
            respondents=len(checked),
            total=math.fsum(checked),
            squares=math.fsum(weight**2 for weight in checked),
            largest=max(checked, default=0.0),
        )


Counts = Mapping[tuple[Any, ...], int | Sums]
"""{(answer to each question with a margin, ..., report): number of respondents}."""


def post_stratify(
    mechanism: Mechanism,
    counts: Counts,
    shares: Margin,
    *,
    estimand: Estimand | str | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    method: str = DEFAULT_METHOD,
) -> Estimates:
    """Estimate the shares of a population whose groups have known sizes.

    Each group g counts with its share W_g of the population: t is the sum of W_g times
    the mean score of the members, and Var = sum of W_g^2 v_g / n_g.

    Parameters
    ----------
    mechanism : Mechanism
        Mechanism of the question: it has as many reports as answers, or identifies the
        mean of a scale by one count.
    counts : mapping of (Hashable, str) to int or Sums
        {(group, report): count}, 0 or more; omitted pairs count 0. If respondents
        already have weights, `Sums` of these replace the count. At most 10**9
        respondents in total.
    shares : mapping of Hashable to float
        {group: its share of the population}, in [0, 1]; they sum to 1 within .005.
    estimand : Estimand or str, optional
        Estimand of the only row: an answer, "mean" for the mean of a scale, or
        coefficients. By default there is a row for each answer; for a scale the mean is
        the first row.
    confidence_level : float
        In (0, 1), for each interval by itself.
    method : str
        A key of `candor.intervals.METHODS`.

    Returns
    -------
    Estimates
        The effective sample size is in the notes. The standard error is NaN if a group
        has one member.

    Raises
    ------
    TypeError, ValueError
        If counts, reports or shares are out of range, if a group is not in `shares`,
        if a group has no member in the sample (`EmptyGroupError`), or if the sample is
        empty.

    References
    ----------
    Holt & Smith 1979, Journal of the Royal Statistical Society A 142:33; Cochran 1977,
    Sampling Techniques, section 5A.9.

    Examples
    --------
    Two coins; half of the population and a quarter of the sample are women. The raw
    share of women is (.5 - .25)/.5 = .5, that of men is .2; together it is
    .5 * .5 + .5 * .2 = .35.

    >>> import candor
    >>> table = candor.post_stratify(
    ...     candor.mechanism("coin"),
    ...     {("f", "yes"): 50, ("f", "no"): 50, ("m", "yes"): 105, ("m", "no"): 195},
    ...     {"f": 0.5, "m": 0.5},
    ... )
    >>> print(f"{table['yes'].raw:.2f} ({table['yes'].standard_error:.4f})")
    0.35 (0.0573)
    >>> table.notes
    ('Effective sample size 300, design effect 1.33, largest weight 2.00.',)
    """
    sample = weigh(mechanism, counts, [shares])
    return _make_table(sample, estimand, confidence_level, method)


def rake(
    mechanism: Mechanism,
    counts: Counts,
    margins: Sequence[Margin],
    *,
    estimand: Estimand | str | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    method: str = DEFAULT_METHOD,
) -> Estimates:
    """Estimate the shares of a population with several known margins.

    Parameters
    ----------
    mechanism, counts
        As for `post_stratify`. The keys of `counts` have one answer for each margin, in
        the order of `margins`, and the report last.
    margins : sequence of mappings
        One or more; each like `shares` of `post_stratify`. One margin is
        post-stratification.
    estimand, confidence_level, method
        As for `post_stratify`.

    Returns
    -------
    Estimates
        As for `post_stratify`.

    Raises
    ------
    TypeError, ValueError
        As for `post_stratify`; `NotRakedError` if no weights satisfy all margins.

    References
    ----------
    Deming & Stephan 1940, Annals of Mathematical Statistics 11:427; Deville, Sarndal &
    Sautory 1993, Journal of the American Statistical Association 88:1013 (variance).

    Examples
    --------
    Three in eight of the sample and three in ten of the population are young. The
    figures are from the R package survey 4.1.1, `rake` and `svymean` of the scores.

    >>> import candor
    >>> cells = {("f", "y"): (60, 30), ("m", "y"): (90, 40)}
    >>> cells |= {("f", "o"): (40, 14), ("m", "o"): (210, 70)}
    >>> counts = {(*cell, "yes"): yes for cell, (n, yes) in cells.items()}
    >>> counts |= {(*cell, "no"): n - yes for cell, (n, yes) in cells.items()}
    >>> margins = [{"f": 0.52, "m": 0.48}, {"y": 0.3, "o": 0.7}]
    >>> table = candor.rake(candor.mechanism("coin"), counts, margins)
    >>> print(f"{table['yes'].raw:.6f} ({table['yes'].standard_error:.6f})")
    0.267619 (0.060196)
    """
    check_sequence("margins", margins, of="mappings")
    if not margins:
        raise ValueError("margins must have one mapping or more; got none")
    sample = weigh(mechanism, counts, margins)
    return _make_table(sample, estimand, confidence_level, method)


def estimate_weighted(
    mechanism: Mechanism,
    sums: Mapping[str, Sums],
    *,
    estimand: Estimand | str | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    method: str = DEFAULT_METHOD,
) -> Estimates:
    """Estimate shares from reports of respondents with weights.

    Var = sum w^2 (s - t)^2 / (sum w)^2, with n - 1, as for a sample drawn with
    replacement and known weights (Horvitz & Thompson 1952, Hajek 1971).

    Parameters
    ----------
    mechanism : Mechanism
        As for `post_stratify`.
    sums : mapping of str to Sums
        {report: sums of the weights of respondents who sent it}; omitted reports have
        no respondents.
    estimand, confidence_level, method
        As for `post_stratify`.

    Returns
    -------
    Estimates
        As for `post_stratify`.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or is out of its range.

    Examples
    --------
    Two coins, 40 yes in 100 reports, with equal weights:

    >>> import candor
    >>> sums = {"yes": candor.Sums.of([2] * 40), "no": candor.Sums.of([2] * 60)}
    >>> table = candor.estimate_weighted(candor.mechanism("coin"), sums)
    >>> print(f"{table['yes'].raw:.2f} ({table['yes'].standard_error:.4f})")
    0.30 (0.0985)
    """
    sample = weigh(mechanism, key_by_pattern(sums), [])
    return _make_table(sample, estimand, confidence_level, method)


def key_by_pattern(sums: Mapping[str, Sums]) -> Counts:
    """Return sums by report as sums by pattern without margins."""
    if not isinstance(sums, Mapping):
        raise TypeError(f"sums must map reports to Sums; got {shown(sums)}")
    for report, each in sums.items():
        if not isinstance(each, Sums):
            raise TypeError(f"sums[{report!r}] must be Sums; got {shown(each)}")
    return {(report,): each for report, each in sums.items()}


def _make_table(
    sample: WeightedSample,
    estimand: Estimand | str | None,
    confidence_level: float,
    method: str,
) -> Estimates:
    note = (
        f"Effective sample size {sample.effective_n:,.0f}, design effect "
        f"{sample.design_effect:.2f}, largest weight {sample.largest_weight:.2f}."
    )
    return sample.table(estimand, confidence_level, method, notes=[note])


def weigh(
    mechanism: Mechanism, counts: Counts, margins: Sequence[Margin]
) -> WeightedSample:
    """Return the sample with weights that satisfy the margins, which may be none.

    Arguments and errors are those of `post_stratify` and `rake`.
    """
    mechanism = reduce_to_estimable(mechanism)
    known = [
        check_margin(
            margin, name=f"margins[{number}]" if len(margins) > 1 else "shares"
        )
        for number, margin in enumerate(margins)
    ]
    checked = _check_counts(mechanism, counts, known)
    found = sorted({key[:-1] for key in checked}, key=repr)
    row = {key: place for place, key in enumerate(found)}
    column = {report: place for place, report in enumerate(mechanism.reports)}
    numbers = np.zeros((3, len(found), len(column)))
    largest = np.zeros(len(found))
    for (*answers, report), sums in checked.items():
        place = row[tuple(answers)]
        numbers[:, place, column[str(report)]] = (
            sums.respondents,
            sums.total,
            sums.squares,
        )
        largest[place] = max(largest[place], sums.largest)
    members, weights, squares = numbers
    places = [
        np.array([list(margin).index(key[number]) for key in found])
        for number, margin in enumerate(known)
    ]
    indicators = [
        np.eye(len(margin))[place] for margin, place in zip(known, places, strict=True)
    ]
    by_cell = weights.sum(axis=1)
    # The share of each cell in the population divided by its share in the sample
    factors = rake_cells(by_cell, places, known) / by_cell
    return WeightedSample(
        mechanism=mechanism,
        counts=members.astype(np.int64),
        weights=weights * factors[:, None],
        squares=squares * factors[:, None] ** 2,
        largest=largest * factors,
        sampled=by_cell,
        indicators=np.hstack(indicators or [np.ones((len(found), 1))]),
        is_by_cell=len(known) < 2,
    )


def _check_counts(
    mechanism: Mechanism, counts: Counts, margins: Sequence[Margin]
) -> dict[tuple[Hashable, ...], Sums]:
    if not isinstance(counts, Mapping):
        raise TypeError(f"counts must map patterns to counts; got {shown(counts)}")
    found = {}
    for key, count in counts.items():
        check_sequence("a pattern in counts", key, of="answers and a report")
        if len(key) != len(margins) + 1:
            raise ValueError(
                f"a pattern in counts must have {len(margins) + 1} parts, an answer to "
                f"each margin and the report last; got {key!r}"
            )
        *answers, report = key
        check_choice("a report in counts", report, mechanism.reports)
        for answer, margin in zip(answers, margins, strict=True):
            if answer not in margin:
                allowed = ", ".join(map(repr, margin))
                raise ValueError(
                    f"an answer in counts must be one of {allowed}, whose shares are "
                    f"known; got {answer!r}"
                )
        sums = count if isinstance(count, Sums) else _make_equal_sums(key, count)
        if sums.respondents:
            found[key] = sums
    if not found:
        raise ValueError("counts must have one respondent or more; got none")
    check_total("counts", sum(sums.respondents for sums in found.values()))
    return found


def _make_equal_sums(key: tuple[Hashable, ...], count: int) -> Sums:
    n = check_count(f"counts[{key!r}]", count)
    return Sums(n, float(n), float(n), 1.0 if n else 0.0)
