"""What tests of the authoring form do over and over."""

import pytest

from tests.factories import PASSWORD


def log_in(page, site):
    page.goto(f"{site.url}/admin/")
    page.get_by_label("Username").fill("owner")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="Your surveys").wait_for()


def question(page, number):
    return page.locator(f"#questions-{number - 1}")


def tab_to(page, target):
    """Press Tab until `target` has the focus, as somebody without a mouse does."""
    for _press in range(200):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab never reaches {target}")
