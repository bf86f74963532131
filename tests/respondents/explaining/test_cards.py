"""Cards to print for surveys that are scrambled by hand."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from candor.mechanisms import load_families
from respondents.explaining import cards
from respondents.explaining.cards import make_cards
from respondents.models import close
from surveys.text.by_hand import describe_steps, find_devices, list_fair_devices
from tests.factories import make_survey
from tests.respondents.codes import expected_modules, modules_of_svg
from tests.respondents.markup import Markup
from tests.surveys.tables import build_example, make_design

SURVEY = "/s/study-habits/"
URL = f"{SURVEY}card/"

WITH = {
    "coin": "a fair coin",
    "die": "a fair die",
    "warner": "well shuffled cards",
    "forced_response": "a fair die",
    "kuk": "well shuffled cards",
    "crosswise": "a harmless question whose answer no one else knows",
    "unrelated_question": "a fair die and a harmless question whose answer no one else "
    "knows",
}
"""On what the epsilon of each example depends, read off docs/reference/mechanisms/."""


def design_of(*names):
    return make_design(*map(build_example, names), mode="hand")


@pytest.mark.parametrize("name", load_families())
def test_a_family_has_a_card_where_it_has_steps(name):
    (question,) = design_of(name).questions
    steps = describe_steps(question)
    assert bool(find_devices(question)) == bool(steps)
    if steps:
        (card,) = make_cards(design_of(name))
        assert card.steps == steps
        assert card.fair == list_fair_devices([question])


@pytest.mark.parametrize("name", WITH)
def test_devices_that_must_be_fair_are_listed(name):
    assert list_fair_devices(design_of(name).questions) == WITH[name]


def test_questions_with_the_same_steps_share_a_card():
    made = make_cards(design_of("coin", "die", "coin"))
    assert [card.table.title for card in made] == ["Questions 1 and 3", "Question 2"]
    assert [card.text for card in made] == ["", "Question 2?"]


def test_questions_with_a_harmless_question_have_separate_cards():
    """Its steps speak of "the survey's question"."""
    made = make_cards(design_of("crosswise", "crosswise"))
    assert [card.text for card in made] == ["Question 1?", "Question 2?"]


@pytest.fixture
def survey(db):
    return make_survey(["coin", "die"], mode="hand")


def test_the_page_prints_steps_and_odds_and_no_epsilon(client, survey):
    html = client.get(URL).content.decode()
    said = " ".join(Markup(html).blocks)
    assert html.count("<article") == 2
    for sentence in (
        "Toss a coin twice. What does it say? Keep it to yourself.",
        "Roll a die. What does it say? Keep it to yourself.",
        "Of 100 people whose answer is Yes, about 75 arrive as Yes and 25 as No.",
        "The chances hold with a fair coin.",
        "The chances hold with a fair die.",
        "Enter only what the steps say.",
    ):
        assert sentence in said
    assert "ε" not in said
    assert "epsilon" not in said.lower()


@pytest.mark.parametrize("name", [*WITH, "direct"])
def test_a_card_names_only_the_devices_that_it_needs(name):
    design = replace(design_of(name), slug="study-habits", language="en")
    page = cards.render_sheet(design, "a4", address=f"https://x.example{SURVEY}")
    on_cards = page[page.index('<div class="sheet">') :]
    said = " ".join(Markup(on_cards).blocks).lower()
    needed = WITH.get(name, "").replace("well shuffled ", "")
    for device in ("coin", "die", "cards"):
        is_named = re.search(rf"\b{device}\b", said) is not None
        assert is_named == (device in needed.split()), device


def test_a_card_says_where_to_enter_the_outcome(client, survey):
    page = client.get(URL).content.decode()
    typed = "http://testserver/<wbr>s/<wbr>study-habits<wbr>"
    assert page.count(f'<code dir="ltr">{typed}</code>') == 2
    assert page.count(f'<img src="{URL}code.svg"') == 2
    code = client.get(f"{URL}code.svg")
    assert (code.status_code, code["Content-Type"]) == (200, "image/svg+xml")
    assert modules_of_svg(code.content) == expected_modules(
        f"http://testserver{SURVEY}"
    )


def test_cards_for_one_time_links_name_no_general_address(client, db):
    make_survey(mode="hand", access="invitation")
    page = client.get(URL).content.decode()
    assert "Enter it on the page that your own link opens." in page
    assert "code.svg" not in page
    assert "testserver" not in page
    assert client.get(f"{URL}code.svg").status_code == 404


def test_cards_contain_no_input_fields(client, survey):
    markup = Markup(client.get(URL).content.decode())
    assert [each["tag"] for each in markup.inputs] == ["button"]
    assert not re.search("<form|<input", markup.html)


MIN_MARGIN_MM = 10
"""Millimetres: printers of offices and homes leave 3 to 7 mm of every edge white."""


@pytest.mark.parametrize("paper", cards.PAPERS)
def test_every_paper_keeps_the_margins_that_printers_need(client, survey, paper):
    page = client.get(f"{URL}?paper={paper}").content.decode()
    margins = []
    for name in re.findall(r'href="/static/([^"]+\.css)"', page):
        style = Path(finders.find(name)).read_text()
        margins += re.findall(r"@page \{[^}]*margin: (\d+)mm;", style)
    assert [int(margin) >= MIN_MARGIN_MM for margin in margins] == [True]


@pytest.mark.parametrize("mode", ["browser", "server"])
def test_surveys_not_answered_by_hand_have_no_cards(client, db, mode):
    make_survey(mode=mode)
    assert client.get(URL).status_code == 404
    assert "/card/" not in client.get("/s/study-habits/").content.decode()


def test_draft_closed_and_unknown_surveys_have_no_cards(client, survey):
    close(survey)
    make_survey(opened=False, slug="draft", mode="hand")
    assert client.get(URL).status_code == 410
    assert client.get("/s/draft/card/").status_code == 404
    assert client.get("/s/other/card/").status_code == 404


def test_cards_show_the_host_of_the_request(client, survey, settings):
    settings.ALLOWED_HOSTS = ["one.example", "two.example"]
    for host in settings.ALLOWED_HOSTS:
        page = client.get(URL, headers={"host": host}).content.decode()
        assert f"http://{host}/<wbr>s/<wbr>study-habits<" in page
