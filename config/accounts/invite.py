"""Invitations of colleagues to a survey by e-mail address."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.http import require_http_methods, require_POST

from config.accounts.emails import (
    get_or_create_account,
    make_password_link,
    needs_password,
    same_address,
    send_later,
)
from surveys.authoring.forms.action import ActionForm
from surveys.authoring.pages import find_survey, render_page
from surveys.log import record
from surveys.models import Invitee, Role, Visitor, require_researcher
from surveys.models.membership import MEMBER_ROLES
from surveys.sentence import Sentence, make_sentence

MAX_INVITED = 50
"""Waiting invitations of one survey, so that no survey sends hundreds of e-mails."""


class InvitationForm(ActionForm):
    email = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        # It becomes the user name, which cannot be longer.
        max_length=150,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    role = forms.ChoiceField(
        label=gettext_lazy("Role"), choices=MEMBER_ROLES, initial=Role.VIEWER.value
    )

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()

    def clean(self) -> dict[str, Any]:
        if self.survey.invited.count() >= MAX_INVITED:
            text = _("%s invitations are waiting. Withdraw some first.")
            raise forms.ValidationError(text % MAX_INVITED)
        return super().clean() or {}

    def save(self) -> Invitee:
        invitee, _is_new = Invitee.objects.update_or_create(
            survey=self.survey,
            email=self.cleaned_data["email"],
            defaults={"role": self.cleaned_data["role"]},
        )
        return invitee


def may_invite(user: Visitor) -> bool:
    """Return whether `user` may invite people.

    If the site sends no e-mail, the inviting user sees the link and could use it in the
    colleague's name. Then only users who can set any password may invite.
    """
    return settings.SENDS_MAIL or user.is_superuser


@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = find_survey(request, survey_id, role=Role.OWNER)
    is_posted = request.method == "POST"
    is_allowed = may_invite(request.user)
    form = InvitationForm(survey, request.POST if is_posted else None)
    context = {
        "title": _("Invite a colleague to “%s”") % survey.title,
        "form": form,
        "is_allowed": is_allowed,
        "sends_mail": settings.SENDS_MAIL,
        "valid_minutes": settings.PASSWORD_RESET_TIMEOUT // 60,
    }
    if not (is_allowed and form.is_valid()):
        return render_page(request, survey, "surveys/authoring/invite.html", **context)
    invitee = form.save()
    # The entry omits the address: viewers read the log, and it cannot be deleted.
    with translation.override(None):
        role = Sentence(invitee.get_role_display())
    entry = make_sentence("Invited a colleague by e-mail address: %(role)s.", role=role)
    record(request.user, survey, entry)
    if settings.SENDS_MAIL:
        send_later(request, invitee.email)
        sent = _("An e-mail to %s was sent.")
        messages.success(request, sent % invitee.email)
        return redirect("admin:surveys_survey_people", survey.pk)
    user = get_or_create_account(invitee.email)
    return render_page(
        request,
        survey,
        "surveys/authoring/invited.html",
        **context,
        account=user,
        link=make_password_link(request, user) if user and needs_password(user) else "",
    )


@require_POST
def answer_invitation(request: HttpRequest, invitee_id: int) -> HttpResponse:
    user = require_researcher(request.user)
    invitee = Invitee.objects.filter(pk=invitee_id).select_related("survey").first()
    if invitee is None or not same_address(user.email, invitee.email):
        raise Http404("No such invitation.")
    survey = invitee.survey
    if request.POST.get("answer") != "accept":
        invitee.delete()
        messages.success(request, _("You declined the invitation."))
        return redirect("admin:index")
    if request.POST.get("role") not in {None, invitee.role}:
        text = _("The role was changed. Please answer again.")
        messages.warning(request, text)
        return redirect("admin:index")
    invitee.accept(user)
    record(user, survey, gettext_noop("Accepted the invitation."))
    messages.success(request, _("You work on this survey now."))
    return redirect("admin:surveys_survey_change", survey.pk)


def list_invitations(user: Visitor) -> list[Invitee]:
    email = getattr(user, "email", "")
    if not email:
        return []
    waiting = Invitee.objects.filter(email=email.lower(), survey__deleted_at=None)
    return list(waiting.select_related("survey__owner"))


of_a_survey = [path("people/invite/", invite, name="surveys_survey_invite")]
of_an_invitation = [path("", answer_invitation, name="surveys_survey_invited")]
