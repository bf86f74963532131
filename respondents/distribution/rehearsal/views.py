"""The researcher's page on which a draft is tried, and the pages in its frames."""

from typing import Any

from csp.constants import SELF
from csp.decorators import csp_replace, csp_update
from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from respondents.collecting import views
from respondents.distribution.rehearsal import rehearsal
from respondents.explaining.address import FORMATS, draw_code
from surveys.access import get_survey_for_user
from surveys.authoring.pages import render_page
from surveys.log import record
from surveys.models import Role, Survey

START, WIPE = "start", "wipe"

# For the pages in the frames and no others: respondents' own addresses allow no frame.
# (The types of csp know no view with arguments; hence what mypy overlooks below.)
ONLY_HERE = {"frame-ancestors": [SELF]}


class StepForm(forms.Form):
    """What to do with the test of a draft."""

    step = forms.ChoiceField(choices=[(START, START), (WIPE, WIPE)])


@csp_update({"frame-src": [SELF]})  # type: ignore[arg-type]
@require_http_methods(["GET", "HEAD", "POST"])
def try_it(request: HttpRequest, survey_id: int) -> HttpResponse:
    """Show the draft as respondents will meet it; start a test of it, or end one."""
    role = Role.EDITOR if request.method == "POST" else Role.VIEWER
    survey = get_survey_for_user(request.user, survey_id, role=role)
    if survey.is_rehearsal:
        return redirect("admin:surveys_survey_try", survey.rehearsal_of_id)
    if not survey.is_draft:
        messages.info(request, _("Only a draft can be tried: this survey was opened."))
        return redirect("admin:surveys_survey_change", survey.pk)
    if request.method == "POST":
        return take_step(request, survey)
    return render_page(
        request,
        survey,
        "respondents/distribution/rehearsal/try.html",
        subtitle=_("Try it"),
        **get_rehearsal(request, survey),
    )


def get_rehearsal(request: HttpRequest, survey: Survey) -> dict[str, Any]:
    test = rehearsal.find(survey)
    if test is None:
        return {"test": None, "problems": rehearsal.problems(survey)}
    return {
        "test": test,
        "responses": rehearsal.count_responses(test),
        "is_outdated": rehearsal.is_outdated(test, survey),
        "address": make_address(request, test),
        "by_hand": survey.mode == Survey.Mode.HAND,
    }


def make_address(request: HttpRequest, test: Survey) -> str:
    return request.build_absolute_uri(test.get_absolute_url())


def take_step(request: HttpRequest, survey: Survey) -> HttpResponse:
    form = StepForm(request.POST)
    step = form.cleaned_data["step"] if form.is_valid() else None
    if step == START:
        start(request, survey)
    elif step == WIPE and rehearsal.wipe(survey):
        message = gettext_noop("Ended the test and deleted its answers.")
        record(request.user, survey, message)
        messages.success(request, _("The test is over. Its answers are deleted."))
    return redirect("admin:surveys_survey_try", survey.pk)


def start(request: HttpRequest, survey: Survey) -> None:
    try:
        rehearsal.start(survey)
    except ValidationError as error:
        message = " ".join(error.messages)
        messages.error(request, _("The test could not be started. ") + message)
    else:
        record(request.user, survey, gettext_noop("Started a test."))


def get_test(request: HttpRequest, survey_id: int) -> Survey:
    """Return the test of a draft in which the user has a role."""
    test = rehearsal.find(get_survey_for_user(request.user, survey_id))
    if test is None:
        raise Http404("This survey is not being tried.")
    return test


# Exempt: the page is the respondents' own, whose form has no token. What another site
# could send is one more answer to a test, which anybody with its link may do.
@csrf_exempt
@sensitive_post_parameters()
@xframe_options_sameorigin
@csp_replace(ONLY_HERE)  # type: ignore[arg-type]
@require_http_methods(["GET", "HEAD", "POST"])
def respondents_page(request: HttpRequest, survey_id: int) -> HttpResponse:
    """Answer as the respondents' page does, in a frame of this site."""
    answer = views.survey(request, get_test(request, survey_id).slug)
    if answer.has_header("Location"):
        return redirect("admin:surveys_survey_try_thanks", survey_id)
    return answer


@xframe_options_sameorigin
@csp_replace(ONLY_HERE)  # type: ignore[arg-type]
@require_safe
def thanks(request: HttpRequest, survey_id: int) -> HttpResponse:
    """Answer as the page after a plain form does, in a frame of this site."""
    return views.thanks(request, get_test(request, survey_id).slug)


@require_safe
def code(request: HttpRequest, survey_id: int) -> HttpResponse:
    """Draw the address of the test as a QR code, for the phone in one's pocket."""
    drawn = draw_code(make_address(request, get_test(request, survey_id)), "svg")
    return HttpResponse(drawn, content_type=FORMATS["svg"])
