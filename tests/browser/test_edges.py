"""Results with much, or little, to see: on a phone, on paper, with few colours."""

import re

import pytest
from playwright.sync_api import expect

from estimation.presentation.charts.drawing import COLOURS
from tests.browser.accessibility import (
    DARK,
    colours_in,
    log_in,
    scrolls_sideways,
    watch_console,
)
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

THREE = ("k_ary", {"epsilon": 1, "choices": 3})
LONG_WORD = "Donaudampfschifffahrtsgesellschaft" * 5
TWENTY = {
    "family": "k_ary",
    "parameters": {"epsilon": 2},
    "choices": [LONG_WORD, *map(str, range(2, 21))],
}

IS_CUT_OFF = """box => box.scrollWidth > box.clientWidth + 1"""

IN_SIGHT = """cell => {
  const {left, right} = cell.getBoundingClientRect();
  const box = cell.closest(".scroll, .wide").getBoundingClientRect();
  return left >= box.left - 1 && right <= Math.min(box.right, innerWidth) + 1;
}"""


@pytest.fixture
def survey(site):
    """Twenty answers, three answers, a long word, and a direct question."""
    return make_survey(
        [TWENTY, THREE, {"text": f"Do you know the {LONG_WORD}?", "family": "direct"}],
        counts={bytes([i, i % 3, i % 2]): 40 + i * 7 % 23 for i in range(20)},
        closed=True,
    )


@pytest.fixture
def go(page, site, survey):
    console_messages = watch_console(page, site)
    log_in(page, site, survey.owner)

    def open_page(name, width):
        page.set_viewport_size({"width": width, "height": 900})
        address = f"{site.url}/admin/surveys/survey/{survey.pk}/{name}"
        page.goto(address)
        return page

    yield open_page
    assert console_messages == []


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


def test_intervals_and_exact_chances_fit_on_a_phone(go):
    """The exception is a word that is wider than any phone."""
    # German has the longer names.
    go("results/", 390).get_by_role("button", name="Deutsch").click()
    for address in ("results/", COMPARE, "export/", "results/weighted/"):
        page = go(address, 390)
        assert not scrolls_sideways(page)
        expect(page.locator("html")).to_have_attribute("lang", "de")
        if address != COMPARE:
            methods = page.locator("select[name=method]")
            expect(methods).to_have_count(1)
            assert methods.evaluate_all(NAMES_CUT_OFF) == []
        if address == "results/":
            words = page.locator(".shares").evaluate_all(WORDS_ON_TWO_LINES)
            assert set(words) == {LONG_WORD}
            for cell in page.locator(".shares td.numeric").all():
                box = cell.bounding_box()
                assert 0 < box["x"] < box["x"] + box["width"] < 390, cell.inner_text()
        if address == COMPARE:
            tables = page.locator("table.data")
            assert tables.count() >= 2
            assert tables.evaluate_all(WORDS_ON_TWO_LINES) == [LONG_WORD]
            for table in page.locator(".scroll table").all():
                heads = table.locator("thead th").all_inner_texts()
                column = heads.index("Intervall")
                for cell in (
                    table.locator("thead th").nth(column),
                    table.locator("tbody tr:has(td)")
                    .first.locator("th, td")
                    .nth(column),
                ):
                    assert cell.evaluate(IN_SIGHT), heads
    page = go("change/", 390)
    chances = page.locator("details:has(.chances)").nth(1)
    chances.locator("summary").click()
    assert re.search(r"\d{6}/\d{6}", chances.inner_text().replace("/\n", "/"))
    assert not chances.locator(".scroll").evaluate(IS_CUT_OFF)


def test_result_pages_fit_on_desktops_paper_and_in_forced_colours(go):
    for width in (1024, 1920):
        page = go(COMPARE, width)
        boxes = page.locator(".scroll").all()
        assert boxes
        assert not any(box.evaluate(IS_CUT_OFF) for box in boxes)
    page = go("results/", 1920)
    first = page.locator("article").first
    first.get_by_text("More", exact=True).click()
    for width in (1920, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert not first.locator(".scroll").evaluate(IS_CUT_OFF)

    page.emulate_media(forced_colors="active")
    colours = [
        page.get_by_role("link", name=name).evaluate(
            "each => getComputedStyle(each).backgroundColor"
        )
        for name in ("Download estimates", "Compare groups")
    ]
    assert len(set(colours)) == 2

    page.emulate_media(forced_colors="none", media="print", color_scheme="dark")
    for name in (".options", ".tabs", "#header", ".chart-files"):
        expect(page.locator(name).first).to_be_hidden()
    expect(page.locator("article").first).to_be_visible()
    expect(page.locator("article .chart").first).to_be_visible()
    expect(page.get_by_text("not refusals, untrue answers")).to_be_visible()
    # Paper is white, whatever the screen is.
    printed = colours_in(page.pdf())
    assert COLOURS["accent"] in printed
    assert not DARK & printed
