"""Fetching is limited in time, bytes and to one host."""

import gzip
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from estimation.audit.fetch import BROWSERS, Fetcher, FetchError, choose_headers

IS_OVER = threading.Event()
"""Set after the last test, so that silent handlers end too."""

LONG = 60
"""Seconds until silent handlers end by themselves."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        """Log no requests."""

    def do_GET(self):
        getattr(self, f"serve_{self.path.strip('/')}")()

    def send(self, body=b"", status=200, **headers):
        self.send_response(status)
        headers = {"Content-Length": str(len(body)), "Connection": "close"} | headers
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def serve_page(self):
        self.send(b"text", X_Twice="one", x_twice="two")

    def serve_gone(self):
        self.send(b"no", status=410)

    def serve_near(self):
        self.send(status=302, Location="/page", Set_Cookie="visitor=7")

    def serve_echo(self):
        self.send(str(self.headers).encode())

    def serve_elsewhere(self):
        self.send(status=302, Location="http://else.example/page")

    def serve_file(self):
        self.send(status=302, Location="file:///etc/passwd")

    def serve_circle(self):
        self.send(status=302, Location="/circle")

    def serve_large(self):
        self.send(b"x" * 2000)

    def serve_bomb(self):
        self.send(gzip.compress(b"x" * 10_000_000), Content_Encoding="gzip")

    def serve_two_gzips(self):
        both = gzip.compress(b"text") + gzip.compress(b" and more")
        self.send(both, Content_Encoding="gzip")

    def serve_gzip(self):
        self.send(gzip.compress(b"text"), Content_Encoding="gzip")

    def serve_broken(self):
        self.send(b"no gzip", Content_Encoding="gzip")

    def serve_brotli(self):
        self.send(b"x", Content_Encoding="br")

    def serve_slow(self):
        self.send_response(200)
        self.flush_headers()
        for number in range(40):
            IS_OVER.wait(0.02)
            self.wfile.write(b"X-%d: a header now and then\r\n" % number)
        IS_OVER.wait(LONG)

    def serve_nothing(self):
        self.close_connection = True


@pytest.fixture(scope="module")
def host():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *args: None  # the client may have disconnected
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    IS_OVER.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def fetch(host):
    fetcher = Fetcher(seconds=20, longest_file=1000, longest_in_all=1500)
    return lambda path: fetcher(f"{host}/{path}")


def test_it_returns_the_response_for_any_status(fetch, host):
    page = fetch("page")
    assert (page.text, page.status, page.address) == ("text", 200, f"{host}/page")
    assert page.headers["x-twice"] == ("one", "two")
    assert fetch("gone").status == 410
    assert fetch("gzip").text == "text"


def test_redirects_to_a_page_are_kept(fetch, host):
    page = fetch("near")
    [hop] = page.hops
    assert (page.address, page.text) == (f"{host}/page", "text")
    assert (hop.address, hop.status) == (f"{host}/near", 302)
    assert hop.headers["set-cookie"] == ("visitor=7",)
    assert fetch("page").hops == ()


def test_it_sends_the_headers_of_browsers(host):
    fetcher = Fetcher(seconds=20)
    texts = [fetcher(f"{host}/echo", browser).text for browser in range(len(BROWSERS))]
    assert len({text.partition("User-Agent:")[2] for text in texts}) == len(BROWSERS)
    for text in texts:
        assert "Accept-Encoding: gzip, deflate, br, zstd" in text
        assert re.search("(?i)sec-fetch-dest: document", text)
    assert choose_headers("/static/x.js")["Sec-Fetch-Dest"] == "script"
    assert choose_headers("/static/x.css?y")["Sec-Fetch-Dest"] == "style"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("elsewhere", "sends to another host: http://else.example"),
        ("file", "in circles, or nowhere"),
        ("circle", "in circles"),
        ("large", "more than 1,000 bytes"),
        ("bomb", "more than 1,000 bytes"),
        ("broken", "cannot be read"),
        ("brotli", "encoded as br"),
        ("two_gzips", "more follows what was compressed"),
        ("nothing", "cannot be re"),
    ],
)
def test_refused_responses_are_reported(fetch, path, expected):
    with pytest.raises(FetchError, match=expected):
        fetch(path)


def test_the_total_size_of_all_files_is_limited(host):
    fetcher = Fetcher(seconds=20, longest_in_all=10)
    fetcher(f"{host}/page")
    fetcher(f"{host}/page")
    with pytest.raises(FetchError, match="more than 2 bytes"):
        fetcher(f"{host}/page")


def test_a_slow_server_times_out(host):
    with pytest.raises(FetchError, match="did not arrive in time"):
        Fetcher(seconds=0.2)(f"{host}/slow")


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://x/y", "survey", ""])
def test_only_http_addresses_are_opened(address):
    with pytest.raises(FetchError, match="is no address of http or https"):
        Fetcher(seconds=1)(address)
