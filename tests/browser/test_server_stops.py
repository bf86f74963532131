"""The server goes away while answers are sent: they arrive once, as they were."""

import json
import sqlite3

import pytest
from playwright.sync_api import expect

from tests.browser.candor_server import CandorServer
from tests.browser.collecting.test_sending import COUNTING
from tests.browser.journey import Respondent

pytestmark = [pytest.mark.browser, pytest.mark.windowless]


SURVEYS = """
from candor.mechanisms import load_families
from tests.factories import make_survey
# Totals of 4: no word is ever drawn again, so draws can be counted.
for slug in ("before", "after", "small"):
    make_survey(["coin"] * 3, slug=slug)
examples = [
    (name, {each.name: each.example for each in family.parameters})
    for name, family in load_families().items()
    if not family.is_one_sided
]
make_survey([*examples, ("k_ary", {"epsilon": "1", "choices": "9"})], slug="large")
"""

FIRST_PAGE_BYTES = 30_000


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    # A worker takes seconds to start, and it is started three times.
    server = CandorServer(tmp_path_factory.mktemp("server"), WORKERS="1")
    server.set_up("shell", "--verbosity", "0", "--command", SURVEYS)
    with server.running():
        yield server


def stored(server, slug):
    """Return patterns and number of receipts of a survey."""
    with sqlite3.connect(f"file:{server.database}?mode=ro", uri=True) as database:
        patterns, receipts = (
            database.execute(
                f"SELECT {column} FROM respondents_{table} AS row "  # noqa: S608
                "JOIN surveys_survey AS survey ON survey.id = survey_id "
                "WHERE slug = ?",
                [slug],
            ).fetchall()
            for table, column in (("response", "hex(pattern)"), ("receipt", "row.id"))
        )
    return [pattern for (pattern,) in patterns], len(receipts)


@pytest.fixture
def walk(page, server):
    """A function that goes to "Check your answers"; (respondent, bodies sent)."""

    def go(slug):
        bodies = []
        page.add_init_script(COUNTING)
        page.on(
            "request",
            lambda each: bodies.append(each.post_data) if each.method == "POST" else 0,
        )
        respondent = Respondent(page, server, slug)
        respondent.reach_check(0, 1, 0)
        return respondent, bodies

    return go


def assert_it_arrived_once_as_it_was(page, server, slug, bodies):
    assert len(set(bodies)) == 1
    reports = json.loads(bodies[0])["reports"]
    assert stored(server, slug) == ([reports], 1)
    # One draw for each question, and one for the submission's id.
    assert page.evaluate("localStorage.draws") == "4"


def arrive_at_last(page):
    # Does nothing while a try of its own is under way.
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("h1:visible")).to_have_text("Thank you")


def test_a_server_that_dies_before_it_has_stored_anything(page, server, walk):
    respondent, bodies = walk("before")
    server.freeze()
    with page.expect_request("**/reports/"):
        respondent.send()
    expect(page.locator("[data-status]")).to_have_text("Please wait a moment")
    server.kill()
    expect(page.locator("[data-status]")).to_contain_text("Not sent yet")
    assert stored(server, "before") == ([], 0)
    server.start()
    arrive_at_last(page)
    assert len(bodies) >= 2
    assert_it_arrived_once_as_it_was(page, server, "before", bodies)


def test_a_server_that_dies_between_storing_and_saying_so(page, server, walk):
    respondent, bodies = walk("after")

    def die_before_the_reply(route):
        assert route.fetch().json() == {"recorded": True}
        server.kill()
        route.abort("connectionreset")

    page.route("**/reports/", die_before_the_reply, times=1)
    respondent.send()
    expect(page.locator("[data-status]")).to_contain_text("Not sent yet")
    server.start()
    arrive_at_last(page)
    assert len(bodies) >= 2
    assert_it_arrived_once_as_it_was(page, server, "after", bodies)


@pytest.mark.parametrize("slug", ["small", "large"])
def test_a_first_visit_loads_little(page, server, slug):
    """As counted by the browser, with headers: from nothing to the last script."""
    loaded = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on(
        "Network.loadingFinished",
        lambda event: loaded.append(event["encodedDataLength"]),
    )
    page.goto(f"{server.url}/s/{slug}/", wait_until="networkidle")
    page.wait_for_selector("[data-coin]:not([hidden])", state="attached")
    # The page, its style, three scripts, the icon.
    assert len(loaded) >= 5
    assert sum(loaded) < FIRST_PAGE_BYTES
