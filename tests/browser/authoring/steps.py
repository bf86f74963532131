"""What tests of the authoring form do over and over."""

import pytest

from tests.browser.everybody import log_in


def open_home(page, site, user):
    """Show the page that a researcher sees after the login."""
    log_in(page, site, user)
    page.goto(f"{site.url}/admin/")


def question(page, number):
    return page.locator(f"#questions-{number - 1}")


def tab_to(page, target):
    """Press Tab until `target` has the focus, as somebody without a mouse does."""
    for _press in range(200):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab never reaches {target}")
