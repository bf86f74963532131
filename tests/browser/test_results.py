"""The results page in real Chromium: its charts, its form and its files."""

from itertools import product

import pytest
from django.urls import reverse

from tests.browser.accessibility import (
    DESKTOP,
    PHONE,
    log_in,
    scrolls_sideways,
    watch_console,
)
from tests.browser.authoring.steps import tab_to
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

COLOURS = {
    "light": ("rgb(58, 155, 144)", "rgb(135, 148, 156)"),
    "dark": ("rgb(47, 148, 136)", "rgb(117, 132, 141)"),
}
"""Of intervals of scrambled questions, and of others."""

COUNT_WORDS = """() => {
  const main = document.querySelector("main");
  main.querySelectorAll("select").forEach((each) => each.remove());
  const words = main.innerText.split(/\\s+/);
  return words.filter((each) => /[\\p{L}\\p{N}]/u.test(each)).length;
}"""
"""Words in sight, without those of closed lists to choose from."""

LONG, MAX_WORDS = 30, 2500
"""Questions of a long survey, and the most words of its results."""

FIRST_ESTIMATE = ((PHONE, 430), (DESKTOP, 310))
"""How far down it begins at most, in pixels."""

STROKE = "line => getComputedStyle(line).stroke"

LEAVE_THEIR_CHART = """chart => {
  const {left, right} = chart.getBoundingClientRect();
  const shown = [...chart.querySelectorAll("text, span, b, line")].filter(
    (each) => each.getClientRects().length,
  );
  return shown.filter((each) => {
    const box = each.getBoundingClientRect();
    return box.left < left - 1 || box.right > right + 1;
  }).map((each) => each.outerHTML);
}"""


@pytest.fixture
def survey(site):
    """All that the page can show: sound, unprotected, off the scale, missing, open.

    The last question has three answers.
    """
    three = ("k_ary", {"epsilon": 1, "choices": 3})
    counts = {b"\0\0\1\0": 30, b"\1\1\1\1": 60, bytes([255, 1, 1, 2]): 10}
    return make_survey(["coin", "direct", "die", three], batch_size=2, counts=counts)


@pytest.fixture
def open_page(page, site):
    """Open a survey's results, logged in; note what the browser complains about."""
    console_messages = watch_console(page, site)

    def open_results(survey):
        log_in(page, site, survey.owner)
        path = reverse("admin:estimation_results", args=[survey.pk])
        page.goto(site.url + path)
        return page

    yield open_results
    assert console_messages == []


def test_charts_fit_all_screens_and_methods_are_chosen_by_keyboard(
    open_page, survey, page
):
    open_page(survey)
    charts = page.locator(".chart").all()
    assert len(charts) == 4
    for size, (scheme, colours) in product((PHONE, DESKTOP), COLOURS.items()):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        found = [chart.locator("line").first.evaluate(STROKE) for chart in charts]
        accent, plain = colours
        assert found == [accent, plain, accent, accent]
        assert [chart.evaluate(LEAVE_THEIR_CHART) for chart in charts] == [[]] * 4

    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        rows = page.locator(".shares tbody tr")
        for part, side in (
            (".estimate", "right"),
            (".numeric:not(.estimate)", "right"),
            (".plot", "left"),
        ):
            places = rows.locator(f"> {part}").evaluate_all(
                "(all, side) => all.map("
                "each => Math.round(each.getBoundingClientRect()[side]))",
                side,
            )
            assert (len(places), len(set(places))) == (6, 1)

    page.set_viewport_size(DESKTOP)
    page.get_by_label("Confidence level").focus()
    page.keyboard.type("99 %")
    page.keyboard.press("Tab")
    page.keyboard.type("Pratt")
    tab_to(page, page.get_by_role("button", name="Apply"))
    page.keyboard.press("Enter")
    page.locator(".shares th").get_by_text("99 % interval").wait_for()
    assert page.get_by_label("Method").input_value() == "pratt"
    assert page.get_by_text("confidence interval: Pratt, exact.").count() == 4

    # A chart opened by itself keeps its colours.
    page.emulate_media(color_scheme="light")
    svg = page.get_by_role("link", name="SVG").first.get_attribute("href")
    page.goto(f"{page.url.partition('/admin/')[0]}{svg}")
    assert page.locator("line.accent").first.evaluate(STROKE) == COLOURS["light"][0]
    label = page.locator("text").get_by_text("100").last
    assert label.evaluate("text => getComputedStyle(text).fill") == "rgb(73, 86, 100)"


def make_long_survey(questions):
    """A closed survey whose questions have as many words as real ones."""
    text = "In the last 12 months, did you do what this survey asks about as number {}?"
    return make_survey(
        [{"text": text.format(number)} for number in range(1, questions + 1)],
        counts={b"\0" * questions: 90, b"\1" * questions: 110},
    )


def test_results_show_the_estimate_first_and_link_to_every_question(open_page, page):
    open_page(make_long_survey(LONG))
    for size, most in FIRST_ESTIMATE:
        page.set_viewport_size(size)
        first = page.locator("td.estimate").first.bounding_box()
        assert first["y"] <= most, (size, first)
        assert not scrolls_sideways(page)
    while page.locator("[data-next]").count():
        page.mouse.wheel(0, 5000)
        page.wait_for_timeout(50)
    assert page.locator(".result").count() == LONG
    assert page.evaluate(COUNT_WORDS) <= MAX_WORDS
    page.goto(f"{page.url}?forged=3")
    page.get_by_role("link", name="30. In the last").click()
    page.locator("#question-30").wait_for()
    assert "forged=3" in page.url
    numbers = page.locator(".result").evaluate_all("all => all.map(({id}) => id)")
    assert numbers == [f"question-{number}" for number in range(25, 31)]
    page.get_by_role("link", name="Questions 13").click()
    page.locator("#question-13").wait_for()
