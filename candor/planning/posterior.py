"""The posterior probability of an answer, given one report and a suspicion."""

import math
from dataclasses import dataclass, replace

from candor.mechanisms import Mechanism

EVEN = 0.5
"""The prior of an observer who considers both answers equally likely."""


@dataclass(frozen=True, kw_only=True)
class ReportPosterior:
    """Probability of a report, and of both answers given it (None if never sent)."""

    report: str
    chance: float
    posterior: float | None
    deniability: float | None


@dataclass(frozen=True, kw_only=True)
class Posterior:
    """How one report changes an observer's prior of the first answer.

    The bounds hold for every table with this epsilon: odds change by `factor`,
    e**epsilon, at most. `guess` is the probability of guessing the answer from the
    report, `blind_guess` without it, and `even_guess` with a prior of one half. They
    are None for one answer against the rest, of which only the first report is there,
    and for a scale, of which none is.
    """

    prior: float
    reports: tuple[ReportPosterior, ...]
    lowest: float
    highest: float
    factor: float
    guess: float | None = None
    blind_guess: float | None = None
    even_guess: float | None = None


def compute_posterior(
    mechanism: Mechanism, prior: float, *, of_one_answer: bool = False
) -> Posterior:
    """Return the posteriors of two answers, or of one answer against the rest."""
    bounds = posterior_bounds(mechanism, prior)
    reports = tuple(_given(mechanism, each, prior) for each in mechanism.reports)
    if of_one_answer:
        return replace(bounds, reports=reports[:1])
    return replace(
        bounds,
        reports=reports,
        guess=_guess(mechanism, prior),
        blind_guess=max(prior, 1 - prior),
        even_guess=_guess(mechanism, EVEN),
    )


def posterior_bounds(mechanism: Mechanism, prior: float) -> Posterior:
    """Return the bounds alone, for any answer and a checked prior."""
    ratio = mechanism.worst_ratio
    factor = math.inf if ratio is None else float(ratio)
    lowest = highest = prior
    # No report changes a prior of 0 or 1.
    if 0 < prior < 1:
        # Odds change by at most E = e^eps: [q / (q + (1 - q) E), q E / (q E + 1 - q)]
        against = (1 - prior) / prior
        lowest = 1 / (1 + against * factor)
        highest = 1.0 if ratio is None else 1 / (1 + against / factor)
    return Posterior(
        prior=prior, reports=(), lowest=lowest, highest=highest, factor=factor
    )


def _given(mechanism: Mechanism, report: str, prior: float) -> ReportPosterior:
    given_yes, given_no = (
        float(mechanism.probability(report, given=answer))
        for answer in mechanism.answers
    )
    chance = prior * given_yes + (1 - prior) * given_no
    # Bayes (Kasiviswanathan & Smith 2014, Journal of Privacy and Confidentiality 6(1)):
    # q P(report | yes) / [q P(report | yes) + (1 - q) P(report | no)]
    posterior = prior * given_yes / chance if chance else None
    return ReportPosterior(
        report=report,
        chance=chance,
        posterior=posterior,
        deniability=None if posterior is None else 1 - posterior,
    )


def _guess(mechanism: Mechanism, prior: float) -> float:
    """Return the probability of guessing the answer from the report."""
    # sum over reports of max [q P(report | yes), (1 - q) P(report | no)];
    # (a + 1 - b) / 2 at q = 1/2
    rows = mechanism.weights
    return sum(
        max(prior * given_yes, (1 - prior) * given_no) / mechanism.total
        for given_yes, given_no in zip(*rows, strict=True)
    )
