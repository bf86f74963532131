"""Group commit: submissions that arrive while others are stored share a transaction.

The disk syncs once for all of them. No submission is acknowledged before the
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

MAX_GROUP_SIZE = 500
"""Submissions in one transaction. It takes about 15 ms, during which others wait."""

logger = logging.getLogger(__name__)


@dataclass
class Pending:
    survey: Survey
    submission: Submission
    is_recorded: bool = False
    error: Exception | None = None
    """The database error, if another attempt would fail as well."""
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
        """Queue a submission, and return it when it is stored or refused."""
        pending = Pending(survey, submission)
        self.waiting.append(pending)
        if self.writer is None:
            # A separate task, so that a respondent who disconnects delays no others.
            self.writer = asyncio.create_task(self.write())
        await pending.done.wait()
        return pending

    async def write(self) -> None:
        try:
            while self.waiting:
                group = self.waiting[:MAX_GROUP_SIZE]
                del self.waiting[:MAX_GROUP_SIZE]
                try:
                    await self.run(store_group, group)
                finally:
                    for pending in group:
                        pending.done.set()
        finally:
            self.writer = None


def store_group(group: Sequence[Pending]) -> None:
    by_survey: dict[int, list[Pending]] = {}
    for pending in group:
        by_survey.setdefault(pending.survey.pk, []).append(pending)
    for same_survey in by_survey.values():
        store_for_one_survey(same_survey)


def store_for_one_survey(group: Sequence[Pending]) -> None:
    recorded: set[Submission] = set()
    trouble = None
    try:
        recorded = store(group[0].survey, [pending.submission for pending in group])
    except (SurveyClosedError, UnknownInvitationError):
        pass  # Django answers each of them with this error
    except (DatabaseError, InterfaceError) as error:
        # If a connection to PostgreSQL has expired, Django tries again. If none was
        # available, or SQLite is locked, full or read-only, one wait is enough, also
        # for the next requests.
        if connection.vendor == "sqlite" or connection.connection is None:
            trouble = error
            outage.note(error)
    except Exception:
        # The server would log it in full, and it may quote the request.
        logger.exception("The fast path failed")
    for pending in group:
        pending.is_recorded = pending.submission in recorded
        pending.error = trouble
