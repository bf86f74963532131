"""Headers that keep pages from other sites, and those of respondents from caches."""

import re

POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
}


def check_policies(answer):
    """Fail where a page, of anyone, lets in another site or sends it something."""
    assert set(answer["Content-Security-Policy"].split("; ")) == POLICY
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "geolocation=()" in answer["Permissions-Policy"]


def check_headers(answer):
    """Fail where a page of respondents may be kept, or knows who comes back."""
    check_policies(answer)
    assert re.fullmatch(r"([a-z-]+=\(\)(, )?)+", answer["Permissions-Policy"])
    assert answer["Cache-Control"] == "no-store"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert not answer.cookies
