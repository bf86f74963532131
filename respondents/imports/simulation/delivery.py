"""Deliver messages of simulated respondents to the real endpoints."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.test.client import RequestFactory
from django.urls import reverse
from django.utils.html import escape

from candor.mechanisms import ParameterError
from surveys.design import Design
from surveys.models import Survey

ATTEMPTS = 4
PAUSE_SECONDS = 0.5
"""The pause before a retry; a busy server gets the same bytes (protocol.md)."""

TIMEOUT_SECONDS = 30


class Answer(NamedTuple):
    status: int
    body: bytes
    location: str = ""
    """The target of a redirect."""


Send = Callable[[bytes], Answer]
"""Posts one message."""


class SimulationError(Exception):
    """The survey accepts no simulated respondents, or the endpoint refused one."""


class Endpoint(NamedTuple):
    """The path to which messages of a survey are sent, and their format."""

    path: str
    content_type: str
    thanks: str = ""
    """The path to which the plain form redirects when a response was stored."""

    def has_received(self, answer: Answer) -> bool:
        """Return whether the message is stored, now or by an earlier attempt."""
        if self.thanks:
            return urlsplit(answer.location).path == self.thanks
        return answer.status == HTTPStatus.OK


def find_endpoint(design: Design) -> Endpoint:
    slug = [design.slug]
    if design.mode == Survey.Mode.BROWSER:
        return Endpoint(reverse("respondents:reports", args=slug), "application/json")
    return Endpoint(
        reverse("respondents:survey", args=slug),
        "application/x-www-form-urlencoded",
        reverse("respondents:thanks", args=slug),
    )


def deliver(send: Send, endpoint: Endpoint, message: bytes) -> None:
    """Send one message, with the same bytes each time, until it is acknowledged.

    Raises
    ------
    SimulationError
        If it is refused, or the server stays busy.
    """
    for attempt in range(1, ATTEMPTS + 1):
        answer = send(message)
        if endpoint.has_received(answer):
            return
        if answer.status != HTTPStatus.SERVICE_UNAVAILABLE:
            break
        time.sleep(PAUSE_SECONDS * attempt)
    reason = read_explanation(answer.body)
    raise SimulationError(f"The endpoint answered {answer.status}: {reason}")


def read_explanation(body: bytes) -> str:
    """Return the message of a refusal; HTML pages contain no such message."""
    try:
        return str(json.loads(body)["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return "no explanation"


@contextmanager
def open_in_process(endpoint: Endpoint) -> Iterator[Send]:
    """Yield a client that calls the endpoint through all middleware."""
    handler = BaseHandler()
    handler.load_middleware()
    host = settings.ALLOWED_HOSTS[0].lstrip(".").replace("*", "localhost")
    requests = RequestFactory(SERVER_NAME=host, HTTP_X_FORWARDED_PROTO="https")

    def send(message: bytes) -> Answer:
        request = requests.post(
            endpoint.path, message, endpoint.content_type, secure=True
        )
        response = handler.get_response(request)
        location = response.headers.get("Location", "")
        return Answer(response.status_code, response.getvalue(), location)

    yield send


@contextmanager
def open_over_http(url: str, endpoint: Endpoint, design: Design) -> Iterator[Send]:
    """Yield a client with one HTTP connection, reopened when it breaks.

    Raises
    ------
    ParameterError
        If `url` is not a valid URL.
    SimulationError
        If no server of this survey listens there.
    """
    kinds = {"http": HTTPConnection, "https": HTTPSConnection}
    try:
        parts = urlsplit(url)
        kind, host, port = kinds[parts.scheme], parts.hostname or "", parts.port
    except (KeyError, ValueError) as error:
        allowed = "an address such as http://127.0.0.1:8000"
        raise ParameterError("url", allowed=allowed, value=url) from error
    base = parts.path.rstrip("/")
    with closing(kind(host, port, timeout=TIMEOUT_SECONDS)) as connection:
        # Checked first, because a survey marked as simulated stays so permanently.
        page = base + reverse("respondents:survey", args=[design.slug])
        if not is_survey_page(send_request(connection, "GET", page).body, design):
            raise SimulationError(f"There is no server of this survey at {url}.")
        headers = {"Content-Type": endpoint.content_type}
        yield lambda message: send_request(
            connection, "POST", base + endpoint.path, message, headers
        )


def is_survey_page(page: bytes, design: Design) -> bool:
    """Return whether this is the survey's page; plain forms do not contain a digest."""
    if design.mode == Survey.Mode.BROWSER:
        return design.digest.encode() in page
    return all(escape(each.text).encode() in page for each in design.questions)


def send_request(
    connection: HTTPConnection,
    method: str,
    path: str,
    message: bytes | None = None,
    headers: dict[str, str] | None = None,
) -> Answer:
    """Return the response; a broken connection counts as a busy server.

    The server may have stored a message without acknowledging it. A retry is safe,
    because it is stored once.
    """
    try:
        connection.request(method, path, message, headers or {})
        if hasattr(socket, "TCP_QUICKACK"):
            # A server that sends head and body separately, as Django's does, would
            # otherwise wait 40 ms for a delayed acknowledgement each time.
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        response = connection.getresponse()
        location = response.getheader("Location", "")
        return Answer(response.status, response.read(), location)
    except (OSError, HTTPException) as error:
        connection.close()
        broken = {"error": {"message": f"{type(error).__name__}: {error}"}}
        return Answer(HTTPStatus.SERVICE_UNAVAILABLE, json.dumps(broken).encode())
