"""Results with much, or little, to see: on a phone, on paper, with few colours."""

import re

import pytest
from playwright.sync_api import expect

from respondents.models import SealedPattern, close
from tests.browser.everybody import log_in, note_complaints, scrolls_sideways
from tests.factories import give_reason, make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

TWENTY = ("k_ary", {"epsilon": 2, "choices": 20})
THREE = ("k_ary", {"epsilon": 1, "choices": 3})
LONG_WORD = "Donaudampfschifffahrtsgesellschaft" * 5

IS_CUT_OFF = """box => box.scrollWidth > box.clientWidth + 1"""

IN_SIGHT = """cell => {
  const {left, right} = cell.getBoundingClientRect();
  const box = cell.closest(".scroll, .wide").getBoundingClientRect();
  return left >= box.left - 1 && right <= Math.min(box.right, innerWidth) + 1;
}"""


@pytest.fixture
def survey(site):
    """Twenty answers, three answers, a long word, and a direct question."""
    survey = make_survey([TWENTY, THREE, "direct"], opened=False)
    first = survey.questions.first()
    choice = first.choices.first()
    choice.label = LONG_WORD
    choice.save()
    question = survey.questions.last()
    question.text = f"Do you know the {LONG_WORD}?"
    question.save()
    give_reason(survey)
    survey.open()
    counts = {bytes([i, i % 3, i % 2]): 40 + i * 7 % 23 for i in range(20)}
    SealedPattern.objects.add(survey, counts)
    close(survey)
    return survey


@pytest.fixture
def go(page, site, survey):
    complaints = note_complaints(page, site)
    log_in(page, site, survey.owner)

    def open_page(name, width):
        page.set_viewport_size({"width": width, "height": 900})
        address = f"{site.url}/admin/surveys/survey/{survey.pk}/{name}"
        page.goto(address)
        return page

    yield open_page
    assert complaints == []


COMPARE = "results/compare/?first=2&second=3"

WORDS_ON_TWO_LINES = r"""tables => {
  const range = document.createRange(), found = new Set();
  for (const table of tables) {
    const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const word of texts.currentNode.data.matchAll(/[\p{L}\p{N}]+/gu)) {
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].map(({top}) => top));
        if (lines.size > 1) found.add(word[0]);
      }
    }
  }
  return [...found];
}"""


def test_on_a_phone_the_interval_is_in_sight(go):
    page = go("results/", 390)
    assert not scrolls_sideways(page)
    for cell in page.locator(".shares td.numeric").all():
        box = cell.bounding_box()
        assert 0 < box["x"] < box["x"] + box["width"] < 390, cell.inner_text()
    page = go(COMPARE, 390)
    assert not scrolls_sideways(page)
    tables = page.locator(".scroll table").all()
    assert len(tables) >= 2
    for table in tables:
        heads = table.locator("thead th").all_inner_texts()
        column = heads.index("Interval")
        for cell in (
            table.locator("thead th").nth(column),
            table.locator("tbody tr:has(td)").first.locator("th, td").nth(column),
        ):
            assert cell.evaluate(IN_SIGHT), heads


NAMES_CUT_OFF = """selects => selects.flatMap((select) => {
  const style = getComputedStyle(select);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  const arrow = 20;
  const room = select.clientWidth - arrow
    - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return [...select.options].map(({label}) => label)
    .filter((label) => pen.measureText(label).width > room);
})"""


@pytest.mark.parametrize(("language", "name"), [("en", "English"), ("de", "Deutsch")])
def test_on_a_phone_table_cells_and_method_names_are_not_split(go, language, name):
    """The exception is a word that is wider than any phone."""
    go("results/", 390).get_by_role("button", name=name).click()
    for address in ("results/", COMPARE, "export/", "results/weighted/"):
        page = go(address, 390)
        expect(page.locator("html")).to_have_attribute("lang", language)
        if address == COMPARE:
            tables = page.locator("table.data")
            assert tables.count() >= 2
            assert tables.evaluate_all(WORDS_ON_TWO_LINES) == [LONG_WORD]
        if address == "results/":
            words = page.locator(".shares").evaluate_all(WORDS_ON_TWO_LINES)
            assert set(words) == {LONG_WORD}
        if address != COMPARE:
            methods = page.locator("select[name=method]")
            expect(methods).to_have_count(1)
            assert methods.evaluate_all(NAMES_CUT_OFF) == []


def test_on_a_phone_exact_chances_are_in_sight(go):
    page = go("change/", 390)
    chances = page.locator("details:has(.chances)").nth(1)
    chances.locator("summary").click()
    assert re.search(r"\d{6}/\d{6}", chances.inner_text().replace("/\n", "/"))
    assert not chances.locator(".scroll").evaluate(IS_CUT_OFF)


def test_no_number_is_cut_off_next_to_a_chart(go):
    for width in (1024, 1920):
        page = go(COMPARE, width)
        boxes = page.locator(".scroll").all()
        assert boxes
        assert not any(box.evaluate(IS_CUT_OFF) for box in boxes)
    for width in (1280, 1920):
        first = go("results/", width).locator("article").first
        first.get_by_text("More", exact=True).click()
        assert not first.locator(".scroll").evaluate(IS_CUT_OFF)


def test_paper_has_results_and_no_controls(go):
    page = go("results/", 1280)
    page.emulate_media(media="print")
    for name in (".options", ".tabs", "#header", ".chart-files"):
        expect(page.locator(name).first).to_be_hidden()
    expect(page.locator(".options").first).to_be_hidden()
    expect(page.locator("article").first).to_be_visible()
    expect(page.locator("article .chart").first).to_be_visible()
    expect(page.get_by_text("not refusals, untrue answers")).to_be_visible()


def test_with_forced_colours_the_first_button_differs(go):
    page = go("results/", 1280)
    page.emulate_media(forced_colors="active")
    first = page.get_by_role("link", name="Download estimates")
    second = page.get_by_role("link", name="Compare groups")
    colours = [
        each.evaluate("each => getComputedStyle(each).backgroundColor")
        for each in (first, second)
    ]
    assert len(set(colours)) == 2
