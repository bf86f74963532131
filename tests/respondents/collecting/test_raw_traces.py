"""Mode server: wherever the bytes of a true answer could stay, they are looked for."""

import logging
import re
import sys
from base64 import b64decode
from functools import partial

import pytest
from django.core import mail
from django.core.cache import cache, caches
from django.db import connection

from respondents import models
from respondents.collecting import forms, pages, protocol, randomise, views
from respondents.models import Response, SealedPattern
from surveys.models import Survey
from tests.concurrency import bytes_of
from tests.factories import make_survey

URL = "/s/study-habits/"
RAW = "Oui5ecret"

HANDLING = {module.__file__ for module in (
    forms, models, pages, protocol, randomise, views)}  # fmt: skip
"""The files through which an answer passes, or next to which it lies in memory."""


class DistinguishableAnswersForm(forms.PlainForm):
    """The form in use, except that its answers differ from other bytes."""

    def __init__(self, *args):
        super().__init__(*args)
        for pick in self.picks:
            pick.positions = {f"{RAW}{n}": n for n in pick.positions.values()}


@pytest.fixture
def survey(committed, monkeypatch):
    monkeypatch.setattr(views, "PlainForm", DistinguishableAnswersForm)
    return make_survey(["coin", "die"], mode="server")


@pytest.fixture
def send(client, survey):
    """Post answers, and the marker wherever else a browser could put it."""
    client.raise_request_exception = False

    def post(number=0, **changes):
        fields = {
            "submission": f"{number:032x}",
            "consent": "on",
            "q1": f"{RAW}0",
            "q2": f"{RAW}1",
            RAW: RAW,
            **changes,
        }
        body = "&".join(f"{name}={value}" for name, value in fields.items())
        return client.generic(
            "POST",
            f"{URL}?{RAW}={RAW}",
            body,
            "application/x-www-form-urlencoded",
            headers=dict.fromkeys(("cookie", "origin", "referer", "user-agent"), RAW),
        )

    return post


def cached():
    """Return all that the caches hold, in the database and in memory."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key, value FROM candor_cache")
        rows = "".join(map(str, cursor.fetchall()))
    held = b"".join(caches["template_fragments"]._cache.values())
    # The values of a cache in a database are pickled, then written in base64.
    values = re.findall(r"'([A-Za-z0-9+/=]+)'\)", rows)
    return held + rows.encode() + b"".join(map(b64decode, values))


@pytest.fixture
def traces(caplog, capfd):
    """Return a search for the places that hold the marker, the given pages included."""
    caplog.set_level("DEBUG")

    def search(*answers):
        file = connection.settings_dict["NAME"]
        printed = capfd.readouterr()
        places = {
            "database": bytes_of(file),
            "log of SQLite": bytes_of(f"{file}-wal"),
            "log": caplog.text.encode(),
            "output": (printed.out + printed.err).encode(),
            "mail": b"".join(each.message().as_bytes() for each in mail.outbox),
            "cache": cached(),
            "page": b"".join(each.serialize() for each in answers),
        }
        return {name for name, held in places.items() if RAW.encode() in held}

    return search


def fail_at_line(number, act):
    """Return what `act` gives when the n-th line that handles answers raises.

    None for a number beyond the last line. The exception quotes the answer.
    """
    left, before = number, sys.gettrace()

    def on_line(frame, event, arg):
        nonlocal left
        left -= event == "line"
        if left == 0 and event == "line":
            raise RuntimeError(f"{RAW}0")
        return on_line

    def on_call(frame, event, arg):
        return on_line if frame.f_code.co_filename in HANDLING else None

    sys.settrace(on_call)
    try:
        result = act()
    finally:
        sys.settrace(before)
    return None if left > 0 else result


def test_a_stored_response_leaves_no_trace_of_the_answers(send, traces):
    assert [send(number).status_code for number in range(3)] == [303] * 3
    assert Response.objects.count() == 3
    assert traces() == set()


def test_a_refused_form_leaves_no_trace_of_the_answers(send, traces):
    for changes in (
        {"consent": ""},
        {"q1": RAW},
        {"q2": ""},
        {"submission": RAW},
        {"q1": RAW * 600},
        {"q1": f"{RAW}%00%ff"},
    ):
        answer = send(**changes)
        assert answer.status_code in (400, 413)
        assert traces(answer) == set()
    assert not Response.objects.exists()


def test_an_exception_at_any_line_leaves_no_trace_of_the_answers(send, traces):
    send(0)
    answers, number = [], 1
    while answer := fail_at_line(number, partial(send, number)):
        answers.append(answer)
        number += 1
    # The plain way has some 80 lines; a loop that ended early would prove nothing.
    assert len(answers) > 50
    assert {answer.status_code for answer in answers} >= {500}
    assert traces(*answers) == set()


def leak_into_the_database():
    survey = Survey.objects.get()
    SealedPattern.objects.create(survey=survey, pattern=RAW.encode(), count=1)
    # Gone again at once, and yet the log of SQLite has it.
    SealedPattern.objects.all().delete()


LEAKS = {
    "log of SQLite": leak_into_the_database,
    "log": lambda: logging.getLogger("respondents").warning("%s", RAW),
    "output": lambda: print(RAW),  # noqa: T201
    "mail": lambda: mail.mail_admins("Error", RAW),
    "cache": lambda: cache.set("answer", RAW),
}


@pytest.mark.parametrize("place", LEAKS)
def test_a_leaky_build_is_detected(send, traces, monkeypatch, settings, place):
    settings.ADMINS = [("Somebody", "admin@survey.example")]
    draw = views.randomise

    def leaky(design, answers):
        LEAKS[place]()
        return draw(design, answers)

    monkeypatch.setattr(views, "randomise", leaky)
    assert send().status_code == 303
    found = traces()
    cache.clear()
    assert place in found
