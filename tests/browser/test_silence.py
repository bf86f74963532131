"""Given the report, nothing on the line or in the browser depends on the answer.

The random source is stubbed so that two different truths give one report; then the
whole transcripts of both runs must be the same. Builds that leak on purpose show that
the comparison would notice.
"""

from functools import partial
from pathlib import Path

import pytest
from django.conf import settings

from respondents.models import Receipt, Response
from tests.browser.journey import Respondent
from tests.browser.transcript import ATTEMPTS, Transcript, differences, pair_of_runs
from tests.factories import make_survey, open_survey

pytestmark = pytest.mark.browser

SCRIPT = Path(settings.BASE_DIR) / "static" / "js" / "collecting" / "respond.js"

PICKED = 'radio.addEventListener("change", () => pick(radio));'
LEAKS = {
    "the answer in the message": (
        "submission: hex(",
        "hint: pickedIn(questions[0].radios), submission: hex(",
    ),
    "a message at another moment": (
        "    const message = drawn();\n",
        "    const message = drawn();\n"
        "    const wait = 1_900 * pickedIn(questions[0].radios);\n"
        "    await new Promise((then) => setTimeout(then, wait));\n",
    ),
    "the answer kept in storage": (
        "    const message = drawn();\n",
        "    const message = drawn();\n"
        "    localStorage.answer = pickedIn(questions[0].radios);\n",
    ),
    "the answer left in the page": (
        "screen.remove();\n    radios.forEach((radio) => { radio.checked = false; });",
        "screen.hidden = true;",
    ),
    "the answer in the history": (
        PICKED,
        'radio.addEventListener("change", () => { pick(radio);'
        " history.replaceState(Object.assign({ picked: index }, history.state), '');"
        " });",
    ),
}
AGAIN = (
    'radio.addEventListener("change", () => { pick(radio);'
    ' if (index) fetch("/static/img/candor.svg"); });'
)
"""A file that every run loads, loaded again where the second answer is true."""


@pytest.fixture
def run(chromium, site):
    """A function that answers in a fresh browser and returns the transcript."""
    contexts = []

    def answer(*picks, script=None):
        context = chromium.new_context(viewport={"width": 390, "height": 844})
        contexts.append(context)
        transcript = Transcript(context.new_page())
        if script is not None:
            transcript.page.route(
                "**/respond.js",
                lambda route: route.fulfill(
                    body=script, content_type="text/javascript"
                ),
            )
        respondent = Respondent(transcript.page, site)
        walk(transcript, respondent, picks)
        if script is None:
            come_back(transcript, respondent)
        return transcript

    yield answer
    for context in contexts:
        context.close()


def walk(transcript, respondent, picks):
    """Answer all questions and try to send, while the server is out of order."""
    page = transcript.page
    respondent.reach_check(*picks)
    page.route("**/reports/", lambda route: route.fulfill(status=500))
    respondent.send()
    page.wait_for_selector("text=Not sent yet")
    transcript.time()
    transcript.look()


def come_back(transcript, respondent):
    """Reload while nothing is sent, be received, go away and come back."""
    page = transcript.page
    transcript.draws = page.evaluate("draws")
    page.unroute("**/reports/")
    page.reload()
    respondent.heading("Thank you")
    transcript.look()
    page.wait_for_load_state("networkidle")  # the icon comes last
    page.go_back()
    page.go_forward()
    respondent.heading("Thank you")
    transcript.look()
    page.wait_for_load_state("networkidle")


def test_two_truths_with_one_report_are_indistinguishable(run, site):
    make_survey(["coin", ("crosswise", {"prevalence": "1/4"}), "die"])
    first, second = pair_of_runs(run, (0, 1, 0), (1, 0, 1))
    posts = [request for request in first.requests if request[0] == "POST"]
    assert len(posts) == 2
    assert posts[0][3] == posts[1][3]
    assert len(first.moments) == 1
    assert len(first.left_behind) == 3
    assert differences(first, second) == []
    # One word of 32 bits for each question, and one submission id.
    words = ["Uint32Array"] * 3
    assert sorted(first.draws) == sorted(second.draws) == [*words, "Uint8Array"]
    patterns = [bytes(each.pattern) for each in Response.objects.all()]
    assert patterns == [b"\x00\x00\x00"]
    assert Receipt.objects.count() == 1


@pytest.mark.parametrize("picks", [(0, 0, 1, 1), (1, 1)])
def test_two_paths_with_one_report_are_indistinguishable(run, site, picks):
    """Questions 2 and 3 are shown to some."""
    survey = make_survey(["coin"] * 4, opened=False)
    survey.questions.filter(position=2).update(show_if="1 is Yes")
    survey.questions.filter(position=3).update(show_if="2 is Yes", section="Exams")
    survey.questions.filter(position=4).update(section="The end")
    open_survey(survey)
    first, second = pair_of_runs(run, (1, 0), picks)
    assert differences(first, second) == []
    assert len(first.requests[-1]) == 4
    assert sorted(first.draws) == sorted(second.draws)


