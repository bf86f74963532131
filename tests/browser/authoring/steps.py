"""What tests of the authoring form do over and over."""

import pytest

from tests.browser.everybody import log_in


def open_home(page, site, user):
    """Show the page that a researcher sees after the login."""
    log_in(page, site, user)
    page.goto(f"{site.url}/admin/")


def question(page, number):
    return page.locator(f"#questions-{number - 1}")


def opened(card):
    """`card`, whose inputs are in sight: one card is open at a time."""
    fold = card.locator("[data-fold]")
    if fold.get_attribute("aria-expanded") == "false":
        fold.click()
    return card


def choose_design(card, **option):
    """Choose a mechanism of the literature, as `select_option` takes it."""
    more = opened(card).get_by_role("button", name="Other designs")
    if more.get_attribute("aria-expanded") == "false":
        more.click()
    card.get_by_label("Mechanism").select_option(**option)


def tab_to(page, target, key="Tab"):
    """Press Tab until `target` has the focus, as somebody without a mouse does."""
    for _press in range(200):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press(key)
    pytest.fail(f"Tab never reaches {target}")
