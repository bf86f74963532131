"""A cache of Django's responses, which repeats them for equal requests for a second.

The page of a survey in mode browser is the same for all respondents, and so is the
acknowledgement of a submission. Django marks both, and the server repeats them. So
headers, redirects and host checks are implemented only once, in Django.
"""

import re
from dataclasses import dataclass
from time import monotonic

from django.conf import settings
from granian.rsgi import Scope

from respondents.collecting.protocol import Submission, list_field_names
from respondents.tokens import ALPHABET, CHARACTERS, GROUP
from surveys.design import Design, get_design
from surveys.models import Survey

KEPT_SECONDS = 1.0
"""How long the page of a survey may still be shown after closing. Submissions are
refused from the moment of closing."""

MAX_KEPT = 1000
"""The most cached answers: one survey may have many host names."""

JSON = "application/json"

METHODS = {"GET", "POST"}
"""Not HEAD: its body, if it has one, would be treated as a submission."""

NEVER_KEPT = {"set-cookie", "vary"}

KEY_HEADERS = ("host", "x-forwarded-proto", "accept-encoding", "content-type")

TOKEN_GROUPS = f"[{ALPHABET}]{{{GROUP}}}" + f"(?:-[{ALPHABET}]{{{GROUP}}})" * (
    CHARACTERS // GROUP - 1
)

Headers = list[tuple[str, str]]
Key = tuple[str, ...]


def read_key(scope: Scope) -> tuple[Key | None, str]:
    """Return everything that Django's answer can depend on, and the content type.

    The key is None if the answer must not be cached. It does not include the language:
    a cached page contains all languages of its survey, and pages with a query such as
    ?language=de are not cached. Headers are joined as WSGI joins them.
    """
    values = dict.fromkeys(KEY_HEADERS, "")
    for name, value in scope.headers.items():
        if name in values:
            values[name] = f"{values[name]},{value}" if values[name] else value
    host, forwarded, encoding, content_type = values.values()
    if scope.method not in METHODS or scope.query_string:
        return None, content_type
    compression = "gzip" if "gzip" in encoding else ""
    key = scope.method, scope.path, scope.scheme, host, forwarded, compression
    return key, content_type


def compile_submission(design: Design) -> re.Pattern[bytes]:
    """Return a pattern that matches only submissions that our own page sends."""
    known = {
        "design": design.digest,
        "submission": "([0-9a-f]{32})",
        "reports": f"([0-9a-f]{{{2 * design.report_bytes}}})",
        "invitation": f"({TOKEN_GROUPS})",
    }
    fields = ", ?".join(
        f'"{name}": ?"{known[name]}"' for name in list_field_names(design)
    )
    return re.compile(rf"\{{{fields}\}}".encode())


@dataclass(frozen=True)
class RecentAnswer:
    """A response of Django, and the survey for which it may be repeated."""

    until: float
    status: int
    headers: Headers
    body: bytes
    survey: Survey
    design: Design
    expression: re.Pattern[bytes]

    def read_submission(self, body: bytes) -> Submission | None:
        """Return the submission if it is valid, or None to leave it to Django."""
        if not (sent := self.expression.fullmatch(body)):
            return None
        identifier, reports, *invitation = (part.decode() for part in sent.groups())
        pattern = bytes.fromhex(reports)
        if not self.design.accepts(pattern):
            return None
        return Submission(identifier, pattern, *invitation)


class RecentAnswers:
    def __init__(self) -> None:
        self.answers: dict[Key, RecentAnswer] = {}

    def find(self, key: Key | None) -> RecentAnswer | None:
        answer = self.answers.get(key) if key else None
        return answer if answer and answer.until > monotonic() else None

    def keep(
        self,
        key: Key,
        survey: Survey,
        status: int,
        headers: Headers,
        body: bytes,
        *,
        asked_at: float,
    ) -> None:
        # The page of a draft is marked too, but researchers must log in to see it.
        is_public = key[1].startswith(settings.RESPONDENTS_PATH)
        if not is_public or any(name.lower() in NEVER_KEPT for name, _value in headers):
            return
        if len(self.answers) >= MAX_KEPT:
            self.answers.clear()
        design = get_design(survey)
        self.answers[key] = RecentAnswer(
            until=asked_at + KEPT_SECONDS,
            status=status,
            headers=headers,
            body=body,
            survey=survey,
            design=design,
            expression=compile_submission(design),
        )
