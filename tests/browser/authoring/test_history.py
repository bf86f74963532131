"""What was changed or deleted by mistake comes back, in Chromium."""

import re

import pytest
from playwright.sync_api import expect

from surveys.models import Survey
from tests.browser.everybody import log_in, objections
from tests.factories import make_survey

pytestmark = [
    pytest.mark.browser,
    pytest.mark.windowless,
    pytest.mark.usefixtures("all_steps"),
]


@pytest.fixture
def draft_page(page, site, researcher):
    survey = make_survey(["coin"], opened=False)
    log_in(page, site, researcher)
    page.goto(f"{site.url}/admin/surveys/survey/{survey.pk}/change/")
    page.wait_for_load_state()
    return page


def test_an_earlier_state_is_seen_and_restored(draft_page, complaints):
    page = draft_page
    page.get_by_label("Title").fill("Another title")
    expect(page.locator("[data-saved]")).to_have_text(re.compile("^Saved at"))
    page.get_by_role("link", name="History").click()
    newest, first = page.locator("tbody tr").all()
    expect(newest).to_contain_text(
        re.compile(r"Title:\s+Study habits →\s+Another title")
    )
    assert objections(page) == []
    first.get_by_role("button", name="Restore").click()
    page.get_by_text("Restored the state of").wait_for()
    expect(page.get_by_label("Title")).to_have_value("Study habits")
    assert Survey.objects.get().title == "Study habits"
    assert complaints == []


def test_a_deleted_draft_comes_back_by_undo_and_later(draft_page, complaints):
    page = draft_page
    address = page.url
    for is_later in (False, True):
        page.get_by_role("link", name="Delete").click()
        page.get_by_role("button", name="Delete").click()
        expect(page.get_by_role("status")).to_contain_text("“Study habits” is deleted.")
        assert objections(page) == []
        if is_later:
            page.get_by_role("link", name="Deleted drafts").click()
            assert objections(page) == []
        name = "Restore: Study habits" if is_later else "Undo"
        page.get_by_role("button", name=name).click()
        page.get_by_text("Restored.").wait_for()
        assert page.url == address
    assert complaints == []
