"""What researchers wrote in Markdown, on the pages of respondents."""

from dataclasses import replace

import pytest

from respondents.collecting import pages
from tests.respondents.markup import Markup
from tests.surveys.tables import build_example, make_design
from tests.surveys.test_markdown import HOSTILE

PAGES = {
    "browser": "collecting/journey",
    "server": "collecting/plain",
    "hand": "collecting/plain",
}


def page_of(mode, **texts):
    design = replace(make_design(build_example("coin"), mode=mode), **texts)
    design = replace(design, language="en", slug="study-habits", title="Study habits")
    return pages.render_survey(PAGES[mode], design, is_simulated=False)


def headings(html):
    blocks = html.replace("<h1", "|<h1").replace("<h2", "|<h2").replace("<h3", "|<h3")
    return [block[:3] for block in blocks.split("|")[1:]]


@pytest.mark.parametrize("mode", PAGES)
def test_hostile_texts_add_no_elements_inputs_or_scripts(mode):
    hostile = "\n\n".join(HOSTILE)
    # Compared with a page whose texts are plain: everything else is the same.
    quiet, loud = (page_of(mode, purpose=text, consent=text) for text in ("a", hostile))
    assert Markup(loud).inline == Markup(quiet).inline == []
    assert Markup(loud).inputs == Markup(quiet).inputs
    assert loud.count("<script") == quiet.count("<script")
    assert loud.count("<img") == quiet.count("<img")
    added = set(Markup(loud).addresses) - set(Markup(quiet).addresses)
    assert all(address.startswith("https://example.org") for address in added)


@pytest.mark.parametrize("mode", PAGES)
def test_headings_in_texts_do_not_change_the_page_outline(mode):
    text = "# One\n\n#### Four\n\nTwo\n---"
    html = page_of(mode, purpose=text, consent=text)
    assert headings(html) == headings(page_of(mode))
    assert html.count("<strong>Four</strong>") == 2
