"""Add archives up to one closed survey."""

import re
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.urls import reverse

from respondents.arriving.archives.merge import merge
from respondents.arriving.archives.sites import read_sites
from surveys.files.values import FileError
from surveys.management.arguments import find_owner
from surveys.management.command import PlainCommand
from surveys.words.numbers import grouped

KEY_DIGITS = 64


def whole_key(text: str) -> str:
    """Return a public key; raise `ArgumentTypeError` where it is none."""
    if not re.fullmatch(rf"[0-9a-f]{{{KEY_DIGITS}}}", text):
        told = f"must be {KEY_DIGITS} hexadecimal digits; got {text!r}"
        raise ArgumentTypeError(told)
    return text


class Command(PlainCommand):
    """`manage.py merge ADDRESS FOLDER FOLDER`."""

    help = (
        "Add archives of one design up to a closed survey of this server, marked as "
        "imported. All is stored or nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="of the new survey: its slug")
        parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
        parser.add_argument(
            "--owner",
            help="user name of the researcher; may be left out where there is one only",
        )
        parser.add_argument(
            "--may-be-alike",
            action="store_true",
            help="two archives have the same counts, and this is chance",
        )

        parser.add_argument(
            "--trusted-key",
            action="append",
            default=[],
            type=whole_key,
            metavar="KEY",
            help="public key of a server whose word you take for when the analysis was "
            "planned, as `archive` printed it there; may be repeated",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        owner = find_owner(options["owner"])
        try:
            sites = read_sites(options["folders"], may_be_alike=options["may_be_alike"])
            survey = merge(
                options["address"], sites, owner, trusted_keys=options["trusted_key"]
            )
        except FileError as error:
            raise CommandError(f"Nothing was stored.\n{error}") from error
        for folder, archive in sites.archives.items():
            self.stdout.write(
                f"{folder}: {grouped(archive.respondents)} respondents, "
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
                    f"! {folder} was imported or added up itself: look that nobody in "
                    "it is in another one too."
                )
        if sites.first.design.get("analysis") and not survey.pins:
            self.stdout.write(
                "! The planned analysis was left out: not every archive is signed with "
                "a trusted key by the server that collected its reports "
                "(--trusted-key)."
            )
        self.stdout.write(
            f"Stored {grouped(sites.respondents)} respondents as {survey.slug!r}.\n"
            f"Results: {reverse('admin:estimation_results', args=[survey.pk])}"
        )
