"""Response times that a person notices: first pages, a question card, saving a draft.

Server time is processor time: medians of several rounds with cold caches. Saving is
also timed in Chromium, from the click to the message on the next page.

    python -m benchmarks.interactions
"""

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, product
from pathlib import Path
from typing import Any

from benchmarks.authoring import FAMILIES
from benchmarks.collection import OURS, served
from benchmarks.database import set_up
from benchmarks.results import make_survey

LIMIT, ROUNDS = 250, 9
QUESTIONS, SURVEYS = 50, 50
PATTERNS = 10_000

WRITTEN = "() => [...new FormData(document.querySelector('#survey_form'))]"
UNTIL_SAVED = """() => new Promise((done) => {
  const state = document.querySelector("[data-saved]");
  const started = performance.now();
  const watch = new MutationObserver(() => {
    if (/Saved at/.test(state.textContent)) {
      watch.disconnect();
      done(performance.now() - started);
    }
  });
  watch.observe(state, { childList: true });
  document.querySelector("#survey_form button[name=_continue]").click();
})"""
FIRST_VERSION = 20_000_000
"""A number of eight digits, as pages use."""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        set_up(Path(folder))
        from django.contrib.auth.models import User
        from django.test import Client
        from django.urls import reverse

        owner = User.objects.create_user("benchmark", is_staff=True)
        visitor = Client(headers={"host": "127.0.0.1"})
        visitor.force_login(owner)
        shown = make_survey(owner, QUESTIONS, patterns=PATTERNS)
        opened = make_opened(owner)
        draft = make_draft(owner, "draft")
        for number in range(SURVEYS):
            make_draft(owner, f"listed-{number}", questions=5)

        def ask(address: str, **query: object) -> None:
            answer = visitor.get(address, query)
            if answer.status_code != 200:
                raise RuntimeError(f"{address}: {answer.status_code}")

        measure("home", lambda: ask(reverse("admin:index")))
        measure("list", lambda: ask(reverse("admin:surveys_survey_changelist")))
        measure("respondent's first page", lambda: ask(opened.get_absolute_url()))
        # Each combination is used once, so that no estimate or card is cached.
        choices = product((0.8, 0.9, 0.95, 0.99, 0.999), ("each", "together"))

        def open_cards() -> None:
            level, intervals = next(choices)
            ask(
                reverse("admin:estimation_results", args=[shown.pk]),
                confidence_level=level,
                intervals=intervals,
                first=13,
            )

        measure(f"cards of results, {QUESTIONS} questions", open_cards)
        address = reverse("admin:surveys_survey_change", args=[draft.pk])
        session = visitor.cookies["sessionid"].value
        with served(OURS, threads=1, environment={"DEBUG": "on"}) as server:
            site = f"http://127.0.0.1:{server.port}"
            with opened_page(site, address, session) as page:
                written = dict(page.evaluate(WRITTEN))
            versions = count(FIRST_VERSION)

            def save() -> None:
                own = next(versions)
                written["questions-7-text"] = f"Did you ever do thing {own}?"
                sent = {**written, "_autosave": "on", "becomes": own}
                found = visitor.post(address, sent).json()
                if found["outcome"] != "saved":
                    raise RuntimeError(str(found))
                written["version"] = found["version"]

            measure(f"saving a draft, {QUESTIONS} questions", save)
            with opened_page(site, address, session) as page:
                save_in_browser(page)


def make_draft(owner: Any, slug: str, *, questions: int = QUESTIONS) -> Any:
    from surveys.models import Survey

    survey = Survey.objects.create(
        title="Benchmark",
        slug=slug,
        organiser="Institute of Examples",
        owner=owner,
        epsilon_reason="A benchmark asks no one.",
    )
    for number in range(questions):
        family, parameters = FAMILIES[number % len(FAMILIES)]
        text = f"In the past 12 months, have you done thing {number + 1}?"
        survey.add_question(text, family=family, parameters=parameters)
    return survey


def make_opened(owner: Any) -> Any:
    survey = make_draft(owner, "opened")
    survey.open()
    return survey


@contextmanager
def opened_page(site: str, address: str, session: str) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        context = browser.new_context()
        context.add_cookies([{"name": "sessionid", "value": session, "url": site}])
        page = context.new_page()
        page.goto(f"{site}{address}")
        yield page
        browser.close()


def save_in_browser(page: Any) -> None:
    """Press the button ten times; the page reports when all is stored."""
    seconds = []
    for number in range(1 + ROUNDS):
        page.locator("#id_contact").evaluate(
            "(input, text) => { input.value = text; }", f"{number}@example.org"
        )
        seconds.append(page.evaluate(UNTIL_SAVED) / 1000)
    report("click until saved, in the browser", seconds)


def measure(what: str, job: Callable[[], None]) -> None:
    seconds = []
    for _ in range(1 + ROUNDS):
        start = time.process_time()
        job()
        seconds.append(time.process_time() - start)
    report(what, seconds)


def report(what: str, seconds: list[float]) -> None:
    """Print the first time and the median of the others."""
    first, *others = (1000 * each for each in seconds)
    median = statistics.median(others)
    sys.stdout.write(
        f"{what}: {median:.0f} ms ({min(others):.0f} to {max(others):.0f}; "
        f"first {first:.0f}), {median / LIMIT:.2f} of the limit\n"
    )


if __name__ == "__main__":
    main()
