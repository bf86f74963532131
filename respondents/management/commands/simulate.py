"""Fill an open survey with simulated respondents."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from candor.cli.options import read_pairs
from candor.mechanisms import ParameterError
from respondents.imports.simulation.delivery import SimulationError
from respondents.imports.simulation.simulate import MAX_RESPONDENTS, simulate
from surveys.commands import PlainCommand, find_survey


class Command(PlainCommand):
    help = (
        "Send simulated responses to the endpoint of an open survey. The survey is "
        "permanently marked as simulated. A survey with real responses is refused."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("survey", help="the survey's slug")
        parser.add_argument(
            "--respondents",
            type=int,
            default=1000,
            help=f"number of respondents, 1 to {MAX_RESPONDENTS} (default 1000)",
        )
        parser.add_argument(
            "--shares",
            nargs="+",
            required=True,
            metavar="q1=0.2",
            help="true share of the first answer to each question, or, for more than "
            "two answers, the shares of all, such as q2=0.2,0.7,0.1",
        )
        parser.add_argument(
            "--url",
            help="send over HTTP to a server of this database, such as "
            "http://127.0.0.1:8000 (default: within this process)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        survey = find_survey(options["survey"])
        try:
            simulate(
                survey,
                options["respondents"],
                read_pairs("--shares", options["shares"]),
                url=options["url"],
                with_progress_bar=True,
            )
        except (ParameterError, SimulationError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{options['respondents']} simulated respondents answered {survey.slug!r}."
        )
