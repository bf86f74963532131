"""A server that crashes while answers are sent stores them once, unchanged."""

import json

import pytest
from django.db import connection
from playwright.sync_api import expect

from respondents.models import Receipt, Response
from tests.browser.candor_server import CandorServer
from tests.browser.journey import COUNT_DRAWS, PATIENT, Respondent, note_posts
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

TRY_AGAIN = "dispatchEvent(new Event('online'))"


@pytest.fixture
def server(committed, tmp_path):
    # Use the database and the static files of the tests.
    server = CandorServer(
        tmp_path,
        WORKERS="1",
        DATABASE_URL=f"sqlite:///{connection.settings_dict['NAME']}",
        DJANGO_SETTINGS_MODULE="tests.settings",
    )
    with server.running():
        yield server


def test_a_server_crash_before_or_after_storing_keeps_one_response(page, server):
    make_survey(["coin"] * 3)
    bodies = note_posts(page)
    page.add_init_script(COUNT_DRAWS + PATIENT)
    respondent = Respondent(page, server)
    respondent.reach_check(0, 1, 0)
    status = page.locator("[data-status]")

    server.freeze()
    with page.expect_request("**/reports/"):
        respondent.send()
    expect(status).to_have_text("Please wait a moment")
    server.kill()
    expect(status).to_contain_text("Not sent yet")
    assert not Response.objects.exists()

    def kill_before_reply(route):
        assert route.fetch().json() == {"recorded": True}
        server.kill()
        route.abort("connectionreset")

    server.start()
    page.route("**/reports/", kill_before_reply, times=1)
    page.evaluate(TRY_AGAIN)
    expect(status).to_have_text("Please wait a moment")
    expect(status).to_contain_text("Not sent yet")

    server.start()
    page.evaluate(TRY_AGAIN)
    respondent.heading("Thank you")
    assert len(bodies) == 3
    assert len(set(bodies)) == 1
    [response] = Response.objects.all()
    assert bytes(response.pattern).hex() == json.loads(bodies[0])["reports"]
    assert Receipt.objects.count() == 1
    # One draw for each question, and one for the submission's id.
    assert page.evaluate("localStorage.draws") == "4"
