"""The one meeting point of database and maths: what is sealed, read once.

Page, chart, file and public page all begin here.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat
from typing import Protocol

from respondents.models import Response, SealedPattern
from respondents.tally import CountsByReport, SealedTally, add_up
from surveys.design import Design, DesignQuestion, design_of
from surveys.mechanisms import Mechanism
from surveys.models import Survey

CACHED_QUESTIONS = 512
"""Whose results are kept: a few pages of them; one is some hundred bytes."""


class Asked(Protocol):
    """A question of a survey or of its frozen design."""

    @property
    def mechanism(self) -> Mechanism: ...


@dataclass(frozen=True, kw_only=True)
class Tallied(ABC):
    """What is sealed of one survey's questions, each by itself, all of one moment."""

    survey: Survey
    design: Design
    numbers: Sequence[int]
    """The questions that were read, 1 for the survey's first."""

    @property
    @abstractmethod
    def respondents(self) -> int:
        """Sealed responses, whether or not each question was asked."""

    @property
    @abstractmethod
    def added_up(self) -> CountsByReport:
        """How many sent each report to each question that was read."""

    @cached_property
    def questions(self) -> list[DesignQuestion]:
        """The questions that were read."""
        return [self.design.questions[number - 1] for number in self.numbers]

    def by_question(self) -> Iterator[tuple[int, DesignQuestion, dict[str, int]]]:
        """Return the number of each question, the question, and {report: count}."""
        tallied = named(self.questions, self.added_up)
        return zip(self.numbers, self.questions, tallied, strict=True)


@dataclass(frozen=True, kw_only=True)
class OneWayTallies(Tallied):
    """From the tally that is kept beside the patterns."""

    kept: SealedTally

    @property
    def respondents(self) -> int:
        return self.kept.respondents

    @property
    def added_up(self) -> CountsByReport:
        # Nothing is kept of a survey that nobody has answered.
        counts = self.kept.counts or [[]] * len(self.design.questions)
        return [counts[number - 1] for number in self.numbers]


@dataclass(frozen=True, kw_only=True)
class Tallies(Tallied):
    """And of these questions together."""

    counts: Mapping[bytes, int]
    """{pattern of these questions: count}."""

    @cached_property
    def respondents(self) -> int:
        return sum(self.counts.values())

    @cached_property
    def added_up(self) -> CountsByReport:
        return add_up(self.counts) or [[]] * len(self.numbers)


def read_one_way(
    survey: Survey, only: Sequence[int] = (), *, seals: bool = True
) -> OneWayTallies:
    """Return what was sent to each question by itself, as far as it is sealed.

    It costs the same for any number of respondents. Parameters are those of
    `read_tallies`.
    """
    if seals and survey.is_open:
        Response.objects.seal_if_due(survey)
    design = design_of(survey)
    return OneWayTallies(
        survey=survey,
        design=design,
        numbers=only or range(1, len(design.questions) + 1),
        kept=SealedTally.objects.of(survey),
    )


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
    return named(asked, add_up(counts) or [[]] * len(asked))


def named(questions: Iterable[Asked], counts: CountsByReport) -> list[dict[str, int]]:
    """Return {report: count} for each question, from counts up to the last one sent."""
    return [
        dict(zip(question.mechanism.reports, chain(sent, repeat(0)), strict=False))
        for question, sent in zip(questions, counts, strict=True)
    ]
