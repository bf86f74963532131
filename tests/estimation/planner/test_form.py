"""The panels on a draft's form, rendered by the server."""

from surveys.models import Role
from tests.estimation.planner.asked import COIN, STRONG, figures_of, planned
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import page_of, posted

HALF = ("epsilon", {"epsilon": "0.5"})


def shown(response):
    """Return the planner on the page."""
    return response.context["planner"]


def test_a_stored_draft_shows_the_same_figures_as_the_script(client, researcher):
    survey = make_survey(["coin", HALF], opened=False, target=500, wanted_margin="2.5")
    found = shown(client.get(page_of(survey)))
    typed = {**COIN, "number": 1}, {**STRONG, "number": 2}
    asked = planned(*typed, respondents=500, margin="2.5")
    assert (found.questions, found.survey) == (asked.questions, asked.survey)


def test_drawn_questions_have_their_own_figures(client, researcher):
    """All 60 people answer question 1; about 30 each answer questions 2 and 3."""
    survey = make_survey(
        ["coin"] * 3, opened=False, target=60, wanted_margin=10, draws="1 of 2, 3"
    )
    found = shown(client.get(page_of(survey)))
    first, second = map(figures_of, found.questions)
    # 1.96 sqrt(1/4 / 60) / (1/2), and of 30
    assert first["Margin of error"].endswith("25.3 points")
    assert second["Margin of error"].endswith("35.8 points")
    assert (first["People needed"], second["People needed"]) == ("385 ", "770 ")
    widest, needed, _planned = found.survey.facts
    assert (widest.note, needed.number) == ("questions 2 and 3", "770")
    # The script asks about all three equal questions at once.
    same = {**COIN, "number": [1, 2, 3]}
    asked = planned(same, respondents=60, margin=10, draws="1 of 2, 3")
    assert (found.questions, found.survey) == (asked.questions, asked.survey)


def test_a_bad_assumption_is_refused_and_no_figure_is_shown(client, researcher):
    response = client.get(page_of(make_survey(opened=False)), {"share": "200"})
    found = shown(response)
    assert (found.questions, found.survey) == ([], None)
    message = "must be a number from 0 to 100, such as 10; got &#x27;200&#x27;"
    assert message in response.content.decode()


def test_unsaved_input_keeps_its_figures(client, researcher):
    survey = make_survey(["coin", "coin", "direct"], opened=False)
    stored = list(survey.questions.all())
    refused = posted(
        {"family": "epsilon", "epsilon__epsilon": "0.5"},
        {"family": "epsilon", "epsilon__epsilon": "often"},
        # Marked for deletion.
        {"family": "direct", "DELETE": "on"},
        stored=stored,
    )
    found = shown(client.post(page_of(survey), refused))
    (panel,) = found.questions
    assert (panel.table.numbers, panel.table.epsilon) == ((1,), "0.50")
    (error,) = found.refused
    assert error.numbers == (2,)
    assert error.message == (
        "Epsilon must be a number above 0 and at most 10, such as 1; got 'often'"
    )
    # A total without one of its parts would be wrong.
    assert found.survey is None


def test_only_editors_of_a_draft_see_the_planner(client, researcher):
    draft, opened = make_survey(opened=False), make_survey(slug="opened")
    viewer = make_user("viewer")
    draft.memberships.create(user=viewer, role=Role.VIEWER)
    assert b"data-planner" in client.get(page_of(draft)).content
    assert b"data-planner" not in client.get(page_of(opened)).content
    client.force_login(viewer)
    assert b"data-planner" not in client.get(page_of(draft)).content
