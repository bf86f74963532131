"""Links with a mistake: reported in the browser, before anything is asked or sent."""

import json

import pytest
from playwright.sync_api import expect

from respondents.tokens import fits, read_token
from scripts.make_vectors import FOLDER
from tests.browser.invited import spent, stored
from tests.factories import make_foreign_token, mistyped

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

VECTORS = json.loads((FOLDER / "tokens.json").read_text("utf-8"))

SCRIPT = "/static/js/collecting/invitation.js"

UNKNOWN = "We do not know this link"
STAYS = "If you used this link before, your first answers stay."

WITHOUT_HTTPS = """
  Object.defineProperty(Crypto.prototype, "subtle", { get: () => undefined });
"""


def one_wrong(token):
    return [f"{token[:2]}{each}{token[3:]}" for each in "xyz"]


def neighbours_swapped(token):
    return [
        f"{token[:n]}{token[n + 1]}{token[n]}{token[n + 2 :]}"
        for n in range(len(token) - 1)
        if "-" not in token[n : n + 2]
    ]


MISTAKES = {
    "a letter wrong": one_wrong,
    "two letters swapped": neighbours_swapped,
    "a check character wrong": lambda token: [mistyped(token)],
    "cut": lambda token: [token[:-3]],
    "cut to the length of an old one": lambda token: [token[:22]],
    "without its beginning": lambda token: [token[-22:]],
    "one letter": lambda token: [token[0]],
    "twice": lambda token: [token + token],
    "no link at all": lambda _token: ["too-short"],
    "odd": lambda _token: ["x" * 21 + "!"],
}
"""Of each kind some: should the check miss one, as of 32,768, the next is taken."""


def find_mistake(of_one_kind, survey, token):
    return next(
        wrong
        for wrong in of_one_kind(token)
        if wrong != token and not fits(read_token(wrong), survey.design_digest)
    )


@pytest.fixture
def requests(page):
    """Every request so far, as method and address."""
    sent = []
    page.on("request", lambda each: sent.append((each.method, each.url)))
    return sent


def test_a_mistake_in_a_link_is_reported_first_and_only_by_the_browser(
    page, come, requests, survey, tokens
):
    mistakes = {
        kind: find_mistake(some, survey, tokens[0]) for kind, some in MISTAKES.items()
    }
    mistakes["foreign"] = make_foreign_token(survey)
    page.goto(come(page).url)
    page.wait_for_selector("[data-start]:visible")
    page.wait_for_load_state("networkidle")
    of_a_good_link = sorted(requests)
    for kind, wrong in mistakes.items():
        page.goto("about:blank")
        requests.clear()
        page.goto(come(page, wrong).url)
        expect(page.locator("h1:visible")).to_have_text(UNKNOWN)
        expect(page.locator("[data-link=unknown]")).not_to_contain_text(STAYS)
        expect(page.locator("main")).to_contain_text("ask here: me@example.org")
        assert page.locator("button:visible, input:visible").count() == 0
        page.wait_for_load_state("networkidle")
        # What everybody loads, and nothing that has to do with the link.
        assert set(requests) <= set(of_a_good_link), kind
        assert {method for method, _ in requests} == {"GET"}
        assert page.url.endswith("/s/study-habits/")
        assert page.evaluate("localStorage.length") == 0
        assert (stored(), spent()) == (0, 0)


def test_a_used_link_is_reported_first_and_only_by_the_browser(page, come, requests):
    respondent = come(page)
    respondent.finish(0, 1, 0)
    page.goto("about:blank")
    requests.clear()
    page.goto(respondent.url)
    respondent.heading("This link has been used")
    notice = page.locator("[data-link=used]")
    # Another person may have used this browser and the link.
    lead = "This link was used in this browser before. Those answers stay."
    expect(notice.locator(".lead")).to_have_text(lead)
    expect(notice).not_to_contain_text(STAYS)
    expect(notice).not_to_contain_text("were received")
    page.wait_for_load_state("networkidle")
    assert {method for method, _ in requests} == {"GET"}
    assert (stored(), spent()) == (1, 1)


def test_after_a_mistake_the_right_link_works_in_the_same_tab(page, come, tokens):
    page.goto(come(page, mistyped(tokens[0])).url)
    expect(page.locator("h1:visible")).to_have_text(UNKNOWN)
    with page.expect_event("load"):
        page.goto(come(page).url)
    page.wait_for_selector("[data-start]:visible")
    page.goto("about:blank")
    come(page).finish(0, 1, 0)
    assert (stored(), spent()) == (1, 1)


def test_a_link_typed_in_capitals_is_sent_as_it_was_made(page, come, tokens, posts):
    come(page, tokens[0].replace("-", "").upper()).finish(0, 1, 0)
    assert [json.loads(body)["invitation"] for body in posts] == [tokens[0]]
    page.goto("about:blank")
    # However it is written, it is the same link, and this device knows it.
    page.goto(come(page).url)
    expect(page.locator("h1:visible")).to_have_text("This link has been used")


def test_without_https_the_server_tells_a_mistake(page, come, tokens, posts):
    page.add_init_script(WITHOUT_HTTPS)
    respondent = come(page, mistyped(tokens[0]))
    respondent.reach_check(0, 1, 0)
    respondent.send()
    respondent.heading(UNKNOWN)
    assert len(posts) == 1
    assert (stored(), spent()) == (0, 0)
    page.goto("about:blank")
    for token in tokens[:2]:
        come(page, token).finish(0, 1, 0)
        assert token not in page.evaluate("JSON.stringify(localStorage)")
        page.reload()
        expect(page.locator("h1:visible")).to_have_text("This link has been used")
        page.goto("about:blank")
    assert (stored(), spent()) == (2, 2)


@pytest.fixture
def module(page, site):
    """A page of the site in which `links` is the module that respondents run."""
    page.goto(f"{site.url}{SCRIPT}")
    page.evaluate(f"import('{SCRIPT}').then((module) => {{ window.links = module; }})")
    return page


def test_it_reads_what_the_server_reads(module):
    read = module.evaluate(
        "cases => cases.map(({ typed }) => links.readToken(typed))", VECTORS["read"]
    )
    assert read == [case["token"] for case in VECTORS["read"]]
    refused = module.evaluate(
        "typed => typed.map((text) => links.readToken(text))", VECTORS["refused"]
    )
    assert set(refused) == {""}


FIT = """
([tokens, digests]) => Promise.all(tokens.map((token) =>
  Promise.all(digests.map((digest) => links.fits(token, digest)))))
"""


def test_it_takes_a_token_for_its_own_survey_alone(module):
    digests, cases = VECTORS["digests"], VECTORS["tokens"]
    fitting = module.evaluate(FIT, [[case["token"] for case in cases], digests])
    assert fitting == [
        [digest == case["digest"] for digest in digests] for case in cases
    ]
    assert module.evaluate(FIT, [VECTORS["old"], digests]) == (
        [[True] * len(digests)] * len(VECTORS["old"])
    )
