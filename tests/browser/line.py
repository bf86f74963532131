"""A relay between browser and site that records every request."""

from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Sent:
    """One request: its first line and headers as sent, and its body."""

    head: str
    body: bytes


def passes(sent):
    """Return every reply."""
    return True


@contextmanager
def recording_relay(site, replies=passes, *, hold=lambda sent: None):
    """Yield the address of a relay to the site, and the requests that pass it.

    A request is forwarded when `hold` returns. If `replies` returns False, the
    connection breaks instead of returning the reply.
    """
    passed = []
    behind = urlsplit(site.url).netloc

    class Relay(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def relay(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            sent = Sent(f"{self.requestline}\n{self.headers}", body)
            passed.append(sent)
            hold(sent)
            connection = HTTPConnection(behind, timeout=30)
            connection.request(self.command, self.path, body, dict(self.headers))
            answer = connection.getresponse()
            content = answer.read()
            connection.close()
            if not replies(sent):
                self.close_connection = True
                return
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in {"connection", "content-length"}:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            # The browser may have left the page.
            with suppress(ConnectionError):
                self.wfile.write(content)

        do_GET = do_POST = relay  # noqa: N815

        def log_message(self, *args):
            """Log nothing."""

    relay = ThreadingHTTPServer(("127.0.0.1", 0), Relay)
    thread = Thread(target=relay.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{relay.server_port}", passed
    finally:
        relay.shutdown()
        thread.join()
        relay.server_close()
