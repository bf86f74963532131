"""Whether an account has a second factor, and its removal."""

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods

from surveys.authoring.pages import render_page
from surveys.models import Visitor, require_researcher

RESET = gettext_noop("Took the second factor away.")


def lacks_factor(user: Visitor) -> bool:
    """Return whether `user` has to set up a second factor before anything else."""
    return (
        settings.SECOND_FACTOR == "required"
        and user.is_authenticated
        and not is_mfa_enabled(user)
    )


def end_sessions(user: User, *, kept: str | None = None) -> None:
    for session in Session.objects.exclude(session_key=kept):
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            session.delete()


def end_other_sessions(request: HttpRequest, user: User, **options: Any) -> None:
    """Log `user` out in other browsers, which did not log in with the new factor."""
    end_sessions(user, kept=request.session.session_key)


@transaction.atomic
def remove_factor(user: User) -> None:
    Authenticator.objects.filter(user=user).delete()
    end_sessions(user)


@require_http_methods(["GET", "HEAD", "POST"])
def reset(request: HttpRequest, user_id: int) -> HttpResponse:
    """Remove the second factor of a colleague who lost phone, passkeys and codes."""
    superuser = require_researcher(request.user)
    if not superuser.is_superuser:
        raise PermissionDenied
    colleague = get_object_or_404(User, pk=user_id)
    if colleague == superuser:
        # Someone else at an open session has no code, and must not remove the factor.
        return redirect("mfa_index")
    has_factor = is_mfa_enabled(colleague)
    if request.method == "POST" and has_factor:
        remove_factor(colleague)
        LogEntry.objects.log_actions(
            superuser.pk,
            [colleague],
            CHANGE,
            change_message=RESET,
            single_object=True,
        )
        text = _("%s now logs in with the password only.")
        messages.success(request, text % colleague.get_username())
        return redirect("admin:auth_user_change", colleague.pk)
    return render_page(
        request,
        None,
        "admin/second_factor_reset.html",
        title=_("Second factor of %s") % colleague.get_username(),
        colleague=colleague,
        has_factor=has_factor,
    )


of_a_colleague = [path("", reset, name="auth_user_second_factor")]
