"""The command `candor`: estimates, plans and releases without a survey."""

import argparse
import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from candor import __version__
from candor.validation import spell_out_ranges

COMMANDS = (
    "estimate", "plan", "regress", "compliance",
    "release", "sample", "families", "keys",
)  # fmt: skip
"""Names of modules, each with `HELP`, `add_arguments` and `run`."""

ERROR_STATUS = 2


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
    """Run the command and return its exit status.

    The status is 2 for input that is rejected and for output that cannot be written.
    """
    try:
        options = vars(make_parser().parse_args(arguments))
    except SystemExit as stopped:
        if stopped.code:
            raise
        return write("")  # --help and --version are written, but perhaps not flushed.
    try:
        written = options["run"](options)
    except (ModuleNotFoundError, TypeError, ValueError) as error:
        sys.stderr.write(f"candor: {spell_out_ranges(str(error))}\n")
        return ERROR_STATUS
    return write(f"{written.rstrip()}\n")


def write(text: str) -> int:
    """Write to standard output and return the exit status."""
    try:
        if sys.stdout is None:  # closed before the start, as by >&-
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        sys.stderr.write(f"candor: the output cannot be written: {error.strerror}\n")
        if sys.stdout is not None:
            # Python flushes again at exit, and would print the same error.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ERROR_STATUS
    return 0
