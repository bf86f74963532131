"""Owner, editor, viewer: each may do all that those below may."""

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError

from surveys.access import get_survey_for_user, has_role
from surveys.models import Membership, Role, Survey
from tests.factories import make_survey, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey():
    return make_survey(opened=False)


def member(survey, role, username="colleague"):
    user = make_user(username)
    Membership.objects.create(survey=survey, user=user, role=role)
    return user


@pytest.mark.parametrize(
    ("role", "allowed"),
    [(Role.VIEWER, {Role.VIEWER}), (Role.EDITOR, {Role.VIEWER, Role.EDITOR})],
)
def test_a_colleague_has_the_rights_of_the_role(survey, role, allowed):
    colleague = member(survey, role)
    assert {each for each in Role if has_role(colleague, survey, each)} == allowed
    for each in set(Role) - allowed:
        with pytest.raises(PermissionDenied):
            get_survey_for_user(colleague, survey.pk, role=each)


def test_a_superuser_has_the_rights_of_the_owner(survey):
    root = make_user("root", is_superuser=True)
    assert {each for each in Role if has_role(root, survey, each)} == set(Role)
    assert get_survey_for_user(root, survey.pk, role=Role.OWNER) == survey


def test_an_inactive_user_has_no_role(survey):
    colleague = member(survey, Role.EDITOR)
    colleague.is_active = False
    colleague.save()
    assert not has_role(colleague, survey)
    assert not Survey.objects.for_user(colleague).exists()


def test_a_survey_with_two_members_is_listed_once(survey):
    editor = member(survey, Role.EDITOR)
    member(survey, Role.VIEWER, "another")
    assert list(Survey.objects.for_user(editor)) == [survey]


def test_a_rehearsal_has_the_roles_of_its_draft_and_is_not_listed(survey):
    viewer = member(survey, Role.VIEWER)
    rehearsal = make_survey(
        [], opened=False, slug="rehearsal", rehearsal_of=survey, is_simulated=True
    )
    assert get_survey_for_user(viewer, rehearsal.pk) == rehearsal
    assert not has_role(viewer, rehearsal, Role.EDITOR)
    assert list(Survey.objects.for_user(viewer).listed()) == [survey]


def test_a_rehearsal_is_marked_as_simulated(survey):
    with pytest.raises(IntegrityError, match="a_rehearsal_is_simulated"):
        Survey.objects.create(
            title="Rehearsal", slug="r", owner=survey.owner, rehearsal_of=survey
        )
