"""Clients that ask in front of Django, as respondents do, and beside it to compare."""

import asyncio
from asyncio import _get_running_loop, _set_running_loop
from types import SimpleNamespace

from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.test.client import ClientHandler, FakePayload

from config.rsgi import Whole
from respondents.collecting.fast_path.cache import collect


class HandlerInFront(ClientHandler):
    """The fast way, with Django as the tests know it behind; counts what was fast."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.collector = collect(self.django)
        self.by_django = None
        self.fast = 0

    def django(self, environ, start_response):
        self.by_django = answer = super().__call__(environ)
        start_response(
            f"{answer.status_code} {answer.reason_phrase}", list(answer.items())
        )
        return list(answer)

    def __call__(self, environ):
        told = []
        self.by_django = None
        chunks = self.collector(environ, lambda *each: told.extend(each))
        if self.by_django is not None:
            return self.by_django
        self.fast += 1
        status, headers = told
        code, _space, reason = status.partition(" ")
        answer = HttpResponse(b"".join(chunks), status=int(code), reason=reason)
        del answer["Content-Type"]
        for name, value in headers:
            answer[name] = value
        answer.wsgi_request = None
        return answer


class Told:
    """What granian gives along with a request, and is told."""

    def __init__(self, body):
        self.body = body

    async def __call__(self):
        return self.body

    def response_bytes(self, status, headers, body):
        self.all = status, headers, body


class Headers(list):
    def items(self):
        return list(self)

    def get(self, name):
        return dict(self).get(name)


def scope_of(environ):
    """Return the scope of which this environment would have been made."""
    return SimpleNamespace(
        method=environ["REQUEST_METHOD"],
        path=environ["PATH_INFO"].encode("latin-1").decode(),
        query_string=environ["QUERY_STRING"],
        scheme=environ["wsgi.url_scheme"],
        server=f"{environ['SERVER_NAME']}:{environ['SERVER_PORT']}",
        client=f"{environ['REMOTE_ADDR']}:1",
        headers=Headers(
            (name.removeprefix("HTTP_").replace("_", "-").lower(), str(value))
            for name, value in environ.items()
            if name.startswith("HTTP_") or name in {"CONTENT_TYPE", "CONTENT_LENGTH"}
        ),
    )


def ask_server(application, environ, body):
    """Return what is told by the server that we ship, which reads requests whole."""
    told = Told(body)
    # This thread may have the loop of a browser's driver already.
    running = _get_running_loop()
    _set_running_loop(None)
    loop = asyncio.new_event_loop()
    try:
        server = Whole(application, threads=1)
        server.start(loop)
        loop.run_until_complete(server.__rsgi__(scope_of(environ), told))
    finally:
        loop.close()
        _set_running_loop(running)
    return told.all


class HandlerBothWays(HandlerInFront):
    """Asks Django and the server and takes back what they stored, then in front."""

    def __call__(self, environ):
        content = environ["wsgi.input"].read()
        self.collector.kept.clear()
        with transaction.atomic():
            slow = super().__call__({**environ, "wsgi.input": FakePayload(content)})
            transaction.set_rollback(True)
        if self.collector.kept:
            with transaction.atomic():
                self.by_django = None
                told = ask_server(self.collector, environ, content)
                if self.by_django is None:
                    assert told == (slow.status_code, [*slow.items()], slow.content)
                transaction.set_rollback(True)
        answer = super().__call__({**environ, "wsgi.input": FakePayload(content)})
        if self.by_django is None:
            assert all_of(answer) == all_of(slow)
            answer.wsgi_request = slow.wsgi_request
        return answer


def all_of(answer):
    return answer.status_code, answer.reason_phrase, [*answer.items()], answer.content


class InFront(Client):
    handles = HandlerInFront

    def __init__(self, **options):
        super().__init__(**options)
        self.handler = self.handles()


class BothWays(InFront):
    """Answers as the fast way does, once that is what Django says to the byte."""

    handles = HandlerBothWays
