"""Who may see which survey: decided here and nowhere else."""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import Http404

from surveys.models import Survey


def get_survey_for_user(
    user: AbstractBaseUser | AnonymousUser, survey_id: int
) -> Survey:
    """Return the survey; unknown and foreign ones are equally not found."""
    survey = Survey.objects.for_user(user).filter(pk=survey_id).first()
    if survey is None:
        raise Http404("No such survey.")
    return survey
