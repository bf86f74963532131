"""The user of a request, logged in or not."""

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied

Visitor = User | AnonymousUser


def require_researcher(visitor: Visitor) -> User:
    """Return the logged-in user; the site admits no one else to these pages."""
    if not isinstance(visitor, User):
        raise PermissionDenied
    return visitor
