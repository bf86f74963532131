"""Administration of researchers' accounts, for superusers."""

from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import (
    AdminPasswordChangeForm,
    ReadOnlyPasswordHashField,
    ReadOnlyPasswordHashWidget,
    UserChangeForm,
    UserCreationForm,
)
from django.contrib.auth.hashers import is_password_usable
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from config.accounts.emails import make_password_link, needs_password
from config.accounts.forms import ErrorsAtFirstField
from surveys.authoring.pages import render_page

MISSING_IN_DJANGO = (
    gettext_noop("Conflicting form data submitted. Please try again."),
    gettext_noop(
        "Raw passwords are not stored, so there is no way to see the "
        "user\N{RIGHT SINGLE QUOTATION MARK}s password."
    ),
    gettext_noop("Reset password"),
    gettext_noop("Save and add another"),
    gettext_noop("Save and continue editing"),
    gettext_noop("Set password"),
    gettext_noop("Set password: %s"),
)
"""Texts of Django's pages that its German catalogue lacks or words differently from our
buttons. Candor's catalogue takes precedence."""


class PasswordForm(ErrorsAtFirstField, AdminPasswordChangeForm):  # type: ignore[type-arg]
    """Sets another user's password; passwords cannot be disabled here."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("usable_password", None)
        for name in ("password1", "password2"):
            self.fields[name].required = True


class PasswordButton(ReadOnlyPasswordHashWidget):
    """Links to the form for a new password and hides details of the stored hash."""

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

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Django's text on "password-based authentication" repeats the button.
        self.fields["password"].help_text = ""

    class Meta(UserChangeForm.Meta):
        labels = {
            "is_staff": gettext_lazy("Researcher"),
            "is_superuser": gettext_lazy("Superuser"),
        }
        help_texts = {
            "is_active": gettext_lazy("Without it, this account cannot log in."),
            "is_staff": gettext_lazy("May log in and write surveys."),
            "is_superuser": gettext_lazy("May manage all surveys and accounts."),
        }


class ResearcherForm(ErrorsAtFirstField, UserCreationForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ("username", "email", "is_staff")
        labels = AccountForm.Meta.labels
        help_texts = AccountForm.Meta.help_texts

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {"is_staff": True, **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)
        for name in ("password1", "password2"):
            self.fields[name].required = False
        self.fields["password1"].help_text = gettext_lazy(
            "Leave empty to get a link for your colleague."
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
            # Otherwise an empty password would be valid.
            user.set_unusable_password()
        if commit:
            user.save()
        return user


class ResearcherAdmin(UserAdmin):  # type: ignore[type-arg]
    form = AccountForm
    add_form = ResearcherForm
    change_password_form = PasswordForm
    add_form_template = change_form_template = "admin/account_form.html"
    change_list_template = "admin/accounts.html"
    change_user_password_template = "admin/account_password.html"  # noqa: S105
    delete_confirmation_template = "admin/account_deleted.html"
    object_history_template = "admin/account_history.html"
    actions = None
    # Django's script for choosing groups is not accessible.
    filter_horizontal = ()
    list_filter = ()
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        (gettext_lazy("Person"), {"fields": [("first_name", "last_name"), "email"]}),
        (
            gettext_lazy("Access"),
            {"fields": ["is_active", "is_staff", "is_superuser", "second_factor"]},
        ),
    ]
    add_fieldsets = [
        (None, {"fields": ["username", "email", "password1", "password2", "is_staff"]})
    ]
    readonly_fields = ("second_factor",)
    list_display = ("username", "email", "name", "access")
    # The list is short and has a search; Django's arrows are too small for touch.
    sortable_by = ()

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        title = capfirst(self.opts.verbose_name_plural)
        more = {"title": title, **(extra_context or {})}
        return super().changelist_view(request, more)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Protect users with log entries, whose author would be lost."""
        found = super().get_deleted_objects(objs, request)
        to_delete, counts, permissions, protected = found
        if LogEntry.objects.filter(user__in=objs).exists():
            protected = [*protected, _("Lines in logs")]
        return to_delete, counts, permissions, protected

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Render the form with the field names and errors of all other pages."""
        context["adminform"].form.label_suffix = ""
        context["errors"] = []
        return super().render_change_form(request, context, *args, **kwargs)

    def response_add(
        self, request: HttpRequest, obj: User, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Show the link to hand over if no password was set."""
        if not needs_password(obj):
            return super().response_add(request, obj, *args, **kwargs)
        return render_page(
            request,
            None,
            "admin/account_added.html",
            title=_("“%s” is added") % obj.get_username(),
            account=obj,
            link=make_password_link(request, obj),
            valid_minutes=settings.PASSWORD_RESET_TIMEOUT // 60,
        )

    @admin.display(description=gettext_lazy("name"))
    def name(self, user: User) -> str:
        return user.get_full_name()

    @admin.display(description=gettext_lazy("access"))
    def access(self, user: User) -> str:
        if not (user.is_active and user.is_staff):
            return _("Cannot log in")
        return _("Superuser") if user.is_superuser else _("Researcher")

    @admin.display(description=gettext_lazy("second factor"))
    def second_factor(self, user: User) -> str:
        if not is_mfa_enabled(user):
            return _("Off")
        address = reverse("admin:auth_user_second_factor", args=[user.pk])
        text = _("On: take it away")
        return format_html('<a href="{}">{}</a>', address, text)
