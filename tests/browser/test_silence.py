"""Given the report, neither requests nor the browser's state depend on the answer.

The random source is stubbed so that two different answers give one report; then the
whole transcripts of both runs must be equal. A build that leaks on purpose must be
detected.
"""

import json
from functools import partial
from pathlib import Path

import pytest
from django.conf import settings

from respondents.models import Receipt, Response
from tests.browser.journey import Respondent
from tests.browser.transcript import ATTEMPTS, Transcript, differences, transcribe
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

SCRIPT = Path(settings.BASE_DIR) / "static" / "js" / "collecting" / "respond.js"

PICKED = 'radio.addEventListener("change", () => pick(radio));'
MESSAGE = "    const message = drawn();\n"
IN_THE_MESSAGE = {
    "submission: hex(": "hint: pickedIn(questions[0].radios), submission: hex("
}
ELSEWHERE = {
    MESSAGE: f"""{MESSAGE}
    localStorage.answer = pickedIn(questions[0].radios);
    const wait = 1_900 * pickedIn(questions[0].radios);
    await new Promise((then) => setTimeout(then, wait));
""",
    "screen.remove();\n    radios.forEach((radio) => { radio.checked = false; });": (
        "screen.hidden = true;"
    ),
    # Every run loads this file; it is loaded again for the second answer.
    PICKED: """radio.addEventListener("change", () => {
      pick(radio);
      history.replaceState(Object.assign({ picked: index }, history.state), "");
      if (index) fetch("/static/img/candor.svg");
    });""",
}


@pytest.fixture
def run(chromium, site):
    """A function that answers in a fresh browser and returns the transcript."""
    contexts = []

    def answer(*picks, script=None, on_the_way=walk):
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
        on_the_way(transcript, respondent, picks)
        return transcript

    yield answer
    for context in contexts:
        context.close()


def walk(transcript, respondent, picks):
    """Answer all questions and try to send, while the server fails."""
    page = transcript.page
    respondent.reach_check(*picks)
    page.route("**/reports/", lambda route: route.fulfill(status=500))
    respondent.send()
    page.wait_for_selector("text=Not sent yet")
    transcript.time()
    transcript.look()


def walk_and_come_back(transcript, respondent, picks):
    """Reload and send successfully, then leave and come back."""
    walk(transcript, respondent, picks)
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


@pytest.mark.windowless(False)
def test_answers_with_the_same_report_are_indistinguishable(run, site):
    make_survey(["coin", ("crosswise", {"prevalence": "1/4"}), "direct", "die"])
    come_back = partial(run, on_the_way=walk_and_come_back)
    first, second = transcribe(come_back, (0, 1, 0, 0), (1, 0, 0, 1))
    posts = [request for request in first.requests if request[0] == "POST"]
    assert len(posts) == 2
    assert posts[0][3] == posts[1][3]
    assert len(first.moments) == 1
    assert len(first.left_behind) == 3
    assert differences(first, second) == []
    # One word of 32 bits for each question, and one submission id.
    words = ["Uint32Array"] * 4
    assert sorted(first.draws) == sorted(second.draws) == [*words, "Uint8Array"]
    patterns = [bytes(each.pattern) for each in Response.objects.all()]
    assert patterns == [b"\x00\x00\x00\x00"]
    assert Receipt.objects.count() == 1
    # An unprotected answer arrives unchanged.
    assert differences(first, come_back(0, 1, 1, 0)) != []


def test_paths_with_the_same_report_are_indistinguishable(run, site):
    """Questions 2 and 3 are shown to some."""
    exams = {"show_if": "2 is Yes", "section": "Exams"}
    make_survey(["coin", {"show_if": "1 is Yes"}, exams, {"section": "The end"}])
    come_back = partial(run, on_the_way=walk_and_come_back)
    runs = transcribe(come_back, (1, 0), (0, 0, 1, 1), (1, 1))
    assert differences(*runs) == []
    assert len(runs[0].requests[-1]) == 4
    assert len({tuple(sorted(each.draws)) for each in runs}) == 1


def walk_offline(transcript, respondent, picks):
    page = transcript.page
    respondent.enter()
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    respondent.go_on()
    respondent.answer(*picks)
    respondent.send()
    page.wait_for_selector("text=Not sent yet")
    transcript.time()
    transcript.look()
    page.context.set_offline(False)
    respondent.heading("Thank you")
    transcript.look()


def test_answers_with_the_same_report_look_the_same_offline(run, site):
    make_survey(["coin", "die"])
    offline = partial(run, on_the_way=walk_offline)
    first, second = transcribe(offline, (0, 1), (1, 0))
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


@pytest.mark.parametrize(("mode", "third"), [("browser", "direct"), ("hand", "coin")])
def test_browser_translation_does_not_send_answers(page, site, mode, third):
    """The browser sends every text of the page to a translation service."""
    make_survey(["coin", "die", third], mode=mode)
    read, shown = [], []
    for picks in ((0, 1, 0), (1, 0, 1)):
        respondent = Respondent(page, site)
        respondent.reach_check(*picks)
        answers = page.locator("[data-answer]").all_inner_texts()
        texts = page.evaluate(READ_BY_TRANSLATORS)
        if mode == "browser":
            respondent.submit()
            page.click("[data-message] summary")
            # Not the first two: a scrambled answer may arrive as the other one.
            answers += page.locator("[data-sent], [data-body]").all_inner_texts()[2:]
            texts += page.evaluate(READ_BY_TRANSLATORS)
            page.evaluate("localStorage.clear()")
        read.append(texts)
        shown.append(answers)
    assert read[0] == read[1]
    if mode == "hand":  # the page does not show answers either
        assert shown[0] == shown[1]
    else:
        assert len(shown[0]) == 5
        assert all(map(str.__ne__, *shown))


def make_leaky(leaks):
    script = SCRIPT.read_text()
    for before, after in leaks.items():
        assert script.count(before) == 1
        script = script.replace(before, after)
    return script


def test_a_leaky_build_is_detected(run, site):
    """It leaks only in the message, then everywhere else at once."""
    make_survey(["coin"])
    found = transcribe(partial(run, script=make_leaky(IN_THE_MESSAGE)), (0,), (1,))
    assert {"requests"} <= {*differences(*found)} <= {"requests", "left_behind"}
    answer = partial(run, script=make_leaky(ELSEWHERE))
    for _attempt in range(ATTEMPTS):
        # A busy machine may hide a difference in time.
        runs = answer(0), answer(1)
        if "moments" in (found := differences(*runs)):
            break
    assert found == ["loaded", "left_behind", "moments"]
    assert set(runs[0].loaded) == set(runs[1].loaded)  # the count alone differs
    first, second = (json.loads(each.left_behind[0]) for each in runs)
    assert {name for name in first if first[name] != second[name]} == {
        "page", "inputs", "local", "history",
    }  # fmt: skip
