"""Who may do what with which survey: decided here and nowhere else."""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404

from surveys.models import Role, Survey, role_in


def get_survey_for_user(
    user: AbstractBaseUser | AnonymousUser, survey_id: int, *, role: Role = Role.VIEWER
) -> Survey:
    """Return the survey; unknown and foreign ones are equally not found.

    Raises
    ------
    Http404
        Where `user` has no role in it.
    PermissionDenied
        Where the role of `user` does not include `role`.
    """
    survey = Survey.objects.for_user(user).filter(pk=survey_id).first()
    if survey is None:
        raise Http404("No such survey.")
    if not may(user, survey, role):
        raise PermissionDenied
    return survey


def may(
    user: AbstractBaseUser | AnonymousUser, survey: Survey, role: Role = Role.VIEWER
) -> bool:
    """Whether the role of `user` in `survey` includes `role`."""
    own = role_in(survey, user)
    return own is not None and own.includes(role)
