"""Whoever asks for a page, logged in or not."""

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied

Visitor = User | AnonymousUser


def require_researcher(visitor: Visitor) -> User:
    """Return who is logged in; the site lets nobody else come this far."""
    if not isinstance(visitor, User):
        raise PermissionDenied
    return visitor
