"""Checklist, people, period, log, archive, purge and files in real Chromium."""

import pytest

from respondents.models import close
from surveys.models import Membership, Role, Survey
from tests.browser.everybody import DESKTOP, PHONE, log_in, scrolls_sideways, violations
from tests.factories import make_responses, make_survey, make_user

pytestmark = pytest.mark.browser


@pytest.fixture
def surveys(site):
    """A draft, an open and a closed survey of one owner, with a colleague."""
    draft = make_survey(["coin", "direct"], opened=False, slug="draft", target=400)
    opened = make_survey(slug="open", target=400, closes_at_target=True)
    closed = make_survey(slug="closed")
    make_responses(closed, [b"\x00"] * 5)
    close(closed)
    maria = make_user("maria")
    Membership.objects.create(survey=draft, user=maria, role=Role.EDITOR)
    return {"draft": draft, "open": opened, "closed": closed}


@pytest.fixture
def complaints(page):
    found = []
    page.on("console", lambda message: found.append(message.text))
    page.on("pageerror", lambda error: found.append(str(error)))
    return found


@pytest.fixture
def go(page, site, client, surveys):
    """Open a page of the admin, logged in as the owner."""
    log_in(page, site, client, surveys["draft"].owner)

    def open_page(address):
        page.goto(f"{site.url}/admin/surveys/survey/{address}")
        return page

    return open_page


PAGES = [
    ("draft", "open/"),
    ("draft", "people/"),
    ("draft", "duplicate/"),
    ("open", "change/"),
    ("open", "period/"),
    ("closed", "change/"),
    ("closed", "history/"),
    ("closed", "archive/"),
    ("closed", "purge/"),
    (None, "from-file/"),
    (None, "?archived=1"),
]


@pytest.mark.parametrize(("scheme", "size"), [("light", DESKTOP), ("dark", PHONE)])
def test_everybody_can_use_the_pages(go, page, surveys, complaints, scheme, size):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size(size)
    found = {}
    for state, name in PAGES:
        go(f"{surveys[state].pk}/{name}" if state else name)
        found[name] = violations(page)
        assert not scrolls_sideways(page), name
    assert complaints == []
    assert {name: each for name, each in found.items() if each} == {}


def test_a_check_leads_to_its_input(go, page, surveys):
    go(f"{surveys['draft'].pk}/open/")
    page.get_by_role("link", name="Ethics approval").click()
    place = page.locator("#id_ethics_reference")
    assert page.url.endswith("/change/#id_ethics_reference")
    assert place.evaluate(
        "each => { const { top, bottom } = each.getBoundingClientRect();"
        " return top >= 0 && bottom <= innerHeight }"
    )


def test_a_survey_is_downloaded_and_made_again(go, page, surveys, tmp_path):
    go(f"{surveys['closed'].pk}/change/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as a file").click()
    file = tmp_path / "survey.json"
    download.value.save_as(file)
    assert download.value.suggested_filename == "closed.json"
    go("from-file/")
    page.get_by_label("File of a survey").set_input_files(file)
    page.get_by_role("button", name="Make a draft of it").click()
    page.get_by_text("The survey is a draft of yours now.").wait_for()
    assert Survey.objects.get(slug="closed-2").is_draft


def test_a_copy_is_one_click_away(go, page, surveys):
    go(f"{surveys['closed'].pk}/change/")
    page.get_by_role("button", name="Duplicate").click()
    page.get_by_text("This copy is yours.").wait_for()
    assert page.get_by_label("Title").input_value() == "Copy of Study habits"
