"""What a result says if something is supposed of its respondents: numbers alone."""

from dataclasses import dataclass

from candor.census import CensusInterval, census_interval
from candor.intervals import DEFAULT_METHOD, Interval
from candor.intervals.one_sided import ONE_SIDED_METHODS
from candor.poisoning import forgery_proof_interval
from estimation.rows.row import Row
from estimation.rows.shares import QuestionResult


@dataclass(frozen=True, kw_only=True)
class Supposed:
    """What a reader supposes; nothing by default."""

    is_census: bool = False
    """That the respondents are all of the group, not some of a larger one."""
    forged: int = 0
    """How many reports may be forged."""


NOTHING_SUPPOSED = Supposed()


def find_census_interval(result: QuestionResult, row: Row) -> CensusInterval:
    """Return how many respondents have an answer, if everyone was surveyed."""
    return census_interval(
        result.mechanism,
        dict(result.tally),
        answer=row.estimand,
        confidence_level=result.level_of_each,
    )


def despite_forged(result: QuestionResult, row: Row, forged: int) -> Interval:
    """Return the interval that holds whatever so many reports were forged to be."""
    # A Bayesian interval promises nothing of every count between.
    method = result.method if result.method in ONE_SIDED_METHODS else DEFAULT_METHOD
    return forgery_proof_interval(
        result.mechanism,
        dict(result.tally),
        forged=min(forged, result.respondents),
        answer=row.estimand,
        confidence_level=result.level_of_each,
        method=method,
    )
