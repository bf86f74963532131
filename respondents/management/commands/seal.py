"""Aggregate the responses that have arrived."""

import logging
from time import sleep
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import close_old_connections

from candor.cli.options import number
from respondents.models import Response
from respondents.storage.outages import DATABASE_TROUBLE, classify_error
from respondents.storage.secure_deletion import retry_overwriting
from surveys.models import Survey

A_DAY = 24 * 60 * 60

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    help = (
        "Add each whole batch of responses to open surveys to the counts, and close "
        "surveys that are due. Opening a results page does the same for its survey. "
        "Run this command regularly, so that responses do not wait for a visit."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--every",
            type=number,
            metavar="SECONDS",
            help="repeat, as a service for a separate respondents' server",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["every"] is None:
            self.stdout.write(f"Open surveys checked: {seal_all()}.")
            return
        if not 0 < options["every"] <= A_DAY:
            text = f"--every must be above 0 and at most {A_DAY}"
            raise CommandError(f"{text}; got {options['every']}")
        while True:
            try:
                seal_all()
            except DATABASE_TROUBLE as error:
                # Nothing is lost; the next run tries again.
                logger.error(f"Not sealed: the database is {classify_error(error)}")
            close_old_connections()
            sleep(options["every"])


def seal_all() -> int:
    surveys = Survey.objects.filter(state=Survey.State.OPEN)
    for survey in surveys:
        Response.objects.seal_if_due(survey)
    retry_overwriting()
    # Only the site for researchers loads and removes drafts.
    if apps.is_installed("django.contrib.admin"):
        from surveys.authoring.deletion import remove_deleted_drafts

        remove_deleted_drafts()
    return len(surveys)
