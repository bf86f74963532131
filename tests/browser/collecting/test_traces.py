"""No traces after Back, the page cache and reload; no cookies, no foreign content."""

from types import SimpleNamespace

import pytest
from django.conf import settings
from playwright.sync_api import expect

from respondents.models import Receipt, Response
from tests.browser.journey import CHECK, PATIENT, Respondent
from tests.browser.line import recording_relay
from tests.factories import PASSWORD, make_survey, make_user

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

CHECKED = "Array.from(document.querySelectorAll('input'), (each) => each.checked)"

REMEMBERED = "window.isRemembered = true"
"""The variable survives only in a page restored from the page cache."""

VIOLATIONS = """
  window.violations = [];
  addEventListener("securitypolicyviolation", (event) =>
    violations.push(event.effectiveDirective));
"""


@pytest.fixture
def survey(site):
    return make_survey(["coin", "die"])


@pytest.fixture
def respondent(page, site, survey):
    return Respondent(page, site)


def leave_and_come_back(page, site):
    page.evaluate(REMEMBERED)
    page.goto(f"{site.url}/s/elsewhere/")
    # A page restored from the cache is not loaded again.
    page.go_back(wait_until="commit")


def keep_in_page_cache(route, change=lambda body: body):
    """Serve a file without the header that asks browsers not to store it."""
    answer = route.fetch()
    headers = {**answer.headers, "cache-control": "max-age=600"}
    headers.pop("content-encoding", None)
    route.fulfill(body=change(answer.text()), headers=headers, status=answer.status)


@pytest.mark.windowless(False)
@pytest.mark.parametrize(
    ("mode", "is_kept"), [("browser", False), ("browser", True), ("server", False)]
)
def test_returning_to_the_page_shows_no_answer(page, site, mode, is_kept):
    """The script clears a page that a browser keeps in spite of its headers."""
    make_survey(["coin", "die"], mode=mode)
    respondent = Respondent(page, site)
    if is_kept:
        page.route("**/study-habits/", lambda route: keep_in_page_cache(route))
    respondent.reach_check(0, 1)
    leave_and_come_back(page, site)
    respondent.heading("Study habits")
    assert page.evaluate("window.isRemembered") is None
    assert True not in page.evaluate(CHECKED)
    assert "".join(page.locator("[data-answer]").all_text_contents()).strip() == ""


@pytest.mark.windowless(False)
def test_a_build_that_does_not_clear_answers_is_detected(page, site, respondent):
    """The page cache is on: without clearing, the answers are restored."""

    def forget(body):
        assert body.count('addEventListener("page') == 2
        return body.replace('addEventListener("page', 'addEventListener("no-page')

    page.route("**/respond.js", lambda route: keep_in_page_cache(route, forget))
    page.route("**/study-habits/", lambda route: keep_in_page_cache(route))
    respondent.reach_check(0, 1)
    leave_and_come_back(page, site)
    respondent.heading("Check your answers")
    assert page.evaluate("window.isRemembered") is True
    assert True in page.evaluate(CHECKED)


@pytest.mark.windowless(False)
def test_back_after_sending_leaves_and_forward_shows_the_thanks(page, respondent):
    page.goto("about:blank")
    respondent.finish(0, 1)
    assert page.evaluate(CHECKED) == [True]  # the consent; the radios are gone
    page.go_back()
    assert page.url == "about:blank"
    page.go_forward()
    respondent.heading("Thank you")
    assert page.locator("input[type=radio]").count() == 0


PICKED_RADIOS = """function() {
  return this.filter((each) => each.type === "radio" && each.checked).length;
}"""


def count_picked_radios(page):
    """Count the picked radio buttons in memory, in the page or not."""
    session = page.context.new_cdp_session(page)
    kind = session.send(
        "Runtime.evaluate", {"expression": "HTMLInputElement.prototype"}
    )
    every = session.send(
        "Runtime.queryObjects", {"prototypeObjectId": kind["result"]["objectId"]}
    )
    counted = session.send(
        "Runtime.callFunctionOn",
        {
            "objectId": every["objects"]["objectId"],
            "functionDeclaration": PICKED_RADIOS,
            "returnByValue": True,
        },
    )
    return counted["result"]["value"]


def test_answers_are_removed_from_memory_after_sending(page, respondent):
    respondent.reach_check(0, 1)
    assert count_picked_radios(page) == 2
    respondent.send()
    respondent.heading("Thank you")
    assert count_picked_radios(page) == 0


