"""A browser that crashed or was closed: what comes back, what is on its disk."""

import contextlib
import os
import re
import signal
from functools import partial
from pathlib import Path

import pytest
from django.db import OperationalError
from playwright.sync_api import Error, expect

from config import headers
from respondents.collecting import pages
from respondents.models import Response
from tests.browser.journey import NOT_SENT, PATIENT, Respondent
from tests.conftest import CHROMIUM_FLAGS, launch_with_retry
from tests.factories import make_survey

pytestmark = pytest.mark.browser

WRITTEN_MILLISECONDS = 4_000
"""Chromium 156 writes down what it would restore about 3 seconds after a change."""

MAX_SECONDS = 60
"""On a busy machine; on an idle one nothing takes so long."""

SAVED_MILLISECONDS = 7_000
"""And what its pages keep in localStorage, 5 seconds after the first change."""

ID = "submission"

ON_THE_PAGE = b"Sensitive question 2?"

QUESTION = ("one_bit", {"epsilon": "1", "points": 11})
"""Eleven choices: an answer has two digits, which do not occur by chance."""

PICKS = 10, 3

# Tables of total 4 need one draw each: no word is ever drawn again.
COUNT_DRAWS = """
  const real = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = (array) => {
    if (performance.getEntriesByType("navigation")[0].type === "navigate") {
      localStorage.draws = Number(localStorage.draws ?? 0) + 1;
    }
    return real(array);
  };
"""


class Profile:
    """One person's browser, with the folder in which it remembers."""

    def __init__(self, kind, program, folder):
        self.kind = kind
        self.program = program
        self.folder = folder
        self.context = None

    def open(self, *flags):
        return launch_with_retry(partial(self.launch, *flags))

    def launch(self, *flags, timeout):
        self.context = self.kind.launch_persistent_context(
            self.folder,
            executable_path=self.program,
            args=[*CHROMIUM_FLAGS, *flags],
            ignore_default_args=["--disable-back-forward-cache"],
            viewport={"width": 390, "height": 844},
            timeout=timeout,
        )
        return self.context

    def close(self):
        if self.context is not None:
            self.context.close()
            self.context = None

    def crash(self):
        """Kill the browser: no page hears of it, so none can clear anything."""
        os.kill(self.find_process(), signal.SIGKILL)
        # It is gone already: Playwright may learn that before or while it closes it.
        with contextlib.suppress(Error):
            self.context.close()
        self.context = None

    def find_process(self):
        for command in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = command.read_bytes().decode().split("\0")
            except OSError:
                continue  # one that has ended meanwhile
            is_child = any(word.startswith("--type=") for word in words)
            if f"--user-data-dir={self.folder}" in words and not is_child:
                return int(command.parent.name)
        raise AssertionError("the browser is not running")

    def reopen_as_it_was(self, *urls):
        """Open it again with the pages that it had; return those at `urls`."""
        # After a crash the browser would ask first: this is the answer "Restore".
        preferences = Path(self.folder) / "Default" / "Preferences"
        preferences.write_text('{"profile": {"exit_type": "Normal"}}')
        context = self.open("--restore-last-session")
        for _ in range(10 * MAX_SECONDS):
            restored = {page.url: page for page in context.pages}
            if set(urls) <= set(restored):
                return [restored[url] for url in urls]
            context.pages[0].wait_for_timeout(100)
        raise AssertionError("the pages were not restored")

    def wait_until_written(self, *urls):
        """Wait until it has noted these pages, and all that was done on them."""
        page = self.context.pages[0]
        for _ in range(10 * MAX_SECONDS):
            if all(self.remembers(url.encode(), "Default/Sessions") for url in urls):
                break
            page.wait_for_timeout(100)
        page.wait_for_timeout(WRITTEN_MILLISECONDS)

    def remembers(self, text, place="."):
        for path in (Path(self.folder) / place).rglob("*"):
            # It may tidy up while someone looks.
            with contextlib.suppress(FileNotFoundError):
                if path.is_file() and text in path.read_bytes():
                    return True
        return False


@pytest.fixture
def profile(chromium, chromium_program, tmp_path):
    profile = Profile(chromium.browser_type, chromium_program, tmp_path)
    yield profile
    profile.close()


@pytest.fixture(autouse=True)
def uncompressed(monkeypatch):
    """What a browser writes down can be searched."""
    monkeypatch.setattr(
        "respondents.collecting.pages.gzip.compress", lambda *_args, **_more: b""
    )
    pages.render_journey.cache_clear()
    yield
    pages.render_journey.cache_clear()


@pytest.fixture
def careless(monkeypatch):
    """A build that lets browsers restore forms, keep pages, and send forms."""

    def render(name, context):
        html = real(name, context).replace('autocomplete="off"', "")
        return re.sub(r"<script[^>]*plain.js.*?</script>", "", html)

    real = pages.render
    monkeypatch.setattr(pages, "render", render)
    monkeypatch.setattr(headers, "is_for_respondents", lambda request: False)
    pages.render_plain_halves.cache_clear()
    yield
    pages.render_plain_halves.cache_clear()


