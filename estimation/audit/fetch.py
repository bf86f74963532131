"""Download files of one host within limits of time and size."""

import queue
import ssl
import threading
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException, HTTPMessage
from pathlib import PurePosixPath
from typing import IO, Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

GZIP_AND_MORE = {"Accept-Encoding": "gzip, deflate, br, zstd"}
"""As browsers say. The site compresses by gzip or not at all: what comes otherwise is
of someone else."""

# To a server that knows auditors by their name, or shows some visitors another page, it
# is now one visitor and now another. How a browser asks is in `choose_headers`.
BROWSERS = (
    {
        "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 "
        "Firefox/128.0",
        "Accept-Language": "en-US,en;q=0.5",
        **GZIP_AND_MORE,
    },
    {
        "User-Agent": "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, "
        "like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36",
        "Accept-Language": "de-DE,de;q=0.9",
        **GZIP_AND_MORE,
    },
    {
        "User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) "
        "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 "
        "Safari/604.1",
        "Accept-Language": "ar",
        **GZIP_AND_MORE,
    },
)

DESTINATIONS = {".js": "script", ".css": "style", ".svg": "image", ".png": "image"}

MAX_FILE_BYTES = 4_000_000
"""Bytes: the page of 200 questions with long texts has less than a third of that."""

MAX_TOTAL_BYTES = 20_000_000

WEB = {"http", "https"}
REDIRECTS = {301, 302, 303, 307, 308}
CHUNK = 65_536
GZIP = 16 + zlib.MAX_WBITS


class FetchError(Exception):
    """What was asked for cannot be had, in one sentence."""


@dataclass(frozen=True)
class Fetched:
    address: str
    status: int
    headers: Mapping[str, tuple[str, ...]]
    """By names in lower case; one that comes twice has two values."""
    body: bytes
    hops: tuple["Fetched", ...] = ()

    def header(self, name: str) -> str:
        return ", ".join(self.headers.get(name.lower(), ()))

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")


class Fetch(Protocol):
    def __call__(self, address: str, browser: int = 0) -> Fetched: ...


class SameHost(HTTPRedirectHandler):
    """Follows no redirect to another host, and none from HTTPS to HTTP."""

    def __init__(self) -> None:
        self.hops: list[Fetched] = []

    def redirect_request(
        self,
        req: Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> Request | None:
        before, after = urlsplit(req.full_url), urlsplit(newurl)
        destination = ""
        if after.hostname != before.hostname:
            destination = "to another host"
        elif (before.scheme, after.scheme) == ("https", "http"):
            destination = "from HTTPS to HTTP"
        elif after.scheme not in WEB:
            destination = "to another place than the web"
        if destination:
            fp.close()
            raise FetchError(f"{req.full_url} sends {destination}: {newurl}")
        self.hops.append(Fetched(req.full_url, code, by_name(headers), b""))
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class Fetcher:
    """Reads files until its time or its bytes are used up.

    Parameters
    ----------
    seconds : float
        For all files together, from now on.
    """

    def __init__(
        self,
        *,
        seconds: float,
        longest_file: int = MAX_FILE_BYTES,
        longest_in_all: int = MAX_TOTAL_BYTES,
    ) -> None:
        self.deadline = time.monotonic() + seconds
        self.longest_file = longest_file
        self.left = longest_in_all

    def __call__(self, address: str, browser: int = 0) -> Fetched:
        """Return what is at `address` for one of `BROWSERS`, whatever its status.

        Raises
        ------
        FetchError
            Where nothing comes, too late or too much, or from elsewhere.
        """
        if urlsplit(address).scheme not in WEB:
            raise FetchError(f"{address} is no address of http or https")
        # A thread of its own: a server that sends a byte now and then keeps each single
        # wait short, and would keep all of them for ever.
        found: queue.SimpleQueue[Fetched | FetchError] = queue.SimpleQueue()
        threading.Thread(
            target=lambda: found.put(self.answer(address, browser)), daemon=True
        ).start()
        try:
            answer = found.get(timeout=self.remaining())
        except queue.Empty:
            raise FetchError(f"{address} did not arrive in time") from None
        if isinstance(answer, FetchError):
            raise answer
        self.left -= len(answer.body)
        return answer

    def remaining(self) -> float:
        return max(self.deadline - time.monotonic(), 0.001)

    def answer(self, address: str, browser: int) -> Fetched | FetchError:
        asked = BROWSERS[browser] | choose_headers(address)
        request = Request(address, headers=asked)  # noqa: S310 - http, https
        redirects = SameHost()
        try:
            try:
                opener = build_opener(redirects)
                reply = opener.open(request, timeout=self.remaining())
            except HTTPError as error:
                reply = error
            with reply:
                if reply.status in REDIRECTS:
                    return FetchError(f"{address} sends in circles, or nowhere")
                headers = by_name(reply.headers)
                body = self.read(reply, headers.get("content-encoding", ("",))[0])
                status, hops = reply.status or 0, tuple(redirects.hops)
                return Fetched(reply.url or address, status, headers, body, hops)
        except FetchError as error:
            return error
        except TimeoutError:
            # Just as the thread that waits for this one gives up, which reports it.
            return FetchError(f"{address} did not arrive in time")
        except URLError as error:
            return FetchError(f"{address} cannot be reached: {error.reason}")
        except (OSError, HTTPException, ValueError, zlib.error, ssl.SSLError) as error:
            return FetchError(f"{address} cannot be read: {error}")

    def read(self, reply: IO[bytes], encoding: str) -> bytes:
        most = min(self.longest_file, self.left)
        if encoding not in {"", "identity", "gzip"}:
            raise FetchError(f"it came encoded as {encoding}, as the site never does")
        unpack = zlib.decompressobj(GZIP) if encoding == "gzip" else None
        body = b""
        while chunk := reply.read(CHUNK):
            # Never more than a byte too much: a small file can unpack to a large one.
            body += unpack.decompress(chunk, most + 1 - len(body)) if unpack else chunk
            if len(body) > most:
                raise FetchError(f"it has more than {most:,} bytes")
            if time.monotonic() > self.deadline:
                raise FetchError("it did not arrive in time")
        if unpack and unpack.unused_data:
            # Which some programs unpack as well, and others leave.
            raise FetchError("more follows what was compressed")
        return body


def choose_headers(address: str) -> dict[str, str]:
    kind = PurePosixPath(urlsplit(address).path).suffix
    if destination := DESTINATIONS.get(kind):
        return {
            "Accept": "*/*",
            "Sec-Fetch-Dest": destination,
            "Sec-Fetch-Mode": "cors" if destination == "script" else "no-cors",
            "Sec-Fetch-Site": "same-origin",
        }
    return {
        "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "Upgrade-Insecure-Requests": "1",
        "Sec-Fetch-Dest": "document",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Site": "none",
        "Sec-Fetch-User": "?1",
    }


def by_name(headers: Message) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, value in headers.items():
        found[name.lower()] = (*found.get(name.lower(), ()), value)
    return found
