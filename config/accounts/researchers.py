"""The form for a new researcher: who is added here is meant to log in."""

from typing import Any

from django.contrib.auth.forms import (
    AdminPasswordChangeForm,
    SetUnusablePasswordMixin,
    UserCreationForm,
)
from django.contrib.auth.models import User
from django.utils.functional import lazy
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy, gettext_noop

format_html_lazy = lazy(format_html, SafeString)

MISSING_IN_DJANGO = (
    gettext_noop(
        "After you\N{RIGHT SINGLE QUOTATION MARK}ve created a user, "
        "you\N{RIGHT SINGLE QUOTATION MARK}ll be able to edit more user options."
    ),
    gettext_noop("Conflicting form data submitted. Please try again."),
    gettext_noop("Disable password-based authentication"),
    gettext_noop("Disabled"),
    gettext_noop("Enable password-based authentication"),
    gettext_noop(
        "Enable password-based authentication for this user by setting a password."
    ),
    gettext_noop("Enabled"),
    gettext_noop("Password-based authentication"),
    gettext_noop("Password-based authentication was disabled."),
    gettext_noop(
        "Raw passwords are not stored, so there is no way to see the "
        "user\N{RIGHT SINGLE QUOTATION MARK}s password."
    ),
    gettext_noop("Reset password"),
    gettext_noop("Set password"),
    gettext_noop("Set password: %s"),
    gettext_noop(
        "This action will <strong>enable</strong> password-based authentication for "
        "this user."
    ),
    gettext_noop(
        "Whether the user will be able to authenticate using a password or not. If "
        "disabled, they may still be able to authenticate using other backends, such "
        "as Single Sign-On or LDAP."
    ),
)
"""Texts of Django's own pages that its German catalogue lacks; ours is asked first."""


class PasswordForm(AdminPasswordChangeForm):  # type: ignore[type-arg]
    """Sets another researcher's password; Django's has one text in English for all."""

    usable_password_help_text = format_html_lazy(
        '{}<ul id="id_unusable_warning" class="messagelist">'
        '<li class="warning">{}</li></ul>',
        SetUnusablePasswordMixin.usable_password_help_text,
        gettext_lazy("If disabled, the current password for this user will be lost."),
    )


class ResearcherForm(UserCreationForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ("username", "email", "is_staff")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {"is_staff": True, **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)
