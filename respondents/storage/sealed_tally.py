"""Counts of reports by question, stored in addition to the sealed patterns.

They can be derived from the patterns, and are stored because surveys with many
questions have as many patterns as respondents. docs/decisions/0020 describes what they
disclose.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest

from django.db import models

from candor.mechanisms.draws import NOT_ASKED
from candor.validation import MAX_RESPONDENTS
from respondents.storage.exactly_once import draw_random_id
from surveys.models import Survey

SCAN_FACTOR = 20
"""Measured in SQLite: finding a row by its index takes as long as scanning 20 rows."""

MAX_COUNT = MAX_RESPONDENTS
"""The most reports in one study: as many as the intervals are tested for."""

CountsByReport = Sequence[Sequence[int]]
"""Counts by question, then by report, up to the last report that was sent."""


def add_up(counts: Mapping[bytes, int]) -> CountsByReport:
    """Return how many respondents sent each report to each question.

    Respondents who were not asked a question are not counted. All patterns have the
    same length.
    """
    # Patterns with the same count are summed together, question by question: in a
    # survey with many questions nearly all have count 1. This is fast without numpy.
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
    """Return the sum of both, with shorter rows padded with zeros."""
    return [
        [one + other for one, other in zip_longest(*both, fillvalue=0)]
        for both in zip_longest(first, second, fillvalue=())
    ]


class SealedTallyQuerySet(models.QuerySet["SealedTally"]):
    def add(self, survey: Survey, counts: Mapping[bytes, int]) -> None:
        """Add {pattern: count}, in the transaction that adds them to the patterns.

        The row stays locked until the transaction ends, so that additions to a survey
        happen one at a time.
        """
        if not counts:
            return
        report_counts = self.select_for_update().filter(survey=survey).first()
        if report_counts is None:
            empty = SealedTally(
                id=draw_random_id(), survey=survey, respondents=0, counts=[]
            )
            self.bulk_create([empty], ignore_conflicts=True)
            report_counts = self.select_for_update().get(survey=survey)
        # Encrypted reports cannot be counted before the key holder opens them.
        added = [] if survey.awaits_opening else add_up(counts)
        self.filter(pk=report_counts.pk).update(
            id=draw_random_id(),
            respondents=report_counts.respondents + sum(counts.values()),
            counts=add_counts(report_counts.counts, added),
        )

    def store_tables(
        self, survey: Survey, tables: Sequence[Mapping[bytes, int]]
    ) -> None:
        """Store the tables that a key holder returned.

        The tables of single questions come first, in order. Each table counts at least
        one report.
        """
        alone = [table for table in tables if len(next(iter(table))) == 1]
        self.create(
            id=draw_random_id(),
            survey=survey,
            respondents=sum(tables[0].values()),
            counts=[add_up(table)[0] for table in alone],
            tables=[
                [(cells.hex(), table[cells]) for cells in sorted(table)]
                for table in tables
            ],
        )

    def find(self, survey: Survey) -> "SealedTally":
        """Return the tally of a survey, or an unsaved empty one if there is none."""
        report_counts = self.defer("tables").filter(survey=survey).first()
        return report_counts or SealedTally(survey=survey, respondents=0, counts=[])

    def is_scan_faster(self, survey_id: int) -> bool:
        """Return whether scanning all patterns is faster than using the index."""
        in_survey = models.Q(survey=survey_id)
        totals = self.aggregate(
            survey=models.Sum("respondents", filter=in_survey, default=0),
            all=models.Sum("respondents", default=0),
        )
        return bool(totals["survey"] * SCAN_FACTOR >= totals["all"])

    def rewrite(self, survey: Survey) -> None:
        """Rewrite the row: PostgreSQL stores which transaction wrote it last."""
        self.filter(survey=survey).update(id=draw_random_id())

    def by_survey(self, surveys: Collection[Survey]) -> "dict[int, SealedTally]":
        """Return {survey id: tally} for the surveys with sealed responses."""
        survey_counts = self.defer("tables").filter(survey__in=surveys)
        return {
            report_counts.survey_id: report_counts for report_counts in survey_counts
        }


class SealedTally(models.Model):
    """How many respondents sent each report, in all sealed batches together."""

    # Drawn again at every change: cached results are valid as long as the id is the
    # same.
    id = models.BigAutoField(primary_key=True)
    survey = models.OneToOneField(Survey, on_delete=models.PROTECT, related_name="+")
    respondents = models.PositiveBigIntegerField()
    counts = models.JSONField()
    tables = models.JSONField(default=list)
    """The tables that a key holder returned instead of whole responses: for each table
    of the design, pairs of reports (in hexadecimal digits) and their count."""

    objects = SealedTallyQuerySet.as_manager()

    def __str__(self) -> str:
        return "sealed tally"

    def sent(self, number: int) -> dict[int, int]:
        """Return {report: count} of a question, including `NOT_ASKED`."""
        counts = dict(enumerate(self.counts[number - 1]))
        counts[NOT_ASKED] = self.respondents - sum(counts.values())
        return {report: count for report, count in counts.items() if count}
