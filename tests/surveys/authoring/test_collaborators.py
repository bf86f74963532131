"""Who works on a survey: added, changed, removed, handed over."""

import pytest

from surveys.models import Membership, Role, find_role
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import page_of, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey():
    return make_survey(opened=False)


@pytest.fixture
def people(client, survey):
    client.force_login(survey.owner)
    return page_of(survey, "people")


def post(client, address, action, username, **fields):
    sent = {"action": action, "username": username, **fields}
    return client.post(address, sent, follow=True)


def roles(survey):
    return {each.user.username: each.role for each in survey.memberships.all()}


@pytest.mark.parametrize(
    ("action", "before", "given", "message"),
    [
        ("add", None, "editor", "is an editor now."),
        ("change", "editor", "viewer", "is a viewer now."),
        ("remove", "editor", None, "no longer has a role."),
    ],
)
def test_a_role_is_given_changed_and_taken_away(
    client, survey, people, action, before, given, message
):
    maria = make_user("maria")
    if before:
        Membership.objects.create(survey=survey, user=maria, role=before)
    page = post(client, people, action, "maria", **({"role": given} if given else {}))
    assert f"“maria” {message}" in text_of(page)
    assert roles(survey) == ({"maria": given} if given else {})
    assert find_role(survey, maria) == given
    assert f"“maria” {message}" in text_of(client.get(page_of(survey, "history")))


@pytest.mark.parametrize("action", ["add", "hand_over"])
def test_only_another_researcher_can_be_added(client, survey, people, action):
    make_user("visitor", is_staff=False)
    make_user("gone", is_active=False)
    unknown = "No researcher here has the user name “{}”."
    for username, message in {
        **{each: unknown.format(each) for each in ("nobody", "visitor", "gone")},
        "owner": "“owner” is the owner already.",
        "": "This field is required.",
    }.items():
        page = text_of(post(client, people, action, username, role="editor"))
        assert "Nothing was changed" in page
        assert message in page
        assert roles(survey) == {}


def test_only_editor_and_viewer_roles_can_be_given(client, survey, people):
    make_user("maria")
    for role in ("owner", "", "king"):
        page = text_of(post(client, people, "add", "maria", role=role))
        assert "Nothing was changed" in page
        assert roles(survey) == {}


def test_a_survey_is_handed_over_with_its_rehearsal(client, survey, people):
    maria = make_user("maria")
    Membership.objects.create(survey=survey, user=maria, role=Role.VIEWER)
    rehearsal = make_survey(
        [], opened=False, slug="try", rehearsal_of=survey, is_simulated=True
    )
    page = post(client, people, "hand_over", "maria")
    assert "“maria” is the owner now, and “owner” an editor." in text_of(page)
    survey.refresh_from_db()
    rehearsal.refresh_from_db()
    assert (survey.owner, rehearsal.owner) == (maria, maria)
    assert roles(survey) == {"owner": "editor"}


def test_an_opened_survey_of_a_panel_cannot_be_handed_over(client):
    """Its successor would begin with a whole budget."""
    make_user("maria")
    panel = {"panel": "Cohort 2026", "panel_budget": 5}
    for opened, owner in [(True, "owner"), (False, "maria")]:
        survey = make_survey(slug=f"wave-{opened}", opened=opened, **panel)
        client.force_login(survey.owner)
        page = post(client, page_of(survey, "people"), "hand_over", "maria")
        survey.refresh_from_db()
        assert survey.owner.username == owner
        assert ("Surveys of a panel stay with one owner." in text_of(page)) is opened


def test_a_superuser_who_hands_over_leaves_the_former_owner_an_editor(client, survey):
    make_user("maria")
    client.force_login(make_user("root", is_superuser=True))
    post(client, page_of(survey, "people"), "hand_over", "maria")
    assert roles(survey) == {"owner": "editor"}


@pytest.mark.parametrize("role", [Role.EDITOR, Role.VIEWER])
def test_editors_and_viewers_cannot_change_collaborators(client, survey, role):
    maria = make_user("maria")
    Membership.objects.create(survey=survey, user=maria, role=role)
    client.force_login(maria)
    page = client.get(page_of(survey, "people")).content.decode()
    assert "owner" in page
    assert page.count('<form method="post">') == 0
    assert "Add a colleague" not in page
    answer = post(client, page_of(survey, "people"), "change", "maria", role="editor")
    assert answer.status_code == 403
    assert roles(survey) == {"maria": role}


def test_a_rehearsal_has_the_collaborators_of_its_draft(client, survey):
    rehearsal = make_survey(
        [], opened=False, slug="try", rehearsal_of=survey, is_simulated=True
    )
    maria = make_user("maria")
    Membership.objects.create(survey=survey, user=maria, role=Role.VIEWER)
    client.force_login(survey.owner)
    assert "maria" in text_of(client.get(page_of(rehearsal, "people")))
    answer = post(client, page_of(rehearsal, "people"), "remove", "maria")
    assert answer.status_code == 404
    assert roles(survey) == {"maria": "viewer"}
