"""One-time links in modes with a form, and accessible pages about links."""

import pytest
from playwright.sync_api import expect

from respondents.models import Response
from respondents.storage.invitations import Invitation
from tests.browser.collecting.test_access import inspect  # noqa: F401
from tests.browser.journey import Respondent, note_posts
from tests.browser.test_silence import walk
from tests.browser.transcript import Transcript, differences, transcribe
from tests.factories import make_survey, mistyped

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

CODE = "#invitation"
WRONG = "We do not know this code."
SUBMIT = (
    "document.forms[0].dispatchEvent(new SubmitEvent('submit', {cancelable: true}))"
)


@pytest.fixture
def survey(site):
    """In one of the two modes with a form; one script serves both."""
    return make_survey(["coin", "die"], mode="server", access="invitation")


@pytest.fixture
def token(survey):
    [made] = Invitation.objects.make(survey, 1)
    return made


@pytest.fixture
def respondent(page, site):
    return Respondent(page, site)


def test_with_javascript_the_code_is_hidden_and_not_typed(
    page, site, respondent, token
):
    respondent.url += f"#{token}"
    for _time in range(2):
        respondent.enter()
        expect(page.locator(CODE)).to_be_hidden()
        assert page.url == f"{site.url}/s/study-habits/"
        respondent.go_on()
        respondent.answer(0, 1)
        respondent.submit()
        assert Response.objects.count() == 1
    assert page.context.cookies() == []
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0


def test_an_incomplete_link_asks_for_the_code(
    page,
    site,
    respondent,
    token,
    inspect,  # noqa: F811
):
    """A wrong one is reported before any question."""
    posts = note_posts(page)
    page.goto(respondent.url)
    expect(page.locator(CODE)).to_be_visible()
    page.goto("about:blank")
    page.goto(f"{respondent.url}#{mistyped(token)}")
    expect(page.locator("#wrong-code")).to_contain_text(WRONG)
    assert page.input_value(CODE) == mistyped(token)
    assert page.get_attribute(CODE, "aria-invalid") == "true"
    assert page.url == f"{site.url}/s/study-habits/"
    inspect()
    page.check("#consent")
    page.click("[data-start]")
    respondent.heading("Study habits")
    page.click("[data-go=fix]")
    expect(page.locator(CODE)).to_be_focused()
    # A quick Enter does not pass it: within one task, no check that takes its time can
    # have ended in between.
    page.fill(CODE, mistyped(token))
    page.evaluate(SUBMIT)
    expect(page.locator("[data-go=fix]")).to_contain_text(WRONG)
    respondent.heading("Study habits")
    assert posts == []
    page.fill(CODE, token.upper().replace("-", " "))
    expect(page.locator("#wrong-code")).to_be_hidden()
    page.press(CODE, "Tab")
    expect(page.locator("#wrong-code")).to_be_hidden()
    assert page.get_attribute(CODE, "aria-invalid") is None
    page.press(CODE, "Enter")
    respondent.heading("How your answers are protected")
    respondent.go_on()
    respondent.answer(0, 1)
    respondent.submit()
    assert Response.objects.count() == 1


@pytest.mark.windowless(False)
def test_without_javascript_the_code_is_typed(chromium, site, token):
    """And Back shows nothing of it, nor of the answers."""
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()

    def fill(code):
        page.check("#q1")
        page.check("[name=q2] >> nth=1")
        page.check("#consent")
        page.fill(CODE, code)
        page.click("[type=submit]")

    page.goto(f"{site.url}/s/study-habits/#{token}")
    expect(page.locator("label[for=invitation]")).to_have_text("Your personal code")
    expect(page.locator("#wrong-code")).to_be_hidden()
    fill(token.replace("-", "").upper())
    expect(page.locator("h1")).to_have_text("Thank you")
    assert Response.objects.count() == 1
    assert token not in page.url
    assert context.cookies() == []
    page.go_back(wait_until="commit")
    page.wait_for_selector("#q1")
    assert page.input_value(CODE) == ""
    assert page.locator("input:checked").count() == 0
    fill(token[:-1])
    # The browser itself sees that it is too short: nothing that was chosen is lost.
    assert page.locator(f"{CODE}:invalid").count() == 1
    assert page.locator("#q1:checked").count() == 1
    fill(mistyped(token))
    expect(page.locator("#wrong-code")).to_contain_text(WRONG)
    assert page.input_value(CODE) == mistyped(token)
    fill("unknown-unknown-unknown"[:22])
    expect(page.locator("h1")).to_have_text("We do not know this link")
    context.close()


def test_answers_with_the_same_link_and_report_are_indistinguishable(chromium, site):
    survey = make_survey(["coin", "die"], access="invitation")
    [token] = Invitation.objects.make(survey, 1)

    def answer(*picks):
        context = chromium.new_context(viewport={"width": 390, "height": 844})
        transcript = Transcript(context.new_page())
        respondent = Respondent(transcript.page, site)
        respondent.url += f"#{token}"
        walk(transcript, respondent, picks)
        transcript.page.unroute("**/reports/")
        transcript.page.click("text=Try again now")
        respondent.heading("Thank you")
        transcript.look()
        context.close()
        return transcript

    first, second = transcribe(answer, (0, 1), (1, 0))
    assert differences(first, second) == []
    assert len(first.left_behind) == 2
    assert Response.objects.count() == 1


def test_a_notice_about_a_link_is_accessible(page, site, inspect):  # noqa: F811
    """One of three, which have one shape."""
    make_survey(["coin"], access="invitation", contact="me@example.org")
    page.goto(f"{site.url}/s/study-habits/")
    expect(page.locator("h1:visible")).to_have_text("You need your own link")
    inspect()
