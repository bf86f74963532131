"""What every command of ours is: its refusals are read by people."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from candor.cli.options import UsageError
from candor.validation import without_brackets


class PlainCommand(BaseCommand):
    """Says "above 0 and below 1" where the mathematics says "in (0, 1)"."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except CommandError as error:
            text = without_brackets(str(error))
            raise CommandError(text, returncode=error.returncode) from error
        except UsageError as error:
            raise CommandError(without_brackets(str(error))) from error
