"""Designs that identify how many respondents do not follow the device.

Each design is a mixture of a few kinds of respondents: compliant ones, by their answer,
and non-compliant ones. The likelihood is for the counts of all reports, and intervals
are profile likelihood intervals (Wilks 1938, Annals of Mathematical Statistics 9:60).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
import scipy

from candor.binary import FloatArray, keep_inside
from candor.estimands import Estimand
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, Interval
from candor.likelihood import fit_mixture, profile_ratio
from candor.mechanisms import Mechanism
from candor.mechanisms.parameters import check_choice
from candor.sample import PROFILE, classify_status, read_sample
from candor.table import Estimate, Estimates, Status
from candor.validation import (
    CONFIDENCE_LEVEL,
    check_counts,
    check_mechanism,
    check_total,
    describe_shape,
    is_two_by_two,
)

HONEST_YES, HONEST_NO, CHEATERS = "honest yes", "honest no", "cheaters"

ATTENTIVE = "attentive"

GUESS = 1 / 2
"""Probability of each report of an inattentive respondent."""

MIN_DETERMINANT = 1e-9
"""If the determinant of the equations for the shares is smaller, tables are identical.
"""


@dataclass(frozen=True)
class Mixture:
    """Kinds of respondents, and the probabilities of their reports.

    `groups` has the counts of each group. `table` has shape (kinds, reports): for each
    kind, the probabilities of the reports of all groups, side by side. They sum to 1 in
    each group.
    """

    table: FloatArray
    groups: Sequence[Sequence[int]]
    confidence_level: float

    @property
    def counts(self) -> list[int]:
        return [count for group in self.groups for count in group]

    @property
    def n(self) -> int:
        return sum(self.counts)

    @cached_property
    def fit(self) -> float:
        """The p-value of the fit of the best shares, in (0, 1].

        It is that of the likelihood ratio against arbitrary probabilities of reports,
        with the degrees of freedom of these. The shares of the kinds are not
        subtracted, so the test is conservative.
        """
        counts = np.array(self.counts, dtype=np.float64)
        _, (best,) = fit_mixture(self.table[None], counts[None])
        totals = np.repeat([sum(each) for each in self.groups], self._sizes)
        free = float(scipy.special.xlogy(counts, counts / totals).sum())
        freedom = sum(size - 1 for size in self._sizes)
        return float(scipy.special.chdtrc(freedom, max(2 * (free - float(best)), 0.0)))

    @property
    def status(self) -> Status:
        is_identical = all(len([n for n in each if n]) == 1 for each in self.groups)
        return classify_status(min(map(sum, self.groups)), self.fit, is_identical)

    @property
    def _sizes(self) -> list[int]:
        return [len(each) for each in self.groups]

    def row(
        self,
        name: str,
        kinds: Sequence[int],
        *,
        among: Sequence[int],
        raw: float,
        standard_error: float,
    ) -> Estimate:
        """Return the share of `kinds` of respondents among the kinds `among`."""
        among = sorted(among)
        wanted = Estimand(tuple(int(kind in kinds) for kind in among))

        def profile(level: float) -> tuple[float, Interval]:
            drop = float(scipy.special.chdtri(1, 1 - level))
            return profile_ratio(self.table, self.counts, among, wanted, drop=drop)

        estimate, (low, high) = profile(self.confidence_level)
        return Estimate(
            estimand=name,
            estimate=estimate,
            raw=raw,
            standard_error=standard_error,
            low=low,
            high=high,
            confidence_level=self.confidence_level,
            method=PROFILE,
            n=self.n,
            status=self.status,
            find_interval=lambda level: profile(level)[1],
        )


def estimate_cheating(
    first: Mechanism,
    first_counts: Mapping[str, int],
    second: Mechanism,
    second_counts: Mapping[str, int],
    *,
    safe_report: str | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> Estimates:
    """Estimate the share of cheaters from two groups with different tables.

    Respondents are randomly assigned to a group. Some comply and have the answer "yes"
    or "no"; the others, cheaters, always send the safe report. Their answers are
    unknown: the share of "yes" among all respondents is between the share of honest
    "yes" and the share of honest "yes" and cheaters together.

    Parameters
    ----------
    first, second : Mechanism
        Two answers and two reports each, with the same names and different chances,
        such as forced response with two probabilities of a forced "yes".
    first_counts, second_counts : mapping of str to int
        How many respondents of each group sent each report; one or more.
    safe_report : str, optional
        The report that cheaters send; by default the last report.
    confidence_level : float
        In (0, 1), for each interval by itself.

    Returns
    -------
    Estimates
        Rows "honest yes", "honest no" and "cheaters". `raw` solves the equations of the
        expected counts and may be out of [0, 1].

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or is out of its range, or if the two tables
        do not identify the three shares.

    References
    ----------
    Clark & Desharnais 1998, Psychological Methods 3:160, equations 5 to 10.

    Examples
    --------
    Two groups of 500 with a forced "no" for 1 in 8, and a forced "yes" for 2 in 8 and
    for 6 in 8:

    >>> import candor
    >>> first = candor.mechanism("forced_response", forced_yes="2/8", forced_no="1/8")
    >>> second = candor.mechanism("forced_response", forced_yes="6/8", forced_no="1/8")
    >>> table = candor.estimate_cheating(
    ...     first, {"yes": 225, "no": 275}, second, {"yes": 325, "no": 175}
    ... )
    >>> [f"{row.estimand} {row.estimate:.2f}" for row in table]
    ['honest yes 0.40', 'honest no 0.40', 'cheaters 0.20']
    """
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    groups = (("first", first, first_counts), ("second", second, second_counts))
    for name, mechanism, _counts in groups:
        check_two_by_two(name, mechanism)
    if second.answers != first.answers or second.reports != first.reports:
        raise ValueError(
            f"second must have the answers and reports of first, "
            f"{', '.join(first.reports)}; got {', '.join(second.reports)}"
        )
    report = first.reports[-1] if safe_report is None else safe_report
    check_choice("safe_report", report, first.reports)
    samples = [
        read_sample(mechanism, counts, name=f"{name}_counts")
        for name, mechanism, counts in groups
    ]
    for (name, _mechanism, _counts), sample in zip(groups, samples, strict=True):
        if not sample.n:
            raise ValueError(f"{name}_counts must have at least one report; got none")
    safe = first.reports.index(report)
    # Probabilities of the other report, which cheaters never send: the equations of
    # the honest shares
    chances = np.array(
        [
            [row[1 - safe] / each.mechanism.total for row in each.mechanism.weights]
            for each in samples
        ]
    )
    if abs(np.linalg.det(chances)) < MIN_DETERMINANT:
        raise ValueError(
            "second must have other chances than first, so that two equations identify "
            "the shares; got tables that do not"
        )
    inverse = np.linalg.inv(chances)
    sent = np.array([each.counts[1 - safe] / each.n for each in samples])
    # Identical reports have no variance: then half a report is moved.
    kept = [keep_inside(p, each.n) for p, each in zip(sent, samples, strict=True)]
    spread = [p * (1 - p) / each.n for p, each in zip(kept, samples, strict=True)]
    honest = inverse @ sent
    # Rows: honest yes, honest no, cheaters, as linear functions of the two shares sent.
    linear = np.vstack([inverse, -inverse.sum(axis=0)])
    raw = [*honest, 1 - honest.sum()]
    errors = np.sqrt(linear**2 @ spread)
    cheating = np.zeros(4)
    cheating[[safe, 2 + safe]] = 1.0
    tables = [
        np.array(each.mechanism.weights, dtype=float) / each.mechanism.total
        for each in samples
    ]
    mixture = Mixture(
        np.vstack([np.hstack(tables), cheating]),
        [each.counts for each in samples],
        level,
    )
    names = (HONEST_YES, HONEST_NO, CHEATERS)
    return Estimates(
        mixture.row(
            name,
            [place],
            among=range(3),
            raw=float(raw[place]),
            standard_error=float(errors[place]),
        )
        for place, name in enumerate(names)
    )


def estimate_attentive(
    mechanism: Mechanism,
    anchor: Mechanism,
    counts: Mapping[tuple[str, str], int],
    *,
    anchor_answer: str | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> Estimates:
    """Estimate a share among attentive respondents, with an anchor question.

    Each respondent also answers, with another device, an anchor question to which
    everyone has the same answer. Inattentive respondents choose each of the two
    reports with probability 1/2, to both questions.

    Parameters
    ----------
    mechanism, anchor : Mechanism
        Two answers and two reports each, such as two crosswise questions.
    counts : mapping of (str, str) to int
        How many respondents sent each pair of reports, sensitive question first.
    anchor_answer : str, optional
        The answer that everyone has to the anchor question; by default its last.
    confidence_level : float
        In (0, 1), for each interval by itself.

    Returns
    -------
    Estimates
        Rows for the first answer among attentive respondents, and for the share of
        attentive respondents. `raw` solves the equations of the expected counts and may
        be out of [0, 1]; its standard error is linearised. Both are NaN for the first
        answer if the anchor question has equal counts of both reports, so that no
        respondent seems attentive.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or is out of its range, or if the reports of
        a table do not depend on the answer.

    References
    ----------
    Atsusaka & Stevenson 2023, Political Analysis 31:134.

    Examples
    --------
    1,427 of 2,000 report "same" to a crosswise question and 1,541 to the anchor, as in
    the example of the R package cWise:

    >>> import candor
    >>> crosswise = candor.mechanism("crosswise", prevalence="0.15")
    >>> pairs = {("same", "same"): 1160, ("same", "different"): 267,
    ...          ("different", "same"): 381, ("different", "different"): 192}
    >>> table = candor.estimate_attentive(crosswise, crosswise, pairs)
    >>> [f"{row.estimand} {row.raw:.4f}" for row in table]
    ['yes 0.1054', 'attentive 0.7729']
    """
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    for name, each in (("mechanism", mechanism), ("anchor", anchor)):
        check_two_by_two(name, each)
    chosen = anchor.answers[-1] if anchor_answer is None else anchor_answer
    check_choice("anchor_answer", chosen, anchor.answers)
    pairs = list(product(mechanism.reports, anchor.reports))
    counted = check_counts(counts, pairs)
    n = sum(counted)
    check_total("counts", n)
    if not n:
        raise ValueError("counts must have at least one pair of reports; got none")
    table = np.array(mechanism.weights) / mechanism.total
    expected = np.array(anchor.weights)[anchor.answers.index(chosen)] / anchor.total
    for name, distance in (
        ("mechanism", table[0, 0] - table[1, 0]),
        ("anchor", expected[0] - GUESS),
    ):
        if abs(distance) < MIN_DETERMINANT:
            raise ValueError(
                f"{name} must have reports that depend on the answer and differ from "
                "guessing, so that the shares are identified; got a table that does not"
            )
    observed = np.array(counted, dtype=float).reshape(2, 2) / n
    sent, anchored = observed.sum(axis=1)[0], observed.sum(axis=0)[0]
    # anchored = g x + (1 - g) / 2, with x the probability given the known answer, and
    # sent = g [b + (a - b) f] + (1 - g) / 2, solved for g and f.
    distance, slope = expected[0] - GUESS, table[0, 0] - table[1, 0]
    attentive = (anchored - GUESS) / distance
    covariance = (observed[0, 0] - sent * anchored) / n
    kept = [keep_inside(each, n) for each in (sent, anchored)]
    variances = [each * (1 - each) / n for each in kept]
    spread = np.array([[variances[0], covariance], [covariance, variances[1]]])
    share = share_error = math.nan
    if attentive:
        share = ((sent - GUESS) / attentive + GUESS - table[1, 0]) / slope
        turn = -(sent - GUESS) / (attentive * distance)
        gradient = np.array([1.0, turn]) / (attentive * slope)
        share_error = math.sqrt(gradient @ spread @ gradient)
    error = math.sqrt(spread[1, 1]) / abs(float(distance))
    mixture = Mixture(
        np.vstack([np.kron(table, expected), np.full(len(pairs), GUESS**2)]),
        [counted],
        level,
    )
    return Estimates(
        (
            mixture.row(
                mechanism.answers[0],
                [0],
                among=(0, 1),
                raw=float(share),
                standard_error=share_error,
            ),
            mixture.row(
                ATTENTIVE,
                [0, 1],
                among=range(3),
                raw=float(attentive),
                standard_error=error,
            ),
        )
    )


def check_two_by_two(name: str, mechanism: Mechanism) -> None:
    """Raise `ValueError` unless a mechanism has two answers and two reports."""
    check_mechanism(mechanism, name=name)
    if not is_two_by_two(mechanism):
        raise ValueError(
            f"{name} must have 2 answers and 2 reports; got {describe_shape(mechanism)}"
        )
