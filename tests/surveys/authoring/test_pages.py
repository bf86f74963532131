"""Every page about a survey is told the same things, by the same names."""

import pytest
from django.urls import reverse

from config.site import PAGES
from respondents.models import close
from surveys.models import Membership, Role
from tests.factories import make_survey, make_user

pytestmark = pytest.mark.django_db

OF_A_SURVEY = [
    *(
        f"admin:{page.name}"
        for page in PAGES["surveys/survey/<int:survey_id>/"]
        if "<" not in str(page.pattern)
    ),
    *(f"admin:surveys_survey_{name}" for name in ("change", "history", "delete")),
]

STATES = {
    "draft": lambda: make_survey(["coin", "coin"], opened=False),
    "open": lambda: make_survey(["coin", "coin"]),
    "closed": lambda: closed(make_survey(["coin", "coin"])),
}


def closed(survey):
    close(survey)
    return survey


@pytest.mark.parametrize("state", STATES)
def test_the_pages_of_a_survey_share_their_names(client, state):
    survey, editor = STATES[state](), make_user("editor")
    Membership.objects.create(survey=survey, user=editor, role=Role.EDITOR)
    for user, role in ((survey.owner, Role.OWNER), (editor, Role.EDITOR)):
        client.force_login(user)
        answers = {
            name: client.get(reverse(name, args=[survey.pk])) for name in OF_A_SURVEY
        }
        shown = {
            name: answer.context_data
            for name, answer in answers.items()
            if answer.status_code == 200 and hasattr(answer, "context_data")
        }
        assert len(shown) > 3
        for name, context in shown.items():
            assert context["survey"] == survey, name
            assert context["title"], name
            assert "subtitle" in context, name
            assert context["role"] is role, name
            assert context["can_edit"], name
            assert context["is_owner"] is (role is Role.OWNER), name


def test_the_pages_of_no_survey_know_them_too(client):
    client.force_login(make_user())
    for page in PAGES["surveys/"]:
        answer = client.get(reverse(f"admin:{page.name}"))
        if hasattr(answer, "context_data"):
            names = {"survey", "title", "subtitle", "role", "can_edit", "is_owner"}
            assert names <= set(answer.context_data), page.name
            assert answer.context_data["title"], page.name
            assert answer.context_data["survey"] is None, page.name
