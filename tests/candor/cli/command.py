"""The command as tests run it: its output, or the error that it ends with."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout

from candor.cli import main


class CommandFailedError(Exception):
    """The command ended with an error, which is the text."""


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
    """The output as JSON, in which NaN and infinity are refused."""
    return json.loads(candor(*arguments, "--format", "json"), parse_constant=refuse)


def refuse(constant):
    raise AssertionError(f"{constant} is no JSON")
