"""One-time links where no script scrambles, and the pages about links for everybody."""

import pytest
from playwright.sync_api import expect

from respondents.models import Response
from respondents.storage.invitations import Invitation
from tests.browser.collecting.test_access import inspect  # noqa: F401
from tests.browser.invited import note_posts
from tests.browser.journey import Respondent
from tests.browser.test_silence import walk
from tests.browser.transcript import Transcript, differences, pair_of_runs
from tests.factories import make_survey, mistyped

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

CODE = "#invitation"


@pytest.fixture
def mode():
    """Of the two modes with a form; one script serves both."""
    return "server"


@pytest.fixture
def survey(mode, site):
    return make_survey(["coin", "die"], mode=mode, access="invitation")


@pytest.fixture
def token(survey):
    [made] = Invitation.objects.make(survey, 1)
    return made


def fill(page):
    page.check("#q1")
    page.check("[name=q2] >> nth=1")
    page.check("#consent")


@pytest.fixture
def respondent(page, site):
    return Respondent(page, site)


def test_with_a_script_the_code_is_neither_shown_nor_typed(
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


@pytest.mark.parametrize("ending", ["", "#short"])
def test_without_a_whole_link_the_code_is_asked_for(page, respondent, token, ending):
    page.goto(respondent.url + ending)
    expect(page.locator(CODE)).to_be_visible()
    page.check("#consent")
    page.click("[data-start]")
    page.click("[data-go=fix]")
    expect(page.locator(CODE)).to_be_focused()
    page.fill(CODE, token)
    page.press(CODE, "Enter")
    respondent.heading("How your answers are protected")
    respondent.go_on()
    respondent.answer(0, 1)
    respondent.submit()
    assert Response.objects.count() == 1


WRONG = "We do not know this code."


def test_a_wrong_link_is_reported_before_any_question(page, site, respondent, token):
    posts = note_posts(page)
    page.goto(f"{respondent.url}#{mistyped(token)}")
    expect(page.locator(CODE)).to_be_visible()
    expect(page.locator("#wrong-code")).to_contain_text(WRONG)
    assert page.input_value(CODE) == mistyped(token)
    assert page.get_attribute(CODE, "aria-invalid") == "true"
    assert page.url == f"{site.url}/s/study-habits/"
    page.check("#consent")
    page.click("[data-start]")
    respondent.heading("Study habits")
    assert posts == []
    page.fill(CODE, token.upper().replace("-", " "))
    expect(page.locator("#wrong-code")).to_be_hidden()
    page.press(CODE, "Tab")
    expect(page.locator("#wrong-code")).to_be_hidden()
    assert page.get_attribute(CODE, "aria-invalid") is None
    page.click("[data-start]")
    respondent.go_on()
    respondent.answer(0, 1)
    respondent.submit()
    assert Response.objects.count() == 1


def test_a_code_typed_wrong_is_not_passed_by_a_quick_enter(page, site, token):
    page.goto(f"{site.url}/s/study-habits/")
    expect(page.locator(CODE)).to_be_visible()
    page.check("#consent")
    page.fill(CODE, mistyped(token))
    # Within one task: no check that takes its time can have ended in between.
    page.evaluate(
        "document.forms[0].dispatchEvent(new SubmitEvent('submit', {cancelable: true}))"
    )
    expect(page.locator("[data-go=fix]")).to_contain_text(WRONG)
    expect(page.locator("[data-screen=welcome]")).to_be_visible()
    expect(page.locator("[data-screen=protection]")).to_be_hidden()


@pytest.mark.windowless(False)
@pytest.mark.parametrize("mode", ["server", "hand"])
def test_without_javascript_the_code_is_typed(chromium, site, token):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site.url}/s/study-habits/#{token}")
    expect(page.locator("label[for=invitation]")).to_have_text("Your personal code")
    fill(page)
    page.fill(CODE, token)
    page.click("[type=submit]")
    expect(page.locator("h1")).to_have_text("Thank you")
    assert Response.objects.count() == 1
    assert token not in page.url
    assert context.cookies() == []
    page.go_back(wait_until="commit")
    page.wait_for_selector("#q1")
    assert page.input_value(CODE) == ""
    page.fill(CODE, "unknown-unknown-unknown"[:22])
    fill(page)
    page.click("[type=submit]")
    expect(page.locator("h1")).to_have_text("We do not know this link")
    context.close()


def test_without_javascript_a_code_typed_wrong_is_shown_again(chromium, site, token):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site.url}/s/study-habits/")
    expect(page.locator("#wrong-code")).to_be_hidden()
    fill(page)
    page.fill(CODE, token[:-1])
    page.click("[type=submit]")
    # The browser itself sees that it is too short: nothing that was chosen is lost.
    assert page.locator(f"{CODE}:invalid").count() == 1
    assert page.locator("#q1:checked").count() == 1
    page.fill(CODE, mistyped(token))
    page.click("[type=submit]")
    expect(page.locator("#wrong-code")).to_contain_text(WRONG)
    assert page.input_value(CODE) == mistyped(token)
    fill(page)
    page.fill(CODE, token.replace("-", "").upper())
    page.click("[type=submit]")
    expect(page.locator("h1")).to_have_text("Thank you")
    assert Response.objects.count() == 1
    context.close()


def test_two_truths_with_one_link_and_one_report_are_indistinguishable(chromium, site):
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

    first, second = pair_of_runs(answer, (0, 1), (1, 0))
    assert differences(first, second) == []
    assert len(first.left_behind) == 2
    assert Response.objects.count() == 1


def test_the_pages_about_links_are_for_everybody(page, site, inspect):  # noqa: F811
    survey = make_survey(["coin"], access="invitation", contact="me@example.org")
    [token] = Invitation.objects.make(survey, 1)
    page.goto(f"{site.url}/s/study-habits/")
    expect(page.locator("h1:visible")).to_have_text("You need your own link")
    inspect()
    page.goto("about:blank")
    respondent = Respondent(page, site)
    respondent.url += "#" + "u" * 22
    respondent.reach_check(0)
    respondent.send()
    respondent.heading("We do not know this link")
    inspect()
    respondent.url = respondent.url.replace("u" * 22, token)
    page.goto("about:blank")
    respondent.finish(0)
    page.reload()
    respondent.heading("This link has been used")
    inspect()
    make_survey(["coin"], slug="plain", mode="server", access="invitation")
    page.goto(f"{site.url}/s/plain/")
    expect(page.locator(CODE)).to_be_visible()
    inspect()
    page.fill(CODE, "mistyped")
    page.press(CODE, "Tab")
    expect(page.locator("#wrong-code")).to_be_visible()
    inspect()
