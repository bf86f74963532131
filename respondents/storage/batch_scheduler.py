"""Which surveys are to be looked at, whether to seal: each once a second, and no more.

Under load, sealing one batch for some thirty responses was a third of the work. Where
somebody comes by every second (config/rsgi.py), a look is left until then, and nothing
is left undone when no more responses come; elsewhere it is taken at once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from django.db import transaction

from surveys.models import Survey


@dataclass
class Looks:
    """Surveys that wait for a look in this process."""

    are_kept: bool = False
    """Whether somebody comes by and takes them."""

    waiting: dict[int, Survey] = field(default_factory=dict)

    def ask(self, survey: Survey, look: Callable[[Survey], None]) -> None:
        """See to it that a look is taken once what is being written is stored."""
        if self.are_kept:
            transaction.on_commit(partial(self.waiting.__setitem__, survey.pk, survey))
        else:
            transaction.on_commit(partial(look, survey))

    def take(self) -> Iterator[Survey]:
        """Yield them; what other threads ask for meanwhile waits for the next time."""
        for survey_id in list(self.waiting):
            yield self.waiting.pop(survey_id)


looks = Looks()
