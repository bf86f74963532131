"""A respondent who always clicks the next thing, for tests of the end of a survey.

The script runs in the page, so it is written for old browsers too.
"""

from respondents.storage.invitations import Invitation
from tests.factories import make_survey

NEXT = """() => {
  const isSeen = (each) => each.getClientRects().length > 0 &&
    getComputedStyle(each).visibility === "visible";
  const seen = (selector) => Array.from(
    document.querySelectorAll(`main ${selector}`)).filter(isSeen);
  const headings = seen("h1").map((each) => each.textContent.trim());
  if (headings.includes("Thank you")) return "thanks";
  const box = seen("[type=checkbox]").find((each) => !each.checked);
  const radio = seen("[type=radio]").find((each) => {
    const group = each.closest("fieldset").querySelectorAll("[type=radio]");
    return !Array.from(group).some((one) => one.checked);
  });
  return box || radio || seen(".moves > .button:not(.quiet)")[0] || null;
}"""
"""The next thing to click; "thanks" at the end; null while there is nothing to do."""

MAX_ITERATIONS = 40

WAYS = [("browser", "link"), ("browser", "invitation"), ("server", "invitation")]
"""Modes and links that differ to a browser; the modes with a form share a script."""


def make_survey_of(mode, access):
    """Make a survey of two questions; return it, and its path for one respondent."""
    slug = f"{mode}-{access}"  # a browser remembers what it sent
    survey = make_survey(
        ["coin", "die"], slug=slug, title=f"{mode} {access}", mode=mode, access=access
    )
    path = f"/s/{slug}/"
    if survey.is_by_invitation:
        [token] = Invitation.objects.make(survey, 1)
        path += f"#{token}"
    return survey, path


def walk(page):
    """Go from the welcome to the thanks in a page of Playwright's."""
    for _ in range(MAX_ITERATIONS):
        step = page.wait_for_function(NEXT)
        element = step.as_element()
        if element is None:
            return
        element.click()
    raise AssertionError(page.inner_text("main"))
