"""The common case in front of the framework: what Django answered a moment ago.

The page of a survey in mode browser is the same for everybody, and so is "recorded".
Where Django has given one of them, it is given again for a second, by whichever name
the site was reached, without Django. Only what is written in the one usual way is
looked at here; whatever else comes, and whatever cannot be stored, Django gets as it
came, and its answer is the answer.
"""

import logging
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from respondents.collecting import protocol
from respondents.collecting.forms import names_of_fields
from respondents.collecting.views import store
from respondents.errors import SurveyClosedError, UnknownInvitationError
from respondents.storage.outages import outage
from respondents.tokens import ALPHABET, CHARACTERS, GROUP
from surveys.design import Design, get_design
from surveys.models import Survey

KEPT_SECONDS = 1.0
"""So long somebody may still be shown the page of a survey that has just closed. What
is sent is refused from the moment of closing on."""

MOST_KEPT = 1000
"""Answers kept at once: people may reach one survey by many names of the site."""

JSON = "application/json"

METHODS = {"GET", "POST"}
"""A page is got and a submission posted; what is called otherwise, Django sees to."""

NEVER_KEPT = {"set-cookie", "vary"}

GROUPS = f"[{ALPHABET}]{{{GROUP}}}" + f"(?:-[{ALPHABET}]{{{GROUP}}})" * (
    CHARACTERS // GROUP - 1
)

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]
Key = tuple[str, ...]

logger = logging.getLogger(__name__)


def key_of(environ: Environ) -> Key | None:
    """Return all of a request on which Django's answer to it can depend.

    None where nothing is kept for it. A HEAD may bring a body like any other, and would
    be answered as if that had not come.
    """
    if environ.get("QUERY_STRING") or environ.get("SCRIPT_NAME"):
        return None
    if environ["REQUEST_METHOD"] not in METHODS:
        return None
    return (
        environ["REQUEST_METHOD"],
        environ["PATH_INFO"],
        environ["wsgi.url_scheme"],
        environ.get("HTTP_HOST", ""),
        environ.get("HTTP_X_FORWARDED_PROTO", ""),
        "gzip" if "gzip" in environ.get("HTTP_ACCEPT_ENCODING", "") else "",
    )


def expression_of(design: Design) -> re.Pattern[bytes] | None:
    """Return what a submission to this survey looks like, as our own page writes it.

    None where it has a field that is not known here.
    """
    known = {
        "design": design.digest,
        "submission": "([0-9a-f]{32})",
        "reports": f"((?:[0-9a-f]{{2}}){{{len(design.questions)}}})",
        "invitation": f"({GROUPS})",
    }
    names = names_of_fields(design)
    if not set(names) <= set(known):
        return None
    fields = ", ?".join(f'"{name}": ?"{known[name]}"' for name in names)
    return re.compile(rf"\{{{fields}\}}".encode())


def read(environ: Environ) -> bytes:
    """Return the body of a usual submission; it can be read again."""
    length = environ.get("CONTENT_LENGTH") or ""
    if environ.get("CONTENT_TYPE") != JSON or not length.isdecimal():
        return b""
    # Cut short, because int() refuses numbers of thousands of digits.
    if (announced := int(length[:9])) > protocol.MAX_BODY_BYTES:
        return b""
    body: bytes = environ["wsgi.input"].read(announced)
    environ["wsgi.input"] = BytesIO(body)
    return body


@dataclass(frozen=True)
class Kept:
    """An answer of Django's, and to whom it may be given again."""

    until: float
    status: str
    headers: list[tuple[str, str]]
    body: bytes
    survey: Survey
    design: Design
    expression: re.Pattern[bytes] | None

    def usual(self, body: bytes) -> "Usual | None":
        """Return what was sent, where it may be stored as it is."""
        if self.expression is None or not (sent := self.expression.fullmatch(body)):
            return None
        submission, reports, *invitation = (part.decode() for part in sent.groups())
        pattern = bytes.fromhex(reports)
        if not self.design.accepts(pattern):
            return None
        return Usual(self, protocol.Submission(submission, pattern, *invitation))


