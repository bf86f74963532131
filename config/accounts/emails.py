"""Password links for new colleagues, sent by e-mail or handed over.

The link is the one for a forgotten password: Django's token, valid once and for an
hour. Afterwards, the page for forgotten passwords sends another one. E-mails are sent
after the response, so its duration does not reveal whether an account exists.
"""

import re
from collections.abc import Callable
from functools import partial
from threading import Timer

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.cache import cache
from django.core.mail import send_mail
from django.db import connection
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

PAUSE_SECONDS = 5 * 60
"""Seconds between two e-mails of the same kind to one account."""

NOT_IN_A_NAME = re.compile(r"[^\w.@+-]")
"""Characters that Django's validator of user names rejects."""


def same_address(one: str, other: str) -> bool:
    """Return whether addresses are equal except for case.

    Databases also treat some different letters as equal.
    """
    return bool(one) and one.lower() == other.lower()


def find_by_address(email: str) -> list[User]:
    named = User.objects.filter(email__iexact=email).order_by("pk")
    return [user for user in named if same_address(user.email, email)]


def get_or_create_account(email: str) -> User | None:
    """Return the account with this address; create one if there is none.

    A new account has only the rights of a researcher and no password, so no one can log
    in before choosing a password by a link. None for a deactivated account, or if the
    user name is taken.
    """
    if owners := find_by_address(email):
        return next((user for user in owners if user.is_active and user.is_staff), None)
    name = NOT_IN_A_NAME.sub("-", email)
    if User.objects.filter(username=name).exists():
        return None
    return User.objects.create_user(name, email=email, is_staff=True)


def needs_password(user: User) -> bool:
    is_new = user.last_login is None and not user.has_usable_password()
    return is_new and user.is_active and user.is_staff


def make_password_link(request: HttpRequest, user: User) -> str:
    key = urlsafe_base64_encode(force_bytes(user.pk))
    token = default_token_generator.make_token(user)
    path = reverse("password_reset_confirm", kwargs={"uidb64": key, "token": token})
    return request.build_absolute_uri(path)


def send_later(request: HttpRequest, email: str) -> None:
    """Send an invitation after the response, whose duration then reveals nothing."""
    run_later(partial(send, request, email))


def send(request: HttpRequest, email: str) -> None:
    user = get_or_create_account(email)
    if user and cache.add(f"invitation-{user.pk}", True, PAUSE_SECONDS):
        link = make_password_link(request, user) if needs_password(user) else ""
        context = {
            "host": request.get_host(),
            "inviter": request.user.get_username(),
            "username": user.get_username(),
            "link": link,
            "home": request.build_absolute_uri(reverse("admin:index")),
            "again": request.build_absolute_uri(reverse("admin_password_reset")),
            "valid_minutes": settings.PASSWORD_RESET_TIMEOUT // 60,
        }
        subject = render_to_string("registration/invitation_subject.txt", context)
        body = render_to_string("registration/invitation_email.txt", context)
        send_mail(" ".join(subject.split()), body, None, [user.email])


DELAY_SECONDS = 1.0
"""Seconds before the work begins, enough for the response to be sent."""


def run_later(work: Callable[[], None]) -> None:
    """Run `work` in a thread after the response has been sent."""
    language = translation.get_language()

    def run() -> None:
        try:
            with translation.override(language):
                work()
        finally:
            connection.close()

    Timer(DELAY_SECONDS, run).start()
