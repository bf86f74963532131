"""Accessibility of a page: rules of axe, light and dark, on a phone and a desktop."""

import re
import zlib

from axe_playwright_python.sync_playwright import Axe
from django.test import Client

AXE = Axe().axe_script
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 900}

SEEN_RULES = [
    "color-contrast",
    "link-in-text-block",
    "scrollable-region-focusable",
    "target-size",
]
"""Rules of axe that depend on the width or the scheme of a page."""

# No rule depends on both width and scheme, so each is checked once.
SCREENS = ((PHONE, "dark"), (DESKTOP, "light"))

FIND_VIOLATIONS = """([context, runOnly]) => axe.run(
  context ?? document,
  // Preloading would add style sheets to the page, which its policy forbids.
  {runOnly, preload: false, resultTypes: ["violations"]},
).then(({violations}) => violations.map(({id, nodes}) =>
  [id, nodes.map(({html}) => html.slice(0, 120))]))"""

REMOVE_STICKY = """() => document.querySelectorAll("body *").forEach((each) => {
  if (getComputedStyle(each).position === "sticky") each.style.position = "static";
})"""

STREAM = re.compile(rb"FlateDecode.*?stream\r?\n(.*?)\nendstream", re.DOTALL)
PDF_COLOUR = re.compile(rb"([\d.]+) ([\d.]+) ([\d.]+) (?:rg|RG)\b")

COUNT_WORDS = """(selector) => {
  const part = document.querySelector(selector).cloneNode(true);
  document.body.append(part);
  part.querySelectorAll(".unseen, details > :not(summary)")
    .forEach((each) => each.remove());
  const words = part.innerText.split(/\\s+/);
  part.remove();
  return words.filter((each) => /\\p{L}|\\p{N}/u.test(each)).length;
}"""

DARK = {"#2f9488", "#161e22"}
"""The accent of charts and the ground of cards on a dark screen."""

NOTE_VIOLATIONS = """
  addEventListener("securitypolicyviolation", (event) =>
    console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
"""


def settle(page):
    """Finish animations, whose colours have too little contrast, and unstick elements.

    Animations never end by themselves in a hidden page. Sticky elements may cover half
    a button until the page is scrolled.
    """
    page.evaluate("document.getAnimations().forEach((each) => each.finish())")
    page.evaluate(REMOVE_STICKY)


def find_violations(page, context=None, *, rules=RULES):
    """Return the rules that a page, or only `context`, breaks, and where."""
    settle(page)
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE)
    return page.evaluate(FIND_VIOLATIONS, [context, rules])


def scrolls_sideways(page):
    width = page.evaluate("document.documentElement.scrollWidth")
    return width > page.viewport_size["width"]


def find_problems(page, screens=SCREENS, *, context=None):
    """Return the accessibility problems of the page, on each screen.

    The last screen is checked for all rules, the others for those that depend on it.
    """
    page.wait_for_load_state()  # with its style sheets
    found = []
    for number, (size, scheme) in enumerate(screens, start=1):
        rules = RULES if number == len(screens) else SEEN_RULES
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        where = f"{page.url}, {scheme}, {size['width']}"
        found += [(where, each) for each in find_violations(page, context, rules=rules)]
        if scrolls_sideways(page):
            found.append((where, "scrolls sideways"))
    return found


def count_words(page, selector):
    """Return how many words of a part of the page are visible."""
    return page.evaluate(COUNT_WORDS, selector)


def colours_in(pdf):
    """Return every colour in a PDF file, as in style sheets."""
    drawn = b"".join(map(zlib.decompress, STREAM.findall(pdf)))
    return {
        "#" + "".join(f"{round(255 * float(each)):02x}" for each in painted)
        for painted in PDF_COLOUR.findall(drawn)
    }


def log_in(page, site, user):
    """Give the browser a session of `user`."""
    client = Client()
    client.force_login(user)
    session = client.cookies["sessionid"].value
    page.context.add_cookies(
        [{"name": "sessionid", "value": session, "url": f"{site.url}/admin/"}]
    )


# Chromium does not know all features that we forbid, and requests an icon for an image
# without a page.
BROWSER_MESSAGES = ("Permissions-Policy", "favicon.ico")
REFUSED = "Failed to load resource"
# On a busy machine, the planner sends requests between two keystrokes.
INCOMPLETE_NUMBER_REQUEST = re.compile(
    rf"{REFUSED}: .* status of 400 .*/admin/surveys/plan/\?"
)


def watch_console(page, site, *, may_be_refused=False):
    """Return a list that receives errors and requests to other sites.

    Errors are violations of the content policy, exceptions in scripts and, unless
    `may_be_refused`, refused requests.
    """
    found = []
    fine = (*BROWSER_MESSAGES, REFUSED) if may_be_refused else BROWSER_MESSAGES

    def note_console(message):
        said = f"{message.text} {message.location['url']}"
        is_fine = any(each in said for each in fine) or INCOMPLETE_NUMBER_REQUEST.match(
            said
        )
        if not is_fine:
            found.append(said)

    def note_request(request):
        if not request.url.startswith((site.url, "blob:", "data:")):
            found.append(request.url)

    page.add_init_script(NOTE_VIOLATIONS)
    page.on("console", note_console)
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("request", note_request)
    return found
