"""What tests of the authoring form do over and over."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.factories import PASSWORD

AXE = Axe()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 900}


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


def violations(page):
    found = AXE.run(page, options={"runOnly": RULES, "preload": False}).response[
        "violations"
    ]
    return [
        (each["id"], [node["html"][:120] for node in each["nodes"]]) for each in found
    ]
