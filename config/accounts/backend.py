from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser, User


class ResearcherBackend(ModelBackend):
    """Authenticates researchers only, by password and in every later request."""

    def user_can_authenticate(self, user: User | AnonymousUser | None) -> bool:
        return super().user_can_authenticate(user) and bool(user and user.is_staff)