def test_no_request_of_a_respondent_carries_a_cookie(page, site):
    """This holds even if a researcher is logged in with the same browser."""
    make_user()
    with recording_relay(site) as (address, passed):
        log_in(page, address)
        for mode in ("browser", "hand"):
            make_survey(["coin"], mode=mode, slug=mode)
            Respondent(page, SimpleNamespace(url=address), mode).finish(0)
        for path in ("s/hand/card/", "how-it-works/", "what-we-store/"):
            page.goto(f"{address}/{path}")
        page.goto(f"{address}/admin/")
    with_cookie = [each for each in passed if "\ncookie:" in each.head.lower()]
    assert with_cookie
    assert {each.head.split("/")[1] for each in with_cookie} == {"admin"}
    assert {each["path"] for each in page.context.cookies()} == {"/admin/"}
    assert Response.objects.count() == 2


def log_in(page, address):
    page.goto(f"{address}/admin/")
    page.get_by_label("Username").fill("owner")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()
    page.get_by_role("heading", name="Your surveys").wait_for()


def test_no_cookie_is_set_and_storage_keeps_only_a_receipt_mark(page, respondent):
    page.add_init_script(PATIENT)
    respondent.reach_check(0, 1)
    respondent.fail_to_send(times=1)
    (kept,) = page.evaluate("Object.values(localStorage)")
    assert set(page.evaluate("JSON.parse", kept)) == {"body"}
    page.click("text=Try again now")
    respondent.heading("Thank you")
    assert page.context.cookies() == []
    assert page.evaluate("Object.values(localStorage)") == ['{"recorded":true}']
    assert page.evaluate("sessionStorage.length") == 0
    page.click("text=Forget this on my device")
    expect(page.locator("[data-forgotten]")).to_be_visible()
    assert page.evaluate("localStorage.length") == 0


def test_nothing_is_sent_or_stored_before_the_send_button(page, site):
    """Leaving before the last button is the same as opening the page."""
    for mode in ("browser", "server"):  # one script serves server and hand
        make_survey(["coin", "die"], mode=mode, slug=mode)
        page = page.context.new_page()
        respondent = Respondent(page, site, mode)
        page.goto(respondent.url)
        page.wait_for_load_state("networkidle")
        requests = record_requests(page)
        page.check("#consent")
        page.click("[data-start]")
        respondent.go_on()
        respondent.answer(0, 1)
        respondent.heading(CHECK)
        page.keyboard.press("Escape")
        page.wait_for_load_state("networkidle")
        assert page.evaluate("[localStorage.length, sessionStorage.length]") == [0, 0]
        page.goto("about:blank")
        page.wait_for_timeout(200)  # what is sent while it closes
        assert requests == [], mode
        page.close()
    assert not Response.objects.exists()
    assert not Receipt.objects.exists()


def record_requests(page):
    """Return a list that receives the address of each further request of the page."""
    requests = []
    for kind in ("request", "websocket"):
        page.on(kind, lambda each: requests.append(each.url))
    return requests


def test_without_javascript_the_page_refuses_and_posts_nothing(chromium, respondent):
    context = chromium.new_context(java_script_enabled=False)
    page, requests = context.new_page(), []
    page.on("request", lambda request: requests.append(request))
    page.goto(respondent.url)
    text = page.inner_text("main")
    assert "This survey needs JavaScript" in text
    assert "Your device has to scramble your answers before they leave it." in text
    assert "If no button appears" not in text
    assert page.locator("input:visible, button:visible").count() == 0
    assert page.locator("form").count() == 0
    before = len(requests)
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    assert len(requests) == before
    context.close()


def test_foreign_content_is_blocked(page, site, respondent):
    def inject(route):
        answer = route.fetch()
        route.fulfill(
            response=answer,
            body=answer.text().replace(
                "</footer>",
                "</footer><script>window.isInjected = true</script>"
                '<img src="https://example.org/pixel.png" alt="">'
                '<iframe src="https://example.org/"></iframe>'
                "<style>body { display: none }</style>"
                '<p style="color: red" id="styled">x</p>',
            ),
        )

    page.add_init_script(VIOLATIONS)
    page.route("**/study-habits/", inject)
    page.goto(respondent.url)
    page.wait_for_selector("[data-start]:visible")
    assert page.evaluate("window.isInjected") is None
    broken = set(page.evaluate("violations"))
    assert {"script-src-elem", "img-src", "frame-src", "style-src-elem"} <= broken
    assert page.evaluate("getComputedStyle(styled).color") != "rgb(255, 0, 0)"
    # The site cannot be framed.
    page.goto(f"{site.url}{settings.STATIC_URL}js/collecting/randomise.js")
    page.set_content(f'<iframe src="{respondent.url}"></iframe>')
    frame = page.frames[-1]
    assert frame.locator("[data-start]").count() == 0
