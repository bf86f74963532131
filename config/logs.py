"""Logging of errors, without what a respondent sent or when."""

import logging
import traceback

from django.conf import settings

SERVER_ERROR = 500


class RespondentRoutes(logging.Filter):
    """Drops refused requests of respondents; keeps only the place of an error.

    The address of a survey may be mistyped by a respondent: of refused requests only
    the pages of researchers are named.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("respondents."):
            shorten(record, str(record.msg))
            return True
        request = getattr(record, "request", None)
        path = getattr(request, "path_info", "")
        if getattr(record, "status_code", SERVER_ERROR) < SERVER_ERROR:
            return path.startswith(settings.RESEARCHERS_PATH)
        if not path.startswith(settings.PATHS_FOR_RESPONDENTS):
            return True
        shorten(record, "Error on a respondent's page")
        return True


def shorten(record: logging.LogRecord, message: str) -> None:
    """Keep the traceback of an exception, and drop its message."""
    record.msg, record.args = f"{message}{place(record)}", ()
    record.exc_info = record.exc_text = None


def place(record: logging.LogRecord) -> str:
    """Return type and line of the exception; its message may quote a raw answer."""
    if not record.exc_info or not record.exc_info[2]:
        return ""
    frame = traceback.extract_tb(record.exc_info[2])[-1]
    return f": {type(record.exc_info[1]).__name__} at {frame.filename}:{frame.lineno}"
