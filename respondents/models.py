import hashlib
import logging
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from django.db import connection, models, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models.functions import Substr
from django.utils import timezone

from respondents.errors import SurveyClosedError
from respondents.invitations import Invitation
from respondents.traces import erase_pairs, erase_traces
from surveys.models import Survey

ID_BITS = 63

logger = logging.getLogger(__name__)


def random_id() -> int:
    """Return an id that tells nothing about when a row was written.

    Measured: with automatic, UUID or random non-key ids SQLite still hands rows back in
    the order of insertion; with a random 63-bit primary key it does not.
    """
    return secrets.randbits(ID_BITS)


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


@contextmanager
def writing(survey: Survey) -> Iterator[CursorWrapper]:
    """Open a transaction during which the survey stays open.

    Raises
    ------
    SurveyClosedError
        Where it is not open now.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        # KEY SHARE makes a closing survey (FOR UPDATE) wait for this transaction
        # and this one for it; SQLite's IMMEDIATE transactions queue by themselves.
        lock = " FOR KEY SHARE" if connection.vendor == "postgresql" else ""
        cursor.execute(
            f"SELECT 1 FROM surveys_survey WHERE id = %s AND state = 'open'{lock}",  # noqa: S608
            [survey.pk],
        )
        if cursor.fetchone() is None:
            raise SurveyClosedError
        yield cursor


INSERT_RESPONSE = (
    "INSERT INTO respondents_response (id, survey_id, pattern) VALUES (%s, %s, %s)"
)


def response_row(survey: Survey, pattern: bytes) -> tuple[int, int, bytes]:
    return random_id(), survey.pk, pattern


class ResponseQuerySet(models.QuerySet["Response"]):
    def store(self, survey: Survey, submission: str, pattern: bytes) -> None:
        """Store one response exactly once, however often it is sent.

        Raises
        ------
        SurveyClosedError
            Where the survey is not open at the moment of writing.
        """
        with writing(survey) as cursor:
            cursor.execute(
                "INSERT INTO respondents_receipt (id, survey_id) VALUES (%s, %s) "
                "ON CONFLICT DO NOTHING",
                [receipt_id(survey, submission), survey.pk],
            )
            if cursor.rowcount == 1:
                cursor.execute(INSERT_RESPONSE, response_row(survey, pattern))
            self.seal_now_and_then(survey)

    def store_invited(self, survey: Survey, token: str, pattern: bytes) -> None:
        """Store the one response of a one-time link, however often it is sent.

        Raises
        ------
        SurveyClosedError
            Where the survey is not open at the moment of writing.
        UnknownInvitationError
            Where no link of this survey has this token.
        """
        with writing(survey) as cursor:
            if Invitation.objects.spend(survey, token):
                cursor.execute(INSERT_RESPONSE, response_row(survey, pattern))
            self.seal_now_and_then(survey)

    def store_many(self, survey: Survey, patterns: Iterable[bytes]) -> None:
        """Store responses of people who send nothing twice, sealed at once.

        `patterns` may be {pattern: count} too: only how often each came is kept.

        Raises
        ------
        SurveyClosedError
            Where the survey is not open at the moment of writing.
        """
        # Before the transaction: making patterns takes longer than writing them, and in
        # SQLite all other writers wait meanwhile.
        counts = Counter(patterns)
        with writing(survey):
            SealedPattern.objects.add(survey, counts)

    def seal_now_and_then(self, survey: Survey) -> None:
        """Look after this transaction whether to seal, for one response in a batch.

        Until they are sealed, responses can be joined with what came with them, so
        that waits for no reader of results. Which response looks is left to chance: to
        count after each one would cost more than to store it. A survey that closes at
        its planned number looks every time.

        Should sealing fail, the response is stored, and a later one seals.
        """
        if survey.closes_at_target or secrets.randbelow(survey.batch_size) == 0:
            transaction.on_commit(lambda: self.try_to_seal(survey))

    def try_to_seal(self, survey: Survey) -> None:
        try:
            self.seal_if_due(survey)
        except Exception:
            logger.exception("Responses could not be sealed")

    def seal(self, survey: Survey, *, at_least: int = 0, leave: int = 0) -> None:
        """Fold this survey's responses into counts: their order is gone.

        Every row that is there is taken, without a watermark: ids commit out of order,
        so "all up to the largest id" would miss some. `leave` of them, drawn at random,
        are put back under new ids. Where there are fewer than `at_least`, all stay.
        """
        with transaction.atomic(), connection.cursor() as cursor:
            # One sealing at a time: two would delete the same rows in different orders
            # and each wait for the other. Responses go on arriving meanwhile.
            Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
            if self.filter(survey=survey).count() < at_least:
                return
            cursor.execute(
                "DELETE FROM respondents_response WHERE survey_id = %s "
                "RETURNING pattern",
                [survey.pk],
            )
            tail = [bytes(pattern) for (pattern,) in cursor.fetchall()]
            secrets.SystemRandom().shuffle(tail)
            cursor.executemany(
                INSERT_RESPONSE,
                [response_row(survey, pattern) for pattern in tail[:leave]],
            )
            SealedPattern.objects.add(survey, Counter(tail[leave:]))
            transaction.on_commit(erase_pairs, robust=True)

    def seal_if_due(self, survey: Survey) -> None:
        """Seal an open survey once enough has arrived; close it where it is due.

        How many responses there are is looked at when some were sealed: closing at the
        planned number so tells no more than the results do.
        """
        # Counted here so that a reader seldom queues with the writers, and once more
        # inside, where nobody else can have taken part of the batch.
        if self.filter(survey=survey).count() >= survey.seals_at:
            self.seal(survey, at_least=survey.seals_at, leave=survey.held_back)
            close_if_due(survey)
        elif survey.is_past_grace:
            close_if_due(survey)


class Response(models.Model):
    """The reports of one respondent since the last seal, and nothing else."""

    id = models.BigAutoField(primary_key=True)
    survey = models.ForeignKey(Survey, on_delete=models.PROTECT, related_name="+")
    pattern = models.BinaryField()

    objects = ResponseQuerySet.as_manager()

    def __str__(self) -> str:
        return "response"


class SealedPatternQuerySet(models.QuerySet["SealedPattern"]):
    def add(self, survey: Survey, counts: Mapping[bytes, int]) -> None:
        """Add {pattern: count} to what is sealed, in sorted order."""
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO respondents_sealedpattern (id, survey_id, pattern, count) "
                "VALUES (%s, %s, %s, %s) ON CONFLICT (survey_id, pattern) DO UPDATE "
                "SET count = respondents_sealedpattern.count + excluded.count",
                [
                    [random_id(), survey.pk, pattern, counts[pattern]]
                    for pattern in sorted(counts)
                ],
            )

    def rewrite(self, survey: Survey) -> None:
        """Write all counts anew in one transaction, in the order of their patterns.

        PostgreSQL keeps with every row the number of the transaction that wrote it:
        it would tell which batch was the first to bring a pattern, and when.
        """
        counts = self.counts(survey)
        self.filter(survey=survey).delete()
        self.add(survey, counts)

    def counts(self, survey: Survey, only: Sequence[int] = ()) -> dict[bytes, int]:
        """Return {pattern: count} of all that is sealed.

        With `only`, numbers of questions, the patterns are those of these questions:
        the database adds up, and sends one row for each.
        """
        sealed = self.filter(survey=survey)
        if not only:
            rows = sealed.values_list("pattern", "count")
            return {bytes(pattern): count for pattern, count in rows}
        reports = {
            f"report_{number}": Substr(
                "pattern", number, 1, output_field=models.BinaryField()
            )
            for number in only
        }
        sums = sealed.values(**reports).annotate(total=models.Sum("count"))
        return {
            b"".join(map(bytes, pattern)): int(total)
            for *pattern, total in sums.values_list(*reports, "total")
        }

    def respondents(self, survey: Survey) -> int:
        """Return how many responses are sealed."""
        total = self.filter(survey=survey).aggregate(total=models.Sum("count"))["total"]
        return int(total or 0)


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

    Raises
    ------
    SurveyClosedError
        Where it is not open.
    """
    with transaction.atomic():
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
        transaction.on_commit(erase_traces, robust=True)


def close_if_due(survey: Survey) -> None:
    """Close an open survey where it is due, and at no other time.

    It is due some minutes after its last day, when what people had begun has arrived,
    or at once at the planned number of responses.

    `survey` is then as it is stored: others may have closed it, or moved its last day.
    """
    if not (survey.is_open and is_due(survey)):
        return
    with transaction.atomic():
        locked = Survey.objects.select_for_update().get(pk=survey.pk)
        if locked.is_open and is_due(locked):
            close(locked)
    survey.refresh_from_db(fields=["state", "closed_on", "closes_on"])


def is_due(survey: Survey) -> bool:
    if survey.is_past_grace:
        return True
    if not (survey.closes_at_target and survey.target):
        return False
    waiting = Response.objects.filter(survey=survey).count()
    return SealedPattern.objects.respondents(survey) + waiting >= survey.target
