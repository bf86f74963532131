"""One answer's whole way, on the server that `make run` starts: nothing is replaced."""

import collections
import csv
import io
import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import watch_console
from tests.browser.authoring.steps import (
    check_before_opening,
    choose_design,
    open_more,
    opened,
    question,
    reveal,
    show_questions,
)
from tests.browser.candor_server import CandorServer
from tests.browser.journey import Respondent

pytestmark = [pytest.mark.browser, pytest.mark.windowless]


@pytest.fixture
def candor(tmp_path):
    """A running server with the demonstration, and its password."""
    server = CandorServer(tmp_path)
    password = re.search(r"Password\s+(\S+)", server.set_up("demo"))[1]
    with server.running():
        yield server, password


def write_survey(page):
    page.get_by_role("link", name="New survey").click()
    page.get_by_label("Title").fill("Three questions")
    reveal(page.get_by_label("Who runs it")).fill("Institute of Examples")
    reveal(page.get_by_label("Batch size")).fill("10")
    families = ["Coin flip", "Forced response", "Any epsilon"]
    show_questions(page)
    for number, family in enumerate(families):
        if number:
            page.get_by_role("button", name="Add question").click()
        card = question(page, number + 1)
        card.get_by_label("Question", exact=True).fill(f"{family}?")
        open_more(card).locator('[name$="-skip"]').uncheck()
        choose_design(card, label=family)
    forced = opened(page.locator("#questions-1"))
    forced.get_by_label("Chance of a forced Yes").fill("1/6")
    forced.get_by_label("Chance of a forced No").fill("1/6")
    opened(page.locator("#questions-2"))
    page.locator("[name=questions-2-epsilon__epsilon]").fill("1")
    check_before_opening(page)
    page.get_by_role("button", name="Open survey").click()
    page.get_by_role("link", name="/s/three-questions/").wait_for()


def test_a_survey_runs_from_login_to_csv_download(candor, chromium):
    server, password = candor
    address = server.url
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    researcher = context.new_page()
    console_messages = [watch_console(researcher, server)]

    researcher.goto(f"{address}/")
    researcher.get_by_role("link", name="Log in").click()
    expect(researcher.locator("#id_login")).to_be_focused()  # the page puts it there
    researcher.get_by_label("Username").fill("researcher")
    researcher.get_by_label("Password").fill(password)
    researcher.get_by_role("button", name="Log in", exact=True).click()
    researcher.get_by_role("link", name="Open the demo").click()
    researcher.locator("td.estimate").first.wait_for()
    assert researcher.locator(".chart").first.is_visible()

    researcher.goto(f"{address}/admin/")
    write_survey(researcher)
    survey_page = researcher.url
    results = re.sub(r"change/.*", "results/", survey_page)

    sent = []
    for answers in ([0, 1, 0], [1, 1, 1]):
        visitor = chromium.new_context(viewport={"width": 390, "height": 844})
        page = visitor.new_page()
        console_messages.append(watch_console(page, server))
        Respondent(page, server, slug="three-questions").finish(*answers)
        page.get_by_text("See exactly what your device sent").click()
        message = json.loads(page.locator("[data-body]").inner_text())
        sent.append(message["reports"])
        assert visitor.cookies() == []
        visitor.close()
    for number in range(len(sent), 10):
        again = {**message, "submission": f"{number:032x}"}
        sent.append(again["reports"])
        answer = context.request.post(
            f"{address}/s/three-questions/reports/", data=again
        )
        assert answer.ok, answer.text()
    researcher.goto(results)
    assert researcher.locator(".meta b").first.inner_text() == "0"

    researcher.get_by_text("More", exact=True).click()
    researcher.get_by_role("link", name="Close survey").click()
    researcher.get_by_role("button", name="Close survey").click()
    researcher.get_by_text("The survey is closed.").wait_for()
    researcher.goto(results)
    with researcher.expect_download() as download:
        researcher.get_by_role("link", name="Download estimates").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text())))
    context.close()

    # Two rows, yes and no, for each of three questions; counts as the devices sent.
    assert [row["respondents"] for row in rows] == ["10"] * 6
    for place in range(3):
        codes = collections.Counter(each[2 * place : 2 * place + 2] for each in sent)
        counts = [int(row["count"]) for row in rows[2 * place : 2 * place + 2]]
        assert counts == [codes["00"], codes["01"]]
    assert console_messages == [[]] * 3
