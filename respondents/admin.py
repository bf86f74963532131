from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from respondents.models import SurveyClosedError, close
from surveys.access import get_survey_for_user


@require_POST
def close_survey(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = get_survey_for_user(request.user, survey_id)
    try:
        close(survey)
    except SurveyClosedError:
        messages.error(request, _("Only an open survey can be closed."))
    else:
        messages.success(
            request, _("The survey is closed. It takes no more responses.")
        )
    return redirect("admin:surveys_survey_change", survey.pk)


def get_urls() -> list[URLPattern]:
    return [path("close/", close_survey, name="surveys_survey_close")]
