"""Modes server and hand: what a failed send leaves on the disk of the device."""

import re

import pytest
from django.db import OperationalError
from playwright.sync_api import expect

from respondents.collecting import pages
from respondents.models import Response
from tests.browser.journey import PATIENT, Respondent
from tests.browser.test_restart import SAVED_MILLISECONDS, Profile
from tests.factories import make_survey

pytestmark = pytest.mark.browser

QUESTION = ("one_bit", {"epsilon": "1", "points": 11})
"""Eleven choices: an answer has two digits, which do not occur by chance."""

PICKS = 10, 3

NOT_SENT = "Not sent yet. Keep this page open; we will try again."


def forms_of_answers():
    """Return the answers in the forms in which a browser could write them down."""
    forms = ["q{}={:02d}", "q{}%3D{:02d}", '"q{}":"{:02d}"', '"q{}","{:02d}"']
    forms.append('"q{}"\r\n\r\n{:02d}')
    return [
        form.format(number, pick).encode(encoding)
        for number, pick in enumerate(PICKS, 1)
        for form in forms
        for encoding in ("utf-8", "utf-16-le")
    ]


@pytest.fixture
def profile(chromium, chromium_program, tmp_path):
    profile = Profile(chromium.browser_type, chromium_program, tmp_path)
    yield profile
    profile.close()


def refuse(page, _monkeypatch):
    page.route(
        re.compile("/s/"),
        lambda route: (
            route.abort("connectionrefused")
            if route.request.method == "POST"
            else route.continue_()
        ),
    )


def answer_503(_page, monkeypatch):
    def store(*_):
        raise OperationalError

    monkeypatch.setattr("respondents.collecting.views.store", store)


def go_offline(page, _monkeypatch):
    page.context.set_offline(True)


FAILURES = [refuse, answer_503, go_offline]
"""In this order: each lasts, and the later ones are for the whole browser."""


@pytest.fixture
def native(monkeypatch):
    """A build without the script: the browser sends the form by itself."""

    def render(name, context):
        return re.sub(r"<script[^>]*plain.js.*?</script>", "", real(name, context))

    real = pages.render
    monkeypatch.setattr(pages, "render", render)
    pages.render_plain_halves.cache_clear()
    yield
    pages.render_plain_halves.cache_clear()


def found_after_a_crash(profile, page):
    """Kill the browser once it has written; return what is on the disk."""
    page.wait_for_timeout(SAVED_MILLISECONDS)
    profile.crash()
    return [form for form in forms_of_answers() if profile.remembers(form)]


def fail_to_send(page):
    page.click("[type=submit]")
    expect(page.locator("[data-status]")).to_contain_text(NOT_SENT)
    page.click("text=Try again now")
    expect(page.locator("[data-status]")).to_contain_text(NOT_SENT)


def test_a_failed_send_leaves_no_answer_on_the_disk(profile, site, monkeypatch):
    """Nor does going back, reloading, or closing the tab after it."""
    make_survey([QUESTION] * 2, mode="server")
    context = profile.open()
    context.add_init_script(PATIENT)
    steps = zip(FAILURES, ("reload", "go_back", "close"), strict=True)
    tabs = [
        (context.new_page(), fail, step)
        for fail, last in steps
        for step in (None, last)
    ]
    for page, _fail, _step in tabs:
        page.bring_to_front()
        Respondent(page, site).reach_check(*PICKS)
    for page, fail, step in tabs:
        page.bring_to_front()  # others are slow
        fail(page, monkeypatch)
        fail_to_send(page)
        if step:
            getattr(page, step)()
    assert Response.objects.count() == 0
    assert found_after_a_crash(profile, context.pages[0]) == []


def test_the_search_finds_what_a_native_form_leaves(profile, site, native):
    make_survey([QUESTION] * 2, mode="server")
    page = profile.open().pages[0]
    page.goto(f"{site.url}/s/study-habits/")
    page.check("#consent")
    for number, pick in enumerate(PICKS, 1):
        page.check(f"[name=q{number}] >> nth={pick}")
    refuse(page, None)
    page.click("[type=submit]")
    assert found_after_a_crash(profile, page)
