"""Logging of errors, without what a respondent sent or when."""

import logging
import traceback

from django.conf import settings

SERVER_ERROR = 500


class RespondentRoutes(logging.Filter):
    """Drops refused requests of respondents; keeps only type and place of an error.

    Respondents may mistype the address of a survey, so refused requests are logged for
    researchers' pages only.
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
    """Replace an exception by its type and place, without its message."""
    record.msg, record.args = f"{message}{describe_exception(record)}", ()
    record.exc_info = record.exc_text = None


def describe_exception(record: logging.LogRecord) -> str:
    """Return type and place of the exception; its message may quote a raw answer."""
    if not record.exc_info or not record.exc_info[2]:
        return ""
    frame = traceback.extract_tb(record.exc_info[2])[-1]
    return f": {type(record.exc_info[1]).__name__} at {frame.filename}:{frame.lineno}"
