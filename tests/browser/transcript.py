"""Everything that could tell an observer which answer was true, and how two differ."""

import time
from collections import Counter
from dataclasses import dataclass, field

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
"""
"""Randomness that is always zero: whatever is true, the first report is made."""

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

SAME_MOMENT = 0.7
"""Seconds by which two runs may differ on a busy machine; the control waits for 1.5."""


@dataclass
class Transcript:
    """What one run sent, when after the last step, and what it left in the browser.

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
        self.step = None
        self.page.add_init_script(STUB)
        self.page.on("request", self.note)

    def note(self, request):
        if "/static/" in request.url:
            self.loaded[request.method, request.url, request.post_data] += 1
            return
        if self.step is not None:
            self.moments.append(time.monotonic() - self.step)
        headers = sorted(request.all_headers().items())
        self.requests.append((request.method, request.url, headers, request.post_data))

    def mark(self):
        """Take the time from here on, until `look`."""
        self.step = time.monotonic()

    def look(self):
        self.step = None
        self.left_behind.append(self.page.evaluate(LEFT_BEHIND))


def differences(first, second):
    """Return what tells two runs apart; nothing where they look the same."""
    found = [
        name
        for name in ("loaded", "requests", "left_behind")
        if getattr(first, name) != getattr(second, name)
    ]
    pairs = zip(first.moments, second.moments, strict=False)
    if any(abs(one - other) > SAME_MOMENT for one, other in pairs):
        found.append("moments")
    return found
