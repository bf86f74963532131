import hashlib
import logging
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, connections, models, transaction
from django.utils import timezone

from respondents.storage.batch_scheduler import batch_scheduler
from respondents.storage.declared_tables import count_declared, refuse_undeclared
from respondents.storage.exactly_once import (
    ID_BITS,
    RESPONSE,
    ExactlyOnceStore,
    Mark,
    SurveyClosedError,
    by_link,
    by_receipt,
    draw_random_id,
)
from respondents.storage.invitations import Invitation, hash_token
from respondents.storage.joint_counts import count_joint_reports, read_cached_counts
from respondents.storage.outages import DATABASE_TROUBLE, limit_waiting, outage
from respondents.storage.sealed_tally import SealedTally as SealedTally
from respondents.storage.secure_deletion import (
    Unerased,
    overwrite_deleted_rows,
    overwrite_recent_pairs,
    retry_overwriting,
)
from respondents.storage.shared_rows import join, split
from respondents.storage.write_lock import open_write_transaction
from surveys.design import get_design
from surveys.models import Survey

logger = logging.getLogger(__name__)


def compute_receipt_id(survey: Survey, submission: str) -> int:
    """Return 63 bits of the SHA-256 of design digest and submission id.

    Because of the digest, one id used for two surveys gives unrelated receipts.
    """
    named = f"{survey.design_digest}{submission}".encode()
    return int.from_bytes(hashlib.sha256(named).digest()[:8], "big") >> (64 - ID_BITS)


