"""A colleague is invited, chooses a password and works on the survey, in Chromium."""

import re

import pytest
from django.core import mail
from playwright.sync_api import expect

from config.accounts import emails
from surveys.models import Membership
from tests.browser.authoring.steps import show_all_steps
from tests.browser.everybody import log_in, note_complaints, objections
from tests.factories import make_survey

pytestmark = [
    pytest.mark.browser,
    pytest.mark.windowless,
    pytest.mark.usefixtures("all_steps"),
]

EMAIL, PASSWORD = "marie@example.org", "lampshade-orbit-77"


def test_from_an_address_to_a_colleague(
    page, site, researcher, chromium, settings, monkeypatch, complaints
):
    settings.SENDS_MAIL = True
    monkeypatch.setattr(emails, "in_a_moment", lambda work: work())
    survey = make_survey(opened=False)
    log_in(page, site, researcher)
    page.goto(f"{site.url}/admin/surveys/survey/{survey.pk}/people/")
    page.get_by_role("link", name="Invite by e-mail address").click()
    page.get_by_label("E-mail address").fill(EMAIL)
    page.get_by_label("Role").select_option("editor")
    assert objections(page) == []
    page.get_by_role("button", name="Invite").click()
    expect(page.locator("main")).to_contain_text(f"An e-mail to {EMAIL} was sent.")
    assert objections(page) == []

    [letter] = mail.outbox
    context = show_all_steps(chromium.new_context())
    colleague = context.new_page()
    theirs = note_complaints(colleague, site)
    colleague.goto(re.search(r"http://\S+/password_reset/\S+", letter.body)[0])
    expect(colleague.locator("main")).to_contain_text(EMAIL)
    colleague.fill("#id_new_password1", PASSWORD)
    colleague.fill("#id_new_password2", PASSWORD)
    assert objections(colleague) == []
    colleague.keyboard.press("Enter")
    colleague.click("main a >> text=Log in")
    colleague.fill("#id_login", EMAIL)
    colleague.fill("#id_password", PASSWORD)
    colleague.keyboard.press("Enter")
    colleague.get_by_role("heading", name="You are invited").wait_for()
    assert objections(colleague) == []
    colleague.get_by_role("button", name="Accept: Study habits").click()
    colleague.get_by_text("You work on this survey now.").wait_for()
    colleague.get_by_label("Contact").fill(EMAIL)
    expect(colleague.locator("[data-saved]")).to_have_text(re.compile("Saved at"))
    survey.refresh_from_db()
    assert survey.contact == EMAIL
    assert Membership.objects.get().role == "editor"
    assert (complaints, theirs) == ([], [])
    context.close()


def test_the_list_and_its_filters_are_for_everybody(page, site, researcher, complaints):
    make_survey(opened=False, mode="hand")
    log_in(page, site, researcher)
    page.goto(f"{site.url}/admin/surveys/survey/")
    page.get_by_text("By owner and mode").click()
    page.get_by_role("link", name="By hand").click()
    expect(page.locator(".survey-list > li")).to_have_count(1)
    assert objections(page) == []
    assert complaints == []
