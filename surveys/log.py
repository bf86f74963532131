"""The log of a survey: which researcher did what with it, and when.

Never a word about respondents: no line is written when somebody answers.
"""

from typing import cast

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User

from surveys.models import Survey


def record(
    user: AbstractBaseUser | AnonymousUser, survey: Survey, message: str
) -> None:
    """Add a line to the log of `survey`."""
    LogEntry.objects.log_actions(
        cast("User", user).pk,
        [survey],
        CHANGE,
        change_message=message,
        single_object=True,
    )
