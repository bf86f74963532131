"""A forgotten password, a new one and a second factor, all accessible."""

import re
import time
from urllib.parse import parse_qs

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core import mail
from playwright.sync_api import expect

from config.accounts import urls as accounts
from tests.browser.accessibility import DESKTOP, PHONE, find_problems, watch_console
from tests.config.accounts.test_login import WRONG
from tests.factories import PASSWORD, make_user

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

NEW = "lampshade-orbit-77"
SCREENS = (({"width": 320, "height": 900}, "light"), (DESKTOP, "dark"))


@pytest.fixture
def console_messages(page, site):
    return watch_console(page, site, may_be_refused=True)


@pytest.fixture
def look(page):
    """A function that checks the current page, small and light, wide and dark."""

    def inspect(heading):
        see(page, heading)
        assert find_problems(page, SCREENS) == []

    return inspect


def see(page, heading):
    expect(page.locator("h1")).to_have_text(heading)


def log_in(page, password):
    page.fill("#id_login", "owner")
    page.fill("#id_password", password)
    sent = parse_qs(send(page).post_data)
    assert (sent["login"], sent["password"]) == (["owner"], [password])


def fail_to_log_in(page):
    log_in(page, WRONG)
    expect(page.locator("main")).to_contain_text("Wrong username or password")


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


def test_a_researcher_resets_a_password_and_manages_a_second_factor(
    page, site, settings, monkeypatch, look, console_messages
):
    settings.SENDS_MAIL = True
    monkeypatch.setattr(accounts, "run_later", lambda work: work())
    make_user(email="owner@example.org")
    page.goto(f"{site.url}/admin/")
    fail_to_log_in(page)
    look("Log in")
    assert page.title().strip().startswith("Error")
    assert page.evaluate("document.activeElement.innerText").startswith(
        "There is a problem"
    )

    page.click("text=Forgotten your password?")
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
    see(page, "Your second factor")
    page.click("text=Set up an app for codes")
    look("Confirm that it is you")
    page.fill("#id_password", NEW)
    page.keyboard.press("Enter")
    look("Set up an app for codes")
    secret = page.locator(".account-steps code").inner_text().replace("-", "")
    page.fill("#id_code", code_of(secret))
    page.keyboard.press("Enter")
    look("Keep these recovery codes")
    first, second = page.locator(".account-codes code").all_inner_texts()[:2]
    page.click("text=I have kept them")
    look("Your second factor")
    expect(page.locator("main")).to_contain_text("Unused: 8")
    page.click("text=Log out")
    look("You are logged out")
    page.click("main >> text=Log in")
    log_in(page, NEW)
    see(page, "Type your code")
    page.fill("#id_code", WRONG_CODE)
    page.keyboard.press("Enter")
    look("Type your code")
    page.fill("#id_code", first)
    page.keyboard.press("Enter")
    see(page, "Your surveys")

    page.click("text=Second factor")
    page.click("text=Turn the codes off")
    see(page, "Confirm that it is you")
    page.fill("#id_code", second)
    page.keyboard.press("Enter")
    look("Turn the codes off")
    page.click("button >> text=Turn the codes off")
    see(page, "Your second factor")
    assert not Authenticator.objects.exists()
    assert console_messages == []


WRONG_CODE = "0000000"


def code_of(secret):
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


@pytest.fixture
def authenticator(page):
    """A device with a fingerprint reader that always recognises its owner."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_a_passkey_replaces_the_password(
    page, site, authenticator, look, console_messages
):
    make_user()
    page.goto(f"{site.url}/admin/")
    log_in(page, PASSWORD)
    page.click("text=Second factor")
    page.click("text=Add a passkey")
    see(page, "Confirm that it is you")
    page.fill("#id_password", PASSWORD)
    page.keyboard.press("Enter")
    look("Add a passkey")
    page.fill("#id_name", "My laptop")
    page.click("button >> text=Add a passkey")
    see(page, "Keep these recovery codes")
    page.click("text=I have kept them")
    look("Your second factor")
    expect(page.locator("main")).to_contain_text("My laptop")

    page.click("text=Log out")
    page.click("main >> text=Log in")
    see(page, "Log in")
    page.click("text=Log in with a passkey")
    see(page, "Your surveys")

    page.click("text=Log out")
    page.click("main >> text=Log in")
    log_in(page, PASSWORD)
    look("Type your code")
    page.click("button >> text=Use a passkey")
    see(page, "Your surveys")

    page.click("text=Second factor")
    page.click("text=Remove")
    look("Confirm that it is you")
    expect(page.get_by_role("link", name="Use a code")).to_be_visible()
    page.click("button >> text=Use a passkey")
    look("Remove this passkey?")
    page.click("text=Remove it")
    see(page, "Your second factor")
    assert not Authenticator.objects.exists()
    assert console_messages == []


def test_a_login_right_after_a_failed_one_is_sent(page, site):
    """The guard against double clicks holds for one page, and not for the next one.

    All events have the same time here, so that no clock decides.
    """
    page.add_init_script(
        "Object.defineProperty(Event.prototype, 'timeStamp', { get: () => 1_000 });"
    )
    make_user()
    page.goto(f"{site.url}/admin/login/")
    fail_to_log_in(page)
    log_in(page, PASSWORD)
    see(page, "Your surveys")
