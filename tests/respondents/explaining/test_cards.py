"""Cards to print for surveys that are scrambled by hand."""

import re

import pytest

from respondents.explaining.cards import cards_of
from respondents.models import close
from surveys.mechanisms import families
from surveys.mechanisms.by_hand import Device, Instruction
from surveys.words.by_hand import devices_of, what_must_be_fair
from surveys.words.tables import instruction_steps
from tests.factories import make_survey
from tests.respondents.markup import Markup
from tests.surveys.tables import build_example, make_design

URL = "/s/study-habits/card/"

WITH = {
    "coin": "a fair coin",
    "die": "a fair die",
    "warner": "well shuffled cards",
    "forced_response": "a fair die",
    "kuk": "well shuffled cards",
    "crosswise": "a harmless question whose answer nobody else knows",
    "unrelated_question": "a fair die and a harmless question whose answer nobody else "
    "knows",
}
"""On what the epsilon of each example depends, read off docs/mechanisms/."""


def design_of(*names):
    return make_design(*map(build_example, names), mode="hand")


@pytest.mark.parametrize("name", families())
def test_a_family_has_a_card_where_it_has_steps(name):
    (question,) = design_of(name).questions
    steps = instruction_steps(question)
    assert bool(devices_of(question)) == bool(steps)
    if steps:
        (card,) = cards_of(design_of(name))
        assert card.steps == steps
        assert card.fair == what_must_be_fair([question])


@pytest.mark.parametrize("name", WITH)
def test_what_must_be_fair_is_named(name):
    assert what_must_be_fair(design_of(name).questions) == WITH[name]


def test_a_family_that_takes_something_else_is_not_called_unfair(monkeypatch):
    spinner = Instruction(Device.ANY, ("Spin a coin.",))
    monkeypatch.setattr(type(families()["coin"]), "by_hand", lambda self: spinner)
    (question,) = design_of("coin").questions
    assert devices_of(question) == [Device.ANY]
    assert what_must_be_fair([question]) == "a fair coin, die or pack of cards"


def test_questions_that_are_carried_out_alike_share_a_card():
    cards = cards_of(design_of("coin", "die", "coin"))
    assert [card.words.title for card in cards] == ["Questions 1 and 3", "Question 2"]
    assert [card.text for card in cards] == ["", "Question 2?"]


def test_a_card_with_a_harmless_question_is_for_one_question():
    """Its steps speak of "the question above"."""
    cards = cards_of(design_of("crosswise", "crosswise"))
    assert [card.text for card in cards] == ["Question 1?", "Question 2?"]


@pytest.fixture
def survey(db):
    return make_survey(["coin", "die"], mode="hand")


def test_the_page_prints_steps_odds_and_epsilon(client, survey):
    html = client.get(URL).content.decode()
    said = " ".join(Markup(html).blocks)
    assert html.count("<article") == 2
    for sentence in (
        "Toss a coin twice where nobody else can see it.",
        "Roll a die where nobody else can see it.",
        "Of 100 people whose answer is Yes, about 75 arrive as Yes and 25 as No.",
        "ε = 1.10, with a fair coin",
        "ε = 0.70, with a fair die",
        "Enter only what the steps say.",
    ):
        assert sentence in said


def test_nothing_on_it_can_be_filled_in(client, survey):
    markup = Markup(client.get(URL).content.decode())
    assert [each["tag"] for each in markup.inputs] == ["button"]
    assert not re.search("<form|<input", markup.html)


@pytest.mark.parametrize(
    ("asked", "style"),
    [("", "a4"), ("?paper=a4", "a4"), ("?paper=a6", "a6"), ("?paper=b", "a4")],
)
def test_the_paper_can_be_chosen(client, survey, asked, style):
    assert f"css/paper-{style}.css" in client.get(URL + asked).content.decode()


def test_the_survey_leads_to_its_cards_and_back(client, survey):
    assert f'href="{URL}"' in client.get("/s/study-habits/").content.decode()
    assert 'href="/s/study-habits/"' in client.get(URL).content.decode()


@pytest.mark.parametrize("mode", ["browser", "server"])
def test_surveys_that_need_no_cards_have_none(client, db, mode):
    make_survey(mode=mode)
    assert client.get(URL).status_code == 404
    assert "/card/" not in client.get("/s/study-habits/").content.decode()


def test_a_draft_a_closed_and_an_unknown_survey_have_none(client, survey):
    close(survey)
    make_survey(opened=False, slug="draft", mode="hand")
    assert client.get(URL).status_code == 410
    assert client.get("/s/draft/card/").status_code == 404
    assert client.get("/s/other/card/").status_code == 404


def test_the_plain_form_names_what_its_epsilon_depends_on(client, survey):
    said = " ".join(Markup(client.get("/s/study-habits/").content.decode()).blocks)
    assert "Privacy loss of one report: ε = 1.10, with a fair coin." in said
    assert "Privacy loss of one report: ε = 0.70, with a fair die." in said
