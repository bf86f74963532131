"""Check the response headers of respondents' pages."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from csp.constants import HEADER

from estimation.audit.fetch import Fetched
from respondents.collecting.headers import CONTENT_POLICY, PERMISSIONS_POLICY

PROMISED = {
    # With another encoding, the same bytes would be another page.
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "deny",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

MORE_IS_STRICTER = {"Cache-Control"}
"""With two values of another header, browsers use the last one or none."""

NEVER_SENT = {
    "Set-Cookie": "a cookie, which would tell visitors apart",
    "Link": "something to load that the page does not name",
    "Speculation-Rules": "something to load that the page does not name",
    "Accept-CH": "an order to tell more of the device",
    "Critical-CH": "an order to tell more of the device",
    "Clear-Site-Data": "an order to forget the message, and so to draw again",
    "Refresh": "another page to go to",
    "NEL": "an order to report visits",
    "Report-To": "an order to report visits",
    "Reporting-Endpoints": "an order to report visits",
    "Service-Worker-Allowed": "a script that would stay",
    "Alt-Svc": "another door, where something else may be served",
    "Content-Security-Policy-Report-Only": "an order to report visits",
}

HARMLESS = {
    "accept-ranges", "age", "cache-control", "connection", "content-disposition",
    "content-encoding", "content-language", "content-length", "content-type", "date",
    "etag", "expires", "keep-alive", "last-modified", "location", "pragma", "server",
    "transfer-encoding", "vary", "via", "x-xss-protection",
}  # fmt: skip
"""Headers without effect on a browser; all others must be those of this release. The
list names what is allowed, because browsers support new headers every year."""

SHARED = "Access-Control-Allow-Origin"

TRANSPORT = "Strict-Transport-Security"

OURS = {
    name.lower()
    for name in (HEADER, *PROMISED, "Permissions-Policy", SHARED, TRANSPORT)
}

READABLE = re.compile(r"[\t\x20-\x7e]*")

MAX_SHOWN = 80

YEAR_SECONDS = 365 * 24 * 60 * 60

ONLY_STRICTER = {
    "upgrade-insecure-requests", "block-all-mixed-content", "sandbox",
    "require-trusted-types-for",
}  # fmt: skip
"""Directives that a proxy may add to a content policy, because they allow nothing."""

WITHOUT_DEFAULT = {"base-uri", "form-action", "frame-ancestors"}
"""Directives that default-src does not replace: if missing, all is allowed."""

LOCAL = {"localhost", "127.0.0.1", "::1"}


def find_page_faults(page: Fetched) -> Iterator[str]:
    policies = page.headers.get(HEADER.lower(), ())
    faults = [list(find_policy_faults(policy)) for policy in policies]
    if not policies:
        yield f"there is no {HEADER}"
    elif all(faults):  # browsers apply all policies, so one strict policy suffices
        yield from min(faults, key=len)
    for name, value in PROMISED.items():
        served = {part.strip().lower() for part in page.header(name).split(",")}
        if value not in served or (served != {value} and name not in MORE_IS_STRICTER):
            yield f"{name} is {page.header(name)!r}, not {value!r}"
    served = {part.strip() for part in page.header("Permissions-Policy").split(",")}
    promised = set(PERMISSIONS_POLICY.split(", "))
    if missing := promised - served:
        yield f"Permissions-Policy lacks {', '.join(sorted(missing))}"
    # If a feature is repeated, browsers use the last one.
    if more := {each for each in served - promised if not each.endswith("=()")}:
        yield f"Permissions-Policy allows {', '.join(sorted(more))}"
    if page.header(SHARED):
        # On files it is harmless, because they are the same for all visitors.
        yield f"{SHARED}: other sites may read along"
    yield from find_forbidden_headers(page)


def find_forbidden_headers(file: Fetched) -> Iterator[str]:
    for sender in file.hops:
        for fault in find_forbidden_headers(sender):
            yield f"{sender.address} on the way: {fault}"
    for name, reason in NEVER_SENT.items():
        if value := file.header(name):
            yield f"{name}: {value[:MAX_SHOWN]} ({reason})"
    known = {name.lower() for name in NEVER_SENT} | OURS | HARMLESS
    for name in sorted(file.headers.keys() - known):
        yield f"{name}: {file.header(name)[:MAX_SHOWN]} (this release knows no such)"
    for name, values in file.headers.items():
        # Browsers may split words at other characters than this command does.
        if not all(map(READABLE.fullmatch, values)):
            yield f"{name} has letters that browsers and this command read differently"


def find_transport_faults(page: Fetched) -> Iterator[str]:
    place = urlsplit(page.address)
    if place.scheme != "https":
        if place.hostname not in LOCAL:
            yield "the page comes without HTTPS: anyone on the way can change it"
        return
    policy = page.header(TRANSPORT).lower().replace(" ", "")
    parts = [part.partition("=")[::2] for part in policy.split(";")]
    directives = dict(parts)
    # Browsers ignore a header with a repeated directive.
    is_twice = [name for name, _value in parts].count("max-age") > 1
    age = "" if is_twice else directives.get("max-age", "").strip('"')
    if not age.isdecimal() or int(age[:12]) < YEAR_SECONDS:
        yield f"{TRANSPORT} is missing, or shorter than a year"


def read_policy(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for part in text.split(";"):
        name, *sources = part.lower().split() or [""]
        if name:
            # If a directive is repeated, browsers use the first one.
            found.setdefault(name, set(sources) - {"'none'"})
    return found


def find_policy_faults(text: str) -> Iterator[str]:
    served, promised = read_policy(text), read_policy(CONTENT_POLICY)
    fallback = served.get("default-src")
    for name, allowed in promised.items():
        sources = served.get(name, None if name in WITHOUT_DEFAULT else fallback)
        if sources is None:
            yield f"the content policy has no {name}"
        elif more := sources - allowed:
            yield f"the content policy allows {name} {' '.join(sorted(more))}"
    for name in served.keys() - promised.keys() - ONLY_STRICTER:
        if more := served[name] - promised["default-src"]:
            yield f"the content policy allows {name} {' '.join(sorted(more))}"
