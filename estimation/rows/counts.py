"""Read the aggregated counts of a survey from the database.

Page, chart, file and public page all begin here, so here it is decided whether there
are enough responses to show anything.
"""

from abc import ABC, abstractmethod
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, repeat
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from candor.mechanisms import Mechanism
from candor.mechanisms.draws import NOT_ASKED, compute_chance
from respondents.least_responses import has_too_few, refuse_too_few
from respondents.models import Response, SealedPattern
from respondents.storage.sealed_tally import CountsByReport, SealedTally, add_up
from surveys.design import Design, DesignQuestion, get_design
from surveys.models import Survey
from surveys.models.conditions import list_leaves

CACHED_QUESTIONS = 512
"""Questions in the cache: those of a few pages. One takes a few thousand bytes."""

CACHED_SURVEYS = 16
"""Surveys in the cache of conditional counts. One takes some thousand bytes."""

ReportCounts = tuple[tuple[str, int], ...]
"""Each report and its count, in the order of the table; a key of cached results."""


@dataclass(frozen=True, kw_only=True)
class SurveyCounts(ABC):
    survey: Survey
    design: Design
    numbers: Sequence[int]
    """The questions that were read, 1 for the survey's first."""

    def __post_init__(self) -> None:
        """Refuse counts of too few respondents."""
        refuse_too_few(self.survey, self.respondents)

    @property
    @abstractmethod
    def respondents(self) -> int:
        """Sealed responses, whether or not each question was asked."""

    @property
    @abstractmethod
    def added_up(self) -> CountsByReport:
        """Counts of each report to each question that was read."""

    def translate(self, language: str) -> Self:
        return replace(self, design=self.design.translate(language))

    @cached_property
    def questions(self) -> list[DesignQuestion]:
        questions = self.design.estimated_questions
        return [questions[number - 1] for number in self.numbers]

    @abstractmethod
    def select(self, *numbers: int) -> "ContingencyTable | None":
        """Return the joint counts of some questions, by their numbers.

        None if not all of them were read.
        """

    def by_question(self) -> Iterator[tuple[int, DesignQuestion, dict[str, int]]]:
        mechanisms = [question.mechanism for question in self.questions]
        report_counts = name_reports(mechanisms, self.added_up)
        return zip(self.numbers, self.questions, report_counts, strict=True)


@dataclass(frozen=True, kw_only=True)
class OneWayCounts(SurveyCounts):
    tally: SealedTally

    @property
    def respondents(self) -> int:
        return self.tally.respondents

    @property
    def added_up(self) -> CountsByReport:
        # Nothing is stored for a survey without responses.
        counts = self.tally.counts or [[]] * len(self.design.questions)
        return [counts[number - 1] for number in self.numbers]

    def select(self, *numbers: int) -> "ContingencyTable | None":
        if not self.design.declares(*numbers):
            return None
        sets = list_conditional_sets(self.design)
        if numbers not in sets or not self.tally.pk:
            return read_contingency_table(self.survey, numbers, seals=False)
        return ContingencyTable(
            survey=self.survey,
            design=self.design,
            numbers=numbers,
            counts=read_conditional_counts(self.tally.pk, self.survey, sets)[numbers],
        )


@dataclass(frozen=True)
class Patterns:
    """Patterns and their counts, in a third of the memory of a dict."""

    sent: npt.NDArray[np.uint8]
    """Shape (patterns, questions): which report, or `NOT_ASKED`."""
    counts: npt.NDArray[np.int64]

    @classmethod
    def of(
        cls, pieces: Iterable[Collection[tuple[bytes, int]]], *, width: int
    ) -> "Patterns":
        sent, counts = bytearray(), array("q")
        for piece in pieces:
            sent += b"".join(pattern for pattern, _count in piece)
            counts.extend(count for _pattern, count in piece)
        return cls(
            np.frombuffer(sent, dtype=np.uint8).reshape(len(counts), width),
            np.frombuffer(counts, dtype=np.int64),
        )

    def added_up(self) -> CountsByReport:
        sums = (
            np.bincount(column, self.counts, NOT_ASKED)[:NOT_ASKED]
            for column in self.sent.T
        )
        return [np.trim_zeros(each, "b").astype(np.int64).tolist() for each in sums]

    def count(self, places: Sequence[int]) -> dict[bytes, int]:
        cells = np.zeros(len(self.counts), dtype=np.intp)
        found = np.zeros((1, 0), dtype=np.uint8)
        for column in self.sent.T[list(places)]:
            reports, ranks = rank(column)
            present, cells = rank(cells * len(reports) + ranks)
            before, last = np.divmod(present, len(reports))
            found = np.column_stack([found[before], reports[last]])
        totals = np.bincount(cells, self.counts).astype(np.int64)
        keys = map(bytes, found.astype(np.uint8))
        return dict(zip(keys, totals.tolist(), strict=True))


