"""Adapters of django-allauth: texts, lock-outs, and who may log in."""

import json
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any

import segno
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base import AuthProcess
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.accounts.emails import find_by_address

NETWORK_BITS = 64
"""Each customer connection has at least a network of this size (RFC 6177)."""

PASSWORD_OF_LOGIN = "password_of_login"  # noqa: S105
"""Session key of the hash of the password with which the login began."""

NOT_ALLOWED = gettext_lazy("Wrong username or password.")


def is_researcher(user: User) -> bool:
    return user.is_active and user.is_staff


def find_address(request: HttpRequest) -> str:
    """Return the address to count failures by, or an empty string if it is unknown."""
    address = request.META.get("REMOTE_ADDR", "")
    if settings.BEHIND_PROXY:
        # The proxy passes the address to the login page only: deployment.md.
        address = request.META.get("HTTP_X_REAL_IP") or address
    try:
        parsed = ip_address(address)
    except ValueError:
        return ""
    if isinstance(parsed, IPv6Address):
        network = IPv6Network((parsed, NETWORK_BITS), strict=False)
        return str(parsed.ipv4_mapped or network.network_address)
    return str(parsed)


class ResearcherAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": NOT_ALLOWED,
        "incorrect_password": gettext_lazy("This is not your password."),
        "too_many_login_attempts": gettext_lazy(
            "Too many failed attempts. Try again in 15 minutes."
        ),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def _get_login_attempts_cache_key(
        self, request: HttpRequest, **credentials: Any
    ) -> str:
        """Return the cache key under which failures are counted (decision 8).

        It contains neither name nor address, and a new password begins a new count.
        """
        name = credentials.get("username", "")
        stored = User.objects.filter(username=name).values_list("password").first()
        counted = json.dumps([name, find_address(request), stored])
        return salted_hmac(__name__, counted, algorithm="sha256").hexdigest()

    def pre_login(
        self, request: HttpRequest, user: User, **options: Any
    ) -> HttpResponse | None:
        if not is_researcher(user):
            messages.error(request, NOT_ALLOWED)
            return redirect("account_login")
        request.session[PASSWORD_OF_LOGIN] = user.get_session_auth_hash()
        return None

    def login(self, request: HttpRequest, user: User) -> None:
        # Both may have changed while the code was being typed.
        begun_with = request.session.pop(PASSWORD_OF_LOGIN, None)
        if not is_researcher(user) or begun_with != user.get_session_auth_hash():
            raise ImmediateHttpResponse(redirect("account_login"))
        super().login(request, user)

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Accept the password alone only from a user without a second factor.

        The first method is asked for and the others are offered, so a passkey precedes
        a code.
        """
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        stronger = [each for each in methods if each["id"] != "reauthenticate"]
        return (
            sorted(stronger, key=lambda each: "webauthn" not in each["id"]) or methods
        )


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": gettext_lazy("This code is wrong or already used."),
    }

    def generate_authenticator_name(self, user: User, type: Any) -> str:
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return _("Passkey %(number)s") % {"number": number}

    def build_totp_svg(self, url: str) -> str:
        code = segno.make_qr(url, error="m")
        return code.svg_inline(light="white", omitsize=True)


class UniversityAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Logs in the researcher whose verified address the university confirms.

    Nothing about the university's account is stored; each login looks up the address.
    """

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        if sociallogin.state.get("process") != AuthProcess.LOGIN:
            raise PermissionDenied
        verified = [each.email for each in sociallogin.email_addresses if each.verified]
        users = {user for email in verified for user in find_by_address(email)}
        if len(users) == 1:
            sociallogin.user = users.pop()
