"""URLs of accounts: login, second factor and forgotten passwords."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from allauth.account.views import LoginView, LogoutView, ReauthenticateView
from allauth.mfa.base.views import AuthenticateView, IndexView
from allauth.mfa.base.views import ReauthenticateView as ReauthenticateCodeView
from allauth.mfa.recovery_codes.views import (
    GenerateRecoveryCodesView,
    ViewRecoveryCodesView,
)
from allauth.mfa.totp.views import ActivateTOTPView, DeactivateTOTPView
from allauth.mfa.webauthn.views import (
    AddWebAuthnView,
    LoginWebAuthnView,
    ReauthenticateWebAuthnView,
    RemoveWebAuthnView,
)
from allauth.socialaccount.views import LoginCancelledView
from django.conf import settings
from django.contrib.auth import views
from django.contrib.auth.forms import PasswordResetForm, SetPasswordForm
from django.contrib.auth.models import User
from django.core.cache import cache
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import URLPattern, include, path
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.generic import RedirectView, View

from config.accounts.emails import (
    PAUSE_SECONDS,
    needs_password,
    run_later,
    same_address,
)
from config.accounts.forms import ErrorsAtFirstField

TIMES = {
    "pause_minutes": PAUSE_SECONDS // 60,
    "valid_minutes": settings.PASSWORD_RESET_TIMEOUT // 60,
}


class LinkForm(PasswordResetForm):
    def get_users(self, email: str) -> Iterator[User]:
        """Also return invited users whose first link has expired."""
        yield from super().get_users(email)
        for user in User.objects.filter(email__iexact=email):
            if needs_password(user) and same_address(user.email, email):
                yield user

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Look for the account after the response, whose duration would reveal one."""
        run_later(partial(super().save, *args, **kwargs))

    def send_mail(self, *args: Any, **kwargs: Any) -> None:
        _, _, context, *_ = args
        if cache.add(f"password-reset-{context['user'].pk}", True, PAUSE_SECONDS):
            super().send_mail(*args, **kwargs)


class NewPasswordForm(ErrorsAtFirstField, SetPasswordForm):  # type: ignore[type-arg]
    pass


def password_reset(request: HttpRequest) -> HttpResponseBase:
    if not settings.SENDS_MAIL:
        context = {"title": _("Forgotten your password?")}
        return render(request, "registration/password_reset_by_command.html", context)
    ask = views.PasswordResetView.as_view(
        form_class=LinkForm,
        email_template_name="registration/password_reset_email.txt",
        title=_("Forgotten your password?"),
        extra_context=TIMES,
        extra_email_context=TIMES,
    )
    return ask(request)


def make_path(
    view: type[View], place: str, name: str, title: str | Promise
) -> URLPattern:
    return path(place, view.as_view(extra_context={"title": title}), name=name)


CONFIRM = _("Confirm that it is you")

second_factor_urls = [
    make_path(IndexView, "", "mfa_index", _("Your second factor")),
    make_path(
        AuthenticateView, "authenticate/", "mfa_authenticate", _("Type your code")
    ),
    make_path(ReauthenticateCodeView, "code/", "mfa_reauthenticate", CONFIRM),
    make_path(
        ReauthenticateWebAuthnView, "passkey/", "mfa_reauthenticate_webauthn", CONFIRM
    ),
    make_path(
        ActivateTOTPView, "app/", "mfa_activate_totp", _("Set up an app for codes")
    ),
    make_path(
        DeactivateTOTPView, "app/off/", "mfa_deactivate_totp",
        _("Turn the codes off"),
    ),
    make_path(
        ViewRecoveryCodesView, "recovery-codes/", "mfa_view_recovery_codes",
        _("Keep these recovery codes"),
    ),
    make_path(
        GenerateRecoveryCodesView, "recovery-codes/new/", "mfa_generate_recovery_codes",
        _("Make new recovery codes"),
    ),
    make_path(AddWebAuthnView, "passkeys/add/", "mfa_add_webauthn", _("Add a passkey")),
    make_path(
        RemoveWebAuthnView, "passkeys/<int:pk>/remove/", "mfa_remove_webauthn",
        _("Remove this passkey?"),
    ),
    path(
        "passkeys/",
        RedirectView.as_view(pattern_name="mfa_index"),
        name="mfa_list_webauthn",
    ),
    path("passkeys/login/", LoginWebAuthnView.as_view(), name="mfa_login_webauthn"),
]  # fmt: skip

urlpatterns = [
    make_path(LoginView, "login/", "account_login", _("Log in")),
    path("login/again/", LogoutView.as_view(), name="account_logout"),
    make_path(ReauthenticateView, "confirm/", "account_reauthenticate", CONFIRM),
    make_path(
        LoginCancelledView,
        "login/cancelled/",
        "socialaccount_login_cancelled",
        _("You are not logged in"),
    ),
    path("", include("allauth.socialaccount.providers.openid_connect.urls")),
    path("second-factor/", include(second_factor_urls)),
    path("password_reset/", password_reset, name="admin_password_reset"),
    path(
        "password_reset/done/",
        views.PasswordResetDoneView.as_view(
            title=_("Look into your mail"), extra_context=TIMES
        ),
        name="password_reset_done",
    ),
    path(
        "password_reset/<uidb64>/<token>/",
        views.PasswordResetConfirmView.as_view(
            form_class=NewPasswordForm, extra_context=TIMES
        ),
        name="password_reset_confirm",
    ),
    path(
        "password_reset/complete/",
        views.PasswordResetCompleteView.as_view(
            title=_("Your password is set"), extra_context=TIMES
        ),
        name="password_reset_complete",
    ),
]
