"""The login in two steps: the password, then a code, at the same address.

The proxy names the visitor's address at this one alone, and wrong codes count by it.
Between the steps nobody is logged in.
"""

import time
from typing import Any

from django import forms
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy

from config.accounts.second_factor.factor import factor_of, let_in, refusal

WAITING = "waits_for_a_code"
WAITING_SECONDS = 10 * 60
LONGEST_CODE = 40


def code_field(**options: Any) -> forms.CharField:
    asked = {"autocomplete": "one-time-code", "autocapitalize": "off"}
    widget = forms.TextInput(attrs={**asked, "spellcheck": "false"})
    return forms.CharField(max_length=LONGEST_CODE, widget=widget, **options)


class CodeForm(forms.Form):
    """Asks for a code; whether it is right is found out once, as each is good once."""

    code = code_field(label=gettext_lazy("Code from your app, or a recovery code"))

    def __init__(self, request: HttpRequest, user: User, *args: Any, **kwargs: Any):
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self.request, self.user = request, user

    def clean_code(self) -> str:
        code = str(self.cleaned_data["code"])
        if told := refusal(self.request, self.user, code):
            raise forms.ValidationError(told)
        return code


class PasswordForm(AdminAuthenticationForm):
    error_messages = {
        **AdminAuthenticationForm.error_messages,
        # The same for who may not in with a right password: nothing is told of it.
        "invalid_login": gettext_lazy(
            "This username and password do not open these pages. Capital and small "
            "letters count."
        ),
    }


class PasswordStep(LoginView):
    template_name = "admin/login.html"
    authentication_form = PasswordForm

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        user = form.get_user()
        if factor_of(user):
            wait_for_code(self.request, user)
            return redirect(self.request.get_full_path())
        let_in(self.request, user)
        return redirect(self.get_success_url())


class CodeStep(LoginView):
    template_name = "admin/login_code.html"
    form_class = CodeForm  # type: ignore[assignment]

    def get_form_kwargs(self) -> dict[str, Any]:
        user = who_waits(self.request)
        return {**super().get_form_kwargs(), "user": user}

    def form_valid(self, form: Any) -> HttpResponse:
        self.request.session.pop(WAITING)
        let_in(self.request, form.user)
        return redirect(self.get_success_url())


def wait_for_code(request: HttpRequest, user: User) -> None:
    request.session.cycle_key()
    request.session[WAITING] = {
        "user": user.pk,
        "password": user.get_session_auth_hash(),
        "until": time.time() + WAITING_SECONDS,
    }


def who_waits(request: HttpRequest) -> User | None:
    """Return whose password was right a moment ago, and is the same still."""
    waiting = request.session.get(WAITING)
    if waiting is None or waiting["until"] < time.time():
        return None
    user = User.objects.filter(pk=waiting["user"], is_active=True).first()
    if user is None or user.get_session_auth_hash() != waiting["password"]:
        return None
    return user


def log_in(request: HttpRequest, context: dict[str, Any]) -> HttpResponseBase:
    """Ask for what is missing; who types a name, or asks for it, begins again."""
    if "again" in request.POST:
        request.session.pop(WAITING, None)
        return redirect(request.get_full_path())
    if "username" not in request.POST and who_waits(request):
        return CodeStep.as_view(extra_context=context)(request)
    request.session.pop(WAITING, None)
    return PasswordStep.as_view(extra_context=context)(request)
