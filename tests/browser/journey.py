"""The steps of a respondent, by mouse or by keyboard."""

import re

from playwright.sync_api import expect

CHECK = re.compile(r"^\s*Check (your answers|what you entered)\s*$")
"""The second in mode hand, where what is entered need not be answers."""

PROTECTION = re.compile(r"^\s*(See it work|How your answers are protected)\s*$")
"""The second in modes with a form, which have no practice."""

CONTINUE = "[data-moves] [data-go=next]"
SEND = "[data-go=scramble], [type=submit]"

REACH_CHECK = """async (picks) => {
  const shown = () => document.querySelector("[data-screen]:not([hidden])");
  const leave = async (button) => {
    const before = shown();
    button.click();
    while (shown() === before) await new Promise((done) => setTimeout(done));
  };
  const next = () => leave(document.querySelector("[data-moves] [data-go=next]"));
  document.querySelector("#consent").click();
  await leave(document.querySelector("[data-start]"));
  await next();
  for (const pick of picks) {
    const inputs = shown().querySelectorAll("input");
    const picked = [].concat(pick).map((each) => inputs[each]);
    if (picked.some((each) => each.closest("label").hidden)) {
      await leave(shown().querySelector("[data-go=skip]"));
    } else {
      picked.forEach((each) => each.click());
      await next();
    }
  }
}"""

NOT_SENT = "Not sent yet. Keep this page open; we will try again."

PATIENT = """
  const later = setTimeout;
  window.setTimeout = (call, wait) => later(call, wait < 2_000 ? wait : 1e9);
"""
"""Retries only when the test asks for them, so a slow machine does not add any."""

# Mechanisms with a total of 4 use each word drawn, so the count is exact.
COUNT_DRAWS = """
  const real = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = (array) => {
    if (performance.getEntriesByType("navigation")[0].type === "navigate") {
      localStorage.draws = Number(localStorage.draws ?? 0) + 1;
    }
    return real(array);
  };
"""


class Respondent:
    """Answers a survey; `picks` are the positions of the choices."""

    def __init__(self, page, site, slug="study-habits"):
        self.page = page
        self.url = f"{site.url}/s/{slug}/"

    def heading(self, text):
        """Expect this heading, and no other of its level."""
        seen = self.page.locator("main :is(h1, [aria-level='1']):visible")
        expect(seen).to_have_text(text)

    def enter(self, heading=PROTECTION):
        self.page.goto(self.url)
        self.page.check("#consent")
        self.page.click("[data-start]")
        self.heading(heading)

    def go_on(self):
        self.page.click(CONTINUE)

    def answer(self, *picks):
        for pick in picks:
            screen = self.page.locator("[data-screen]:visible")
            choice = screen.locator(".choice").nth(pick)
            if choice.is_visible():
                choice.click()
                self.go_on()
            else:
                screen.locator("[data-go=skip]").click()

    def reach_check(self, *picks):
        """Answer everything by script; a pick may list several items."""
        self.page.goto(self.url)
        self.page.wait_for_selector("[data-start]:visible")
        self.page.evaluate(REACH_CHECK, picks)
        self.heading(CHECK)

    def send(self):
        """Press the button that sends, in any mode."""
        self.page.click(SEND)

    def fail_to_send(self, answer=lambda route: route.abort(), times=None):
        """Send reports to the route handler `answer`, which ends in "Not sent yet"."""
        self.page.route("**/reports/", answer, times=times)
        self.send()
        expect(self.page.locator("[data-status]")).to_contain_text(NOT_SENT)

    def submit(self):
        self.send()
        self.heading("Thank you")

    def finish(self, *picks):
        self.reach_check(*picks)
        self.submit()


def note_posts(page):
    """Return a list that receives the body of every POST of the page."""
    sent = []
    page.on(
        "request",
        lambda each: sent.append(each.post_data) if each.method == "POST" else None,
    )
    return sent
