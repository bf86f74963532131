"""Respondents and a researcher in front of the proxy, as their browsers would ask."""

import http.client
import json
import secrets
import socket
import ssl
from urllib.parse import urlencode

from scripts.check_deployment import HOST, MARKED
from scripts.installation.machine import Machine, fail


class Visitor:
    """A browser, as far as headers and cookies go, with an address to look for."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.cookies: dict[str, str] = {}
        self.trusted = ssl.create_default_context(cafile=machine.root / "root/root.crt")

    def ask(
        self, address: str, body: str | None = None, kind: str = "", expected: int = 200
    ) -> str:
        headers = {"Host": HOST, "Referer": f"https://{HOST}{address}"}
        if kind:
            headers["Content-Type"] = kind
        if self.cookies:
            pairs = (f"{name}={value}" for name, value in self.cookies.items())
            headers["Cookie"] = "; ".join(pairs)
        with self.machine.alone():
            line = http.client.HTTPSConnection(HOST, context=self.trusted)
            line.sock = self.trusted.wrap_socket(
                socket.create_connection(
                    ("127.0.0.1", 443), source_address=(MARKED, 0)
                ),
                server_hostname=HOST,
            )
            line.request("GET" if body is None else "POST", address, body, headers)
            answer = line.getresponse()
            text = answer.read().decode()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        if answer.status != expected:
            fail(f"{address}: {answer.status}, not {expected}\n{text[:2000]}")
        print(f"  {'GET' if body is None else 'POST'} {address}: {answer.status}")
        return text

    def knock(self) -> None:
        """Come by HTTP, and with what is no TLS."""
        for port in 80, 443:
            with self.machine.alone():
                line = socket.create_connection(
                    ("127.0.0.1", port), source_address=(MARKED, 0)
                )
            line.sendall(f"GET /s/study/ HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
            line.recv(1000)
            line.close()

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
