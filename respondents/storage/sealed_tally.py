"""Counts of reports by question, stored in addition to the sealed patterns.

They follow from the patterns, and are stored because wide surveys have as many patterns
as respondents. docs/decisions/0020 says what they disclose.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest

from django.db import models

from candor.mechanisms.draws import NOT_ASKED
from candor.validation import MAX_RESPONDENTS
from respondents.storage.exactly_once import random_id
from surveys.models import Survey

SCAN_FACTOR = 20
"""Measured in SQLite: to find a row by its index takes as long as to read 20."""

MAX_COUNT = MAX_RESPONDENTS
"""Of reports in one study: as many as the intervals are tested for."""

CountsByReport = Sequence[Sequence[int]]
"""By question, then by report, up to the last report that was sent."""


def add_up(counts: Mapping[bytes, int]) -> CountsByReport:
    """Return how many respondents sent each report to each question.

    Respondents who were not asked a question are not counted. All patterns have the
    same length.
    """
    # Patterns with the same count are added up together, one question after the other:
    # in a wide survey nearly all have count 1. Nothing else is quick without numpy.
    by_count: defaultdict[int, list[bytes]] = defaultdict(list)
    for pattern, count in counts.items():
        by_count[count].append(pattern)
    width = len(next(iter(counts), b""))
    sums = [Counter[int]() for _ in range(width)]
    for count, patterns in by_count.items():
        joined = b"".join(patterns)
        for place, sent in enumerate(sums):
            column = joined[place::width]
            for report in set(column) - {NOT_ASKED}:
                sent[report] += count * column.count(report)
    return [
        [sent[report] for report in range(max(sent, default=-1) + 1)] for sent in sums
    ]


def add_counts(first: CountsByReport, second: CountsByReport) -> CountsByReport:
    """Return the sum of both, the shorter rows filled up with zeros."""
    return [
        [one + other for one, other in zip_longest(*both, fillvalue=0)]
        for both in zip_longest(first, second, fillvalue=())
    ]


class SealedTallyQuerySet(models.QuerySet["SealedTally"]):
    def add(self, survey: Survey, counts: Mapping[bytes, int]) -> None:
        """Add {pattern: count}, in the transaction that adds it to the patterns.

        The row is locked until then: others who add to this survey wait.
        """
        if not counts:
            return
        kept = self.select_for_update().filter(survey=survey).first()
        if kept is None:
            empty = SealedTally(id=random_id(), survey=survey, respondents=0, counts=[])
            self.bulk_create([empty], ignore_conflicts=True)
            kept = self.select_for_update().get(survey=survey)
        # What is encrypted says nothing until the key holder has opened it.
        added = [] if survey.awaits_opening else add_up(counts)
        self.filter(pk=kept.pk).update(
            id=random_id(),
            respondents=kept.respondents + sum(counts.values()),
            counts=add_counts(kept.counts, added),
        )

    def store_tables(
        self, survey: Survey, tables: Sequence[Mapping[bytes, int]]
    ) -> None:
        """Store what a key holder counted, each question alone first and in order.

        At least one report is counted in each table.
        """
        alone = [table for table in tables if len(next(iter(table))) == 1]
        self.create(
            id=random_id(),
            survey=survey,
            respondents=sum(tables[0].values()),
            counts=[add_up(table)[0] for table in alone],
            tables=[
                [(cells.hex(), table[cells]) for cells in sorted(table)]
                for table in tables
            ],
        )

    def find(self, survey: Survey) -> "SealedTally":
        """Return the counts of a survey; of none, an unsaved row."""
        kept = self.defer("tables").filter(survey=survey).first()
        return kept or SealedTally(survey=survey, respondents=0, counts=[])

    def is_most(self, survey_id: int) -> bool:
        """Return whether scanning all patterns is quicker than this survey's index."""
        mine = models.Q(survey=survey_id)
        found = self.aggregate(
            mine=models.Sum("respondents", filter=mine, default=0),
            all=models.Sum("respondents", default=0),
        )
        return bool(found["mine"] * SCAN_FACTOR >= found["all"])

    def rewrite(self, survey: Survey) -> None:
        """Rewrite the row: PostgreSQL keeps the transaction that wrote it last."""
        self.filter(survey=survey).update(id=random_id())

    def by_survey(self, surveys: Collection[Survey]) -> "dict[int, SealedTally]":
        """Return {id of the survey: its tally}, where anything is sealed."""
        found = self.defer("tables").filter(survey__in=surveys)
        return {each.survey_id: each for each in found}


class SealedTally(models.Model):
    """How many respondents sent each report, in all sealed batches together."""

    # Drawn again at every change: what was computed from a row is valid for any row
    # with the same id.
    id = models.BigAutoField(primary_key=True)
    survey = models.OneToOneField(Survey, on_delete=models.PROTECT, related_name="+")
    respondents = models.PositiveBigIntegerField()
    counts = models.JSONField()
    tables = models.JSONField(default=list)
    """What a key holder returned instead of whole responses: for each table of the
    design pairs of reports, in hexadecimal digits, and their count."""

    objects = SealedTallyQuerySet.as_manager()

    def __str__(self) -> str:
        return "sealed tally"

    def sent(self, number: int) -> dict[int, int]:
        """Return {report: count} of a question, with how many were not asked it."""
        counts = dict(enumerate(self.counts[number - 1]))
        counts[NOT_ASKED] = self.respondents - sum(counts.values())
        return {report: count for report, count in counts.items() if count}
