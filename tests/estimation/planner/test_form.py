"""The panels on the form of a draft as the server writes it, before any script."""

import pytest

from surveys.models import Role
from tests.estimation.planner.asked import COIN, STRONG, planned
from tests.estimation.planner.shown import planner_in
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import page_of, posted

HALF = ("epsilon", {"epsilon": "0.5"})


@pytest.fixture
def researcher(client, db):
    client.force_login(make_user())


def shown(response):
    """What is shown; the last panel is that of a question to be added."""
    found = planner_in(response.content.decode())
    *questions, blank = found["questions"]
    assert not blank["figures"]
    return questions, found["survey"]


def test_a_stored_draft_shows_what_the_script_would_ask_for(client, researcher):
    survey = make_survey(["coin", HALF], opened=False, target=500, wanted_margin="2.5")
    questions, whole = shown(client.get(page_of(survey)))
    asked = planned(
        client,
        {**COIN, "number": 1},
        {**STRONG, "number": 2},
        respondents=500,
        margin="2.5",
    )
    assert questions == asked["questions"]
    assert whole == asked["survey"]


def test_questions_with_other_chances_have_their_own_figures(client, researcher):
    """Of 60 people all answer question 1, and some 30 each of questions 2 and 3."""
    survey = make_survey(
        ["coin"] * 3, opened=False, target=60, wanted_margin=10, draws="1 of 2, 3"
    )
    (first, second, third), whole = shown(client.get(page_of(survey)))
    # 1.96 sqrt(1/4 / 60) / (1/2), and of 30
    assert first["figures"]["Margin of error"][0].endswith("25.3 points")
    assert second["figures"]["Margin of error"][0].endswith("35.8 points")
    assert first["figures"]["People needed"][0] == "385"
    assert second["figures"]["People needed"][0] == "770"
    assert second == third
    assert whole["facts"]["Widest margin questions 2 and 3"].startswith("± 35.8")
    assert whole["facts"]["People needed for ± 10 points"] == "770"
    # As typed: the script asks about all three at once, because they are alike.
    asked = planned(
        client,
        {**COIN, "number": [1, 2, 3]},
        respondents=60,
        margin=10,
        draws="1 of 2, 3",
    )
    assert asked["questions"] == [first, second]
    assert asked["survey"] == whole


def test_a_bad_assumption_is_refused_and_no_figure_is_shown(client, researcher):
    response = client.get(page_of(make_survey(opened=False)), {"share": "200"})
    (question,), whole = shown(response)
    assert not question["figures"]
    assert whole is None
    message = "must be a number from 0 to 100, such as 10; got &#x27;200&#x27;"
    assert message in response.content.decode()


def test_what_was_typed_and_is_not_saved_keeps_its_figures(client, researcher):
    survey = make_survey(["coin", "coin", "direct"], opened=False)
    stored = list(survey.questions.all())
    refused = posted(
        {"family": "epsilon", "epsilon__epsilon": "0.5"},
        {"family": "epsilon", "epsilon__epsilon": "often"},
        {"family": "direct", "DELETE": "on"},
        stored=stored,
    )
    questions, whole = shown(client.post(page_of(survey), refused))
    assert questions[0]["figures"]["Privacy: epsilon"][0] == "0.50"
    assert questions[0]["strength"] == "strong"
    assert questions[1]["error"] == (
        "Epsilon must be a number above 0 and at most 10, such as 1; got 'often'"
    )
    assert not questions[1]["figures"]
    # About to be deleted.
    assert not questions[2]["figures"]
    assert not questions[2]["error"]
    # A total without one of its parts would be wrong.
    assert whole is None


def test_only_who_may_write_the_draft_has_a_planner(client, researcher):
    draft, opened = make_survey(opened=False), make_survey(slug="opened")
    viewer = make_user("viewer")
    draft.memberships.create(user=viewer, role=Role.VIEWER)
    assert b"data-planner" in client.get(page_of(draft)).content
    assert b"data-planner" not in client.get(page_of(opened)).content
    client.force_login(viewer)
    assert b"data-planner" not in client.get(page_of(draft)).content
