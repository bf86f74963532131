"""Requests of respondents and of a researcher."""

import http.client
import json
import secrets
import socket
import ssl
from collections.abc import Callable
from contextlib import closing
from urllib.parse import urlencode

from scripts.check_deployment import HOST, MARKED
from scripts.installation.machine import Machine, fail


def at_proxy(machine: Machine) -> "Visitor":
    """Return a visitor of the machine's site with the marked address."""
    trusted = ssl.create_default_context(cafile=machine.root / "root/root.crt")

    def connect() -> http.client.HTTPConnection:
        line = http.client.HTTPSConnection(HOST, context=trusted)
        plain = reach(machine, 443)
        line.sock = trusted.wrap_socket(plain, server_hostname=HOST)
        return line

    return Visitor(connect)


def reach(machine: Machine, port: int) -> socket.socket:
    with machine.alone():
        return socket.create_connection(("127.0.0.1", port), source_address=(MARKED, 0))


def knock(machine: Machine) -> None:
    """Request pages by HTTP, and connect without TLS to the TLS port."""
    for port in 80, 443:
        with closing(reach(machine, port)) as line:
            line.sendall(f"GET /s/study/ HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
            line.recv(1000)


class Visitor:
    """A browser that sends headers and cookies."""

    def __init__(
        self,
        connect: Callable[[], http.client.HTTPConnection],
        *,
        host: str = HOST,
        scheme: str = "https",
    ) -> None:
        self.connect, self.host, self.scheme = connect, host, scheme
        self.cookies: dict[str, str] = {}

    def ask(
        self, address: str, body: str | None = None, kind: str = "", expected: int = 200
    ) -> str:
        headers = {
            "Host": self.host,
            "Referer": f"{self.scheme}://{self.host}{address}",
            "X-Forwarded-Proto": self.scheme,  # in place of a proxy
        }
        if kind:
            headers["Content-Type"] = kind
        if self.cookies:
            pairs = (f"{name}={value}" for name, value in self.cookies.items())
            headers["Cookie"] = "; ".join(pairs)
        with closing(self.connect()) as line:
            line.request("GET" if body is None else "POST", address, body, headers)
            answer = line.getresponse()
            self.headers = answer.headers
            text = answer.read().decode("utf-8", "replace")
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        if answer.status != expected:
            fail(f"{address}: {answer.status}, not {expected}\n{text[:2000]}")
        print(f"  {'GET' if body is None else 'POST'} {address}: {answer.status}")
        return text

    def post(self, address: str, fields: dict[str, str], expected: int) -> str:
        self.ask(address)
        fields = {**fields, "csrfmiddlewaretoken": self.cookies["csrftoken"]}
        return self.ask(
            address, urlencode(fields), "application/x-www-form-urlencoded", expected
        )


def answer_the_survey(visitor: Visitor, digest: str, *, times: int = 1) -> None:
    visitor.ask("/s/study/")
    for _ in range(times):
        body = {
            "design": digest,
            "submission": secrets.token_hex(16),
            "reports": f"{secrets.randbelow(2):02x}",
        }
        visitor.ask("/s/study/reports/", json.dumps(body), "application/json")
