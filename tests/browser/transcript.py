"""Everything that could tell an observer which answer was true, and how two differ."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import zip_longest
from math import inf

from tests.browser.journey import PATIENT

STUB = """
  window.draws = [];
  crypto.getRandomValues = (array) => {
    draws.push(array.constructor.name);
    return array.fill(0);
  };
  window.entries = [];
  for (const name of ["pushState", "replaceState"]) {
    const real = history[name].bind(history);
    history[name] = (...entry) => { entries.push(entry); real(...entry); };
  }
  addEventListener("click", () => { window.clicked = performance.now(); }, true);
"""
"""Randomness that is always zero, so that every answer gives the first report."""

LEFT_BEHIND = """() => JSON.stringify({
  address: location.href,
  title: document.title,
  page: document.documentElement.outerHTML,
  inputs: Array.from(document.querySelectorAll("input"), (input) =>
    [input.name, input.value, input.checked, input.tabIndex]),
  focus: document.activeElement.textContent,
  local: {...localStorage},
  session: {...sessionStorage},
  history: [history.length, history.state, entries],
  cookies: document.cookie,
})"""

MOMENTS = """performance.getEntriesByType("resource")
  .filter((each) => !each.name.includes("/static/"))
  .map((each) => each.startTime - clicked)"""
"""Milliseconds from the last click to each request after it."""

SAME_MOMENT = 900
"""Milliseconds by which moments of two runs may differ; the control waits 1,900."""

ATTEMPTS = 5
"""Rounds of runs until a difference in time alone counts: a busy machine makes one now
and then, an answer makes one in every round."""


@dataclass
class Transcript:
    """What one run sent, when after the last click, and what it left in the browser.

    The files of the page are loaded side by side, in an order that depends on the
    machine, and before there is any answer: of those only the number is compared, in
    the whole run. Everything else is compared byte by byte and in its order.
    """

    page: object
    loaded: Counter = field(default_factory=Counter)
    requests: list = field(default_factory=list)
    moments: list = field(default_factory=list)
    left_behind: list = field(default_factory=list)

    def __post_init__(self):
        self.page.add_init_script(STUB + PATIENT)
        self.page.on("request", self.note)

    def note(self, request):
        if "/static/" in request.url:
            self.loaded[request.method, request.url, request.post_data] += 1
            return
        headers = sorted(request.all_headers().items())
        self.requests.append((request.method, request.url, headers, request.post_data))

    def look(self):
        """Record the state of the browser after the last script."""
        self.page.wait_for_selector("[data-coin]:not([hidden])", state="attached")
        self.left_behind.append(self.page.evaluate(LEFT_BEHIND))

    def time(self):
        """Record the times of the requests since the last click."""
        self.moments += self.page.evaluate(MOMENTS)


def transcribe(run, *ways):
    """Return the transcripts of runs, which call `run` with these arguments.

    All are run again while they differ in time alone.
    """
    for _attempt in range(ATTEMPTS):
        runs = [run(*way) for way in ways]
        if differences(*runs) != ["moments"]:
            break
    return runs


def differences(first, *others):
    """Return the fields in which the other runs differ from the first."""
    found = [
        name
        for name in ("loaded", "requests", "left_behind")
        if any(getattr(each, name) != getattr(first, name) for each in others)
    ]
    if not all(leave_at_once(first.moments, each.moments) for each in others):
        found.append("moments")
    return found


def leave_at_once(first, second):
    """Whether requests were sent at the same times in two runs."""
    pairs = zip_longest(first, second, fillvalue=inf)
    return all(abs(one - other) <= SAME_MOMENT for one, other in pairs)
