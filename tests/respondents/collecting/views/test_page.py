"""The page of a survey: its state, its headers, and what it must not contain."""

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.db import OperationalError

from candor.mechanisms import load_families
from respondents.collecting import views
from respondents.models import close
from tests.factories import make_survey
from tests.respondents.headers import check_headers
from tests.respondents.markup import Markup

URL = "/s/study-habits/"

FIRST_PAGE_BYTES = 19_000
"""The limit for all that a first visit loads, compressed, for a small survey."""

MAX_FIRST_PAGE_BYTES = 30_000
"""The same, for one with questions of every family."""

SCRIPT_BYTES = 9_216

OWN_ADDRESS = r"^(/static/|/s/|/how-it-works/|/what-we-store/|/leave/$|https://www\.wikipedia\.org/$|#)"


@pytest.fixture
def survey(db):
    return make_survey(["coin"] * 6)


def page(client, url=URL):
    return client.get(url).content.decode()


def data_of(html):
    found = re.search(
        r'<script id="survey" type="application/json">(.*?)</script>', html
    )
    return json.loads(found[1])


def test_the_script_gets_the_tables_as_they_are_stored(client, db):
    survey = make_survey(["coin", "direct", "coin"])
    data = data_of(page(client))
    assert data["design"] == survey.design_digest
    assert data["questions"] == [0, 1, 0]
    assert [table["weights"] for table in data["tables"]] == [
        [[3, 1], [1, 3]],
        [[1, 0], [0, 1]],
    ]


def test_it_costs_one_query(framework, survey, django_assert_num_queries):
    framework.get(URL)
    with django_assert_num_queries(1):
        framework.get(URL)


def test_every_respondent_gets_the_same_bytes(client, survey):
    assert client.get(URL).content == client.get(URL).content
    compressed = client.get(URL, headers={"Accept-Encoding": "gzip"})
    assert compressed["Content-Encoding"] == "gzip"
    assert gzip.decompress(compressed.content) == client.get(URL).content


def test_an_unknown_survey_and_a_draft_look_the_same(client, db):
    make_survey(opened=False, slug="draft")
    draft, unknown = client.get("/s/draft/"), client.get("/s/other/")
    assert (draft.status_code, unknown.status_code) == (404, 404)
    assert draft.content == unknown.content
    assert "We cannot find this survey" in draft.content.decode()


@pytest.mark.parametrize("mode", ["browser", "server", "hand"])
def test_unprotected_questions_are_marked_on_both_screens(client, db, mode):
    mark = "Not scrambled: we "
    make_survey(("coin", "direct"), mode=mode)
    page = client.get(URL).content.decode()
    assert page.count(mark) == 2
    check = "Check what you entered" if mode == "hand" else "Check your answers"
    assert mark in page[page.index(check) :]
    # Anyone who reads on from the question comes by it before the choices.
    asked = page[page.index("Sensitive question 2?") : page.index(check)]
    assert 0 < asked.index(mark) < asked.index('type="radio"')


def test_mode_browser_takes_no_form(client, survey):
    answer = client.post(URL, {"q1": "0"})
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")


def test_no_input_of_mode_browser_can_be_posted(client, survey):
    markup = Markup(page(client))
    assert markup.html.count('type="radio"') == 12
    assert "<form" not in markup.html
    assert all("name" not in each for each in markup.inputs)
    boxes = [each for each in markup.inputs if each["tag"] == "input"]
    assert all(each["autocomplete"] == "off" for each in boxes)


def test_pages_have_no_inline_code_and_no_external_resources(client, db):
    for mode in ("browser", "server", "hand"):
        make_survey(slug=mode, mode=mode)
        markup = Markup(page(client, f"/s/{mode}/"))
        assert markup.inline == []
        for address in markup.addresses:
            assert re.match(OWN_ADDRESS, address), address


@pytest.mark.parametrize("slug", ["study-habits", "other", "closed"])
def test_every_page_carries_the_headers(client, survey, slug):
    close(make_survey(slug="closed"))
    check_headers(client.get(f"/s/{slug}/", secure=True))


def test_the_digest_can_be_computed_from_the_published_design(client, survey):
    served = client.get(URL + "design/")
    assert hashlib.sha256(served.content).hexdigest() == survey.design_digest
    assert served.json()["questions"][0]["table"]["weights"] == [[3, 1], [1, 3]]
    assert served.headers["Content-Type"] == "application/json"
    assert served.headers["Cache-Control"] == "no-store"
    assert not served.cookies
    close(survey)
    assert client.get(URL + "design/").content == served.content
    assert client.post(URL + "design/").status_code == 405


def test_the_design_of_a_draft_or_in_an_outage_is_not_served(
    client, survey, monkeypatch
):
    make_survey(opened=False, slug="draft")
    assert client.get("/s/draft/design/").status_code == 404
    assert client.get("/s/nothing/design/").status_code == 404

    def fail(slug):
        raise OperationalError

    monkeypatch.setattr(views, "find_survey", fail)
    assert client.get(URL + "design/").status_code == 503


def test_the_first_page_is_small(client, survey):
    assert count_first_bytes(client, URL) < FIRST_PAGE_BYTES
    examples = [
        (name, {each.name: each.example for each in family.parameters})
        for name, family in load_families().items()
        if not family.is_one_sided
    ]
    make_survey([*examples, ("k_ary", {"epsilon": "1", "choices": "9"})], slug="large")
    assert count_first_bytes(client, "/s/large/") < MAX_FIRST_PAGE_BYTES


def count_first_bytes(client, url):
    answer = client.get(url, headers={"Accept-Encoding": "gzip"})
    markup = Markup(page(client, url))
    static = {
        address.removeprefix("/static/")
        for address in [*markup.addresses, "/static/js/collecting/practise.js"]
        if address.startswith("/static/")
    }
    assert {
        "js/collecting/respond.js",
        "js/collecting/randomise.js",
        "css/respondents.css",
    } <= static
    files = [Path(finders.find(name)).read_bytes() for name in static]
    # WhiteNoise hands out the compressed copies that collectstatic makes.
    on_the_line = sum(len(gzip.compress(content)) for content in files)
    return on_the_line + len(answer.content)


def test_the_scripts_are_small_without_compression():
    folder = Path(settings.BASE_DIR) / "static" / "js" / "collecting"
    names = ("respond.js", "randomise.js")
    assert sum((folder / name).stat().st_size for name in names) < SCRIPT_BYTES
