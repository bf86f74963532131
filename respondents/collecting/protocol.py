"""Reads a submission from a request, or refuses it, as protocol.md says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from django.http import HttpRequest, JsonResponse
from django.http.request import UnreadablePostError

from respondents.collecting.forms import (
    INVITATION,
    InvitationForm,
    MalformedSubmissionError,
    SubmissionForm,
    list_field_names,
    parse,
)
from respondents.storage.invitations import Invitation
from surveys.design import Design, get_design
from surveys.models import Survey

MAX_BODY_BYTES = 4096
"""A submission of 200 questions takes about 560."""

REPEATABLE_FOR = "candor.repeatable"
"""In a request's environment: the survey whose answer all similar requests would get.
The fast path reads it."""

STORAGE_ERROR = "candor.trouble"
"""In a request's environment: the error with which storing it has just failed."""


@dataclass(frozen=True)
class Submission:
    """One respondent's reports; `invitation` is empty where anyone may answer."""

    identifier: str
    pattern: bytes
    invitation: str = ""


class RefusedError(Exception):
    """A request is refused: names a field and its rule, never a value.

    Developers of clients read it, so it is English and not translated.
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


def unknown() -> RefusedError:
    message = "There is no such survey."
    return RefusedError(HTTPStatus.NOT_FOUND, "survey", message)


def closed(design: Design) -> RefusedError:
    # It does not mention earlier reports: they may have been deleted since.
    message = "This survey is closed. Nothing was recorded now."
    message += f" Run by {design.organiser}."
    if design.contact:
        message += f" Questions: {design.contact}."
    return RefusedError(HTTPStatus.GONE, "survey", message)


def busy() -> RefusedError:
    # Not "nothing": what broke may have broken after the commit, or be a standby.
    message = "This is not known to be recorded. Send the same bytes again later."
    return RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, "database", message)


def malformed(names: Sequence[str]) -> RefusedError:
    message = f"The body must be one JSON object: {', '.join(names)}."
    return RefusedError(HTTPStatus.BAD_REQUEST, "body", message)


def unknown_invitation() -> RefusedError:
    message = "We do not know this link. Nothing was recorded."
    return RefusedError(HTTPStatus.FORBIDDEN, INVITATION, message)


def refuse_unread(request: HttpRequest, *, content_type: str) -> None:
    """Refuse a request by its headers, before its body is read."""
    if request.method != "POST":
        message = "Reports are sent with POST."
        raise RefusedError(HTTPStatus.METHOD_NOT_ALLOWED, "method", message)
    if request.content_type != content_type:
        message = f"Content-Type must be {content_type}."
        raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "content_type", message)
    # Django reads no byte where the length is missing or no number. Cut short, because
    # int() refuses numbers of thousands of digits.
    announced = request.META.get("CONTENT_LENGTH") or "0"
    if announced.isdecimal() and int(announced[:9]) > MAX_BODY_BYTES:
        message = f"The body may have at most {MAX_BODY_BYTES} bytes."
        raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "body", message)


def read_invitation(survey: Survey, design: Design, posted: Mapping[str, str]) -> str:
    """Return the token of a known link; nothing where anyone may answer.

    Raises
    ------
    RefusedError
        Where there is no token, one with a mistake in it, or none of this survey's.
    """
    if not design.is_by_invitation:
        return ""
    form = InvitationForm(design, posted)
    if not form.is_valid():
        message = form.errors.as_data()[INVITATION][0].messages[0]
        raise RefusedError(HTTPStatus.BAD_REQUEST, INVITATION, message)
    token: str = form.cleaned_data[INVITATION]
    if not Invitation.objects.knows(survey, token):
        raise unknown_invitation()
    return token


def read_submission(request: HttpRequest, survey: Survey) -> Submission:
    """Return what was sent.

    Raises
    ------
    RefusedError
        Where the survey takes no reports, or the body is not one submission to it.
    """
    design = get_design(survey)
    if survey.is_closed:
        raise closed(design)
    if design.mode == Survey.Mode.SERVER:
        message = "This survey takes the form of its page, not reports."
        raise RefusedError(HTTPStatus.FORBIDDEN, "survey", message)
    names = list_field_names(design)
    try:
        fields = parse(request.body, names)
    except (MalformedSubmissionError, UnreadablePostError):
        raise malformed(names) from None
    invitation = read_invitation(survey, design, fields)
    form = SubmissionForm(design, fields)
    if not form.is_valid():
        field, error = form.first_error()
        is_conflict = error.code == "another_design"
        status = HTTPStatus.CONFLICT if is_conflict else HTTPStatus.BAD_REQUEST
        raise RefusedError(status, field, error.messages[0])
    return Submission(
        form.cleaned_data["submission"], form.cleaned_data["reports"], invitation
    )