def forms_of_answers():
    """Return the answers in the forms in which a browser could write them down."""
    forms = ["q{}={:02d}", "q{}%3D{:02d}", '"q{}":"{:02d}"', '"q{}","{:02d}"']
    forms.append('"q{}"\r\n\r\n{:02d}')
    return [
        form.format(number, pick).encode(encoding)
        for number, pick in enumerate(PICKS, 1)
        for form in forms
        for encoding in ("utf-8", "utf-16-le")
    ]


def find_answers(profile):
    return [form for form in forms_of_answers() if profile.remembers(form)]


def refuse(page, _monkeypatch):
    page.route(
        re.compile("/s/"),
        lambda route: (
            route.abort("connectionrefused")
            if route.request.method == "POST"
            else route.continue_()
        ),
    )


def answer_503(_page, monkeypatch):
    def store(*_):
        raise OperationalError

    monkeypatch.setattr("respondents.collecting.views.store", store)


def go_offline(page, _monkeypatch):
    page.context.set_offline(True)


FAILURES = [(refuse, "reload"), (answer_503, "go_back"), (go_offline, "close")]
"""In this order: each lasts, and the later ones are for the whole browser."""


def fail_to_send(page):
    page.click("[type=submit]")
    expect(page.locator("[data-status]")).to_contain_text(NOT_SENT)
    page.click("text=Try again now")
    expect(page.locator("[data-status]")).to_contain_text(NOT_SENT)


def test_after_a_crash_no_answer_is_on_disk_or_restored(profile, site, monkeypatch):
    """Neither picked nor in a form that could not be sent, whatever came after it."""
    for mode in ("browser", "server"):
        make_survey([QUESTION] * 2, mode=mode, slug=mode)
    context = profile.open()
    context.add_init_script(PATIENT)

    def pick_all(mode):
        page = context.new_page()
        Respondent(page, site, mode).reach_check(*PICKS)
        assert page.locator("input[type=radio]:checked").count() == 2
        return page

    urls = [pick_all(mode).url for mode in ("browser", "server")]
    stays, *tabs = [pick_all("server") for _ in range(len(FAILURES) + 1)]
    for page, (fail, step) in zip(tabs, FAILURES, strict=True):
        page.bring_to_front()  # others are slow
        fail(page, monkeypatch)
        fail_to_send(page)
        getattr(page, step)()
    stays.bring_to_front()
    fail_to_send(stays)
    assert not Response.objects.exists()
    profile.wait_until_written(*urls)
    stays.wait_for_timeout(SAVED_MILLISECONDS - WRITTEN_MILLISECONDS)
    profile.crash()
    assert find_answers(profile) == []
    for page in profile.reopen_as_it_was(*urls):
        page.wait_for_selector("h1")
        assert page.locator("input:checked").count() == 0
    profile.close()
    assert not profile.remembers(ON_THE_PAGE)


def test_a_build_that_keeps_answers_on_disk_is_detected(profile, site, careless):
    make_survey([QUESTION] * 2, mode="server")
    page = profile.open().pages[0]
    page.goto(f"{site.url}/s/study-habits/")
    page.check("#consent")
    for number, pick in enumerate(PICKS, 1):
        page.check(f"[name=q{number}] >> nth={pick}")
    profile.wait_until_written(page.url)
    profile.crash()
    [page] = profile.reopen_as_it_was(f"{site.url}/s/study-habits/")
    page.wait_for_selector("h1")
    assert page.locator("input:checked").count() == 3
    refuse(page, None)
    page.click("[type=submit]")
    page.wait_for_timeout(SAVED_MILLISECONDS)
    profile.crash()
    assert find_answers(profile)
    assert profile.remembers(ON_THE_PAGE)


def test_a_response_received_immediately_is_never_on_disk(profile, site):
    """A browser's files keep what was deleted in them until they are written again.

    What is not received is there, and sent as it was when the browser is opened again.
    """
    for slug in ("received", "unsent"):
        make_survey(["coin"] * 3, slug=slug)
    context = profile.open()
    context.add_init_script(COUNT_DRAWS)
    page = context.pages[0]
    ids = []
    page.on("request", lambda each: ids.append((each.post_data_json or {}).get(ID)))
    Respondent(page, site, "received").finish(0, 1, 0)
    page.evaluate("localStorage.removeItem('draws')")
    respondent = Respondent(page, site, "unsent")
    respondent.reach_check(0, 1, 0)
    respondent.fail_to_send()
    fixed = page.evaluate(
        "Object.values(localStorage).find((kept) => /body/.test(kept))"
    )
    page.wait_for_timeout(SAVED_MILLISECONDS)
    profile.close()
    received, unsent, *_again = filter(None, ids)
    assert not profile.remembers(received.encode())
    assert profile.remembers(b'"recorded":true')  # the mark: so it was looked for well
    assert profile.remembers(unsent.encode())

    context = profile.open()
    context.add_init_script(COUNT_DRAWS)
    page = context.pages[0]
    with page.expect_request("**/reports/") as sending:
        page.goto(respondent.url)
    Respondent(page, site).heading("Thank you")
    assert sending.value.post_data == page.evaluate("JSON.parse", fixed)["body"]
    assert page.locator("input[type=radio]").count() == 0
    assert page.evaluate("localStorage.draws") == "4"
    assert Response.objects.count() == 2
