"""Decide which user may do what with a survey: here and nowhere else."""

from collections.abc import Collection
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _

from surveys.models import Membership, Role, Survey, Visitor, find_role


def get_survey_for_user(
    user: Visitor,
    survey_id: int,
    *,
    role: Role = Role.VIEWER,
    is_deleted: bool = False,
) -> Survey:
    """Return the survey if `user` has `role` in it.

    Raises
    ------
    Http404
        If there is no such survey, or equally if `user` has no role in it. Also if
        `role` allows changes to the test of a draft: only its draft can be changed.
    PermissionDenied
        If the role of `user` does not include `role`.
    """
    visible = Survey.objects.for_user(user, is_deleted=is_deleted)
    survey = visible.filter(pk=survey_id).first()
    if survey is None or (survey.is_rehearsal and role != Role.VIEWER):
        raise Http404("No such survey.")
    # `for_user` requires a role, and every role includes the viewer's.
    if role != Role.VIEWER and not has_role(user, survey, role):
        raise PermissionDenied
    return survey


def has_role(user: Visitor, survey: Survey, role: Role = Role.VIEWER) -> bool:
    own = find_role(survey, user)
    return own is not None and own.includes(role)


def get_rights(user: Visitor, survey: Survey | None) -> dict[str, Any]:
    own = find_role(survey, user) if survey else None
    return {
        "role": own,
        "can_edit": own is not None and own.includes(Role.EDITOR),
        "is_owner": own is Role.OWNER,
    }


def get_role_name(survey: Survey, user: Visitor, role: Role) -> str:
    """Return the label of the role; superusers are not called owners."""
    if role is Role.OWNER and survey.owner_id != user.pk:
        return _("Superuser")
    return str(role.label)


def find_roles(surveys: Collection[Survey], user: Visitor) -> dict[int, Role]:
    """Return the role of `user` in each of their surveys, by one query."""
    memberships = Membership.objects.filter(survey__in=surveys, user=user.pk)
    roles = {pk: Role(role) for pk, role in memberships.values_list("survey", "role")}
    own = [each.pk for each in surveys if user.is_superuser or each.owner_id == user.pk]
    return roles | dict.fromkeys(own, Role.OWNER)
