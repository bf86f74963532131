"""The command `candor`: estimates, plans and releases without a survey."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from candor import __version__
from candor.validation import without_brackets

COMMANDS = (
    "estimate", "plan", "regress", "compliance",
    "release", "sample", "families", "keys",
)  # fmt: skip
"""Names of modules, each with `HELP`, `add_arguments` and `run`."""

USAGE_ERROR = 2


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="candor", description="Randomised response, with valid estimates."
    )
    parser.add_argument("--version", action="version", version=f"candor {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        module = import_module(f"{__name__}.{name}")
        command = commands.add_parser(name, help=module.HELP, description=module.HELP)
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 2 for input that is rejected."""
    options = vars(make_parser().parse_args(arguments))
    try:
        written = options["run"](options)
    except (ModuleNotFoundError, TypeError, ValueError) as error:
        sys.stderr.write(f"candor: {without_brackets(str(error))}\n")
        return USAGE_ERROR
    sys.stdout.write(f"{written.rstrip()}\n")
    return 0
