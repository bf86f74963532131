"""The base class and the arguments of management commands."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from candor.cli.options import UsageError
from candor.validation import spell_out_ranges
from surveys.models import Survey


class PlainCommand(BaseCommand):
    """A command whose errors say "above 0 and below 1" in place of "in (0, 1)"."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except CommandError as error:
            text = spell_out_ranges(str(error))
            raise CommandError(text, returncode=error.returncode) from error
        except UsageError as error:
            raise CommandError(spell_out_ranges(str(error))) from error


def find_survey(slug: str) -> Survey:
    survey = Survey.objects.filter(slug=slug).first()
    if survey is None:
        raise CommandError(f"There is no survey called {slug!r}")
    return survey


def find_owner(username: str | None) -> User:
    researchers = User.objects.filter(is_active=True, is_staff=True)
    if username is not None:
        researchers = researchers.filter(username=username)
    found = list(researchers[:2])
    if len(found) != 1:
        names = ", ".join(
            User.objects.filter(is_active=True, is_staff=True).values_list(
                "username", flat=True
            )
        )
        raise CommandError(
            f"--owner must be one of: {names or 'no one yet, see createsuperuser'}; "
            f"got {username or 'nothing'}"
        )
    return found[0]
