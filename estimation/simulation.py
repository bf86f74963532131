"""Simulated respondents, whose reports take the same way as everybody's."""

import json
import math
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.db import transaction
from django.test.client import RequestFactory
from django.urls import reverse
from tqdm import tqdm

from respondents.models import Response, SealedPattern
from respondents.randomise import randomise
from surveys.design import Design, load_design
from surveys.mechanisms import ParameterError, randomness
from surveys.mechanisms.parameters import MAX_TOTAL, exact
from surveys.models import Survey

MAX_RESPONDENTS = 100_000
"""Some minutes of work; nobody types more by intention."""

ATTEMPTS = 4
PAUSE_SECONDS = 0.5
"""A busy server is asked again with the same bytes, as docs/protocol.md says."""

TIMEOUT_SECONDS = 30

Send = Callable[[bytes], tuple[int, bytes]]
"""Posts one submission; returns status and body of the answer."""


class SimulationError(Exception):
    """The survey takes no simulated respondents, or the endpoint refused one."""


def simulate(
    survey: Survey,
    respondents: int,
    shares: Mapping[str, object],
    *,
    url: str | None = None,
    draw: randomness.Draw = randomness.word,
    with_progress_bar: bool = False,
) -> None:
    """Let `respondents` simulated people answer an open survey of mode browser.

    Each draws true answers, every question by itself, randomises them by the survey's
    tables and posts the reports. The survey is marked as simulated for good.

    Parameters
    ----------
    survey : Survey
        Open, without any response of real people.
    respondents : int
        In [1, `MAX_RESPONDENTS`].
    shares : mapping of str to number or str
        True shares for "q1", "q2" ..., each in [0, 1]: of two answers the first one's,
        of more all of them, which sum to 1, such as "0.2,0.7,0.1".
    url : str, optional
        Where a server of this same database listens, such as http://127.0.0.1:8000;
        without it, the endpoint is called in this process.
    draw : callable
        Source of random words.
    with_progress_bar : bool
        Whether progress is shown on standard error, where that is a terminal.

    Raises
    ------
    ParameterError
        For a bad number, naming it and its range.
    SimulationError
        Where the survey takes none, or the endpoint refuses.
    """
    if not 1 <= respondents <= MAX_RESPONDENTS:
        allowed = f"a whole number in [1, {MAX_RESPONDENTS}]"
        raise ParameterError("respondents", allowed=allowed, value=respondents)
    if survey.is_draft:
        raise SimulationError("The survey is a draft; it must be open.")
    design = load_design(survey.pk, survey.design_digest)
    true_shares = read_shares(design, shares)
    path = reverse("respondents:reports", args=[survey.slug])
    with over_http(url, design, path) if url else in_process(path) as send:
        claim(survey)
        for _ in tqdm(
            range(respondents),
            desc="respondents",
            unit="",
            disable=None if with_progress_bar else True,
        ):
            pattern = one_pattern(design, true_shares, draw)
            submission = "".join(f"{draw():08x}" for _ in range(4))
            deliver(send, design, submission, pattern)


def read_shares(design: Design, shares: Mapping[str, object]) -> list[tuple[int, ...]]:
    """Return for each question how many of equally many people give which answer."""
    names = [f"q{number}" for number in range(1, len(design.questions) + 1)]
    if unknown := set(shares) - set(names):
        allowed = f"one of {', '.join(names)}"
        raise ParameterError("shares", allowed=allowed, value=min(unknown))
    found = []
    for name, question in zip(names, design.questions, strict=True):
        answers, value = len(question.mechanism.answers), shares.get(name)
        texts = value.split(",") if isinstance(value, str) else [value]
        numbers = [exact(text) for text in texts]
        if answers == len(numbers) + 1 == 2 and numbers[0] is not None:
            numbers.append(1 - numbers[0])
        read = [number for number in numbers if number is not None and number >= 0]
        # Drawn by one word each: see `randomness.uniform_below`.
        base = math.lcm(*(number.denominator for number in read))
        if len(read) != answers or sum(read) != 1 or base > MAX_TOTAL:
            allowed = "a number in [0, 1], such as 0.2, with 9 decimals at most"
            if answers > 2:
                allowed = f"{answers} numbers that sum to 1, such as 0.2,0.7,0.1"
            raise ParameterError(name, allowed=allowed, value=value)
        found.append(tuple(int(number * base) for number in read))
    return found


