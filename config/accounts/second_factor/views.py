"""Pages of the second factor: setting one's own up, and helping who lost theirs."""

from base64 import b32encode
from typing import Any

import segno
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.http import require_http_methods
from django_otp.plugins.otp_totp.models import TOTPDevice

from config.accounts.second_factor.factor import (
    factor_of,
    lacks_factor,
    new_key,
    new_recovery_codes,
    note_shown,
    recovery_codes_left,
    spelled,
    turn_off,
    turn_on,
)
from config.accounts.second_factor.login import CodeForm, code_field
from surveys.authoring.pages import render_page
from surveys.models import require_researcher

KEY = "key_to_confirm"
RENEW, OFF = "renew", "off"
RESET = gettext_noop("Took the second factor away.")


class SetUpForm(forms.Form):
    """Asks for the password again: else whoever finds an open session keeps it."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    code = code_field(label=gettext_lazy("The six digits that the app shows now"))

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any):
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self.request = request

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        user, password = require_researcher(self.request.user), cleaned.get("password")
        name = user.get_username()
        if password and not authenticate(
            self.request, username=name, password=password
        ):
            self.add_error("password", _("This is not your password."))
        return cleaned


@require_http_methods(["GET", "HEAD", "POST"])
def second_factor(request: HttpRequest) -> HttpResponse:
    """Show one's own second factor, or how to set one up."""
    user = require_researcher(request.user)
    return change(request, user) if factor_of(user) else set_up(request, user)


def set_up(request: HttpRequest, user: User) -> HttpResponse:
    # In the session until the first code has come: nobody is asked for codes before.
    key = request.session.setdefault(KEY, new_key())
    form = SetUpForm(request, request.POST or None)
    if form.is_valid():
        if turn_on(user, key, form.cleaned_data["code"]):
            del request.session[KEY]
            return show_codes(request, user)
        told = _("This code does not fit. Type the one that is shown now.")
        form.add_error("code", told)
    device = TOTPDevice(user=user, key=key)
    code = segno.make_qr(device.config_url, error="m")
    return render_page(
        request,
        None,
        "admin/second_factor/set_up.html",
        title=_("Log in with a second factor"),
        is_required=lacks_factor(user),
        form=form,
        drawn=code.svg_inline(light="white", omitsize=True),
        key=spelled(b32encode(device.bin_key).decode()),
    )


def change(request: HttpRequest, user: User) -> HttpResponse:
    form = CodeForm(request, user, request.POST or None)
    step = request.POST.get("step")
    if step == RENEW and form.is_valid():
        return show_codes(request, user)
    if step == OFF and form.is_valid():
        turn_off(user)
        note_shown(request, user)
        messages.success(request, _("The second factor is off."))
        return redirect("admin:second_factor")
    return render_page(
        request,
        None,
        "admin/second_factor/change.html",
        title=_("Your second factor is on"),
        is_required=settings.SECOND_FACTOR == "required",
        form=form,
        left=recovery_codes_left(user),
    )


def show_codes(request: HttpRequest, user: User) -> HttpResponse:
    """Show new recovery codes, this once."""
    codes = new_recovery_codes(user)
    request.session.cycle_key()
    note_shown(request, user)
    return render_page(
        request,
        None,
        "admin/second_factor/codes.html",
        title=_("Keep these recovery codes"),
        codes=codes,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def reset(request: HttpRequest, user_id: int) -> HttpResponse:
    """Let a colleague in who lost phone and recovery codes."""
    superuser = require_researcher(request.user)
    if not superuser.is_superuser:
        raise PermissionDenied
    colleague = get_object_or_404(User, pk=user_id)
    if colleague == superuser:
        # Whoever finds an open session has no code, and so cannot turn it off.
        return redirect("admin:second_factor")
    has_factor = factor_of(colleague) is not None
    if request.method == "POST" and has_factor:
        turn_off(colleague)
        LogEntry.objects.log_actions(
            superuser.pk,
            [colleague],
            CHANGE,
            change_message=RESET,
            single_object=True,
        )
        told = _("The password alone lets %s in now.")
        messages.success(request, told % colleague.get_username())
        return redirect("admin:auth_user_change", colleague.pk)
    return render_page(
        request,
        None,
        "admin/second_factor/reset.html",
        title=_("Second factor of %s") % colleague.get_username(),
        colleague=colleague,
        has_factor=has_factor,
    )


of_oneself = [path("", second_factor, name="second_factor")]
of_a_colleague = [path("", reset, name="auth_user_second_factor")]
