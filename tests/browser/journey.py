"""One respondent at the page: what a person does, by mouse or by keyboard."""

from playwright.sync_api import expect

CONTINUE = "[data-moves] [data-go=next]"


class Respondent:
    """Goes through a survey, with the positions of the choices to pick."""

    def __init__(self, page, site, slug="study-habits"):
        self.page = page
        self.url = f"{site.url}/s/{slug}/"

    def heading(self, text):
        expect(self.page.locator("h1:visible")).to_have_text(text)

    def enter(self):
        self.page.goto(self.url)
        self.page.click("[data-start]")
        self.heading("How your answers are protected")

    def go_on(self):
        self.page.click(CONTINUE)

    def consent(self):
        self.go_on()
        if self.page.is_visible("text=Try it first"):
            self.go_on()
        self.heading("Before you start")
        self.page.check("input[type=checkbox]:visible")
        self.go_on()

    def answer(self, *picks):
        for pick in picks:
            self.page.locator(".choice:visible").nth(pick).click()
            self.go_on()

    def reach_check(self, *picks):
        self.enter()
        self.consent()
        self.answer(*picks)
        self.heading("Check your answers")

    def send(self):
        self.page.click("[data-go=scramble]")

    def finish(self, *picks):
        self.reach_check(*picks)
        self.send()
        self.heading("Thank you")
