"""A new password for a researcher who has forgotten it, by a link in an e-mail."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.auth import views
from django.contrib.auth.forms import PasswordResetForm, SetPasswordForm
from django.contrib.auth.models import AbstractBaseUser, User
from django.core.cache import cache
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext_lazy as _

from config.accounts.letters import PAUSE_SECONDS, same_address, waits_for_a_password
from config.accounts.moment import in_a_moment
from config.accounts.passwords import ToldAtTheFirst
from config.accounts.second_factor.factor import forgive

SITE = {
    "site_header": admin.site.site_header,
    "site_title": admin.site.site_title,
    "pause_minutes": PAUSE_SECONDS // 60,
    "valid_minutes": settings.PASSWORD_RESET_TIMEOUT // 60,
}


class LinkForm(PasswordResetForm):
    def get_users(self, email: str) -> Iterator[User]:
        """Return also who was invited and let the first link grow old."""
        yield from super().get_users(email)
        for user in User.objects.filter(email__iexact=email):
            if waits_for_a_password(user) and same_address(user.email, email):
                yield user

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Look for the account later: an answer that takes longer would tell of one."""
        in_a_moment(partial(super().save, *args, **kwargs))

    def send_mail(self, *args: Any, **kwargs: Any) -> None:
        _, _, context, *_ = args
        if cache.add(f"password-reset-{context['user'].pk}", True, PAUSE_SECONDS):
            super().send_mail(*args, **kwargs)


class NewPasswordForm(ToldAtTheFirst, SetPasswordForm):  # type: ignore[type-arg]
    def save(self, commit: bool = True) -> AbstractBaseUser:
        forgive(self.user)
        user: AbstractBaseUser = super().save(commit)
        return user


def password_reset(request: HttpRequest) -> HttpResponseBase:
    if not settings.SENDS_MAIL:
        context = {**SITE, "title": _("Forgotten your password?")}
        return render(request, "registration/password_reset_by_command.html", context)
    ask = views.PasswordResetView.as_view(
        form_class=LinkForm,
        email_template_name="registration/password_reset_email.txt",
        title=_("Forgotten your password?"),
        extra_context=SITE,
        extra_email_context=SITE,
    )
    return ask(request)


urlpatterns = [
    path("password_reset/", password_reset, name="admin_password_reset"),
    path(
        "password_reset/done/",
        views.PasswordResetDoneView.as_view(
            title=_("Look into your mail"), extra_context=SITE
        ),
        name="password_reset_done",
    ),
    path(
        "password_reset/<uidb64>/<token>/",
        views.PasswordResetConfirmView.as_view(
            form_class=NewPasswordForm, extra_context=SITE
        ),
        name="password_reset_confirm",
    ),
    path(
        "password_reset/complete/",
        views.PasswordResetCompleteView.as_view(
            title=_("Your password is set"), extra_context=SITE
        ),
        name="password_reset_complete",
    ),
]