class Receipt(models.Model):
    """Makes a retry recognisable; deleted when the survey closes."""

    # Not BigIntegerField: in SQLite that key is not the row id, and rows would be
    # stored in their order of insertion.
    id = models.BigAutoField(primary_key=True)
    survey = models.ForeignKey(Survey, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return "receipt"


ROWS_AT_ONCE = 10_000
"""Patterns read in one step: 1 MB."""

# A constant, because building the statement took longer than counting.
COUNT_RESPONSES = "SELECT count(*) FROM respondents_response WHERE survey_id = %s"
INSERT_RESPONSE = f"{RESPONSE} VALUES (%s, %s, %s)"

INSERT_PATTERN = (
    "INSERT INTO respondents_sealedpattern (id, survey_id, pattern, count) "
    "VALUES (%s, %s, %s, %s)"
)
ADD_UP = "SET count = respondents_sealedpattern.count + excluded.count"

MAX_RECENT = 1_000
"""The most rows that SQLite writes again when a batch is sealed. Measured with 375,000
patterns: sealing 20 responses takes 20 ms of CPU time, and 5 ms without rewriting."""

RECENT_SHIFT = 8
"""Rows of the last batches have ids that are shorter by this number of bits. One in 256
of the other rows has such an id by chance, and is written again with them."""


def make_response_row(survey: Survey, pattern: bytes) -> tuple[int, int, bytes]:
    return draw_random_id(), survey.pk, pattern


def refuse_unless_open(survey: Survey) -> None:
    """Raise `SurveyClosedError` unless the survey is open in the database."""
    if not Survey.objects.filter(pk=survey.pk, state=Survey.State.OPEN).exists():
        raise SurveyClosedError


class ResponseQuerySet(models.QuerySet["Response"]):
    def store(self, survey: Survey, submission: str, pattern: bytes) -> bool:
        """Store one response exactly once; return whether it was new."""
        return self.store_all(survey, {submission: pattern})[submission]

    def store_all(
        self, survey: Survey, patterns: Mapping[str, bytes]
    ) -> dict[str, bool]:
        """Store {submission: pattern}, each exactly once; return {submission: is new}.

        One transaction stores all of them, or none if it fails. The survey is open for
        all of them or for none.
        """
        receipts = {compute_receipt_id(survey, name): name for name in patterns}
        return self.store_marked(survey, by_receipt, receipts, patterns)

    def store_all_invited(
        self, survey: Survey, patterns: Mapping[str, bytes]
    ) -> dict[str, bool]:
        """Store {token: pattern}, one response for each one-time link.

        Return {token: whether this was its first use} for the tokens of this survey. A
        link that was used before stores nothing. If two requests use a link at the same
        time, the second waits for the transaction of the first.
        """
        hashes = {hash_token(token): token for token in patterns}
        return self.store_marked(survey, by_link, hashes, patterns)

    def store_marked(
        self,
        survey: Survey,
        exactly_once: ExactlyOnceStore[Mark],
        names: Mapping[Mark, str],
        patterns: Mapping[str, bytes],
    ) -> dict[str, bool]:
        sent = {mark: patterns[name] for mark, name in names.items()}
        if not (known := exactly_once.store(survey.pk, sent)):
            refuse_unless_open(survey)
        self.schedule_sealing(survey, after=len(sent))
        return {names[mark]: is_new for mark, is_new in known.items()}

    def store_many(self, survey: Survey, patterns: Iterable[bytes]) -> None:
        """Store responses that are never sent twice, and seal them at once.

        `patterns` may also be {pattern: count}: only the counts are stored.
        """
        # Before the transaction, because generating patterns takes longer than writing
        # them, and in SQLite all other writers wait for a transaction.
        counts = Counter(patterns)
        with open_write_transaction():
            # Makes closing the survey wait, as a single response does.
            locked = Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
            if not locked.is_open:
                raise SurveyClosedError
            SealedPattern.objects.add(survey, counts)

    def schedule_sealing(self, survey: Survey, *, after: int) -> None:
        """Schedule an aggregation after about one response per batch.

        Until they are aggregated, responses can be joined with their links or receipts,
        so this does not wait until someone reads results. Chance decides which response
        schedules it: counting after each one would cost more than storing it. A survey
        that closes at its planned number is checked after every response, and at once.

        If aggregation fails, the response stays stored, and a later response tries
        again. A server that may not aggregate leaves it to `manage.py seal`.
        """
        if not settings.SEALS:
            return
        if survey.closes_at_target:
            transaction.on_commit(lambda: self.try_to_seal(survey))
        elif secrets.randbelow(survey.step) < after:
            batch_scheduler.schedule(survey, self.try_to_seal)

    def try_to_seal(self, survey: Survey) -> None:
        try:
            # Respondents wait for this thread.
            with limit_waiting(connections[DEFAULT_DB_ALIAS]):
                self.seal_if_due(survey)
        except Exception as error:
            if isinstance(error, DATABASE_TROUBLE):
                outage.note(error)
            logger.exception("Responses could not be sealed")

    def seal_scheduled(self) -> None:
        for survey in batch_scheduler.take():
            self.try_to_seal(survey)

    def seal(self, survey: Survey, *, at_least: int = 0, leave: int = 0) -> None:
        """Aggregate this survey's responses into counts, which destroys their order.

        Encrypted reports all differ, so each has a count of 1.

        All rows are taken, without a watermark: ids commit out of order, so "all up to
        the largest id" would miss some. `leave` of them, drawn at random, are put back
        under new ids. If there are fewer than `at_least`, all stay.
        """
        with open_write_transaction(), connection.cursor() as cursor:
            # One aggregation at a time: two would delete the same rows in different
            # orders and deadlock. Responses are still accepted meanwhile.
            Survey.objects.select_for_update(no_key=True).values_list("pk").get(
                pk=survey.pk
            )
            if at_least and self.waiting(survey) < at_least:
                return
            cursor.execute(
                "DELETE FROM respondents_response WHERE survey_id = %s "
                "RETURNING pattern",
                [survey.pk],
            )
            tail = [bytes(pattern) for (pattern,) in cursor.fetchall()]
            if survey.is_rehearsal and survey.holder_key:
                # Imported here because only servers with sealed surveys need it.
                from respondents.storage.opening import open_rehearsed

                tail = open_rehearsed(survey, tail)
            secrets.SystemRandom().shuffle(tail)
            cursor.executemany(
                INSERT_RESPONSE,
                [make_response_row(survey, pattern) for pattern in tail[:leave]],
            )
            SealedPattern.objects.add(survey, Counter(tail[leave:]))
            transaction.on_commit(overwrite_recent_pairs, robust=True)

    def waiting(self, survey: Survey) -> int:
        """Return how many responses are not sealed yet."""
        with connection.cursor() as cursor:
            cursor.execute(COUNT_RESPONSES, [survey.pk])
            [count] = cursor.fetchone()
        return int(count)

    def seal_if_due(self, survey: Survey) -> None:
        """Seal an open survey once enough responses wait; close it if it is due.

        The planned number is checked only after sealing, so that closing reveals no
        more than the results do.
        """
        # Counted here so that a reader seldom queues with the writers. `seal` counts
        # again in its transaction, where no other process can take part of the batch.
        if self.waiting(survey) >= survey.seals_at:
            self.seal(survey, at_least=survey.seals_at, leave=survey.held_back)
            transaction.on_commit(retry_overwriting, robust=True)
            close_if_due(survey, has_sealed=True)
        else:
            close_if_due(survey)


class Response(models.Model):
    """The reports of one respondent that are not sealed yet, and nothing else."""

    id = models.BigAutoField(primary_key=True)
    survey = models.ForeignKey(Survey, on_delete=models.PROTECT, related_name="+")
    pattern = models.BinaryField()

    objects = ResponseQuerySet.as_manager()

    def __str__(self) -> str:
        return "response"


def read_rows(survey: Survey, rows: Iterable[tuple[bytes, int]]) -> dict[bytes, int]:
    """Return {pattern: count}, or {ciphertext: count} before reports are opened."""
    if survey.awaits_opening:
        return split(rows, size=get_design(survey).report_bytes)
    return dict(rows)


class SealedPatternQuerySet(models.QuerySet["SealedPattern"]):
    def add(self, survey: Survey, counts: Mapping[bytes, int]) -> None:
        """Add {pattern: count} to the sealed patterns and to the tally."""
        with transaction.atomic():
            # First, because it locks the tally: in PostgreSQL, two transactions that
            # wrote the patterns first could deadlock.
            SealedTally.objects.add(survey, counts)
            self.write(survey, counts)

    def write(self, survey: Survey, counts: Mapping[bytes, int]) -> None:
        """Add {pattern: count} to the patterns alone, in sorted order.

        A page of a SQLite file stores rows in the order of writing, which is the order
        of the batches. So the most recent rows are deleted and written again with the
        new ones, in an order that discloses nothing. If there are too many of them,
        they stay in place as one group.
        """
        add_up, shift = ADD_UP, 0
        if connection.vendor == "sqlite" and len(counts) <= MAX_RECENT:
            recent = self.take(survey, ID_BITS - RECENT_SHIFT)
            counts = Counter(counts) + Counter(recent)
            if len(counts) <= MAX_RECENT:
                add_up, shift = f"{ADD_UP}, id = excluded.id", RECENT_SHIFT
        rows = join(counts) if survey.awaits_opening else counts
        with connection.cursor() as cursor:
            cursor.executemany(
                f"{INSERT_PATTERN} ON CONFLICT (survey_id, pattern) DO UPDATE {add_up}",
                [
                    [draw_random_id() >> shift, survey.pk, pattern, rows[pattern]]
                    for pattern in sorted(rows)
                ],
            )

    def take(self, survey: Survey, bits: int = ID_BITS) -> dict[bytes, int]:
        """Delete the rows whose ids have at most `bits`; return {pattern: count}."""
        with connection.cursor() as cursor:
            cursor.execute(
                "DELETE FROM respondents_sealedpattern "
                "WHERE survey_id = %s AND id <= %s RETURNING pattern, count",
                [survey.pk, (1 << bits) - 1],
            )
            return read_rows(survey, cursor.fetchall())

    def rewrite(self, survey: Survey) -> None:
        """Write all counts again in one transaction, in the order of their patterns.

        PostgreSQL stores with every row the number of the transaction that wrote it,
        which would disclose the first batch that contained a pattern. SQLite stores
        rows in the order of their ids, which are random, and no transaction number;
        `overwrite_deleted_rows` writes every page of its files again.
        """
        if survey.awaits_opening:
            # The ciphertexts of one row arrived in the same group of batches.
            self.write(survey, self.take(survey))
        elif connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "WITH taken AS (DELETE FROM respondents_sealedpattern "
                    "WHERE survey_id = %s RETURNING id, survey_id, pattern, count) "
                    "INSERT INTO respondents_sealedpattern "
                    "(id, survey_id, pattern, count) SELECT * FROM taken "
                    "ORDER BY pattern",
                    [survey.pk],
                )
        SealedTally.objects.rewrite(survey)

    def counts(self, survey: Survey, only: Sequence[int] = ()) -> Mapping[bytes, int]:
        """Return {pattern: count} over all sealed responses.

        With `only`, a sequence of question numbers, the patterns contain these
        questions alone; the database sums the counts. The counts of two questions are
        cached until more responses are sealed.

        Raises `UndeclaredTableError` if a key holder returned other tables.
        """
        if survey.holder_key and not survey.awaits_opening:
            refuse_undeclared(survey, only)
            if (counts := count_declared(survey, only)) is not None:
                return counts
        if len(only) == 2:
            sealed_tally = SealedTally.objects.find(survey)
            return (
                read_cached_counts(sealed_tally.pk, survey.pk, *only)
                if sealed_tally.pk
                else {}
            )
        if only:
            return count_joint_reports(survey.pk, only)
        return read_rows(survey, chain.from_iterable(self.pieces(survey)))

    def pieces(self, survey: Survey) -> Iterator[list[tuple[bytes, int]]]:
        """Yield all patterns with their counts in pieces, all from one snapshot."""
        if not survey.awaits_opening:
            refuse_undeclared(survey)
        # Not through a queryset, which takes four times as long per row.
        with connection.chunked_cursor() as cursor:
            cursor.execute(
                "SELECT pattern, count FROM respondents_sealedpattern "
                "WHERE survey_id = %s",
                [survey.pk],
            )
            while piece := cursor.fetchmany(ROWS_AT_ONCE):
                yield piece

    def respondents(self, survey: Survey) -> int:
        return SealedTally.objects.find(survey).respondents


