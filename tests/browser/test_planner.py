"""The planner on the authoring form in real Chromium."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import find_problems, log_in, watch_console
from tests.browser.authoring.steps import choose_design, open_more, reveal
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]


SHORT_PAUSES = """
  const later = setTimeout;
  window.setTimeout = (call, wait, ...more) => later(call, wait / 10, ...more);
"""


@pytest.fixture
def form(page, site):
    """The form of a draft with two questions, and errors in its console."""
    survey = make_survey(
        ["coin", ("epsilon", {"epsilon": "1"})],
        opened=False,
        target=1000,
        wanted_margin=5,
    )
    log_in(page, site, survey.owner)
    page.add_init_script(SHORT_PAUSES)
    page.console_messages = watch_console(page, site, may_be_refused=True)
    page.goto(f"{site.url}/admin/surveys/survey/{survey.pk}/change/")
    # Loading the page again would remove this.
    page.evaluate("window.isTheSamePage = true")
    return page


def panel(page, number):
    return page.locator(".question .plan-panel").nth(number - 1)


def figure(where, name):
    shown = where.locator(".plan-figures > div").filter(has_text=name)
    return shown.locator(".number")


def whole(page):
    return page.locator("[data-planner]")


def gauge(page):
    return page.locator("[data-summary]")


def total(page):
    return gauge(page).locator(".gauge-total strong")


def epsilon_of(card):
    """The input for the epsilon of a question, in view."""
    return open_more(card).get_by_role("textbox", name="Epsilon")


def reply_with(**reply):
    return lambda route: route.fulfill(**reply)


BEYOND_THE_CARD = """() => [...document.querySelectorAll(".plan-plot > *")].map(
  (each) => each.getBoundingClientRect().right
    - each.closest(".card").getBoundingClientRect().right)"""


def test_figures_update_while_typing_without_a_page_load(form):
    second = panel(form, 2)
    # ln 3 + 1 = 2.0987, rounded up; 1,799 people for 5 points at epsilon 1.
    expect(total(form)).to_have_text("ε 2.10")
    expect(figure(second, "People needed")).to_have_text("1,799")
    epsilon_of(form.locator("#questions-1")).fill("0.5")
    # 1/(1 + e**-0.5) = 0.622; 6,405 people (choosing-protection.md);
    # 1.96 sqrt(4.168 / 1000).
    expect(second).to_contain_text("about 62 arrive as Yes and 38 as No")
    expect(figure(second, "Privacy")).to_have_text("0.50")
    expect(figure(second, "Margin of error")).to_have_text(
        re.compile(r"12\.7\s+points")
    )
    expect(figure(second, "People needed")).to_have_text("6,405")
    expect(figure(second, "Price")).to_have_text(re.compile(r"17\s+times"))
    expect(total(form)).to_have_text("ε 1.60")
    strong = form.locator("#questions-1").get_by_role(
        "button", name=re.compile("^Strong")
    )
    expect(strong).to_have_attribute("aria-pressed", "true")
    expect(form.locator("[data-status]")).to_contain_text("Total epsilon 1.60.")
    # The plot shows the least precise question, and the table has its numbers.
    chart = reveal(whole(form).locator(".chart"))
    expect(chart).to_have_attribute("aria-label", re.compile("6,405 people"))
    expect(chart.locator("text", has_text="6,405")).to_be_visible()
    expect(whole(form).locator("table")).to_contain_text("6,405")

    reveal(form.get_by_label("Planned number of responses")).fill("4000")
    reveal(form.get_by_label("Expected share")).fill("10")
    reveal(form.get_by_label("Share to beat")).fill("20")
    # 1.96 sqrt((0.09 + 3.918) / 4000) = 0.0620
    expect(figure(second, "Margin of error")).to_have_text(re.compile(r"6\.2\s+points"))
    expect(second).to_contain_text(re.compile(r"10\s%\sagainst\s20"))

    epsilon_of(form.locator("#questions-1")).fill("often")
    expect(second.locator("[data-error]")).to_have_text(
        "Epsilon must be a number above 0 and at most 10, such as 1; got 'often'"
    )
    expect(panel(form, 1).locator("[data-error]")).to_be_hidden()
    typed = epsilon_of(form.locator("#questions-1"))
    expect(typed).to_have_attribute("aria-invalid", "true")
    reveal(form.get_by_label("Expected share")).fill("much")
    expect(gauge(form).locator("> [data-error]")).to_be_visible()
    mine = {"include": [["#questions-1"], ["[data-planner]"], ["[data-summary]"]]}
    assert find_problems(form, context=mine) == []
    reveal(form.get_by_label("Expected share")).fill("10")
    epsilon_of(form.locator("#questions-1")).fill("2")
    expect(second.locator("[data-error]")).to_be_hidden()

    choose_design(form.locator("#questions-1"), value="direct")
    expect(form.locator("#questions-1 [data-outcome]")).to_contain_text("Not protected")
    # The rest of the page is examined in test_walk.py.
    assert find_problems(form, context={"include": [["#questions-1"]]}) == []
    # Two means: the table of docs/researchers/planning.md.
    choose_design(form.locator("#questions-1"), value="grid")
    epsilon_of(form.locator("#questions-1")).fill("4")
    reveal(form.get_by_label("Planned number of responses")).fill("1000")
    reveal(form.get_by_label("Difference of means")).fill("10")
    expect(second).to_contain_text("about 233 and 233 people")
    reveal(form.get_by_label("Standard deviation")).fill("20")
    expect(second).to_contain_text("standard deviations 2 and 2")
    reveal(form.get_by_label("Expected mean")).fill("20")
    expect(second).to_contain_text("means 2.5 and 1.5")
    expect(reveal(whole(form).locator(".plan-plot table"))).to_be_visible()
    for width in (390, 1024, 1920):
        form.set_viewport_size({"width": width, "height": 900})
        assert max(form.evaluate(BEYOND_THE_CARD)) <= 0, width
    assert form.evaluate("window.isTheSamePage")
    assert form.console_messages == []


def test_updates_keep_open_details_focus_and_announcements(form):
    """Updates do not replace what is typed meanwhile either."""
    reason = form.get_by_label("Reason for the total epsilon")
    epsilon = epsilon_of(form.locator("#questions-1"))
    second = panel(form, 2)
    chances = second.get_by_text("The exact chances")
    chances.click()
    expect(second.get_by_role("table")).to_contain_text("≈ 0.731059")
    expect(total(form)).to_have_text("ε 2.10")
    epsilon.fill("2")
    chances.focus()
    expect(second.get_by_role("table")).to_contain_text("≈ 0.880797")
    expect(second.get_by_role("table")).to_be_visible()
    expect(chances).to_be_focused()
    expect(whole(form).locator(".plan-key-own")).to_contain_text("Coin")
    share = reveal(form.get_by_label("Expected share"))
    share.fill("200")
    message = re.compile(
        "^Expected share \\(%\\) must be .* from 0 to 100.* got '200'$"
    )
    expect(gauge(form).locator("> [data-error]")).to_have_text(message)
    expect(form.locator("[data-status]")).to_have_text(message)
    expect(share).to_have_attribute("aria-invalid", "true")
    share.press("Backspace")
    form.wait_for_timeout(30)  # longer than the pause, shorter than the answer takes
    share.press("Backspace")
    share.press("5")
    expect(share).not_to_have_attribute("aria-invalid", "true")
    expect(gauge(form).locator("> [data-error]")).to_be_hidden()
    expect(share).to_have_value("25")
    expect(share).to_be_focused()

    status = form.locator("[data-status]")
    expect(status).to_contain_text("Total epsilon 3.10.")
    form.wait_for_timeout(200)
    form.evaluate("""() => {
      window.spoken = [];
      const status = document.querySelector("[data-status]");
      const note = () => window.spoken.push(status.textContent);
      const what = {childList: true, characterData: true, subtree: true};
      new MutationObserver(note).observe(status, what);
    }""")
    # The announcement does not depend on the suspicion.
    suspicion = reveal(form.get_by_label("Suspicion"))
    suspicion.fill("20")
    suspicion.press("Enter")  # submits nothing here
    expect(second).to_contain_text("A suspicion of 20")
    assert form.evaluate("window.spoken") == []
    epsilon_of(form.locator("#questions-1")).fill("4")
    expect(status).to_contain_text("Total epsilon 5.10.")
    assert len(form.evaluate("window.spoken")) == 1
    expect(gauge(form)).to_contain_text("5.10, above this site's limit of 5.")
    reveal(reason).fill("We ask for both.")
    # An error that comes back is announced once.
    form.evaluate("window.spoken = []")
    reveal(form.get_by_label("Expected share")).fill("200")
    expect(status).to_contain_text("must be a number")
    epsilon_of(form.locator("#questions-1")).fill("3")
    expect(second.locator(".plan-figures")).to_contain_text("4.00")
    form.wait_for_timeout(200)
    assert len(form.evaluate("window.spoken")) == 1
    reveal(share).fill("20")
    expect(total(form)).to_have_text("ε 4.10")
    # A written reason stays visible, so that it can be deleted.
    expect(reveal(reason)).to_be_visible()

    # A failed request is reported until the next one succeeds.
    unreachable = re.compile("This cannot be shown")
    answers = re.compile(r"/surveys/plan/\?")
    open_more(form.locator("#questions-1"))
    epsilon.fill("1")
    expect(figure(second, "Privacy")).to_have_text("1.00")
    # After a logout the answer is a redirect; a proxy may have a page of its own.
    for reply in (
        {"status": 302, "headers": {"Location": "/admin/login/"}},
        {"status": 400, "body": "<h1>Request line too long</h1>"},
    ):
        form.route(answers, reply_with(**reply))
        epsilon.fill("2")
        expect(gauge(form).locator("> [data-error]")).to_have_text(unreachable)
        expect(form.locator("[data-status]")).to_have_text(unreachable)
        expect(figure(second, "Privacy")).to_have_text("1.00")
        form.unroute(answers)
        epsilon.fill("1")
        expect(gauge(form).locator("> [data-error]")).to_be_hidden()
    # A late answer to an outdated request is not shown.
    late = []
    form.evaluate("window.spoken = []")
    form.route(re.compile("epsilon%3D7"), lambda route: late.append(route))
    with form.expect_request(re.compile("epsilon%3D7")):
        epsilon.fill("7")
    epsilon.fill("2")
    expect(figure(second, "Privacy")).to_have_text("2.00")
    assert late
    assert not any(map(unreachable.match, form.evaluate("window.spoken")))
    assert form.console_messages == []
