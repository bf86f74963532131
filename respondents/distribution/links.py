"""The page on which a researcher makes one-time links."""

import csv
from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from respondents.models import Response, SealedPattern
from respondents.storage.exactly_once import SurveyClosedError
from respondents.storage.invitations import Invitation
from surveys.access import get_survey_for_user
from surveys.authoring.forms.fields import TypedInteger, make_integer_errors
from surveys.authoring.pages import render_page
from surveys.log import record
from surveys.models import Role, Survey
from surveys.models.period import MAX_LINKS_PER_REQUEST
from surveys.numbers import format_integer
from surveys.sentence import make_plural_sentence

MADE = "links-made"


class LinksForm(forms.Form):
    def __init__(self, least: int, data: Mapping[str, Any] | None) -> None:
        super().__init__(data, label_suffix="")
        message = _("%(least)s to %(most)s.")
        numbers = {
            "least": format_integer(least),
            "most": format_integer(MAX_LINKS_PER_REQUEST),
        }
        self.fields["count"] = TypedInteger(
            label=_("How many links"),
            min_value=least,
            max_value=MAX_LINKS_PER_REQUEST,
            help_text=message % numbers,
            error_messages=make_integer_errors(least, MAX_LINKS_PER_REQUEST),
        )


@require_http_methods(["GET", "HEAD", "POST"])
def links(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = get_survey_for_user(request.user, survey_id, role=Role.EDITOR)
    if not (survey.is_open and survey.is_by_invitation):
        messages.error(request, _("Only an open survey allows this."))
        return redirect("admin:surveys_survey_change", survey.pk)
    form = LinksForm(
        Invitation.objects.compute_least_links(survey), request.POST or None
    )
    if form.is_valid():
        return make_links(request, survey, form.cleaned_data["count"])
    Response.objects.seal_if_due(survey)
    if message := request.session.pop(f"{MADE}-{survey.pk}", ""):
        messages.success(request, message)
    return render_page(
        request,
        survey,
        "respondents/distribution/links.html",
        title=_("One-time links"),
        form=form,
        made=Invitation.objects.filter(survey=survey).count(),
        # Not the number of spent links, which changes with each response and so would
        # show when a person has answered.
        used=SealedPattern.objects.respondents(survey),
    )


def make_links(request: HttpRequest, survey: Survey, count: int) -> HttpResponse:
    try:
        tokens = Invitation.objects.make(survey, count)
    except SurveyClosedError:
        messages.error(request, _("Only an open survey allows this."))
        return redirect("admin:surveys_survey_change", survey.pk)
    message = make_plural_sentence(
        "Made %(count)s one-time link.", "Made %(count)s one-time links.", count=count
    )
    record(request.user, survey, message)
    # The response is a file, so the message is stored until this page is shown again.
    request.session[f"{MADE}-{survey.pk}"] = str(message)
    address = request.build_absolute_uri(survey.get_absolute_url())
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{survey.slug}-links.csv"'
    # After the #, because browsers do not send this part: no log and no other site
    # receives a token.
    csv.writer(answer).writerows(
        [["link"], *([f"{address}#{token}"] for token in tokens)]
    )
    return answer