class SealedPattern(models.Model):
    """How many respondents sent this pattern, in all sealed batches together."""

    id = models.BigAutoField(primary_key=True)
    survey = models.ForeignKey(Survey, on_delete=models.PROTECT, related_name="+")
    pattern = models.BinaryField()
    count = models.PositiveBigIntegerField()

    objects = SealedPatternQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["survey", "pattern"], name="one_count_for_a_pattern"
            ),
            models.CheckConstraint(
                condition=models.Q(count__gte=1), name="a_sealed_pattern_was_seen"
            ),
        ]

    def __str__(self) -> str:
        return "sealed pattern"


def close(survey: Survey) -> None:
    """Close an open survey: seal the remaining responses, delete receipts and links.

    The closing date is today, or its last day if that has passed.

    Raises `SurveyClosedError` if it is not open.
    """
    with open_write_transaction():
        locked = Survey.objects.select_for_update().get(pk=survey.pk)
        if not locked.is_open:
            raise SurveyClosedError
        survey.state = Survey.State.CLOSED
        survey.closed_on = locked.closes_on if locked.is_over else timezone.localdate()
        survey.save(update_fields=["state", "closed_on"])
        Response.objects.seal(survey)
        SealedPattern.objects.rewrite(survey)
        Receipt.objects.filter(survey=survey).delete()
        Invitation.objects.filter(survey=survey).delete()
        Unerased.objects.note_deletion()
        transaction.on_commit(overwrite_deleted_rows, robust=True)


def close_if_due(survey: Survey, *, has_sealed: bool = False) -> None:
    """Close an open survey if it is due.

    It is due some minutes after its last day, when responses begun on that day have
    arrived. It is also due at the planned number of responses, if a batch was just
    sealed: otherwise anyone who can change that number could find out, step by step,
    how many responses wait.

    `survey` is refreshed: another process may have closed it or moved its last day.
    """
    if not (survey.is_open and is_due(survey, has_sealed=has_sealed)):
        return
    with open_write_transaction():
        locked = Survey.objects.select_for_update().get(pk=survey.pk)
        if locked.is_open and is_due(locked, has_sealed=has_sealed):
            close(locked)
    survey.refresh_from_db(fields=["state", "closed_on", "closes_on"])


def is_due(survey: Survey, *, has_sealed: bool) -> bool:
    if survey.is_past_grace:
        return True
    if not (has_sealed and survey.closes_at_target and survey.target):
        return False
    waiting = Response.objects.waiting(survey)
    return SealedPattern.objects.respondents(survey) + waiting >= survey.target