def test_an_unprotected_question_leaves_the_others_hidden(run, site):
    make_survey(["coin", "direct", "die"])
    first, second = pair_of_runs(run, (0, 0, 1), (1, 0, 0))
    assert len([each for each in first.requests if each[0] == "POST"]) == 2
    assert differences(first, second) == []
    # What is not protected arrives as it is, and the page says so.
    assert differences(first, run(0, 1, 1)) != []


@pytest.fixture
def run_offline(chromium, site):
    """A function that answers and sends without a line, then with one."""
    contexts = []

    def answer(*picks):
        context = chromium.new_context(viewport={"width": 390, "height": 844})
        contexts.append(context)
        transcript = Transcript(context.new_page())
        page, respondent = transcript.page, Respondent(transcript.page, site)
        respondent.enter()
        page.wait_for_load_state("networkidle")
        context.set_offline(True)
        respondent.go_on()
        respondent.answer(*picks)
        respondent.send()
        page.wait_for_selector("text=Not sent yet")
        transcript.time()
        transcript.look()
        context.set_offline(False)
        respondent.heading("Thank you")
        transcript.look()
        return transcript

    yield answer
    for context in contexts:
        context.close()


@pytest.mark.windowless
def test_two_truths_look_the_same_without_a_line_too(run_offline, site):
    make_survey(["coin", "die"])
    first, second = pair_of_runs(run_offline, (0, 1), (1, 0))
    bodies = [request[3] for request in first.requests if request[0] == "POST"]
    assert len(bodies) == 2
    assert len(set(bodies)) == 1
    assert len(first.moments) == 1
    assert differences(first, second) == []
    assert Response.objects.count() == 1


READ_BY_TRANSLATORS = """
() => {
  const isFree = (node) => !node.parentElement.closest("[translate=no], script");
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [document.title];
  while (walker.nextNode()) {
    if (isFree(walker.currentNode)) texts.push(walker.currentNode.data);
  }
  return texts;
}
"""


@pytest.mark.windowless
@pytest.mark.parametrize("mode", ["browser", "server", "hand"])
def test_a_browser_that_translates_sends_no_answer_to_be_translated(page, site, mode):
    """It asks a firm about each text of the page, also about one that appears."""
    make_survey(["coin", "die", "coin"], mode=mode)
    read = []
    for picks in ((0, 1, 0), (1, 0, 1)):
        respondent = Respondent(page, site)
        respondent.reach_check(*picks)
        shown = page.locator("[data-answer]").all_inner_texts()
        read.append((page.evaluate(READ_BY_TRANSLATORS), shown))
    (first, first_shown), (second, second_shown) = read
    assert first == second
    if mode == "hand":  # not even for people who look
        assert first_shown == second_shown
    else:
        assert all(map(str.__ne__, first_shown, second_shown))


@pytest.mark.windowless
def test_what_was_sent_is_not_sent_to_be_translated(page, site):
    make_survey(["coin", "direct"])
    read = []
    for picks in ((0, 1), (1, 0)):
        respondent = Respondent(page, site)
        respondent.finish(*picks)
        page.click("[data-message] summary")
        shown = page.locator("[data-sent], [data-body]").all_inner_texts()
        read.append((page.evaluate(READ_BY_TRANSLATORS), shown))
        page.evaluate("localStorage.clear()")
    (first, first_shown), (second, second_shown) = read
    assert first == second
    # Not the first: a scrambled answer may arrive as the other one.
    assert all(map(str.__ne__, first_shown[1:], second_shown[1:]))
    assert len(first_shown) == 3


def leaky(before, after):
    script = SCRIPT.read_text()
    assert script.count(before) == 1
    return script.replace(before, after)


@pytest.mark.windowless
@pytest.mark.parametrize("leak", LEAKS)
def test_a_leaky_build_is_caught(run, site, leak):
    make_survey(["coin"])
    script = leaky(*LEAKS[leak])
    answer = partial(run, script=script)
    # A busy machine may hide a difference in time, and never all of them.
    assert any(differences(answer(0), answer(1)) for _attempt in range(ATTEMPTS))


@pytest.mark.windowless
def test_a_file_asked_for_once_more_is_caught_by_the_count_alone(run, site):
    make_survey(["coin"])
    script = leaky(PICKED, AGAIN)
    first, second = pair_of_runs(partial(run, script=script), (0,), (1,))
    assert set(first.loaded) == set(second.loaded)
    assert differences(first, second) == ["loaded"]
