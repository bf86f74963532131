"""Add archives up to one closed survey."""

import argparse
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.urls import reverse

from candor.files.table import FileError
from estimation.management.options import DOUBTFUL_PLAN, add_archives, get_sites
from respondents.imports.archives.merge import merge
from surveys.commands import PlainCommand, find_owner
from surveys.numbers import format_integer
from surveys.versions import SameQuestion, VersionError, read_same


class Command(PlainCommand):
    help = (
        "Combine archives of one design, or of versions with equal tables, into a new "
        "closed survey that is marked as imported. If an archive is refused, nothing "
        "is stored."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="slug of the new survey")
        add_archives(parser)
        parser.add_argument(
            "--same",
            nargs="+",
            action="extend",
            default=[],
            type=parse_same,
            metavar="NUMBER=NUMBER",
            help="a question of the first archive and the same question in another "
            "version, such as another language; 2=3:2,1 states that the answers 1 and "
            "2 to question 3 there are the answers 2 and 1 to question 2",
        )
        parser.add_argument(
            "--owner",
            help="user name of the researcher; optional if there is only one",
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
                    f"! {folder} was itself imported or combined: check that no "
                    "respondent of it is in another archive."
                )
        if sites.plans_differ:
            self.stdout.write(
                "! The planned analysis was left out: the two versions do not plan the "
                "same analysis."
            )
        elif sites.has_doubtful_plan:
            self.stdout.write(f"! {DOUBTFUL_PLAN}")
        self.stdout.write(
            f"Stored {format_integer(sites.respondents)} respondents as "
            f"{survey.slug!r}.\n"
            f"Results: {reverse('admin:estimation_results', args=[survey.pk])}"
        )


def parse_same(text: str) -> SameQuestion:
    try:
        return read_same(text)
    except VersionError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
