"""Steps in tests of the authoring form."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import log_in

SAVED = re.compile(r"^Saved at \d\d:\d\d\.$")
SAVE_SECONDS = 2
"""Longer than the scripts wait after a change before they save the draft."""

SHOW_ALL_STEPS = """addEventListener("DOMContentLoaded", () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".step { display: block !important }");
  document.adoptedStyleSheets.push(sheet);
})"""


def show_all_steps(context):
    context.add_init_script(SHOW_ALL_STEPS)
    return context


def open_home(page, site, user):
    """Show the page that a researcher sees after the login."""
    log_in(page, site, user)
    page.goto(f"{site.url}/admin/")


def new_survey(page, site, user):
    """Show the form of a new survey, with its scripts."""
    log_in(page, site, user)
    page.goto(f"{site.url}/admin/surveys/survey/add/")
    page.wait_for_load_state()


def open_draft(page, site, survey, user=None, at=""):
    """Show the form of a draft to its owner, or to another user, with its scripts."""
    log_in(page, site, user or survey.owner)
    page.goto(f"{site.url}/admin/surveys/survey/{survey.pk}/change/{at}")
    page.wait_for_load_state()


def state_of(page):
    """Return the part of the form that shows whether it is saved."""
    return page.locator("[data-saved]")


def pass_time(page, seconds=SAVE_SECONDS):
    """Advance the page's clock, which the fixture `clock` installs."""
    page.clock.run_for(1000 * seconds)


def expect_saved(page):
    pass_time(page)
    expect(state_of(page)).to_have_text(SAVED)


def has_focus(target):
    return target.evaluate("element => element === document.activeElement")


def show_questions(page):
    if page.locator("#questions:not([data-shown])").count():
        page.locator('.steps a[href="#questions"]').click()


def question(page, number):
    show_questions(page)
    return page.locator(f"#questions-{number - 1}")


def opened(card):
    """Open `card`, which folds the others, and return it."""
    show_questions(card.page)
    fold = card.locator("[data-fold]")
    if fold.get_attribute("aria-expanded") == "false":
        fold.click()
    return card


def reveal(target):
    """Return `target` after showing its step and opening every fold around it."""
    step = target.evaluate("element => element.closest('[data-step]')?.id")
    if step:
        target.page.locator(f'.steps a[href="#{step}"]').click()
    folds = target.locator("xpath=ancestor::details[not(@open)]/summary")
    for _place in range(folds.count()):
        folds.nth(0).click()
    return target


def open_more(card):
    """Open the part "More" of a card and return it."""
    more = opened(card).locator("details[data-more]")
    if more.get_attribute("open") is None:
        more.locator("> summary").click()
    return more


def choose_kind(card, label):
    opened(card).get_by_label("Kind", exact=True).select_option(label=label)


def check_before_opening(page):
    """Save the draft and show the page that opens the survey."""
    page.locator('.steps a[href="#check"]').click()
    page.get_by_role("button", name="Check and open").click()


def choose_design(card, **option):
    """Choose a mechanism; `option` is that of `select_option`."""
    more = open_more(card).get_by_role("button", name="Other mechanisms")
    if more.get_attribute("aria-expanded") == "false":
        more.click()
    card.get_by_label("Mechanism").select_option(**option)


# Transparent outlines appear only with forced colours.
HAS_FOCUS = """element => {
  const focused = document.activeElement;
  const isRinged = (each) => {
    const {boxShadow, outlineStyle, outlineColor} = getComputedStyle(each);
    const isSeen = outlineStyle !== "none" && !outlineColor.endsWith(", 0)");
    return boxShadow !== "none" || isSeen;
  };
  const isPage = ["BODY", "MAIN", "HTML"].includes(focused.nodeName);
  // The browser draws its own outline for the button of a date input.
  const isPart = !focused.matches(":focus");
  const isSeen = isPage || isPart || isRinged(focused);
  return [focused === element, isSeen, isSeen ? "" : focused.outerHTML];
}"""


def tab_to(page, target, key="Tab"):
    """Press Tab until `target` has the focus, which is visible at each step."""
    element = target.element_handle()  # finding labels and roles is slow
    for _press in range(200):
        is_there, is_seen, where = element.evaluate(HAS_FOCUS)
        assert is_seen, where
        if is_there:
            return
        page.keyboard.press(key)
    pytest.fail(f"Tab never reaches {target}")