@dataclass
class Usual:
    """A submission that has this answer, once it is recorded."""

    kept: Kept
    submission: protocol.Submission
    is_recorded: bool = False
    trouble: Exception | None = None
    """What the database has just said, where asking it again would be in vain."""


class Collector:
    """A WSGI application: the fast way, and `application` for all that is left."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.kept: dict[Key, Kept] = {}

    def __call__(
        self, environ: Environ, start_response: StartResponse
    ) -> Iterable[bytes]:
        key = key_of(environ)
        if (kept := self.kept_for(key)) and self.can_give(kept, environ):
            start_response(kept.status, kept.headers)
            return [kept.body]
        if key and key[1].startswith(settings.RESPONDENTS_PATH):
            return self.ask(key, environ, start_response)
        return self.application(environ, start_response)

    def kept_for(self, key: Key | None) -> Kept | None:
        kept = self.kept.get(key) if key else None
        return kept if kept and kept.until > monotonic() else None

    def can_give(self, kept: Kept, environ: Environ) -> bool:
        """Whether this is the answer, after storing where something was sent."""
        if environ["REQUEST_METHOD"] == "GET":
            return True
        if not (usual := kept.usual(read(environ))):
            return False
        self.store([usual])
        if usual.trouble:
            environ[protocol.TROUBLE] = usual.trouble
        return usual.is_recorded

    def store(self, group: Iterable[Usual]) -> None:
        """Store those of each survey at once, and note which are recorded.

        Django is to be asked about the others, one by one: so each is told what is true
        of it, whatever becomes of those that came along with it.
        """
        by_survey: dict[int, list[Usual]] = {}
        for usual in group:
            by_survey.setdefault(usual.kept.survey.pk, []).append(usual)
        for some in by_survey.values():
            self.store_of_one_survey(some)

    def store_of_one_survey(self, group: Sequence[Usual]) -> None:
        trouble = None
        recorded: set[protocol.Submission] = set()
        try:
            survey = group[0].kept.survey
            recorded = store(survey, [usual.submission for usual in group])
        except (SurveyClosedError, UnknownInvitationError):
            pass
        except (DatabaseError, InterfaceError) as error:
            # A connection to PostgreSQL may have died of age. Where there was none to
            # get, or a SQLite is locked, full or read-only, it is so still: waiting for
            # it once is enough, also for those who come next.
            if connection.vendor == "sqlite" or connection.connection is None:
                trouble = error
                outage.note(error)
        except Exception:
            # Left to the server, it would be logged in full, and may quote what came.
            logger.exception("The fast way failed")
        for usual in group:
            usual.is_recorded = usual.submission in recorded
            usual.trouble = trouble

    def ask(
        self, key: Key, environ: Environ, start_response: StartResponse
    ) -> Iterable[bytes]:
        """Return Django's answer, and keep it where Django says that it may be."""
        told: list[Any] = []

        def note(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            told[:] = status, headers
            return start_response(status, headers, *more)

        until = monotonic() + KEPT_SECONDS
        answer = self.application(environ, note)
        survey = environ.get(protocol.REPEATABLE)
        if survey is None:
            return answer
        chunks = list(answer)
        if close := getattr(answer, "close", None):
            close()
        status, headers = told
        if not any(name.lower() in NEVER_KEPT for name, _value in headers):
            if len(self.kept) >= MOST_KEPT:
                self.kept.clear()
            design = get_design(survey)
            self.kept[key] = Kept(
                until=until,
                status=status,
                headers=list(headers),
                body=b"".join(chunks),
                survey=survey,
                design=design,
                expression=expression_of(design),
            )
        return chunks


def collect(application: Application) -> Collector:
    return Collector(application)
