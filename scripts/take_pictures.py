"""Take the pictures of the documents with Chromium: `make pictures`.

Starts the demonstration on a temporary database, follows docs/start/first-survey.md
from the first step to the last, and prints the number of clicks and keys.
"""

import io
import re
import shutil
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tests.browser.candor_server import CandorServer
from tests.browser.steps import walk

PICTURES = Path(__file__).parents[1] / "docs" / "images"

DESKTOP, PHONE = {"width": 1120, "height": 700}, {"width": 390, "height": 780}

COLOURS = 128
"""Colours of a picture: pages have few, and the files stay small."""


class Newcomer:
    """Clicks and types in a page, and counts both."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = self.keys = 0

    def click(self, target: Locator) -> None:
        target.first.click()
        self.clicks += 1

    def press(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=name, exact=True))

    def follow(self, name: str) -> None:
        self.click(self.page.get_by_role("link", name=name, exact=True))

    def write(self, label: str, text: str) -> None:
        field = self.page.get_by_label(label).first
        field.fill(text)
        self.clicks += 1
        self.keys += len(text)


def take(page: Page, name: str, of: str) -> None:
    """Save a screenshot as soon as the page shows this text."""
    page.get_by_text(of).locator("visible=true").first.wait_for()
    page.evaluate("document.getAnimations().forEach((each) => each.finish())")
    page.wait_for_load_state("networkidle")
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(COLOURS)
    file = PICTURES / f"{name}.png"
    picture.save(file, optimize=True)
    print(f"{file.name:24} {file.stat().st_size // 1000:4} kB")


def show(page: Page, target: Locator) -> None:
    """Scroll until `target` is at the top of the window."""
    target.first.evaluate("each => each.scrollIntoView({block: 'start'})")
    page.evaluate("scrollBy(0, -16)")


def first_survey(page: Page, url: str, password: str) -> Newcomer:
    """Follow the tutorial; comments are its headings."""
    newcomer = Newcomer(page)

    # Log in, and look at the demo
    page.goto(f"{url}/")
    newcomer.follow("Log in")
    newcomer.write("Username", "researcher")
    newcomer.write("Password", password)
    newcomer.press("Log in")
    take(page, "home", of="New survey")
    newcomer.click(page.get_by_role("link", name="Open the demo"))
    page.set_viewport_size({"width": 1120, "height": 900})
    show(page, page.get_by_role("heading", level=1))
    take(page, "results", of="Estimate")
    page.set_viewport_size(DESKTOP)

    # Write
    page.goto(f"{url}/admin/")
    newcomer.click(page.get_by_role("link", name="New survey"))
    newcomer.write("Title", "Study and honesty")
    newcomer.click(page.get_by_text("From the library"))
    newcomer.click(page.locator("summary", has_text="Study"))
    newcomer.click(page.locator('[data-template="study.exam-cheating"]'))
    page.get_by_text("Added as question 1.").wait_for(state="attached")
    newcomer.click(page.get_by_text("From the library"))
    page.set_viewport_size({"width": 1120, "height": 900})
    show(page, page.locator(".draft-head"))
    take(page, "question", of="Whole survey")
    page.set_viewport_size(DESKTOP)
    newcomer.press("Next: People")
    newcomer.write("Who runs it", "Institute of Examples")
    newcomer.write("Contact", "ask@example.org")
    newcomer.write("Why it is asked", "We want to know how common copying is.")
    newcomer.press("Use the suggested text")
    newcomer.write("Planned number", "1000")

    # Try it
    newcomer.press("Save draft")
    newcomer.follow("Try it")
    newcomer.press("Start the test")
    phone = page.frame_locator("[name=phone-frame]")
    phone.locator("[data-start]").wait_for()
    page.set_viewport_size({"width": 1120, "height": 900})
    take(page, "try", of="Test answers")
    page.set_viewport_size(DESKTOP)
    newcomer.follow("Simulate respondents")
    newcomer.write("How many respondents", "1000")
    newcomer.write("“Yes” in %", "20")
    newcomer.press("Simulate")
    page.set_viewport_size({"width": 1120, "height": 900})
    take(page, "simulated", of="95 % interval")
    page.set_viewport_size(DESKTOP)

    # Open it
    newcomer.follow("Overview")
    newcomer.click(page.locator('.steps a[href="#check"]'))
    take(page, "checklist", of="Ready to open")
    newcomer.press("Check and open")
    newcomer.press("Open survey")
    newcomer.follow("Share")
    take(page, "share", of="Address for respondents")

    # Answer it
    context = page.context.browser.new_context(viewport=PHONE)
    visitor = context.new_page()
    visitor.goto(f"{url}/s/study-and-honesty/")
    take(visitor, "phone", of="Start")
    walk(visitor)
    context.close()

    # See what arrives
    newcomer.follow("Monitor")
    take(page, "monitor", of="Time left")
    newcomer.follow("Overview")
    newcomer.follow("Close survey")
    newcomer.press("Close survey")
    newcomer.follow("Results")
    page.get_by_role("link", name="Results", exact=True).wait_for()

    # Publish
    page.goto(f"{url}/admin/")
    newcomer.click(page.get_by_role("link", name="Open the demo"))
    newcomer.follow("Publish")
    newcomer.press("Save")
    newcomer.press("Publish now")
    page.get_by_role("link", name="/r/").wait_for()
    return newcomer


def main() -> None:
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = CandorServer(folder)
        [password] = re.findall(r"Password\s+(\S+)", server.set_up("demo"))
        browser: Browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium")
        )
        with server.running():
            began = time.monotonic()
            page = browser.new_page(viewport=DESKTOP, locale="en-GB")
            newcomer = first_survey(page, server.url, password)
            seconds = time.monotonic() - began
        browser.close()
    print(f"{newcomer.clicks} clicks, {newcomer.keys} keys, {seconds:.0f} seconds")


if __name__ == "__main__":
    main()
