"""Run the command in tests: return its output, or raise its error."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout

from candor.cli import main


class CommandFailedError(Exception):
    """The command failed; the text is its error message."""


def candor(*arguments):
    written, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(written), redirect_stderr(errors):
        try:
            status = main([*map(str, arguments)])
        except SystemExit as stopped:
            status = stopped.code
    if status:
        raise CommandFailedError(errors.getvalue())
    return written.getvalue()


def candor_json(*arguments):
    """Return the output as JSON; reject NaN and infinity."""
    return json.loads(candor(*arguments, "--format", "json"), parse_constant=refuse)


def refuse(constant):
    raise AssertionError(f"{constant} is no JSON")
