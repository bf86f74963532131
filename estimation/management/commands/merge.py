"""Add archives up to one closed survey."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.urls import reverse

from candor.files.table import FileError
from estimation.management.options import (
    DOUBTFUL_PLAN,
    OTHER_PLAN,
    add_archives,
    add_same,
    get_sites,
)
from respondents.imports.archives.merge import merge
from surveys.commands import PlainCommand, find_owner
from surveys.numbers import format_integer


class Command(PlainCommand):
    help = (
        "Add archives of one design, or of two versions with equal tables, up to a "
        "closed survey of this server, marked as imported. All is stored or nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="of the new survey: its slug")
        add_archives(parser)
        add_same(
            parser,
            help_text="a question of the first archive's version, and the one that "
            "asks the same in another version, such as another language",
        )
        parser.add_argument(
            "--owner",
            help="user name of the researcher; may be left out where there is one only",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        owner = find_owner(options["owner"])
        try:
            sites = get_sites(options)
            survey = merge(options["address"], sites, owner)
        except FileError as error:
            raise CommandError(f"Nothing was stored.\n{error}") from error
        for folder, archive in sites.archives.items():
            self.stdout.write(
                f"{folder}: {format_integer(archive.respondents)} respondents, "
                f"counts digest {archive.counts_digest}"
            )
            signed = archive.signature
            self.stdout.write(
                f"Signed by {signed.server}, key {signed.key}"
                if signed
                else "Not signed"
            )
            if archive.is_imported:
                self.stdout.write(
                    f"! {folder} was imported or added up itself: check that no one in "
                    "it is in another one too."
                )
        if sites.plans_differ:
            self.stdout.write(f"! {OTHER_PLAN}")
        elif sites.has_doubtful_plan:
            self.stdout.write(f"! {DOUBTFUL_PLAN}")
        self.stdout.write(
            f"Stored {format_integer(sites.respondents)} respondents as "
            f"{survey.slug!r}.\n"
            f"Results: {reverse('admin:estimation_results', args=[survey.pk])}"
        )
