"""The one meeting point of database and maths: what is sealed, read once.

Page, chart, file and public page all begin here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from respondents.models import Response, SealedPattern
from surveys.design import Design, DesignQuestion, design_of
from surveys.mechanisms import Mechanism
from surveys.mechanisms.draw import NOT_ASKED
from surveys.models import Survey

CACHED_QUESTIONS = 512
"""Whose results are kept: a few pages of them; one is some hundred bytes."""


class Asked(Protocol):
    """A question of a survey or of its frozen design."""

    @property
    def mechanism(self) -> Mechanism: ...


@dataclass(frozen=True, kw_only=True)
class Tallies:
    """What is sealed of one survey's questions, all of one moment."""

    survey: Survey
    design: Design
    numbers: Sequence[int]
    """The questions that were read, 1 for the survey's first."""
    counts: Mapping[bytes, int]
    """{pattern of these questions: count}."""

    @cached_property
    def respondents(self) -> int:
        """Sealed responses, whether or not each question was asked."""
        return sum(self.counts.values())

    @cached_property
    def questions(self) -> list[DesignQuestion]:
        """The questions that were read."""
        return [self.design.questions[number - 1] for number in self.numbers]

    def by_question(self) -> Iterator[tuple[int, DesignQuestion, dict[str, int]]]:
        """Return the number of each question, the question, and {report: count}."""
        tallied = tallies(self.questions, self.counts)
        return zip(self.numbers, self.questions, tallied, strict=True)


def read_tallies(
    survey: Survey, only: Sequence[int] = (), *, seals: bool = True
) -> Tallies:
    """Return what the respondents of an opened survey sent, as far as it is sealed.

    Parameters
    ----------
    survey : Survey
        Open or closed.
    only : sequence of int
        Numbers of the questions to read, 1 for the survey's first; without any, all of
        them. The database then counts: of one question comes no more than its tally.
    seals : bool
        Whether a batch that is due is sealed first. A chart does not: sealing between
        page and chart would let them disagree.
    """
    if seals and survey.is_open:
        Response.objects.seal_if_due(survey)
    design = design_of(survey)
    return Tallies(
        survey=survey,
        design=design,
        numbers=only or range(1, len(design.questions) + 1),
        counts=SealedPattern.objects.counts(survey, only),
    )


def tallies(
    questions: Iterable[Asked], counts: Mapping[bytes, int]
) -> list[dict[str, int]]:
    """Return {report: count} for each question, in the order of their positions.

    Whoever was not asked is in no tally: what is missing from one is the sum of
    `counts` less the sum of the tally.
    """
    asked = list(questions)
    patterns = np.frombuffer(b"".join(counts), dtype=np.uint8)
    # One row for a question, together in memory: each is then read in one go.
    by_question = patterns.reshape(-1, len(asked)).T.copy()
    # Sums of whole numbers are exact in floats up to 2**53.
    weights = np.fromiter(counts.values(), dtype=np.float64, count=len(counts))
    found = []
    for question, reports in zip(asked, by_question, strict=True):
        sums = np.bincount(reports, weights, minlength=NOT_ASKED)
        names = question.mechanism.reports
        found.append({name: int(sums[row]) for row, name in enumerate(names)})
    return found
