"""From a forgotten password through the lock-out to a new one, for everybody."""

import re
from base64 import b32decode
from datetime import timedelta
from urllib.parse import parse_qs

import pytest
from axes.models import AccessAttempt
from django.core import mail
from django.core.cache import cache
from playwright.sync_api import expect

from config.accounts import urls as accounts
from tests.browser.everybody import DESKTOP, PHONE, note_complaints, objections
from tests.config.accounts.test_login import LIMIT, WRONG
from tests.config.accounts.test_second_factor import shown
from tests.factories import make_user

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

NEW = "lampshade-orbit-77"
LOOKS = (({"width": 320, "height": 900}, "light"), (DESKTOP, "dark"))


@pytest.fixture
def complaints(page, site):
    return note_complaints(page, site, may_be_refused=True)


@pytest.fixture
def look(page):
    """A function that looks at the present page, small and light, wide and dark."""

    def inspect(heading):
        expect(page.locator("h1")).to_have_text(heading)
        assert objections(page, LOOKS) == []

    return inspect


def log_in(page, password):
    page.fill("#id_username", "owner")
    page.fill("#id_password", password)
    sent = parse_qs(send(page).post_data)
    assert (sent["username"], sent["password"]) == (["owner"], [password])


@pytest.fixture
def long_cool_off(settings):
    """Count failed logins together even if the machine's clock jumps in between.

    A jump beyond the usual 15 minutes makes the server forget the failures before it.
    """
    settings.AXES_COOLOFF_TIME = timedelta(days=365)


def fail_to_log_in(page, number):
    """Type a wrong password for the `number`-th time; the server counts each."""
    log_in(page, WRONG)
    assert AccessAttempt.objects.get().failures_since_start == number


def choose(page, password):
    page.fill("#id_new_password1", password)
    page.fill("#id_new_password2", password)
    send(page)


def send(page):
    """Send the form, wait for the page that answers it, and return the request.

    That page may have the heading of this one.
    """
    page.evaluate("document.isSent = true")
    with page.expect_response(lambda answer: answer.request.method == "POST") as answer:
        page.keyboard.press("Enter")
    page.wait_for_function(
        "() => !document.isSent && document.readyState === 'complete'"
    )
    return answer.value.request


def test_who_has_forgotten_the_password_gets_in_again(
    page, site, settings, monkeypatch, look, complaints, long_cool_off
):
    settings.SENDS_MAIL = True
    cache.clear()
    monkeypatch.setattr(accounts, "in_a_moment", lambda work: work())
    make_user(email="owner@example.org")
    page.goto(f"{site.url}/admin/")
    fail_to_log_in(page, 1)
    look("Log in")
    assert page.title().strip().startswith("Error")
    assert page.evaluate("document.activeElement.innerText").startswith(
        "There is a problem"
    )
    for number in range(2, LIMIT + 1):
        fail_to_log_in(page, number)
    look("Too many attempts")

    page.click("a >> text=Set a new password")
    look("Forgotten your password?")
    page.fill("#id_email", "owner@example.org")
    page.click("text=Send me a link")
    look("Look into your mail")

    [letter] = mail.outbox
    page.goto(re.search(r"http://\S+", letter.body)[0])
    choose(page, "12345678")
    look("Choose a new password")
    # On a phone the card is longer than the screen, and yet not cut off at its end.
    page.set_viewport_size(PHONE)
    card = page.locator("#container").bounding_box()
    end = page.evaluate("document.documentElement.scrollHeight")
    assert end > card["y"] + card["height"] + 16
    choose(page, NEW)
    look("Your password is set")
    page.click("main a >> text=Log in")
    log_in(page, NEW)
    page.click("text=Change password")
    look("Change your password")
    page.click("text=Second factor")
    look("Log in with a second factor")
    key = page.locator(".account-steps code").inner_text().replace("-", "")
    page.fill("#id_code", shown(b32decode(key).hex()))
    page.fill("#id_password", NEW)
    page.keyboard.press("Enter")
    look("Keep these recovery codes")
    code = page.locator(".account-codes code").first.inner_text()
    page.click("text=I have kept them")
    page.click("text=Second factor")
    look("Your second factor is on")
    page.click("text=Log out")
    look("You are logged out")
    page.click("text=Log in again")
    log_in(page, NEW)
    look("Type your code")
    page.fill("#id_code", code)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Your surveys")
    assert complaints == []


def test_a_login_is_sent_however_soon_it_follows_another(page, site, long_cool_off):
    """The guard against double clicks holds for one page, and not for the next one.

    All events have the same time here, so that no clock decides.
    """
    page.add_init_script(
        "Object.defineProperty(Event.prototype, 'timeStamp', { get: () => 1_000 });"
    )
    cache.clear()
    make_user()
    page.goto(f"{site.url}/admin/login/")
    for number in range(1, LIMIT + 1):
        fail_to_log_in(page, number)
    expect(page.locator("h1")).to_have_text("Too many attempts")


def test_where_no_mail_is_sent_the_page_names_the_command(page, site, look, complaints):
    page.goto(f"{site.url}/admin/login/")
    page.click("text=Forgotten your password?")
    look("Forgotten your password?")
    expect(page.locator("main")).to_contain_text("changepassword USERNAME")
    page.goto(f"{site.url}/admin/password_reset/x/y/")
    look("This link does not work")
    assert complaints == []
