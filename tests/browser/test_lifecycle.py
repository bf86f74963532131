"""Checklist, copies and files of surveys in real Chromium."""

import pytest
from playwright.sync_api import expect

from respondents.models import close
from surveys.models import Survey
from tests.browser.everybody import log_in
from tests.factories import make_responses, make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]


@pytest.fixture
def surveys(site):
    """A draft and a closed survey of one owner."""
    draft = make_survey(["coin", "direct"], opened=False, slug="draft", target=400)
    closed = make_survey(slug="closed")
    make_responses(closed, [b"\x00"] * 5)
    close(closed)
    return {"draft": draft, "closed": closed}


@pytest.fixture
def go(page, site, surveys):
    """Open a page of the admin, logged in as the owner."""
    log_in(page, site, surveys["draft"].owner)

    def open_page(address):
        page.goto(f"{site.url}/admin/surveys/survey/{address}")
        return page

    return open_page


def test_a_check_leads_to_its_input(go, page, surveys):
    go(f"{surveys['draft'].pk}/open/")
    page.get_by_role("link", name="Ethics approval").click()
    place = page.locator("#id_ethics_reference")
    assert page.url.endswith("/change/#id_ethics_reference")
    expect(place).to_be_in_viewport(ratio=1)


def test_a_double_click_is_one_press(go, page, surveys):
    go(f"{surveys['closed'].pk}/duplicate/")
    page.locator("main form [type=submit]").first.evaluate(
        "button => [0, 150].forEach((pause) => setTimeout(() => button.click(), pause))"
    )
    page.locator(".messagelist").wait_for()
    page.wait_for_load_state("networkidle")
    assert page.locator(".messagelist li.success").count() == 1
    assert Survey.objects.count() == len(surveys) + 1
