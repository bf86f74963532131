"""Write the closed counts of a survey as an archive."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from candor.files.table import FileError
from respondents.imports.archives.write import write_archive
from surveys.commands import find_survey


class Command(BaseCommand):
    help = (
        "Write the design of a closed survey as JSON and the number of respondents "
        "with each pattern of reports as Parquet. `merge` adds archives up, and "
        "`analyse` reads them. An archive reveals as much as the download of reports."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("survey", help="the slug of a closed survey")
        parser.add_argument("folder", type=Path, help="a new folder, or an empty one")

    def handle(self, *args: Any, **options: Any) -> None:
        survey, folder = find_survey(options["survey"]), options["folder"]
        try:
            archive = write_archive(survey, folder)
        except FileError as error:
            raise CommandError(f"No archive was written.\n{error}") from error
        self.stdout.write(
            f"Wrote {folder}: {archive.respondents:,} respondents.\n"
            f"Design digest {archive.design_digest}\n"
            f"Counts digest {archive.counts_digest}"
        )
        if archive.signature:
            self.stdout.write(f"Signed with the key {archive.signature.key}")
