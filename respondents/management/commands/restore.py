"""Bring the database back from a copy."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from respondents.backups import BackupError, restore


class Command(BaseCommand):
    """`manage.py restore FILE`."""

    help = (
        "Put a copy that `backup` made in the place of the database. The server has to "
        "be stopped. What came after the copy is lost, and what was deleted after it "
        "is back."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a file that backup made")
        parser.add_argument(
            "--no-input",
            action="store_false",
            dest="asks",
            help="do not ask before the database is replaced",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        question = "This replaces the database by the copy. Type yes: "
        if options["asks"] and input(question) != "yes":
            raise CommandError("Nothing was changed.")
        try:
            found = restore(options["file"])
        except BackupError as error:
            raise CommandError(f"Nothing was changed: {error}.") from error
        self.stdout.write(
            f"Restored. Surveys: {found.surveys:,}, responses: {found.responses:,}."
        )
        told = []
        if found.unguarded:
            named = ", ".join(found.unguarded)
            told.append(
                "In the copy, what keeps opened surveys as they are was not as Candor "
                f"makes it, and is again: {named}. Ask who had the copy."
            )
        if found.broken:
            named = ", ".join(map(repr, found.broken))
            told.append(f"The design of {named} is not what was frozen.")
        if told:
            raise CommandError("\n".join(told))
