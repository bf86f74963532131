"""The user of a request, logged in or not."""

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied

Visitor = User | AnonymousUser


def require_researcher(visitor: Visitor) -> User:
    """Return the user; raise `PermissionDenied` for visitors who are not logged in."""
    if not isinstance(visitor, User):
        raise PermissionDenied
    return visitor
