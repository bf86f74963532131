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
    """Return the survey; unknown and foreign ones are equally not found.

    Raises
    ------
    Http404
        Where `user` has no role in it, or would change the test of a draft, which is
        done through its draft only.
    PermissionDenied
        Where the role of `user` does not include `role`.
    """
    found = Survey.objects.for_user(user, is_deleted=is_deleted)
    survey = found.filter(pk=survey_id).first()
    if survey is None or (survey.is_rehearsal and role != Role.VIEWER):
        raise Http404("No such survey.")
    # A user who finds it has a role, and every role includes the viewer's.
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
    """Return the label of the role: superusers do not own a colleague's survey."""
    if role is Role.OWNER and survey.owner_id != user.pk:
        return _("Superuser")
    return str(role.label)


def find_roles(surveys: Collection[Survey], user: Visitor) -> dict[int, Role]:
    """Return the role of `user` in each of their surveys, by one query."""
    joined = Membership.objects.filter(survey__in=surveys, user=user.pk)
    found = {pk: Role(role) for pk, role in joined.values_list("survey", "role")}
    own = [each.pk for each in surveys if user.is_superuser or each.owner_id == user.pk]
    return found | dict.fromkeys(own, Role.OWNER)
