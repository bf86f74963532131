"""What a browser restores, and has on disk, after a crash or after closing it."""

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
from tests.browser.journey import COUNT_DRAWS, NOT_SENT, PATIENT, Respondent
from tests.conftest import CHROMIUM_FLAGS, launch_with_retry
from tests.factories import make_survey

pytestmark = pytest.mark.browser

WRITTEN_MILLISECONDS = 4_000
"""Chromium 156 stores what it would restore about 3 seconds after a change."""

MAX_SECONDS = 60
"""A busy machine takes longer than an idle one."""

SAVED_MILLISECONDS = 7_000
"""Chromium 156 stores localStorage 5 seconds after its first change."""

ID = "submission"

ON_THE_PAGE = b"Sensitive question 2?"

QUESTION = ("one_bit", {"epsilon": "1", "points": 11})
"""Eleven choices, so that an answer has two digits and is not found by chance."""

PICKS = 10, 3


class Profile:
    """A browser with a profile in a folder."""

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
        """Kill the browser, so that no page can clear anything."""
        os.kill(self.find_process(), signal.SIGKILL)
        # Playwright may notice the crash before or while it closes the browser.
        with contextlib.suppress(Error):
            self.context.close()
        self.context = None

    def find_process(self):
        for command in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = command.read_bytes().decode().split("\0")
            except OSError:
                continue  # the process has ended
            is_child = any(word.startswith("--type=") for word in words)
            if f"--user-data-dir={self.folder}" in words and not is_child:
                return int(command.parent.name)
        raise AssertionError("the browser is not running")

    def reopen_as_it_was(self, *urls):
        """Open the browser with its last pages; return those at `urls`."""
        # Otherwise Chromium asks whether to restore pages after a crash.
        preferences = Path(self.folder) / "Default" / "Preferences"
        preferences.write_text('{"profile": {"exit_type": "Normal"}}')
        context = self.open("--restore-last-session")
        self.wait_until(lambda: set(urls) <= {page.url for page in context.pages})
        restored = {page.url: page for page in context.pages}
        return [restored[url] for url in urls]

    def wait_until(self, condition):
        for _ in range(10 * MAX_SECONDS):
            if condition():
                return
            self.context.pages[0].wait_for_timeout(100)
        raise AssertionError("the browser does not restore or store what it should")

    def wait_until_written(self, *urls):
        """Wait until these pages, and all input on them, are stored for a restore."""
        self.wait_until(
            lambda: all(
                self.remembers(url.encode(), "Default/Sessions") for url in urls
            )
        )
        self.context.pages[0].wait_for_timeout(WRITTEN_MILLISECONDS)

    def remembers(self, text, place="."):
        for path in (Path(self.folder) / place).rglob("*"):
            # The browser may remove files meanwhile.
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
    """Serve pages uncompressed, so that the browser's files can be searched."""
    monkeypatch.setattr(
        "respondents.collecting.pages.gzip.compress", lambda *_args, **_more: b""
    )
    pages.render_journey.cache_clear()
    yield
    pages.render_journey.cache_clear()


@pytest.fixture
def careless(monkeypatch):
    """A build that lets browsers restore forms, store pages, and send forms."""

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
    """Return the answers in the encodings in which a browser could store them."""
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
"""In this order, since each lasts and the later ones affect the whole browser."""


def fail_to_send(page):
    page.click("[type=submit]")
    expect(page.locator("[data-status]")).to_contain_text(NOT_SENT)
    page.click("text=Try again now")
    expect(page.locator("[data-status]")).to_contain_text(NOT_SENT)


def test_after_a_crash_no_answer_is_on_disk_or_restored(profile, site, monkeypatch):
    """Neither a picked answer nor a form that could not be sent."""
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
        page.bring_to_front()  # background tabs are slow
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
    profile.wait_until(lambda: find_answers(profile))
    profile.wait_until(lambda: profile.remembers(ON_THE_PAGE))


def test_a_response_received_immediately_is_never_on_disk(profile, site):
    """Files of a browser may keep what was deleted in them.

    A response that was not received is stored, and sent unchanged after reopening.
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
    received, unsent, *_again = filter(None, ids)
    profile.wait_until(lambda: profile.remembers(unsent.encode()))  # written last
    profile.close()
    assert not profile.remembers(received.encode())
    assert profile.remembers(b'"recorded":true')

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
