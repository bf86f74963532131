"""Required headers, checked without a server."""

from dataclasses import replace

import pytest

from estimation.audit.fetch import Fetched
from estimation.audit.headers import (
    NEVER_SENT,
    PROMISED,
    find_page_faults,
    find_transport_faults,
)
from respondents.collecting.headers import CONTENT_POLICY, PERMISSIONS_POLICY

HONEST = PROMISED | {
    "Content-Security-Policy": CONTENT_POLICY,
    "Permissions-Policy": PERMISSIONS_POLICY,
}


def fetched(*, address="https://survey.example/s/x/", **headers):
    sent = {name.lower(): (value,) for name, value in headers.items() if value}
    return Fetched(address, 200, sent, b"")


def faults(**headers):
    return list(find_page_faults(fetched(**HONEST | headers)))


def test_the_expected_headers_have_no_fault():
    assert faults() == []


POLICY = "Content-Security-Policy"


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        (POLICY, "", "there is no Content-Security-Policy"),
        (POLICY, "default-src 'self'", "allows default-src 'self'"),
        (POLICY, "default-src 'none'", "has no base-uri"),
        (
            POLICY,
            CONTENT_POLICY.replace("script-src", "script-src 'unsafe-inline'"),
            "allows script-src 'unsafe-inline'",
        ),
        (
            POLICY,
            f"{CONTENT_POLICY}; script-src-elem https://else.example",
            "allows script-src-elem https://else.example",
        ),
        (POLICY, f"{CONTENT_POLICY}; report-uri https://else.example", "report-uri"),
        (POLICY, f"script-src *; {CONTENT_POLICY}", "allows script-src *"),
        *((name, "x", f"{name} is 'x', not") for name in PROMISED),
        *((name, "x", f"{name}: x (") for name in NEVER_SENT),
        ("Permissions-Policy", "camera=()", "lacks accelerometer=()"),
        ("Access-Control-Allow-Origin", "*", "other sites may read along"),
        ("Permissions-Policy", f"{PERMISSIONS_POLICY}, camera=*", "allows camera=*"),
        # Recent and future directives.
        ("Use-As-Dictionary", 'match="/*", id="visitor-7"', "knows no such"),
        # Browsers read it as another directive, and so as no policy at all.
        (
            POLICY,
            CONTENT_POLICY.replace("default-src ", "default-src\xa0"),
            "read differently",
        ),
        ("Cache-Control", "no-store\xa0", "read differently"),
    ],
)
def test_a_weak_header_is_a_fault(name, value, message):
    (fault,) = [each for each in faults(**{name: value}) if message in each]
    assert fault


@pytest.mark.parametrize(
    ("name", "second"),
    [
        ("Content-Type", "text/html; charset=iso-2022-jp"),
        ("Referrer-Policy", "unsafe-url"),
        ("X-Content-Type-Options", "sniff"),
        ("Cross-Origin-Opener-Policy", "unsafe-none"),
    ],
)
def test_a_conflicting_second_header_value_is_a_fault(name, second):
    page = fetched(**HONEST)
    for values in ((HONEST[name], second), (second, HONEST[name])):
        headers = {**page.headers, name.lower(): values}
        (fault,) = find_page_faults(Fetched("", 200, headers, b""))
        assert fault.startswith(f"{name} is")
    twice = {**page.headers, name.lower(): (HONEST[name], HONEST[name])}
    assert not list(find_page_faults(Fetched("", 200, twice, b"")))


def test_more_cache_directives_are_accepted():
    assert faults(**{"Cache-Control": "no-store, private, max-age=0"}) == []


@pytest.mark.parametrize(
    "policy",
    [
        CONTENT_POLICY.replace("connect-src 'self'", "connect-src 'none'"),
        f"{CONTENT_POLICY}; upgrade-insecure-requests; sandbox allow-scripts",
        CONTENT_POLICY.upper().replace("'SELF'", "'self'").replace("'NONE'", "'none'"),
    ],
)
def test_a_stricter_policy_is_accepted(policy):
    assert faults(**{POLICY: policy}) == []


def test_one_strict_policy_among_several_is_enough():
    page = fetched(**HONEST)
    both = {POLICY.lower(): ("default-src *", CONTENT_POLICY)}
    assert not list(find_page_faults(Fetched("", 200, {**page.headers, **both}, b"")))


def test_a_redirect_that_sets_a_cookie_is_a_fault():
    page = replace(
        fetched(**HONEST),
        hops=(fetched(address="https://survey.example/s/x", **{"Set-Cookie": "a=b"}),),
    )
    [fault] = find_page_faults(page)
    assert fault.startswith("https://survey.example/s/x on the way: Set-Cookie: a=b")


@pytest.mark.parametrize(
    ("address", "insists", "is_right"),
    [
        ("https://survey.example/", "max-age=31536000; includeSubDomains", True),
        ("https://survey.example/", "max-age=31535999", False),
        ("https://survey.example/", "max-age=0; max-age=31536000", False),
        ("https://survey.example/", "max-age=", False),
        ("https://survey.example/", "", False),
        ("http://survey.example/", "max-age=31536000", False),
        ("http://127.0.0.1:8000/", "", True),
    ],
)
def test_https_and_strict_transport_security_are_required(address, insists, is_right):
    page = fetched(address=address, **{"Strict-Transport-Security": insists})
    assert (list(find_transport_faults(page)) == []) == is_right
