"""Browsers that people still have: Chromium, without what the floor lacks."""

import json
import re

import pytest
from playwright.sync_api import Error, expect

from respondents.models import Response
from tests.browser.floor.newer import GLOBALS, PROTOTYPES, SELECTORS, STATICS
from tests.browser.steps import NEXT, WAYS, make_survey_of, walk
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

TOO_OLD = re.compile("use a newer browser")

# Names go from the objects themselves: anyone who asks for one finds nothing, and a
# selector of later days is a mistake. Only the page's own world grows old; Playwright
# has one of its own.
REMOVE_NEWER_FEATURES = """([prototypes, statics, globals, selectors]) => {
  const newer = new RegExp(selectors);
  const take = (owner, names) => {
    for (const name of names.split(" ")) if (owner) delete owner[name];
  };
  for (const name in prototypes) {
    take(window[name] && window[name].prototype, prototypes[name]);
  }
  for (const name in statics) take(window[name], statics[name]);
  take(window, globals);
  for (const kind of [Document, DocumentFragment, Element]) {
    for (const name of ["querySelector", "querySelectorAll", "matches", "closest"]) {
      const own = kind.prototype[name];
      if (own) kind.prototype[name] = function (selector) {
        if (newer.test(selector)) throw new DOMException(selector, "SyntaxError");
        return own.call(this, selector);
      };
    }
  }
}"""


def lists():
    return [PROTOTYPES, STATICS, GLOBALS, SELECTORS]


def without_newer_rules(route):
    """Make newer selectors of a style sheet invalid, which drops their rules."""
    answer = route.fetch()
    sheet = re.sub(
        SELECTORS, lambda found: f":of-later-days-{found[0].strip(':')}", answer.text()
    )
    route.fulfill(response=answer, body=sheet)


@pytest.fixture
def old(page):
    """A page of an old browser, and the errors of its scripts."""
    page.add_init_script(f"({REMOVE_NEWER_FEATURES})({json.dumps(lists())})")
    page.route("**/*.css", without_newer_rules)
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    yield page
    # A style sheet may still be loading when a test ends.
    page.unroute_all(behavior="ignoreErrors")


def test_the_simulated_old_browser_lacks_newer_features(old, site):
    make_survey()
    old.goto(f"{site.url}/s/study-habits/")
    for newer in ("querySelector('a:has(b)')", "body.matches(':is(b)')"):
        with pytest.raises(Error, match="SyntaxError"):
            old.evaluate(f"(0, eval)({json.dumps(f'document.{newer}')})")
    left = old.evaluate(
        """([prototypes, statics, globals]) => [
          ...Object.entries(prototypes).map(([name, names]) =>
            [name, window[name] && window[name].prototype, names]),
          ...Object.entries(statics).map(([name, names]) =>
            [name, window[name], names]),
          ["window", window, globals],
        ].flatMap(([name, owner, names]) => names.split(" ")
          .filter((each) => owner && Object.getOwnPropertyNames(owner).includes(each))
          .map((each) => `${name}.${each}`))""",
        lists()[:3],
    )
    assert left == []


@pytest.mark.parametrize(("mode", "access"), WAYS)
def test_an_old_browser_completes_the_survey(old, site, mode, access):
    survey, path = make_survey_of(mode, access)
    old.goto(site.url + path)
    if (mode, access) == WAYS[0]:
        expect(old.locator("[data-start]")).to_be_visible()
        expect(old.get_by_text(TOO_OLD)).to_be_hidden()
        while not old.locator("[type=radio]:visible").count():
            old.wait_for_function(NEXT).as_element().click()
        check_choices(old)
    walk(old)
    assert old.errors == []
    [response] = Response.objects.filter(survey=survey)
    assert len(bytes(response.pattern)) == 2


def check_choices(old):
    """Each radio button is native, and large enough for a thumb."""
    for choice in old.locator(".choice:has([type=radio]):visible").all():
        box, radio = choice.bounding_box(), choice.locator("input").bounding_box()
        assert box["height"] >= 44
        assert radio["width"] >= 24
        assert radio["height"] >= 24
        choice.locator("input").check()
        expect(choice.locator("input")).to_be_checked()
        style = choice.locator("input").evaluate(
            "(one) => [getComputedStyle(one).opacity, getComputedStyle(one).appearance]"
        )
        assert style in (["1", "auto"], ["1", "radio"])


def test_an_unsupported_browser_gets_a_notice_and_no_questions(old, site):
    """Newer syntax keeps the whole module from running."""
    make_survey()
    old.route(
        "**/respond.js",
        lambda route: route.fulfill(
            content_type="text/javascript", body="const a = b ?:? c;"
        ),
    )
    old.goto(f"{site.url}/s/study-habits/")
    # The notice appears after some seconds.
    expect(old.get_by_text(TOO_OLD)).to_be_visible()
    expect(old.locator("[data-start]")).to_be_hidden()
    expect(old.locator("[type=radio]:visible")).to_have_count(0)
