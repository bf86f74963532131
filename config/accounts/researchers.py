"""Researchers' accounts, as a superuser sees them: who is added is meant to log in."""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import (
    AdminPasswordChangeForm,
    ReadOnlyPasswordHashField,
    ReadOnlyPasswordHashWidget,
    SetUnusablePasswordMixin,
    UserChangeForm,
    UserCreationForm,
)
from django.contrib.auth.hashers import is_password_usable
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import lazy
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from config.accounts.letters import link_for, waits_for_a_password
from config.accounts.second_factor.factor import factor_of
from surveys.authoring.pages import page

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

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Named as all other pages name them, without a colon.
        self.label_suffix = ""


class PasswordButton(ReadOnlyPasswordHashWidget):
    """Leads to a new password; the stored hash of the old one tells nobody anything."""

    def get_context(
        self, name: str, value: Any, attrs: dict[str, Any] | None
    ) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(name, value, attrs)
        if is_password_usable(value):
            context["summary"] = []
        return context


class AccountForm(UserChangeForm):  # type: ignore[type-arg]
    password = ReadOnlyPasswordHashField(
        label=gettext_lazy("Password"), widget=PasswordButton
    )


class ResearcherForm(UserCreationForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ("username", "email", "is_staff")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {"is_staff": True, **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)
        for name in ("password1", "password2"):
            self.fields[name].required = False
        self.fields["password1"].help_text = gettext_lazy(
            "Best left empty: you then get a link by which your colleague chooses one."
        )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        typed = [cleaned.get(name) for name in ("password1", "password2")]
        if any(typed) and not all(typed):
            self.add_error("password2", _("Type the password twice, or not at all."))
        return cleaned

    def save(self, commit: bool = True) -> User:
        user: User = super().save(commit=False)
        if not self.cleaned_data["password1"]:
            # An empty one would be a password, too.
            user.set_unusable_password()
        if commit:
            user.save()
        return user


class ResearcherAdmin(UserAdmin):  # type: ignore[type-arg]
    form = AccountForm
    add_form = ResearcherForm
    change_password_form = PasswordForm
    change_list_template = "admin/accounts.html"
    delete_confirmation_template = "admin/account_deleted.html"
    object_history_template = "admin/account_history.html"
    readonly_fields = ("second_factor",)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        title = capfirst(self.opts.verbose_name_plural)
        more = {"title": title, **(extra_context or {})}
        return super().changelist_view(request, more)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Name fields as all other pages do, without a colon."""
        context["adminform"].form.label_suffix = ""
        return super().render_change_form(request, context, *args, **kwargs)

    def response_add(
        self, request: HttpRequest, obj: User, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Show a link to hand over where nobody invented a password."""
        if not waits_for_a_password(obj):
            return super().response_add(request, obj, *args, **kwargs)
        return page(
            request,
            None,
            "admin/account_added.html",
            title=_("“%s” is added") % obj.get_username(),
            account=obj,
            link=link_for(request, obj),
            valid_minutes=settings.PASSWORD_RESET_TIMEOUT // 60,
        )

    @admin.display(description=gettext_lazy("second factor"))
    def second_factor(self, user: User) -> str:
        if factor_of(user) is None:
            return _("Off")
        address = reverse("admin:auth_user_second_factor", args=[user.pk])
        told = _("On: take it away from who lost phone and recovery codes")
        return format_html('<a href="{}">{}</a>', address, told)
