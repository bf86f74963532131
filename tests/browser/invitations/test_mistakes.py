"""Links with a mistake: reported in the browser, before anything is asked or sent."""

import json

import pytest
from playwright.sync_api import expect

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


SHAPES = """() => Array.from(document.querySelectorAll("[data-link]"), (notice) =>
  Array.from(notice.children, (child) => child.localName).join(" "))"""


def test_the_browser_reports_a_mistyped_link_without_extra_requests(
    page, come, survey, tokens
):
    requests = []
    page.on("request", lambda each: requests.append((each.method, each.url)))
    page.goto(come(page).url)
    page.wait_for_selector("[data-start]:visible")
    page.wait_for_load_state("networkidle")
    of_a_good_link = sorted(requests)
    # No one who glances at the screen learns more than that there is a notice.
    assert set(page.evaluate(SHAPES)) == {"h1 p p p"}
    for wrong in (mistyped(tokens[0]), tokens[0][0], make_foreign_token(survey)):
        page.goto("about:blank")
        requests.clear()
        page.goto(come(page, wrong).url)
        expect(page.locator("h1:visible")).to_have_text(UNKNOWN)
        expect(page.locator("[data-link=unknown]")).not_to_contain_text(STAYS)
        expect(page.locator("main")).to_contain_text("ask here: me@example.org")
        assert page.locator("button:visible, input:visible").count() == 0
        page.wait_for_load_state("networkidle")
        # What everybody loads, and nothing that has to do with the link.
        assert set(requests) <= set(of_a_good_link), wrong
        assert {method for method, _ in requests} == {"GET"}
        assert page.url.endswith("/s/study-habits/")
        assert page.evaluate("localStorage.length") == 0
        assert (stored(), spent()) == (0, 0)
    # In the same tab, the right link works.
    with page.expect_event("load"):
        page.goto(come(page).url)
    page.wait_for_selector("[data-start]:visible")


def test_without_https_the_server_reports_a_mistyped_link(page, come, tokens, posts):
    page.add_init_script(WITHOUT_HTTPS)
    respondent = come(page, mistyped(tokens[0]))
    respondent.reach_check(0, 1, 0)
    respondent.send()
    respondent.heading(UNKNOWN)
    expect(page.locator("main")).to_contain_text("Nothing was recorded.")
    assert page.evaluate("localStorage.length") == 0
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


def test_the_script_reads_the_same_tokens_as_the_server(module):
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


def test_the_script_accepts_a_token_for_its_own_survey_only(module):
    digests, cases = VECTORS["digests"], VECTORS["tokens"]
    fitting = module.evaluate(FIT, [[case["token"] for case in cases], digests])
    assert fitting == [
        [digest == case["digest"] for digest in digests] for case in cases
    ]
    assert module.evaluate(FIT, [VECTORS["old"], digests]) == (
        [[True] * len(digests)] * len(VECTORS["old"])
    )
