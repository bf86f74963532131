"""What granian calls the server with, and records of its answer."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

LONG = 60
"""Seconds, on a busy machine: only a test that fails waits so long."""


class FakeProtocol:
    """Keeps the response, and gives the body, in place of the protocol of granian."""

    def __init__(self, body=b"", *, never_comes=False, breaks=False):
        self.body, self.never_comes, self.breaks = body, never_comes, breaks
        self.was_read = False
        self.status = None

    async def __call__(self):
        self.was_read = True
        if self.never_comes:
            await asyncio.Event().wait()
        if self.breaks:
            raise RuntimeError("client closed the connection")
        return self.body

    def response_empty(self, status, headers):
        self.status, self.headers, self.content = status, dict(headers), b""

    def response_bytes(self, status, headers, body):
        self.status, self.headers, self.content = status, dict(headers), body

    def response_stream(self, status, headers):
        self.status, self.headers, self.content = status, dict(headers), b""
        self.pieces = []
        return self

    async def send_bytes(self, data):
        if self.breaks:
            raise RuntimeError("transport is closed")
        self.pieces.append(data)
        self.content += data


def scope(path="/s/any/reports/", **headers):
    sent = [(name.replace("__", "-"), value) for name, value in headers.items()]
    return SimpleNamespace(
        method="POST",
        path=path,
        query_string="a=%C3%A9",
        scheme="http",
        server="127.0.0.1:8000",
        client="192.0.2.1:4321",
        headers=Headers(sent),
    )


class Headers(list):
    def items(self):
        return list(self)

    def get(self, name):
        return dict(self).get(name)


def run_in_thread(work):
    """Run a coroutine; this thread may have the loop of a browser's driver already."""
    with ThreadPoolExecutor(1, thread_name_prefix="loop") as pool:
        pool.submit(asyncio.run, work).result()


def ask(asked, message, server):
    async def run():
        # Not wait_for, which ends what is late itself: that would pass for our doing.
        answering = asyncio.create_task(server.__rsgi__(asked, message))
        await asyncio.wait({answering}, timeout=LONG)
        assert answering.done()
        answering.result()

    run_in_thread(run())
    return message
