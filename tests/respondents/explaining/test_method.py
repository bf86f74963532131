"""The pages about the method and about what is stored: true, complete and silent."""

import hashlib
import json
import re
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.staticfiles import finders

from respondents.explaining import stored
from respondents.models import close
from tests.factories import find_thanks, make_survey, make_user
from tests.respondents.headers import check_headers
from tests.respondents.markup import Markup
from tests.sealed import make_sealed_survey

HOW, STORED = "/how-it-works/", "/what-we-store/"

pytestmark = pytest.mark.django_db


def text_of(client, address):
    return " ".join(Markup(client.get(address).content.decode()).blocks)


def columns_of_the_models():
    models = apps.get_app_config("respondents").get_models(include_auto_created=True)
    return {
        model._meta.db_table: [field.column for field in model._meta.concrete_fields]
        for model in models
    }


def test_every_stored_column_is_described(client):
    listed = {
        model._meta.db_table: dict(stored.list_columns(model))
        for model in stored.DESCRIPTIONS
    }
    assert {name: [*each] for name, each in listed.items()} == columns_of_the_models()
    html = " ".join(client.get(STORED).content.decode().split())
    for model, description in stored.DESCRIPTIONS.items():
        columns = listed[model._meta.db_table]
        assert description.columns.items() <= columns.items()
        for said in (description.purpose, description.until):
            assert said in html
        for column, sentence in columns.items():
            assert f"<code>{column}</code> </dt> <dd> {sentence} </dd>" in html


def test_the_what_we_store_page_has_at_most_400_words(client):
    markup = Markup(client.get(STORED).content.decode())
    (page,) = re.findall(r"<main.*?</main>", markup.html, re.DOTALL)
    words = re.sub(r"<[^>]+>", " ", page).split()
    assert len(words) <= 400


def test_the_method_page_limits_its_promises_to_the_example(client):
    """Surveys that scramble nothing, or on the server, lead here too."""
    said = text_of(client, HOW)
    example = said.index("This example uses two coins.")
    assert example < said.index("Your real answer stays on your phone")
    assert "your answer is scrambled" not in said[:example]


def test_the_numbers_follow_from_two_coins(client):
    # Dwork & Roth 2014, section 3.2: 3/4 and 1/4. (40 - 25) / (75 - 25) = 3/10.
    said = text_of(client, HOW)
    for sentence in (
        "Of 100 people whose answer is Yes, about 75 arrive as Yes and 25 as No.",
        "Of 100 scrambled answers, 40 are Yes.",
        "If no one meant Yes, about 25 would arrive. If everybody did, about 75.",
        "So about 30 of 100 people meant Yes.",
        "With two coins it is 3 to 1.",
    ):
        assert sentence in said


def test_printed_hashes_match_the_scripts_of_survey_pages(client):
    first, second = {"shuffle_choices": True}, {"show_if": "1 is Yes"}
    make_sealed_survey(
        [first, second, "coin", "coin"], access="invitation", draws="1 of 3-4"
    )
    html = client.get(HOW).content.decode()
    survey = client.get("/s/study-habits/").content.decode()
    printed = dict(
        re.findall(
            r"js/collecting/(\w+\.js)\">.*?<code>([0-9a-f]{64})</code>", html, re.DOTALL
        )
    )
    # That of languages is loaded where a survey has several.
    loaded = {*re.findall(r"js/collecting/(\w+\.js)", survey), "language.js"}
    assert set(printed) == loaded
    for name, digest in printed.items():
        script = Path(finders.find(f"js/collecting/{name}")).read_bytes()
        assert hashlib.sha256(script).hexdigest() == digest
    assert printed["randomise.js"] in survey


def test_the_coin_trial_uses_the_table_of_the_page(client):
    html = client.get(HOW).content.decode()
    found = re.search(r'<script id="tables"[^>]*>(.*?)</script>', html)
    assert json.loads(found[1])["tables"] == [{"weights": [[3, 1], [1, 3]]}]


@pytest.mark.parametrize("address", [HOW, STORED])
def test_explanation_pages_are_public_and_set_no_cookie(client, address):
    client.force_login(make_user())
    answer = client.get(address, secure=True)
    assert answer.status_code == 200
    check_headers(answer)
    assert "Cookie" not in answer.get("Vary", "")
    assert client.post(address).status_code == 405


@pytest.mark.parametrize("address", [HOW, STORED])
def test_explanation_pages_make_no_queries(client, address, django_assert_num_queries):
    with django_assert_num_queries(0):
        client.get(address)


def links_of(html):
    return [address for address in (HOW, STORED) if f'href="{address}' in html]


@pytest.mark.parametrize("mode", ["browser", "server", "hand"])
def test_every_survey_page_links_to_explanations_in_its_language(client, mode):
    survey = make_survey(mode=mode, language="de")
    pages = ["", "card/"] if mode == "hand" else [""]
    found = [client.get(f"/s/study-habits/{page}") for page in pages]
    found += [client.get(find_thanks(survey))] if mode != "browser" else []
    close(survey)
    found.append(client.get("/s/study-habits/"))
    for answer in found:
        html = answer.content.decode()
        assert links_of(html) == [HOW, STORED]
        assert html.count("?language=de") >= 2
