"""What one report may tell somebody who suspects something already."""

import math
from dataclasses import dataclass, replace

from candor.mechanisms import Mechanism
from candor.validation import SHARE, check_two_by_two

DEFAULT_PRIOR = 0.1

EVEN = 0.5
"""The prior of somebody who would toss a coin."""


@dataclass(frozen=True, kw_only=True)
class ReportReading:
    """What one of the reports tells.

    Attributes
    ----------
    report : str
    chance : float
        How likely the report is, before it is seen.
    posterior : float
        Probability of the first answer once the report is seen; NaN where it never
        comes.
    deniability : float
        Probability of the second answer then: 1 - `posterior`.
    """

    report: str
    chance: float
    posterior: float
    deniability: float


@dataclass(frozen=True, kw_only=True)
class PosteriorReading:
    """What a report can make of a suspicion.

    Attributes
    ----------
    prior : float
        Probability of the first answer in the reader's mind, before the report.
    reports : tuple of ReportReading
        In the order of the table.
    lowest, highest : float
        Bounds of the posterior for every table with this epsilon, in [0, 1].
    factor : float
        By how much the odds of the first answer can change at most: e**epsilon.
    guess : float
        Chance of naming the answer rightly, by the likelier one given the report.
    blind_guess : float
        The same without any report.
    even_guess : float
        The same with a report, for somebody who thinks both answers equally likely.
    """

    prior: float
    reports: tuple[ReportReading, ...]
    lowest: float
    highest: float
    factor: float
    guess: float
    blind_guess: float
    even_guess: float


def read_posterior(
    mechanism: Mechanism, *, prior: float = DEFAULT_PRIOR
) -> PosteriorReading:
    """Return what one report makes of a suspicion.

    Parameters
    ----------
    mechanism : Mechanism
        Two answers, two reports.
    prior : float
        Probability of the first answer before the report, q, in [0, 1].

    References
    ----------
    Kasiviswanathan & Smith 2014, Journal of Privacy and Confidentiality 6(1)
    (Bayesian reading of differential privacy).

    Examples
    --------
    Two coins make of a suspicion of one in ten at most one of one in four:

    >>> from candor.mechanisms import build
    >>> yes, no = read_posterior(build("coin"), prior=0.1).reports
    >>> print(f"{yes.posterior:.3f} {no.posterior:.3f}")
    0.250 0.036
    """
    check_two_by_two(mechanism)
    return reading_of(mechanism, SHARE.check("prior", prior))


def reading_of(mechanism: Mechanism, prior: float) -> PosteriorReading:
    """Return the same of a checked table and prior."""
    return replace(
        of_no_report(mechanism, prior),
        reports=tuple(
            _read_report(mechanism, report, prior) for report in mechanism.reports
        ),
        guess=_guess(mechanism, prior),
        blind_guess=max(prior, 1 - prior),
        even_guess=_guess(mechanism, EVEN),
    )


def of_one_answer(reading: PosteriorReading) -> PosteriorReading:
    """Return a reading of one answer against the rest without what it cannot say.

    What another report tells of this answer depends on which of the other answers are
    suspected, and so does the best guess. The bounds hold in every case.
    """
    unknown = {"guess": math.nan, "blind_guess": math.nan, "even_guess": math.nan}
    return replace(reading, reports=reading.reports[:1], **unknown)


def of_no_report(mechanism: Mechanism, prior: float) -> PosteriorReading:
    """Return the bounds alone, of any answer and a checked prior."""
    ratio = mechanism.worst_ratio
    factor = math.inf if ratio is None else float(ratio)
    lowest, highest = _bounds(prior, factor)
    return PosteriorReading(
        prior=prior,
        reports=(),
        lowest=lowest,
        highest=highest,
        factor=factor,
        guess=math.nan,
        blind_guess=math.nan,
        even_guess=math.nan,
    )


def _read_report(mechanism: Mechanism, report: str, prior: float) -> ReportReading:
    on_yes, on_no = (
        float(mechanism.probability(report, given=answer))
        for answer in mechanism.answers
    )
    chance = prior * on_yes + (1 - prior) * on_no
    # Bayes: q P(report | yes) / [q P(report | yes) + (1 - q) P(report | no)]
    posterior = prior * on_yes / chance if chance else math.nan
    return ReportReading(
        report=report, chance=chance, posterior=posterior, deniability=1 - posterior
    )


def _bounds(prior: float, factor: float) -> tuple[float, float]:
    # A certainty, which no report shakes.
    if prior in (0, 1):
        return prior, prior
    # Odds change by at most E = e^eps: [q / (q + (1 - q) E), q E / (q E + 1 - q)]
    against = (1 - prior) / prior
    return 1 / (1 + against * factor), 1 / (1 + against / factor)


def _guess(mechanism: Mechanism, prior: float) -> float:
    """Return the chance of naming the answer rightly from the report."""
    # sum over reports of max [q P(report | yes), (1 - q) P(report | no)];
    # (a + 1 - b) / 2 at q = 1/2
    rows = mechanism.weights
    return sum(
        max(prior * on_yes, (1 - prior) * on_no) / mechanism.total
        for on_yes, on_no in zip(*rows, strict=True)
    )
