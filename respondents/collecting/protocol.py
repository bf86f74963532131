"""Reads a submission from a request, or refuses it, as protocol.md specifies."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.http.request import UnreadablePostError

from respondents.storage.invitations import Invitation
from respondents.tokens import CHARACTERS, fits, read_token
from surveys.design import Design, get_design
from surveys.models import Survey

FIELDS = ("design", "submission", "reports")

INVITATION = "invitation"
"""An additional field of surveys that use one-time links."""

MAX_BODY_BYTES = 4096
"""A submission of 200 questions takes about 560."""

REPEATABLE_FOR = "candor.repeatable"
"""Key of a request's environment. Django's response may be repeated for equal requests
to the survey that is its value. The fast path reads it."""

STORAGE_ERROR = "candor.trouble"
"""Key of a request's environment: the error with which the fast path failed to store
it."""


@dataclass(frozen=True)
class Submission:
    """One respondent's reports; `invitation` is empty in surveys without links."""

    identifier: str
    pattern: bytes
    invitation: str = ""


class RefusedError(Exception):
    """A refused request; the message names a field and its rule, never a value.

    Developers of clients read the message, so it is English and not translated.
    """

    def __init__(self, status: HTTPStatus, field: str, message: str) -> None:
        super().__init__(f"{status} {field}")
        self.status = status
        self.field = field
        self.message = message

    def to_json(self) -> JsonResponse:
        error = {"field": self.field, "message": self.message}
        answer = JsonResponse({"error": error}, status=self.status)
        if self.status == HTTPStatus.METHOD_NOT_ALLOWED:
            answer["Allow"] = "POST"
        return answer


def make_unknown_error() -> RefusedError:
    message = "There is no such survey."
    return RefusedError(HTTPStatus.NOT_FOUND, "survey", message)


def make_closed_error(design: Design) -> RefusedError:
    # It does not mention earlier reports: they may have been deleted since.
    message = "This survey is closed. Nothing was recorded now."
    message += f" Run by {design.organiser}."
    if design.contact:
        message += f" Questions: {design.contact}."
    return RefusedError(HTTPStatus.GONE, "survey", message)


def make_busy_error() -> RefusedError:
    # Not "nothing was recorded": the error may have occurred after the commit, or on a
    # standby.
    message = "This is not known to be recorded. Send the same bytes again later."
    return RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, "database", message)


def refuse_unread(request: HttpRequest, *, content_type: str) -> None:
    """Refuse a request by its headers, before its body is read."""
    if request.method != "POST":
        message = "Reports are sent with POST."
        raise RefusedError(HTTPStatus.METHOD_NOT_ALLOWED, "method", message)
    if request.content_type != content_type:
        message = f"Content-Type must be {content_type}."
        raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "content_type", message)
    # Without a valid length Django reads no byte. Truncated, because int() rejects
    # numbers with thousands of digits.
    announced = request.META.get("CONTENT_LENGTH") or "0"
    if announced.isdecimal() and int(announced[:9]) > MAX_BODY_BYTES:
        message = f"The body may have at most {MAX_BODY_BYTES} bytes."
        raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "body", message)


def read_invitation(survey: Survey, design: Design, posted: Mapping[str, str]) -> str:
    """Return the token of a known link, or "" if the survey does not use links.

    The token may have been typed from paper.
    """
    if not design.is_by_invitation:
        return ""
    typed = posted.get(INVITATION, "").strip()
    token = read_token(typed)
    message = ""
    if not typed:
        message = "invitation is missing."
    elif not token:
        message = f"invitation must be {CHARACTERS} letters and digits, in groups of 4."
    elif not fits(token, design.digest):
        message = "invitation is mistyped or belongs to another survey: "
        message += "its last three characters do not fit the others."
    if message:
        raise RefusedError(HTTPStatus.BAD_REQUEST, INVITATION, message)
    if not Invitation.objects.knows(survey, token):
        message = "We do not know this link. Nothing was recorded."
        raise RefusedError(HTTPStatus.FORBIDDEN, INVITATION, message)
    return token


def read_submission(request: HttpRequest, survey: Survey) -> Submission:
    """Return the submission that a request contains.

    Raises
    ------
    RefusedError
        If the survey accepts no reports, or the body is not a submission to it.
    """
    design = get_design(survey)
    if survey.is_closed:
        raise make_closed_error(design)
    if design.mode == Survey.Mode.SERVER:
        message = "This survey takes the form of its page, not reports."
        raise RefusedError(HTTPStatus.FORBIDDEN, "survey", message)
    names = list_field_names(design)
    try:
        fields = parse(request.body, names)
    except (ValueError, RecursionError, UnreadablePostError):
        # From None: the original error quotes the body.
        message = f"The body must be one JSON object: {', '.join(names)}."
        raise RefusedError(HTTPStatus.BAD_REQUEST, "body", message) from None
    invitation = read_invitation(survey, design, fields)
    return check_fields(design, fields, invitation)


def list_field_names(design: Design) -> tuple[str, ...]:
    return (*FIELDS, INVITATION) if design.is_by_invitation else FIELDS


def parse(body: bytes, names: Sequence[str]) -> dict[str, str]:
    """Return the fields of a submission as text.

    Raises `ValueError` or `RecursionError` unless the body is one JSON object with
    exactly these fields.
    """
    submission = json.loads(body.decode(), object_pairs_hook=refuse_duplicate_names)
    if not isinstance(submission, dict) or submission.keys() != set(names):
        raise ValueError
    if not all(isinstance(value, str) for value in submission.values()):
        raise ValueError
    return submission


def refuse_duplicate_names(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError
    return dict(pairs)


def check_fields(
    design: Design, fields: Mapping[str, str], invitation: str
) -> Submission:
    """Return the submission; raise `RefusedError` for the first invalid field."""
    digits = {"design": 64, "submission": 32, "reports": 2 * design.report_bytes}
    for name, count in digits.items():
        if not re.fullmatch(f"[0-9a-f]{{{count}}}", fields[name]):
            message = f"{name} must be {count} hexadecimal digits (0-9, a-f)."
            raise RefusedError(HTTPStatus.BAD_REQUEST, name, message)
        if name == "design" and fields[name] != design.digest:
            message = "design names another survey than the one at this address."
            raise RefusedError(HTTPStatus.CONFLICT, name, message)
    pattern = bytes.fromhex(fields["reports"])
    if not design.accepts(pattern):
        message = "reports must name, for every question, a report of its table."
        raise RefusedError(HTTPStatus.BAD_REQUEST, "reports", message)
    return Submission(fields["submission"], pattern, invitation)
