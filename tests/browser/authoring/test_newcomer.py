"""How little it takes from an empty database to an open survey of three questions."""

import pytest
from playwright.sync_api import expect

from surveys.models import Survey
from tests.browser.authoring.steps import open_home

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

MOST_CLICKS = 12
"""Of which three take a question from the library, and two open it for good."""


def test_a_newcomer_opens_three_questions_in_a_dozen_clicks(
    page, site, researcher, complaints
):
    clicks = []

    def click(target):
        target.click()
        clicks.append(target)

    open_home(page, site, researcher)
    click(page.get_by_role("link", name="New survey").first)
    expect(page.get_by_label("Title")).to_be_focused()
    page.keyboard.type("Sport and honesty")
    for name, text in {
        "Who runs it": "Institute of Examples",
        "Contact": "ask@example.org",
        "Why it is asked": "We want to know how common doping is.",
    }.items():
        click(page.get_by_label(name))
        page.keyboard.type(text)
    click(page.get_by_role("button", name="Use the suggested text"))
    click(page.get_by_text("Add from the library"))
    click(page.locator("summary", has_text="Health"))
    for name in ("doping", "illegal-drugs", "prescription-drugs"):
        click(page.locator(f'[data-template="health.{name}"]'))
    expect(page.get_by_text("Added as question 3.")).to_be_attached()
    click(page.get_by_role("button", name="Save and check before opening"))
    click(page.get_by_role("button", name="Open survey"))
    expect(page.get_by_text("The survey is open.")).to_be_visible()

    assert len(clicks) <= MOST_CLICKS
    survey = Survey.objects.get()
    assert survey.is_open
    assert survey.questions.count() == 3
    assert survey.consent.startswith("I take part in “Sport and honesty”")
    assert complaints == []