def rank(keys: npt.NDArray[Any]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the distinct keys in order, and the place of each key among them.

    As `numpy.unique` does, but without sorting: the keys are small whole numbers.
    """
    is_present = np.bincount(keys) > 0
    return np.flatnonzero(is_present), (np.cumsum(is_present) - 1)[keys]


class JointCounts(SurveyCounts):
    @property
    @abstractmethod
    def patterns(self) -> Patterns:
        """Reports of each respondent to these questions."""

    def select(self, *numbers: int) -> "ContingencyTable | None":
        if not set(numbers) <= set(self.numbers):
            return None
        places = [self.numbers.index(number) for number in numbers]
        return ContingencyTable(
            survey=self.survey,
            design=self.design,
            numbers=numbers,
            counts=self.patterns.count(places),
        )


@dataclass(frozen=True, kw_only=True)
class PatternCounts(JointCounts):
    kept: Patterns

    @property
    def patterns(self) -> Patterns:
        return self.kept

    @cached_property
    def respondents(self) -> int:
        return int(self.patterns.counts.sum())

    @cached_property
    def added_up(self) -> CountsByReport:
        return self.patterns.added_up()


@dataclass(frozen=True, kw_only=True)
class ContingencyTable(JointCounts):
    counts: Mapping[bytes, int]
    """{pattern of these questions: count}."""

    @cached_property
    def patterns(self) -> Patterns:
        return Patterns.of([self.counts.items()], width=len(self.numbers))

    @cached_property
    def respondents(self) -> int:
        return sum(self.counts.values())

    @cached_property
    def added_up(self) -> CountsByReport:
        return add_up(self.counts) or [[]] * len(self.numbers)


def read_one_way(
    survey: Survey, only: Sequence[int] = (), *, seals: bool = True
) -> OneWayCounts:
    """Return the sealed counts of each question separately."""
    design = design_to_read(survey, seals=seals)
    return OneWayCounts(
        survey=survey,
        design=design,
        numbers=only or range(1, len(design.questions) + 1),
        tally=SealedTally.objects.find(survey),
    )


def read_patterns(survey: Survey, *, seals: bool = True) -> PatternCounts:
    """Return the patterns of all questions; parameters as in `read_contingency_table`.

    A million patterns take some 30 MB: read only the questions that are needed.
    """
    design = design_to_read(survey, seals=seals)
    width = len(design.questions)
    return PatternCounts(
        survey=survey,
        design=design,
        numbers=range(1, width + 1),
        kept=Patterns.of(SealedPattern.objects.pieces(survey), width=width),
    )


def read_contingency_table(
    survey: Survey, only: Sequence[int] = (), *, seals: bool = True
) -> ContingencyTable:
    """Return the sealed counts of reports to several questions jointly.

    Parameters
    ----------
    survey : Survey
        Open or closed.
    only : sequence of int
        Numbers of the questions to read, 1 for the survey's first; without any, all of
        them. The database then counts, and returns no more than the selected counts.
    seals : bool
        Whether a batch that is due is sealed first. A chart does not: sealing between
        page and chart would let them disagree.

    Raises
    ------
    TooFewResponsesError
        Where fewer responses are sealed than results are shown from.
    """
    design = design_to_read(survey, seals=seals)
    return ContingencyTable(
        survey=survey,
        design=design,
        numbers=only or range(1, len(design.questions) + 1),
        counts=SealedPattern.objects.counts(survey, only),
    )


def list_deciding(question: DesignQuestion) -> tuple[int, ...]:
    if question.shown_if is None:
        return ()
    return tuple(sorted({leaf.number for leaf in list_leaves(question.shown_if)}))


def list_conditional_sets(design: Design) -> tuple[tuple[int, ...], ...]:
    return tuple(
        (*deciding, number)
        for number, question in enumerate(design.questions, start=1)
        if (deciding := list_deciding(question))
    )


@lru_cache(maxsize=CACHED_SURVEYS)
def read_conditional_counts(
    _state: int, survey: Survey, sets: tuple[tuple[int, ...], ...]
) -> Mapping[tuple[int, ...], Mapping[bytes, int]]:
    """Return {set of questions: {reports to them: count}} of all that is sealed.

    The patterns are read once for all sets; the database counts a single set. Cached
    by `_state`, the id of the survey's sealed counts, which changes with them.
    """
    if len(sets) == 1 or get_design(survey).tables:
        return {each: SealedPattern.objects.counts(survey, each) for each in sets}
    found = {numbers: Counter[bytes]() for numbers in sets}
    for piece in SealedPattern.objects.pieces(survey):
        patterns = Patterns.of([piece], width=len(piece[0][0]))
        for numbers, counts in found.items():
            counts.update(patterns.count([number - 1 for number in numbers]))
    return found


def read_counts(surveys: Collection[Survey]) -> dict[int, CountsByReport]:
    """Return {id of the survey: counts by report}, from one look at all of them."""
    kept = SealedTally.objects.by_survey(surveys)
    return {
        each.pk: kept[each.pk].counts
        for each in surveys
        if each.pk in kept and not has_too_few(each, kept[each.pk].respondents)
    }


def count_reports(survey: Survey) -> list[int]:
    """Return the number of reports to each question.

    It reveals no report, so it is available for few respondents too. Before the first
    batch it is 0; while reports await the key holder it is the expected number.
    """
    if survey.awaits_opening:
        design, sent = get_design(survey), SealedPattern.objects.respondents(survey)
        numbers = range(1, len(design.questions) + 1)
        return [round(sent * compute_chance(each, design.groups)) for each in numbers]
    counts = SealedTally.objects.find(survey).counts
    return [sum(sent) for sent in counts] or [0] * len(get_design(survey).questions)


def design_to_read(survey: Survey, *, seals: bool) -> Design:
    if seals and survey.is_open:
        Response.objects.seal_if_due(survey)
    if survey.awaits_opening:
        refuse_too_few(survey, SealedPattern.objects.respondents(survey))
    return get_design(survey)


def count_reports_by_question(
    mechanisms: Sequence[Mechanism], counts: Mapping[bytes, int]
) -> list[dict[str, int]]:
    """Return {report: count} for each question, in the order of their positions."""
    return name_reports(mechanisms, add_up(counts) or [[]] * len(mechanisms))


def name_reports(
    mechanisms: Iterable[Mechanism], counts: CountsByReport
) -> list[dict[str, int]]:
    return [
        dict(zip(mechanism.reports, chain(sent, repeat(0)), strict=False))
        for mechanism, sent in zip(mechanisms, counts, strict=True)
    ]
