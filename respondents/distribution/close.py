"""Closing a survey by hand."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from respondents.errors import SurveyClosedError
from respondents.least_responses import least_responses
from respondents.models import SealedPattern, close
from surveys.access import get_survey_for_user
from surveys.authoring.pages import render_page
from surveys.log import CLOSED, record
from surveys.models import Role


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
            # Not those that wait: their number would tell when somebody answers.
            sealed=sealed,
            least=least_responses(survey),
        )
    try:
        close(survey)
    except SurveyClosedError:
        messages.error(request, _("Only an open survey can be closed."))
    else:
        record(request.user, survey, CLOSED)
        messages.success(
            request, _("The survey is closed. It takes no more responses.")
        )
    return redirect("admin:surveys_survey_change", survey.pk)
