"""Plan a question: precision, respondents, power, and what a report gives away."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from estimation.maths.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from estimation.maths.intervals.refuting import REFUTING
from estimation.maths.planning.plan import DEFAULT_SHARE, make_plan, plan_as_object
from estimation.maths.planning.power import DEFAULT_POWER
from estimation.maths.planning.reading import DEFAULT_PRIOR
from estimation.planner.lines import as_table
from surveys.management.arguments import number, read_pairs, whole_number
from surveys.mechanisms import build


class Command(BaseCommand):
    """`manage.py plan --family NAME [--respondents N] [--margin M] ...`."""

    help = (
        "Say before a survey how precise it will be, how many respondents it needs, "
        "what protection costs, and what one report tells."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--family", required=True, help="the mechanism's family, such as coin"
        )
        parser.add_argument(
            "--set",
            nargs="+",
            default=[],
            metavar="NAME=VALUE",
            dest="parameters",
            help="the family's parameters, such as forced_yes=1/6 forced_no=1/6",
        )
        parser.add_argument(
            "--share",
            type=number,
            default=DEFAULT_SHARE,
            help=f"assumed share of the first answer (default {DEFAULT_SHARE})",
        )
        parser.add_argument(
            "--respondents", type=whole_number, help="the planned number"
        )
        parser.add_argument(
            "--margin",
            type=number,
            help="the wanted margin of error, half the interval, such as 0.05",
        )
        parser.add_argument(
            "--against",
            type=number,
            help="a share that the survey shall refute: the true one lies beyond",
        )
        parser.add_argument(
            "--other-share",
            type=number,
            help="assumed share of a second group, to be told from the first",
        )
        parser.add_argument(
            "--ratio",
            type=number,
            default=1.0,
            help="people in the second group for each in the first (default 1)",
        )
        parser.add_argument(
            "--power",
            type=number,
            default=DEFAULT_POWER,
            help=f"chance of showing either (default {DEFAULT_POWER})",
        )
        parser.add_argument(
            "--alpha",
            type=number,
            help="plan the exact test of one tail at this level instead: the chance of "
            "refuting what is true, such as 0.05",
        )
        parser.add_argument(
            "--method",
            choices=tuple(REFUTING),
            default=DEFAULT_METHOD,
            help="the interval of the results that has to leave the share out "
            f"(default {DEFAULT_METHOD})",
        )
        parser.add_argument(
            "--confidence-level",
            type=number,
            default=DEFAULT_CONFIDENCE_LEVEL,
            help=f"in (0, 1) (default {DEFAULT_CONFIDENCE_LEVEL})",
        )
        parser.add_argument(
            "--prior",
            type=number,
            default=DEFAULT_PRIOR,
            help="what somebody suspects of a respondent, as a probability "
            f"(default {DEFAULT_PRIOR})",
        )
        parser.add_argument(
            "--questions",
            type=whole_number,
            default=1,
            help="such questions to each respondent (default 1)",
        )
        parser.add_argument(
            "--forged",
            type=whole_number,
            default=1,
            help="forged reports to reckon with (default 1)",
        )
        parser.add_argument(
            "--design-effect",
            type=number,
            default=1.0,
            help="of weights: so many times the respondents are needed (default 1)",
        )
        parser.add_argument(
            "--response-rate",
            type=number,
            default=1.0,
            help="which part of those invited will answer, such as 0.4 (default 1)",
        )
        parser.add_argument("--format", default="table", choices=["json", "table"])

    def handle(self, *args: Any, **options: Any) -> None:
        parameters = read_pairs("--set", options["parameters"])
        try:
            plan = make_plan(
                build(options["family"], **parameters),
                share=options["share"],
                confidence_level=options["confidence_level"],
                respondents=options["respondents"],
                margin=options["margin"],
                against=options["against"],
                power=options["power"],
                alpha=options["alpha"],
                method=options["method"],
                other_share=options["other_share"],
                ratio=options["ratio"],
                prior=options["prior"],
                questions=options["questions"],
                forged=options["forged"],
                design_effect=options["design_effect"],
                response_rate=options["response_rate"],
            )
        except ValueError as error:
            raise CommandError(str(error)) from error
        if options["format"] == "json":
            found = plan_as_object(plan)
            written = json.dumps(found, indent=2, allow_nan=False, ensure_ascii=False)
        else:
            written = as_table(plan)
        self.stdout.write(written)
