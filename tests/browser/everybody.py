"""Whether everybody can use a page: by day and by night, on a phone and at a desk."""

from axe_playwright_python.sync_playwright import Axe

AXE = Axe()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 900}

# Widths and schemes do not meet in any rule, so each is seen once.
LOOKS = ((PHONE, "dark"), (DESKTOP, "light"))


def settle(page):
    """End what fades: colours that go over into others have no contrast on the way.

    Nobody waits for it: on a page that another one covers it never ends.
    """
    page.evaluate("document.getAnimations().forEach((each) => each.finish())")


def violations(page, context=None):
    """Return the rules that a page breaks, all of it or `context`, and where."""
    settle(page)
    # Reading style sheets ahead, axe would put them into the page, against its policy.
    options = {"runOnly": RULES, "preload": False}
    found = AXE.run(page, context=context, options=options).response["violations"]
    return [
        (each["id"], [node["html"][:120] for node in each["nodes"]]) for each in found
    ]


def scrolls_sideways(page):
    width = page.evaluate("document.documentElement.scrollWidth")
    return width > page.viewport_size["width"]


def objections(page):
    """Return what keeps anybody from using this very page, in each look."""
    found = []
    for size, scheme in LOOKS:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        where = f"{page.url}, {scheme}, {size['width']}"
        found += [(where, each) for each in violations(page)]
        if scrolls_sideways(page):
            found.append((where, "scrolls sideways"))
    return found


def log_in(page, site, client, user):
    """Give the browser the session of `user`."""
    client.force_login(user)
    session = client.cookies["sessionid"].value
    page.context.add_cookies(
        [{"name": "sessionid", "value": session, "url": f"{site.url}/admin/"}]
    )


def note_complaints(page, site):
    """Return a list that grows with what the browser objects to, and who else is asked.

    Everything against the content policy, errors of scripts, requests to other sites.
    """
    found = []

    def note_console(message):
        if "Content Security Policy" in message.text:
            found.append(message.text)

    def note_request(request):
        if not request.url.startswith((site.url, "blob:", "data:")):
            found.append(request.url)

    page.on("console", note_console)
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("request", note_request)
    return found