@transaction.atomic
def claim(survey: Survey) -> None:
    """Mark the survey as simulated, unless it holds what real people sent.

    The lock makes arriving responses wait, so that none slips in between.
    """
    locked = Survey.objects.select_for_update().get(pk=survey.pk)
    if not locked.is_open or locked.mode != Survey.Mode.BROWSER:
        raise SimulationError(
            "The survey must be open and in mode browser; "
            f"it is {locked.state} and in mode {locked.mode}."
        )
    if locked.is_by_invitation:
        raise SimulationError("The survey is answered by one-time links only.")
    if not locked.is_simulated:
        kept = (Response.objects, SealedPattern.objects)
        if any(each.filter(survey=locked).exists() for each in kept):
            raise SimulationError(
                "The survey holds responses of people; simulated ones would spoil it."
            )
        locked.is_simulated = True
        locked.save(update_fields=["is_simulated"])
    survey.is_simulated = True


def one_pattern(
    design: Design, shares: list[tuple[int, ...]], draw: randomness.Draw
) -> bytes:
    """Return the reports of one respondent, whose true answers are forgotten."""
    # People whose true answers are drawn: a table with one row.
    answers = [randomness.randomise([people], 0, draw) for people in shares]
    return randomise(design, answers, draw)


def deliver(send: Send, design: Design, submission: str, pattern: bytes) -> None:
    """Send one submission until it is acknowledged, the same bytes each time."""
    fields = {
        "design": design.digest,
        "submission": submission,
        "reports": pattern.hex(),
    }
    body = json.dumps(fields).encode()
    for attempt in range(1, ATTEMPTS + 1):
        status, answer = send(body)
        if status == HTTPStatus.OK:
            return
        if status != HTTPStatus.SERVICE_UNAVAILABLE:
            break
        time.sleep(PAUSE_SECONDS * attempt)
    raise SimulationError(f"The endpoint answered {status}: {message_of(answer)}")


def message_of(answer: bytes) -> str:
    """Return what a refusal says, or nothing where it is no refusal of ours."""
    try:
        return str(json.loads(answer)["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return "no explanation"


@contextmanager
def in_process(path: str) -> Iterator[Send]:
    """Give a way through all middleware to the endpoint, without a network."""
    handler = BaseHandler()
    handler.load_middleware()
    host = settings.ALLOWED_HOSTS[0].lstrip(".").replace("*", "localhost")
    requests = RequestFactory(SERVER_NAME=host, HTTP_X_FORWARDED_PROTO="https")

    def send(body: bytes) -> tuple[int, bytes]:
        request = requests.post(path, body, "application/json", secure=True)
        response = handler.get_response(request)
        return response.status_code, response.getvalue()

    yield send


@contextmanager
def over_http(url: str, design: Design, path: str) -> Iterator[Send]:
    """Give a way over one connection, which is opened again when it breaks.

    Raises
    ------
    ParameterError
        Where `url` is no address.
    SimulationError
        Where no server of this survey listens there.
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
        # Asked first, because a survey marked as simulated stays so for good.
        page = reverse("respondents:survey", args=[design.slug])
        if design.digest.encode() not in ask(connection, "GET", base + page)[1]:
            raise SimulationError(f"There is no server of this survey at {url}.")
        yield lambda body: ask(connection, "POST", base + path, body)


def ask(
    connection: HTTPConnection, method: str, path: str, body: bytes | None = None
) -> tuple[int, bytes]:
    """Return status and body of the answer; a broken connection is like a busy server.

    Perhaps the server has stored what it did not acknowledge: sent again, it is stored
    once.
    """
    headers = {"Content-Type": "application/json"} if body else {}
    try:
        connection.request(method, path, body, headers)
        if hasattr(socket, "TCP_QUICKACK"):
            # A server that sends head and body apart, as Django's own does, would
            # otherwise wait 40 ms for a delayed acknowledgement each time.
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        response = connection.getresponse()
        return response.status, response.read()
    except (OSError, HTTPException) as error:
        connection.close()
        broken = {"error": {"message": f"{type(error).__name__}: {error}"}}
        return HTTPStatus.SERVICE_UNAVAILABLE, json.dumps(broken).encode()
