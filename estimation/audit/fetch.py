"""Files of one host, as browsers get them: so much time, so many bytes, no others."""

import queue
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPException, HTTPMessage
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

# As a browser says, in part: to a server that knows auditors by their name, it could
# show another page.
AS_A_BROWSER = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 "
    "Firefox/128.0",
    "Accept": "text/html,application/xhtml+xml,*/*;q=0.8",
    "Accept-Language": "en",
    "Accept-Encoding": "gzip",
}

LONGEST_FILE = 4_000_000
"""Bytes: the page of 200 questions with long texts has less than a third of that."""

LONGEST_IN_ALL = 20_000_000
"""Bytes of all files of one audit together."""

WEB = {"http", "https"}
REDIRECTS = {301, 302, 303, 307, 308}
CHUNK = 65_536
GZIP = 16 + zlib.MAX_WBITS


class FetchError(Exception):
    """What was asked for cannot be had, in one sentence."""


@dataclass(frozen=True)
class Fetched:
    """One file as it came, its contents no longer compressed."""

    address: str
    status: int
    headers: Mapping[str, tuple[str, ...]]
    """By names in lower case; one that comes twice has two values."""
    body: bytes

    def header(self, name: str) -> str:
        return ", ".join(self.headers.get(name.lower(), ()))

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")


Fetch = Callable[[str], Fetched]


class SameHost(HTTPRedirectHandler):
    """Follows nobody to another host, and nobody from HTTPS to HTTP."""

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
        told = ""
        if after.hostname != before.hostname:
            told = "to another host"
        elif (before.scheme, after.scheme) == ("https", "http"):
            told = "from HTTPS to HTTP"
        elif after.scheme not in WEB:
            told = "to another place than the web"
        if told:
            fp.close()
            raise FetchError(f"{req.full_url} sends {told}: {newurl}")
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
        longest_file: int = LONGEST_FILE,
        longest_in_all: int = LONGEST_IN_ALL,
    ) -> None:
        self.deadline = time.monotonic() + seconds
        self.longest_file = longest_file
        self.left = longest_in_all
        self.opener = build_opener(SameHost())

    def __call__(self, address: str) -> Fetched:
        """Return what is at `address`, whatever its status.

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
            target=lambda: found.put(self.answer(address)), daemon=True
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

    def answer(self, address: str) -> Fetched | FetchError:
        request = Request(address, headers=AS_A_BROWSER)  # noqa: S310 - http, https
        try:
            try:
                reply = self.opener.open(request, timeout=self.remaining())
            except HTTPError as error:
                reply = error
            with reply:
                if reply.status in REDIRECTS:
                    return FetchError(f"{address} sends in circles, or nowhere")
                headers: dict[str, tuple[str, ...]] = {}
                for name, value in reply.headers.items():
                    headers[name.lower()] = (*headers.get(name.lower(), ()), value)
                body = self.read(reply, headers.get("content-encoding", ("",))[0])
                return Fetched(reply.url or address, reply.status or 0, headers, body)
        except FetchError as error:
            return error
        except URLError as error:
            return FetchError(f"{address} cannot be reached: {error.reason}")
        except (OSError, HTTPException, ValueError, zlib.error, ssl.SSLError) as error:
            return FetchError(f"{address} cannot be read: {error}")

    def read(self, reply: IO[bytes], encoding: str) -> bytes:
        most = min(self.longest_file, self.left)
        if encoding not in {"", "identity", "gzip"}:
            raise FetchError(f"it came encoded as {encoding}, which was not asked for")
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
