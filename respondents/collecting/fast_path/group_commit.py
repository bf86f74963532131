"""Group commit: submissions that arrive while others are stored share a transaction.

The disk syncs once for all of them. No one gets an acknowledgement before the
transaction is committed.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from django.db import DatabaseError, InterfaceError, connection

from respondents.collecting.protocol import Submission
from respondents.collecting.views import store
from respondents.storage.exactly_once import SurveyClosedError
from respondents.storage.invitations import UnknownInvitationError
from respondents.storage.outages import outage
from surveys.models import Survey

LARGEST_GROUP = 500
"""Submissions in one transaction: it takes some 15 ms, while others wait."""

logger = logging.getLogger(__name__)


@dataclass
class Pending:
    survey: Survey
    submission: Submission
    is_recorded: bool = False
    error: Exception | None = None
    """The error of the database, where another attempt would be in vain."""
    done: asyncio.Event = field(default_factory=asyncio.Event)


class GroupCommit:
    """Stores submissions, in groups and in the order of their arrival.

    `run` calls a function outside the event loop.
    """

    def __init__(self, run: Callable[..., Awaitable[None]]) -> None:
        self.run = run
        self.waiting: list[Pending] = []
        self.writer: asyncio.Task[None] | None = None

    async def store(self, survey: Survey, submission: Submission) -> Pending:
        """Return the submission once it is stored or refused."""
        pending = Pending(survey, submission)
        self.waiting.append(pending)
        if self.writer is None:
            # A task of its own: a respondent who goes away delays no one else.
            self.writer = asyncio.create_task(self.write())
        await pending.done.wait()
        return pending

    async def write(self) -> None:
        try:
            while self.waiting:
                group = self.waiting[:LARGEST_GROUP]
                del self.waiting[:LARGEST_GROUP]
                try:
                    await self.run(store_group, group)
                finally:
                    for each in group:
                        each.done.set()
        finally:
            self.writer = None


def store_group(group: Sequence[Pending]) -> None:
    by_survey: dict[int, list[Pending]] = {}
    for each in group:
        by_survey.setdefault(each.survey.pk, []).append(each)
    for some in by_survey.values():
        store_for_one_survey(some)


def store_for_one_survey(group: Sequence[Pending]) -> None:
    recorded: set[Submission] = set()
    trouble = None
    try:
        recorded = store(group[0].survey, [each.submission for each in group])
    except (SurveyClosedError, UnknownInvitationError):
        pass  # Django says so to each of them
    except (DatabaseError, InterfaceError) as error:
        # A connection to PostgreSQL may have died of age: Django tries again. Where
        # there was none to get, or a SQLite is locked, full or read-only, waiting once
        # is enough, also for those who come next.
        if connection.vendor == "sqlite" or connection.connection is None:
            trouble = error
            outage.note(error)
    except Exception:
        # Left to the server, it would be logged in full, and may quote what came.
        logger.exception("The fast path failed")
    for each in group:
        each.is_recorded = each.submission in recorded
        each.error = trouble
