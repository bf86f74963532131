"""The colleagues of a survey and what each of them may do."""

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from surveys.access import has_role
from surveys.authoring.forms.action import ActionForm
from surveys.authoring.pages import find_survey, render_page
from surveys.log import record
from surveys.models import Membership, Role
from surveys.models.membership import MEMBER_ROLES
from surveys.sentence import Sentence, make_sentence


class ColleagueForm(ActionForm):
    username = forms.CharField(
        label=gettext_lazy("User name"),
        max_length=150,
        widget=forms.TextInput(
            attrs={
                "autocapitalize": "none",
                "autocomplete": "off",
                "spellcheck": "false",
            }
        ),
    )

    def clean_username(self) -> User:
        name: str = self.cleaned_data["username"]
        # Only users who may log in here: a role for anyone else would have no effect.
        researchers = User.objects.filter(username=name, is_active=True, is_staff=True)
        user = researchers.first()
        # Invited users without a password cannot log in either, and accepting one would
        # reveal that the account is new.
        if user is None or not user.has_usable_password():
            text = _("No researcher here has the user name “%s”.") % name
            raise forms.ValidationError(text)
        if user.pk == self.survey.owner_id:
            raise forms.ValidationError(_("“%s” is the owner already.") % name)
        return user


class RoleForm(ColleagueForm):
    role = forms.ChoiceField(
        label=gettext_lazy("Role"), choices=MEMBER_ROLES, initial=Role.VIEWER.value
    )

    def save(self) -> Sentence:
        user, role = self.cleaned_data["username"], Role(self.cleaned_data["role"])
        Membership.objects.update_or_create(
            survey=self.survey, user=user, defaults={"role": role.value}
        )
        now = (
            make_sentence("an editor")
            if role is Role.EDITOR
            else make_sentence("a viewer")
        )
        return make_sentence(
            "“%(name)s” is %(role)s now.", name=user.username, role=now
        )


class RemovalForm(ColleagueForm):
    def save(self) -> Sentence:
        user = self.cleaned_data["username"]
        Membership.objects.filter(survey=self.survey, user=user).delete()
        return make_sentence("“%(name)s” no longer has a role.", name=user.username)


class HandOverForm(ColleagueForm):
    def clean_username(self) -> User:
        """Refuse surveys of a panel, whose budget belongs to one owner."""
        if self.survey.panel and not self.survey.is_draft:
            text = _("Surveys of a panel stay with one owner.")
            raise forms.ValidationError(text)
        return super().clean_username()

    def save(self) -> Sentence:
        user = self.cleaned_data["username"]
        former = Membership.objects.hand_over(self.survey, user)
        return make_sentence(
            "“%(name)s” is the owner now, and “%(former)s” an editor.",
            name=user.username,
            former=former.username,
        )


class WithdrawalForm(ActionForm):
    email = forms.EmailField()

    def save(self) -> Sentence:
        email = self.cleaned_data["email"]
        self.survey.invited.filter(email=email.lower()).delete()
        return make_sentence("The invitation to %(email)s is withdrawn.", email=email)


FORMS: dict[
    str,
    type[RoleForm] | type[RemovalForm] | type[HandOverForm] | type[WithdrawalForm],
] = {
    "add": RoleForm,
    "change": RoleForm,
    "remove": RemovalForm,
    "hand_over": HandOverForm,
    "withdraw": WithdrawalForm,
}


@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest, survey_id: int) -> HttpResponse:
    is_posted = request.method == "POST"
    needed = Role.OWNER if is_posted else Role.VIEWER
    survey = find_survey(request, survey_id, role=needed)
    action = request.POST.get("action", "add")
    form = FORMS.get(action, RoleForm)(survey, request.POST if is_posted else None)
    if form.is_valid():
        done = form.save()
        record(request.user, survey, done)
        messages.success(request, str(done))
        if not has_role(request.user, survey):
            return redirect("admin:surveys_survey_changelist")
        return redirect("admin:surveys_survey_people", survey.pk)
    return render_page(
        request,
        survey,
        "surveys/authoring/people.html",
        title=_("People of “%s”") % survey.title,
        members=survey.memberships.select_related("user"),
        invited=survey.invited.all(),
        roles=MEMBER_ROLES,
        add=form if action == "add" else RoleForm(survey, auto_id="add_%s"),
        hand_over=form
        if action == "hand_over"
        else HandOverForm(survey, auto_id="hand_over_%s"),
        refused=form,
    )
