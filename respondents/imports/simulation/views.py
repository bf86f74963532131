"""The page *Simulate respondents* of a test."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from respondents.distribution import rehearsal
from respondents.imports.simulation.delivery import SimulationError
from respondents.imports.simulation.forms import SimulationForm
from respondents.imports.simulation.simulate import fill
from surveys.access import get_survey_for_user
from surveys.authoring.pages import render_page
from surveys.log import record
from surveys.models import Role, Survey
from surveys.sentence import make_plural_sentence


@require_http_methods(["GET", "HEAD", "POST"])
def simulate(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = get_survey_for_user(request.user, survey_id, role=Role.EDITOR)
    if not survey.is_draft or rehearsal.find_problems(survey):
        messages.info(request, _("Only a draft can be tried."))
        return redirect("admin:surveys_survey_try", survey.pk)
    questions = survey.questions.prefetch_related("choices")
    form = SimulationForm(questions, survey.target, request.POST or None)
    if form.is_valid():
        try:
            return run(request, survey, form)
        except (SimulationError, ValidationError):
            ended = _("The test was changed meanwhile. Please try again.")
            form.add_error(None, ended)
    test = rehearsal.find(survey)
    return render_page(
        request,
        survey,
        "respondents/imports/simulate.html",
        subtitle=_("Simulate respondents"),
        form=form,
        is_outdated=test is not None and rehearsal.is_outdated(test, survey),
    )


def run(request: HttpRequest, survey: Survey, form: SimulationForm) -> HttpResponse:
    """Fill the test and redirect to its results; start a new test if necessary."""
    test = rehearsal.find(survey)
    is_fresh = form.cleaned_data["is_fresh"]
    if test is None or is_fresh or rehearsal.is_outdated(test, survey):
        test = rehearsal.start(survey)
    respondents = form.cleaned_data["respondents"]
    fill(test, respondents, form.list_shares())
    message = make_plural_sentence(
        "Simulated %(count)s respondent of a test.",
        "Simulated %(count)s respondents of a test.",
        count=respondents,
    )
    record(request.user, survey, message)
    compare = _("True shares: %s.")
    messages.success(request, f"{message} {compare % form.describe_shares()}")
    return redirect("admin:estimation_results", test.pk)
