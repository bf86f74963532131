"""Check a served survey from outside."""

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from candor.cli.options import number, whole_number
from estimation.audit.audit import USUAL_DRAWS, USUAL_SECONDS, AuditError, audit
from estimation.audit.fetch import Fetcher, FetchError
from estimation.audit.report import Outcome, harmless, report_json, report_text

FETCH_SECONDS, READ_SECONDS = 60, 60

EXIT_CODES = {Outcome.PASSED: 0, Outcome.FOUND: 1, Outcome.UNCHECKED: 3}
NO_AUDIT = 2

MAX_DRAWS = 10_000_000


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `AuditError` if the block takes longer.

    The HTML parser of Python takes quadratic time for some invalid HTML.
    """

    def stop(*_signal: Any) -> None:
        raise AuditError(f"to read what is served took more than {seconds:g} seconds")

    usual = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)


class Command(BaseCommand):
    help = (
        "Check a published survey from outside, as anyone can: its page and scripts "
        "against this release, its headers, its tables, and the draws of its script. "
        "Submits nothing and needs no database. Exit code: 0 if no fault was found, "
        "1 if faults were found, 2 if there is no survey at the address, 3 if no fault "
        "was found but some checks were impossible."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("url", help="the address that respondents open")
        parser.add_argument(
            "--draws",
            type=whole_number,
            default=USUAL_DRAWS,
            help=f"draws for each answer of each table (default {USUAL_DRAWS:,})",
        )
        parser.add_argument(
            "--digest", default="", help="digest of the approved design, to compare"
        )
        parser.add_argument(
            "--seconds",
            type=number,
            default=USUAL_SECONDS,
            help=f"time limit for all draws, in seconds (default {USUAL_SECONDS})",
        )
        parser.add_argument("--format", default="text", choices=["text", "json"])

    def handle(self, *args: Any, **options: Any) -> None:
        for name, most in {"draws": MAX_DRAWS, "seconds": 24 * 60 * 60}.items():
            if not 1 <= options[name] <= most:
                text = f"--{name} must be in [1, {most}]; got {options[name]}"
                raise CommandError(text)
        try:
            with at_most(FETCH_SECONDS + options["seconds"] + READ_SECONDS):
                report = audit(
                    options["url"],
                    fetch=Fetcher(seconds=FETCH_SECONDS),
                    draws=options["draws"],
                    seconds=options["seconds"],
                    expected_digest=options["digest"],
                )
        except (AuditError, FetchError) as error:
            text = f"Nothing was checked: {harmless(str(error))}."
            raise CommandError(text, returncode=NO_AUDIT) from error
        if options["format"] == "json":
            self.stdout.write(
                json.dumps(report_json(report), indent=2, allow_nan=False)
            )
        else:
            self.stdout.write(report_text(report))
        if code := EXIT_CODES[report.outcome]:
            raise SystemExit(code)
