"""Make and revoke the tokens of programs."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from estimation.models import AccessToken
from surveys.access import get_survey_for_user
from surveys.authoring.pages import render_page
from surveys.log import record
from surveys.models import Role, Survey
from surveys.sentence import make_sentence


class TokenForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = AccessToken
        fields = ["name"]


class RevocationForm(forms.Form):
    def __init__(self, survey: Survey, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        of_survey = AccessToken.objects.filter(survey=survey)
        self.fields["token"] = forms.ModelChoiceField(of_survey)


@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest, survey_id: int) -> HttpResponseBase:
    survey = get_survey_for_user(request.user, survey_id, role=Role.OWNER)
    if survey.is_draft:
        messages.info(request, _("Available once the survey is open."))
        return redirect("admin:surveys_survey_change", survey.pk)
    form, text = TokenForm(label_suffix=""), ""
    if request.method == "POST" and "token" in request.POST:
        revocation = RevocationForm(survey, request.POST)
        if revocation.is_valid():
            token = revocation.cleaned_data["token"]
            token.delete()
            done = make_sentence("Revoked the token “%(name)s”.", name=token.name)
            record(request.user, survey, done)
            messages.success(request, str(done))
        return redirect("admin:estimation_tokens", survey.pk)
    if request.method == "POST":
        form = TokenForm(request.POST, label_suffix="")
        if form.is_valid():
            name = form.cleaned_data["name"]
            _made, text = AccessToken.objects.make(survey, request.user, name)
            made = make_sentence("Made the token “%(name)s”.", name=name)
            record(request.user, survey, made)
            form = TokenForm(label_suffix="")
    return render_page(
        request,
        survey,
        "estimation/exports/tokens.html",
        subtitle=_("Programs"),
        tokens=AccessToken.objects.filter(survey=survey).select_related("made_by"),
        form=form,
        text=text,
    )
