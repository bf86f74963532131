"""Clients that ask in front of Django, as respondents do, and beside it to compare."""

from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.test.client import ClientHandler, FakePayload

from respondents.answering.fast import collect


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


class HandlerBothWays(HandlerInFront):
    """Asks Django first and takes back what that stored, then asks in front of it."""

    def __call__(self, environ):
        content = environ["wsgi.input"].read()
        self.collector.kept.clear()
        with transaction.atomic():
            slow = super().__call__({**environ, "wsgi.input": FakePayload(content)})
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
