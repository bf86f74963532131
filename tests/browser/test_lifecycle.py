"""Checklist, copies and files of surveys in real Chromium."""

import pytest
from playwright.sync_api import expect

from surveys.models import Survey
from tests.browser.accessibility import log_in
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]


@pytest.fixture
def go(page, site):
    """Open a page about a survey, logged in as its owner."""

    def open_page(survey, name):
        log_in(page, site, survey.owner)
        page.goto(f"{site.url}/admin/surveys/survey/{survey.pk}/{name}/")

    return open_page


def test_a_checklist_item_links_to_its_input(go, page):
    go(make_survey(["coin", "direct"], opened=False, target=400), "open")
    page.get_by_role("link", name="Ethics approval").click()
    place = page.locator("#id_ethics_reference")
    assert page.url.endswith("/change/#id_ethics_reference")
    expect(place).to_be_in_viewport(ratio=1)


def test_a_double_click_submits_once(go, page):
    go(make_survey(), "duplicate")
    page.locator("main form [type=submit]").first.evaluate(
        "button => [0, 150].forEach((pause) => setTimeout(() => button.click(), pause))"
    )
    page.locator(".messagelist").wait_for()
    page.wait_for_load_state("networkidle")
    assert page.locator(".messagelist li.success").count() == 1
    assert Survey.objects.count() == 2
