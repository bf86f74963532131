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
    random_id,
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


def receipt_id(survey: Survey, submission: str) -> int:
    """Return 63 bits of SHA-256 over design digest and submission id.

    The digest is in it so that one id used for two surveys leaves no common trace.
    """
    named = f"{survey.design_digest}{submission}".encode()
    return int.from_bytes(hashlib.sha256(named).digest()[:8], "big") >> (64 - ID_BITS)


class Receipt(models.Model):
    """Makes a retry recognisable; emptied when the survey closes."""

    # Not BigIntegerField: in SQLite that key is no row id, and rows would keep their
    # order of insertion.
    id = models.BigAutoField(primary_key=True)
    survey = models.ForeignKey(Survey, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return "receipt"


ROWS_AT_ONCE = 10_000
"""Patterns that are read together: 1 MB."""

# Ready to send, because putting it together took longer than counting.
COUNT_RESPONSES = "SELECT count(*) FROM respondents_response WHERE survey_id = %s"
INSERT_RESPONSE = f"{RESPONSE} VALUES (%s, %s, %s)"

INSERT_PATTERN = (
    "INSERT INTO respondents_sealedpattern (id, survey_id, pattern, count) "
    "VALUES (%s, %s, %s, %s)"
)
ADD_UP = "SET count = respondents_sealedpattern.count + excluded.count"

MOST_RECENT = 1_000
"""Rows that SQLite writes again at each sealing. Measured with 375,000 patterns: a
sealing of 20 responses takes 20 ms of CPU, and 5 ms without."""

RECENT_SHIFT = 8
"""Rows of the last sealings have ids that are shorter by so many bits. One in 256 of
the others has one by chance, and is written again with them."""


def make_response_row(survey: Survey, pattern: bytes) -> tuple[int, int, bytes]:
    return random_id(), survey.pk, pattern


def refuse_unless_open(survey: Survey) -> None:
    """Raise `SurveyClosedError` by what the database says now."""
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

        All are stored in one transaction, or where that fails none. The survey is open
        for all of them or for none.
        """
        receipts = {receipt_id(survey, each): each for each in patterns}
        return self.store_marked(survey, by_receipt, receipts, patterns)

    def store_all_invited(
        self, survey: Survey, patterns: Mapping[str, bytes]
    ) -> dict[str, bool]:
        """Store {token: pattern}, one response for each one-time link.

        Only tokens that the survey knows are returned, with whether this was their
        first use. A link that is sent again stores nothing. Of two requests at once the
        second waits for the transaction of the first.
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
        if not (there := exactly_once.store(survey.pk, sent)):
            refuse_unless_open(survey)
        self.schedule_sealing(survey, after=len(sent))
        return {names[mark]: is_new for mark, is_new in there.items()}

    def store_many(self, survey: Survey, patterns: Iterable[bytes]) -> None:
        """Store responses of people who send nothing twice, sealed at once.

        `patterns` may be {pattern: count} too: only how often each came is kept.
        """
        # Before the transaction: making patterns takes longer than writing them, and in
        # SQLite all other writers wait meanwhile.
        counts = Counter(patterns)
        with open_write_transaction():
            # Makes a closing survey wait, as a single response does.
            locked = Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
            if not locked.is_open:
                raise SurveyClosedError
            SealedPattern.objects.add(survey, counts)

    def schedule_sealing(self, survey: Survey, *, after: int) -> None:
        """Schedule an aggregation after these responses, for one response in a batch.

        Until they are aggregated, responses can be joined with what came with them, so
        this does not wait for a reader of results. Which response schedules it is left
        to chance: counting after each one would cost more than storing it. A survey
        that closes at its planned number is aggregated every time, and at once.

        If aggregation fails, the response is stored, and a later one tries again. A
        server that may not aggregate leaves it to `manage.py seal`.
        """
        if not settings.SEALS:
            return
        if survey.closes_at_target:
            transaction.on_commit(lambda: self.try_to_seal(survey))
        elif secrets.randbelow(survey.step) < after:
            batch_scheduler.schedule(survey, self.try_to_seal)

    def try_to_seal(self, survey: Survey) -> None:
        try:
            # Respondents wait for the thread that does it.
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
        """Fold this survey's responses into counts: their order is gone.

        Sealed reports differ from one another, so each has a count of 1.

        Every row that is there is taken, without a watermark: ids commit out of order,
        so "all up to the largest id" would miss some. `leave` of them, drawn at random,
        are put back under new ids. Where there are fewer than `at_least`, all stay.
        """
        with open_write_transaction(), connection.cursor() as cursor:
            # One sealing at a time: two would delete the same rows in different orders
            # and each wait for the other. Responses go on arriving meanwhile.
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
                # Loaded here because a server without sealed surveys needs none of it.
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
        """Return how many responses are not sealed yet; asked for in every batch."""
        with connection.cursor() as cursor:
            cursor.execute(COUNT_RESPONSES, [survey.pk])
            [count] = cursor.fetchone()
        return int(count)

    def seal_if_due(self, survey: Survey) -> None:
        """Seal an open survey once enough has arrived; close it where it is due.

        How many responses there are is looked at when some were sealed: closing at the
        planned number so reveals no more than the results do.
        """
        # Counted here so that a reader seldom queues with the writers, and once more
        # inside, where no one else can have taken part of the batch.
        if self.waiting(survey) >= survey.seals_at:
            self.seal(survey, at_least=survey.seals_at, leave=survey.held_back)
            transaction.on_commit(retry_overwriting, robust=True)
            close_if_due(survey, has_sealed=True)
        else:
            close_if_due(survey)


class Response(models.Model):
    """The reports of one respondent since the last seal, and nothing else."""

    id = models.BigAutoField(primary_key=True)
    survey = models.ForeignKey(Survey, on_delete=models.PROTECT, related_name="+")
    pattern = models.BinaryField()

    objects = ResponseQuerySet.as_manager()

    def __str__(self) -> str:
        return "response"


def read_rows(survey: Survey, rows: Iterable[tuple[bytes, int]]) -> dict[bytes, int]:
    """Return {pattern: count}, or {ciphertext: count} of what is still sealed."""
    if survey.awaits_opening:
        return split(rows, size=get_design(survey).report_bytes)
    return dict(rows)


class SealedPatternQuerySet(models.QuerySet["SealedPattern"]):
    def add(self, survey: Survey, counts: Mapping[bytes, int]) -> None:
        """Add {pattern: count} to what is sealed, and to its tally."""
        with transaction.atomic():
            # First, because it lets one in at a time: in PostgreSQL two that wrote the
            # patterns first could wait for each other.
            SealedTally.objects.add(survey, counts)
            self.write(survey, counts)

    def write(self, survey: Survey, counts: Mapping[bytes, int]) -> None:
        """Add {pattern: count} to the patterns alone, in sorted order.

        A page of a SQLite file has its rows in the order in which they were written:
        that of the sealings. So the rows that were written last are taken out and
        written again with the new ones, in an order that says nothing. When there are
        too many of them, they stay where they are, as one group.
        """
        add_up, shift = ADD_UP, 0
        if connection.vendor == "sqlite" and len(counts) <= MOST_RECENT:
            recent = self.take(survey, ID_BITS - RECENT_SHIFT)
            counts = Counter(counts) + Counter(recent)
            if len(counts) <= MOST_RECENT:
                add_up, shift = f"{ADD_UP}, id = excluded.id", RECENT_SHIFT
        rows = join(counts) if survey.awaits_opening else counts
        with connection.cursor() as cursor:
            cursor.executemany(
                f"{INSERT_PATTERN} ON CONFLICT (survey_id, pattern) DO UPDATE {add_up}",
                [
                    [random_id() >> shift, survey.pk, pattern, rows[pattern]]
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

        PostgreSQL keeps with every row the number of the transaction that wrote it:
        it would tell which batch was the first to bring a pattern, and when. SQLite
        keeps rows in the order of their ids, which are random, and no transaction; in
        its files `overwrite_deleted_rows` writes every page again.
        """
        if survey.awaits_opening:
            # Those of one row came in the same group of sealings.
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
        """Return {pattern: count} of all that is sealed.

        With `only`, numbers of questions, the patterns are those of these questions:
        the database adds up, and sends one row for each. Of two questions, that is
        kept as long as nothing more is sealed.

        Raises `UndeclaredTableError` where a key holder returned other tables.
        """
        if survey.holder_key and not survey.awaits_opening:
            refuse_undeclared(survey, only)
            if (found := count_declared(survey, only)) is not None:
                return found
        if len(only) == 2:
            kept = SealedTally.objects.find(survey)
            return read_cached_counts(kept.pk, survey.pk, *only) if kept.pk else {}
        if only:
            return count_joint_reports(survey.pk, only)
        return read_rows(survey, chain.from_iterable(self.pieces(survey)))

    def pieces(self, survey: Survey) -> Iterator[list[tuple[bytes, int]]]:
        """Yield all patterns with their counts, some at a time, all of one moment."""
        if not survey.awaits_opening:
            refuse_undeclared(survey)
        # Not through a queryset, which takes four times as long for each row.
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
    """Close an open survey: seal what is left, forget every receipt and every link.

    It then closed today, or on its last day where that is over.

    Raises `SurveyClosedError` where it is not open.
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
    """Close an open survey where it is due, and at no other time.

    It is due some minutes after its last day, when what people had begun has arrived,
    or at once at the planned number of responses, where a batch was just sealed: who
    may change that number could else find out how many responses wait, one by one.

    `survey` is then as it is stored: others may have closed it, or moved its last day.
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
