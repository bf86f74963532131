"""Clients that send the same request to the server and to Django, to compare."""

import asyncio
from types import SimpleNamespace

from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.test.client import ClientHandler

from respondents.collecting.fast_path.server import Server
from tests.respondents.collecting.fast_path.called import FakeProtocol, Headers


class ServerHandler(ClientHandler):
    """The server, with Django as the tests know it behind; counts fast answers."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.server = Server(self.django, threads=1)
        self.by_django = None
        self.fast = 0

    def django(self, environ, start_response):
        self.by_django = answer = super().__call__(environ)
        start_response(
            f"{answer.status_code} {answer.reason_phrase}", list(answer.items())
        )
        return list(answer)

    def __call__(self, environ):
        return self.ask(environ, environ["wsgi.input"].read())

    def ask(self, environ, content):
        self.by_django = None
        text = FakeProtocol(content)
        loop = asyncio.new_event_loop()
        try:
            loop.run_until_complete(self.server.__rsgi__(make_scope(environ), text))
        finally:
            loop.close()
        if self.by_django is not None:
            return self.by_django
        self.fast += 1
        answer = HttpResponse(text.content, status=text.status)
        del answer["Content-Type"]
        for name, value in text.headers.items():
            answer[name] = value
        answer.wsgi_request = None
        return answer


def make_scope(environ):
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


class ComparingHandler(ServerHandler):
    """Asks Django and takes back what it stored, then asks the fast path."""

    def __call__(self, environ):
        content = environ["wsgi.input"].read()
        self.server.recent.answers.clear()
        with transaction.atomic():
            slow = self.ask(environ, content)
            assert self.by_django is not None
            transaction.set_rollback(True)
        answer = self.ask(environ, content)
        if self.by_django is None:
            assert read_all(answer) == read_all(slow)
            answer.wsgi_request = slow.wsgi_request
        return answer


def read_all(answer):
    return answer.status_code, answer.reason_phrase, [*answer.items()], answer.content


class FastClient(Client):
    handles = ServerHandler

    def __init__(self, **options):
        super().__init__(**options)
        self.handler = self.handles()


class ComparingClient(FastClient):
    """Answers as the fast path does, once that is what Django says to the byte."""

    handles = ComparingHandler
