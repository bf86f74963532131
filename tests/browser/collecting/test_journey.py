"""The whole journey in a real browser, by mouse and by keyboard."""

import json
import re
from collections import Counter

import pytest
from playwright.sync_api import expect

from respondents.models import Response
from tests.browser.journey import Respondent, note_posts
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

THREE_FAMILIES = [
    "coin",
    ("crosswise", {"prevalence": "1/4"}),
    ("epsilon", {"epsilon": "1"}),
]


@pytest.fixture
def survey(site):
    return make_survey(THREE_FAMILIES, purpose="To learn how people study.")


@pytest.fixture
def respondent(page, site, survey):
    return Respondent(page, site)


def stored():
    patterns = Response.objects.values_list("pattern", flat=True)
    return [bytes(pattern) for pattern in patterns]


def focused(page):
    return page.evaluate("document.activeElement.textContent.trim()")


def test_a_survey_can_be_answered_on_a_phone(page, respondent):
    posts = note_posts(page)
    page.goto(respondent.url)
    expect(page).to_have_title("Study habits")
    respondent.enter()
    expect(page).to_have_title("See it work \u2013 Study habits")
    assert focused(page) == "See it work"
    page.click("[data-try] button >> text=Yes")
    expect(page.locator("[data-received]")).not_to_have_text("\u2013")
    respondent.go_on()
    respondent.heading("Sensitive question 1?")
    expect(page).to_have_title("Question 1 of 3 \u2013 Study habits")
    assert focused(page) == "Sensitive question 1?"
    respondent.answer(0, 1, 0)
    assert page.locator("[data-answer]").all_inner_texts() == ["Yes", "No", "Yes"]
    assert posts == []
    respondent.submit()
    (post,) = posts
    sent = json.loads(post)
    assert bytes.fromhex(sent["reports"]) == stored()[0]
    page.click("summary:visible")
    assert page.inner_text("[data-body]") == post
    reports = [["Yes", "No"], ["Same", "Different"], ["Yes", "No"]]
    words = [names[sent] for names, sent in zip(reports, stored()[0], strict=True)]
    assert page.locator("[data-sent]").all_inner_texts() == words


STATES = "all => all.map((each) => [each.checked, each.tabIndex])"
LOOK = "(each) => [getComputedStyle(each).borderColor, getComputedStyle(each).color]"


def test_radios_behave_as_one_group(page, respondent):
    page.emulate_media(reduced_motion="reduce")
    respondent.enter()
    respondent.go_on()
    radios = page.locator("input[type=radio]:visible")
    assert radios.evaluate_all(STATES) == [[False, 0], [False, -1]]
    radios.nth(1).check()
    radios.nth(0).check()
    assert radios.evaluate_all(STATES) == [[True, 0], [False, -1]]
    page.keyboard.press("ArrowLeft")  # wraps around, as named radios do
    assert radios.evaluate_all(STATES) == [[False, -1], [True, 0]]
    # A pointer over a choice does not make it look chosen.
    first, second = page.locator(".choice:visible").all()
    page.mouse.move(0, 0)
    plain, chosen = first.evaluate(LOOK), second.evaluate(LOOK)
    first.hover()
    assert first.evaluate(LOOK) == plain != chosen


def test_continuing_without_an_answer_shows_and_focuses_an_error(page, respondent):
    page.goto(respondent.url)
    page.click("[data-start]")
    respondent.heading("Study habits")
    assert "There is a problem" in focused(page)
    expect(page).to_have_title("Error: Study habits")
    box = page.get_by_role("checkbox")
    expect(box).to_have_attribute("aria-invalid", "true")
    expect(box).to_have_accessible_description("Tick the box if you want to take part")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(box).to_be_focused()
    page.keyboard.press("Space")
    page.click("[data-start]")
    respondent.go_on()
    respondent.go_on()
    respondent.heading("Sensitive question 1?")
    assert "There is a problem" in focused(page)
    group = page.get_by_role("radiogroup")
    expect(group).to_have_attribute("aria-invalid", "true")
    expect(group).to_have_accessible_description("Choose an answer")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio").first).to_be_focused()
    respondent.answer(0)
    assert not page.is_visible("text=There is a problem")
    page.go_back()
    expect(group).not_to_have_attribute("aria-invalid", "true")


