"""Work that an answer must not wait for: how long it takes would tell of an account."""

from collections.abc import Callable
from threading import Timer

from django.db import connection
from django.utils import translation

MOMENT_SECONDS = 1.0
"""Long enough for the answer to have left."""


def in_a_moment(work: Callable[[], None]) -> None:
    """Do `work` in a thread of its own, when the answer to this request has left."""
    language = translation.get_language()

    def run() -> None:
        try:
            with translation.override(language):
                work()
        finally:
            connection.close()

    Timer(MOMENT_SECONDS, run).start()
