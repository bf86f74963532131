"""Back up the database while it is in use."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from respondents.backups import BackupError, back_up

USUALLY_KEPT = 7


class Command(BaseCommand):
    help = (
        "Back up the whole database while respondents answer, and delete older "
        "backups. Run it every night. A file is named by its date, only its owner can "
        "read it, and it contains scrambled reports, never an answer."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "folder", type=Path, help="an existing folder for the backups"
        )
        parser.add_argument(
            "--keep",
            type=int,
            default=USUALLY_KEPT,
            help=f"number of backups to keep (default {USUALLY_KEPT})",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["keep"] < 1:
            raise CommandError(f"--keep must be 1 or more; got {options['keep']}")
        try:
            copy = back_up(options["folder"], keep=options["keep"])
        except BackupError as error:
            raise CommandError(f"No backup was made: {error}.") from error
        self.stdout.write(f"Wrote {copy}, {copy.stat().st_size:,} bytes.")
