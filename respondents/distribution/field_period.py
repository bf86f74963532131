"""How an open survey ends: on a day, at a number of responses, or by hand."""

from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from respondents.least_responses import least_responses
from respondents.models import Response, SealedPattern, close
from respondents.storage.exactly_once import SurveyClosedError
from surveys.access import get_survey_for_user
from surveys.authoring.forms.fields import TypedDecimal, TypedInteger
from surveys.authoring.forms.survey import CALENDAR, WRONG_PLANS
from surveys.authoring.pages import render_page
from surveys.log import CLOSED, record
from surveys.models import Role, Survey
from surveys.sentence import Sentence, make_sentence
from surveys.text.explanations import describe_closing, make_closing_sentence


class PeriodForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Survey
        fields = ["closes_on", "target", "closes_at_target", "wanted_margin"]
        widgets = {"closes_on": CALENDAR, "target": TypedInteger.widget}
        field_classes = {"target": TypedInteger, "wanted_margin": TypedDecimal}
        error_messages = {
            **WRONG_PLANS,
            "closes_on": {"is_over": gettext_lazy("Enter a later day.")},
        }

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        target = cleaned.get("target") if cleaned.get("closes_at_target") else None
        if target and target <= SealedPattern.objects.respondents(self.instance):
            self.add_error(
                "target",
                _("Enter a larger number: there are as many responses already."),
            )
        return cleaned

    @property
    def changes(self) -> Sentence:
        with translation.override(None):
            labels = [str(self.fields[name].label) for name in self.changed_data]
        return make_sentence("Changed: %(fields)s.", fields=list(map(Sentence, labels)))


@require_http_methods(["GET", "HEAD", "POST"])
def period(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = get_survey_for_user(request.user, survey_id, role=Role.EDITOR)
    Response.objects.seal_if_due(survey)
    posted = request.POST if request.method == "POST" else None
    form = PeriodForm(posted, instance=survey, label_suffix="")
    if survey.is_open and not form.is_valid():
        return render_page(
            request,
            survey,
            "respondents/distribution/field_period.html",
            subtitle=_("Field period"),
            form=form,
            closing=describe_closing(survey, SealedPattern.objects.respondents(survey)),
        )
    if not (survey.is_open and save_period(survey, form.changed_data)):
        messages.error(request, _("Only an open survey allows this."))
        return redirect("admin:surveys_survey_change", survey.pk)
    if form.has_changed():
        message = [form.changes]
        if {"target", "closes_at_target"} & {*form.changed_data}:
            sealed = SealedPattern.objects.respondents(survey)
            message += filter(None, [make_closing_sentence(survey, sealed)])
        record(request.user, survey, *message)
    messages.success(request, _("The field period is saved."))
    return redirect("admin:surveys_survey_change", survey.pk)


@transaction.atomic
def save_period(survey: Survey, names: list[str]) -> bool:
    """Store these fields if the survey is still open; return whether it is."""
    # Either closing waits for this change, or this change finds the survey closed.
    locked = Survey.objects.select_for_update().get(pk=survey.pk)
    if locked.is_open and names:
        survey.save(update_fields=names)
    return locked.is_open


@require_http_methods(["GET", "HEAD", "POST"])
def close_survey(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = get_survey_for_user(request.user, survey_id, role=Role.OWNER)
    if request.method != "POST" and survey.is_open:
        sealed = SealedPattern.objects.respondents(survey)
        return render_page(
            request,
            survey,
            "respondents/distribution/close.html",
            title=_("Close “%s”?") % survey,
            # Without waiting responses, whose number would show when a person answers.
            sealed=sealed,
            least=least_responses(survey),
        )
    try:
        close(survey)
    except SurveyClosedError:
        messages.error(request, _("Only an open survey allows this."))
    else:
        record(request.user, survey, CLOSED)
        messages.success(request, _("The survey is closed."))
    return redirect("admin:surveys_survey_change", survey.pk)
