"""Restore the database from a backup."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from respondents.backups import BackupError, restore


class Command(BaseCommand):
    help = (
        "Replace the database by a backup. Stop the server first. The backup is "
        "checked, and nothing is changed if a check fails. Data stored after the "
        "backup are lost, and data deleted after it return."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a file written by `backup`")
        parser.add_argument(
            "--no-input",
            action="store_false",
            dest="asks",
            help="replace the database without asking",
        )
        parser.add_argument(
            "--accept-altered",
            action="store_true",
            help="restore a backup that was altered after Candor wrote it",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["asks"] and not is_confirmed():
            raise CommandError("Nothing was changed.")
        try:
            found, altered = restore(
                options["file"], accepts_altered=options["accept_altered"]
            )
        except BackupError as error:
            raise CommandError(f"Nothing was changed: {error}.") from error
        self.stdout.write(
            f"Restored. Surveys: {found.surveys:,}, responses: {found.responses:,}."
        )
        if altered:
            self.stderr.write(f"The copy was altered: {altered}.")


def is_confirmed() -> bool:
    try:
        return input("This replaces the database by the copy. Type yes: ") == "yes"
    except EOFError:  # without a terminal, as in a job
        return False
