"""Back up the database while it is in use."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from respondents.backups import BackupError, back_up

USUALLY_KEPT = 7


class Command(BaseCommand):
    help = (
        "Write a copy of the whole database, named by the date and readable by its "
        "owner alone, while respondents answer; and delete older copies. Run it every "
        "night. It holds scrambled reports and never an answer."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "folder", type=Path, help="where the copies are; has to exist"
        )
        parser.add_argument(
            "--keep",
            type=int,
            default=USUALLY_KEPT,
            help=f"how many copies stay there (default {USUALLY_KEPT})",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["keep"] < 1:
            raise CommandError(f"--keep must be 1 or more; got {options['keep']}")
        try:
            copy = back_up(options["folder"], keep=options["keep"])
        except BackupError as error:
            raise CommandError(f"No backup was made: {error}.") from error
        self.stdout.write(f"Wrote {copy}, {copy.stat().st_size:,} bytes.")
