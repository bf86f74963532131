"""The landing page: for visitors without an account, with one computed example."""

import re
from fractions import Fraction

import pytest
from django.urls import reverse

from config.landing import compute_example
from respondents.collecting.headers import CONTENT_POLICY
from respondents.imports.examples import OPEN_SLUG, find_open_example, prepare
from respondents.models import close
from tests.factories import make_survey, make_user

MAX_WORDS = 160


def read_words(answer):
    """Return the visible words of a page."""
    page = answer.content.decode()
    body = re.sub(r"<(script|svg|head).*?</\1>", " ", page, flags=re.DOTALL)
    text = re.sub(r"<[^>]+>", " ", body)
    # A number and its sign are one word.
    return re.findall(r"[^ \n]+", text.replace("&nbsp;", "\N{NO-BREAK SPACE}"))


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_landing_page_is_short_and_needs_no_login_cookie_or_script(
    client, db, language
):
    answer = client.get("/", HTTP_ACCEPT_LANGUAGE=language)
    assert answer.status_code == 200
    assert not answer.cookies
    assert answer["Content-Security-Policy"] == CONTENT_POLICY
    page = answer.content.decode()
    assert "<script" not in page
    assert "style=" not in page
    assert f'href="{reverse("admin:index")}"' in page
    assert 100 < len(read_words(answer)) <= MAX_WORDS


def test_the_example_is_computed_from_the_table():
    """A coin flip turns 20 % into 1/4 + 20 % / 2 = 35 %, by hand."""
    example = compute_example()
    assert example.arrived == Fraction(35, 100)
    assert example.estimate == pytest.approx(0.2)
    # 1.96 sqrt(.35 * .65 / 1000) / .5 = 0.0591, by hand; exact intervals are wider.
    assert example.estimate - example.low == pytest.approx(0.0591, abs=0.005)
    assert example.high - example.estimate == pytest.approx(0.0591, abs=0.005)


def test_the_page_shows_the_computed_example(client, db):
    words = " ".join(" ".join(read_words(client.get("/"))).split())
    assert "1,000 scrambled answers 35 % Yes" in words
    assert "20 % copied, between 14 % and 27 %" in words
    assert "A hint, never proof" in words


def test_a_language_is_chosen_without_a_cookie(client, db):
    assert '<html lang="de"' in client.get("/?language=de").content.decode()
    german = {"HTTP_ACCEPT_LANGUAGE": "de"}
    assert '<html lang="de"' in client.get("/", **german).content.decode()
    answer = client.get("/?language=en", **german)
    assert '<html lang="en"' in answer.content.decode()
    assert '<html lang="en"' in client.get("/?language=xx").content.decode()
    assert "Accept-Language" in answer["Vary"]


def test_a_setting_redirects_the_landing_page_to_the_login(client, settings):
    settings.LANDING_PAGE = False
    answer = client.get("/")
    assert (answer.status_code, answer["Location"]) == (302, reverse("admin:index"))


def test_the_demonstration_is_offered_while_it_is_open(client, db):
    def is_offered():
        return f'href="/s/{OPEN_SLUG}/"' in client.get("/").content.decode()

    assert not is_offered()
    _filled, _scaled, empty = prepare(make_user())
    assert find_open_example() == empty
    assert is_offered()
    close(empty)
    assert not is_offered()


def test_a_survey_with_the_demonstration_address_is_not_offered(client, db):
    make_survey(slug=OPEN_SLUG)
    assert find_open_example() is None
