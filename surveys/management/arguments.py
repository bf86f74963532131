"""What several commands take: files, surveys, owners."""

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from surveys.models import Survey


def find_survey(slug: str) -> Survey:
    """Return the survey at the address /s/<slug>/."""
    survey = Survey.objects.filter(slug=slug).first()
    if survey is None:
        raise CommandError(f"There is no survey called {slug!r}")
    return survey


def find_owner(username: str | None) -> User:
    """Return the named researcher, or the only one there is."""
    researchers = User.objects.filter(is_active=True, is_staff=True)
    if username is not None:
        researchers = researchers.filter(username=username)
    found = list(researchers[:2])
    if len(found) != 1:
        names = ", ".join(
            User.objects.filter(is_active=True, is_staff=True).values_list(
                "username", flat=True
            )
        )
        raise CommandError(
            f"--owner must be one of: {names or 'nobody yet, see createsuperuser'}; "
            f"got {username or 'nothing'}"
        )
    return found[0]