def test_back_returns_one_screen_and_forward_never_skips_ahead(page, respondent):
    respondent.enter()
    respondent.go_on()
    respondent.answer(0)
    page.go_back()
    respondent.heading("Sensitive question 1?")
    assert page.locator("input:checked:visible").count() == 1
    page.click("[data-moves] [data-go=back]")
    respondent.heading("See it work")
    states = page.evaluate("JSON.stringify(history.state)")
    state = json.loads(states)
    assert set(state) == {"depth", "first", "place"}
    assert state["first"] == 0
    page.reload()
    respondent.heading("Study habits")
    page.go_forward()
    respondent.heading("Study habits")
    assert page.locator("input:checked").count() == 0


def test_an_unprotected_survey_sends_answers_without_scrambling_them(page, site):
    make_survey(["direct"], slug="direct")
    respondent = Respondent(page, site, slug="direct")
    respondent.enter(heading="What happens to your answers")
    respondent.go_on()
    respondent.answer(0)
    respondent.heading("Check your answers")
    assert page.inner_text("[data-go=scramble]") == "Send"
    respondent.submit()
    expect(page.locator("main")).to_contain_text("Your answers were received.")
    assert stored() == [b"\x00"]


def test_the_linked_script_has_the_printed_hash(page, respondent):
    respondent.enter()
    page.click(".maths summary")
    printed = page.inner_text(".hash code")
    computed = page.evaluate(
        """async (address) => {
          const bytes = await (await fetch(address)).arrayBuffer();
          const digest = await crypto.subtle.digest("SHA-256", bytes);
          return Array.from(new Uint8Array(digest), (byte) =>
            byte.toString(16).padStart(2, "0")).join("");
        }""",
        page.get_attribute(".maths a", "href"),
    )
    assert computed == printed


TEN = ["0 (not at all)", *map(str, range(1, 10)), "10 (entirely)"]
OFTEN = ["Never", "Rarely", "Sometimes", "Often", "Always"]
SCALES = [
    (TEN, {1280: [11], 768: [11], 390: [6, 5], 360: [6, 5]}),
    (OFTEN, {360: [1] * 5}),
]
"""The points of scales, and how many have room in each row of a screen."""


def test_the_points_of_a_scale_have_cells_of_one_size(page, site):
    make_survey(
        [
            {
                "family": "one_bit",
                "parameters": {"epsilon": "1", "points": str(len(labels))},
                "choices": labels,
                "scale": {"low": "0", "high": str(len(labels) - 1)},
            }
            for labels, _rows in SCALES
        ]
    )
    respondent = Respondent(page, site)
    respondent.enter()
    respondent.go_on()
    for labels, rows_by_width in SCALES:
        for width, rows in rows_by_width.items():
            page.set_viewport_size({"width": width, "height": 844})
            cells = page.locator(".choice:visible").all()
            boxes = [each.bounding_box() for each in cells]
            sizes = {(round(box["width"]), round(box["height"])) for box in boxes}
            assert len(sizes) == 1
            assert min(sizes.pop()) >= 44
            by_row = Counter(round(box["y"]) for box in boxes)
            assert list(by_row.values()) == rows, width
        respondent.answer(len(labels) - 1)
    assert page.locator("[data-answer]").all_inner_texts() == [TEN[-1], OFTEN[-1]]


def test_a_browser_without_random_numbers_shows_a_notice(page, site):
    make_survey(["direct"])  # its submission needs one too
    page.add_init_script("delete Crypto.prototype.getRandomValues")
    page.goto(f"{site.url}/s/study-habits/")
    expect(page.locator("[data-chanceless]")).to_be_visible()
    expect(page.get_by_text("Please use another browser.")).to_be_visible()
    expect(page.locator("[data-start]")).to_be_hidden()
    expect(page.locator("[data-loading]")).to_be_hidden()


def test_surveys_without_randomisation_do_not_mention_chance(client, db):
    for mode in ("browser", "server", "hand"):
        make_survey(["direct", "direct"], mode=mode, slug=mode)
        html = client.get(f"/s/{mode}/").content.decode()
        said = re.sub(
            "(?s)<script.*?</script>|<[^>]*>", " ", html[html.index("<main") :]
        )
        assert re.findall("chance|coin|draw|arrive as|mathematics|ε", said, re.I) == []
