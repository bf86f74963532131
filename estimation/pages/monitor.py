"""The monitor of an open survey."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from estimation.presentation.progress import bar_ends, cautions, live_texts, live_values
from estimation.rows.progress import get_progress
from surveys.access import get_survey_for_user
from surveys.authoring.pages import render_page

SECONDS_BETWEEN_POLLS = 30
"""Numbers change once per batch, so more frequent polls gain nothing."""


@require_safe
def monitor(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = get_survey_for_user(request.user, survey_id)
    if survey.is_draft:
        messages.info(request, _("Available once the survey is open."))
        return redirect("admin:surveys_survey_change", survey.pk)
    progress = get_progress(survey)
    texts, values = live_texts(progress), live_values(progress)
    ends = bar_ends(progress)
    return render_page(
        request,
        survey,
        "estimation/monitor/monitor.html",
        subtitle=_("Monitor"),
        progress=progress,
        texts=texts,
        target_value=values.get("target"),
        rows=[
            {
                "question": question,
                "reports": texts[f"reports-{question.number}"],
                "margin": texts[f"margin-{question.number}"],
                "more": texts[f"more-{question.number}"],
                "value": values.get(f"bar-{question.number}"),
                "end": ends.get(f"bar-{question.number}"),
            }
            for question in progress.questions
        ],
        cautions=cautions(progress),
        seconds=SECONDS_BETWEEN_POLLS,
    )


@require_safe
def numbers(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = get_survey_for_user(request.user, survey_id)
    if survey.is_draft:
        raise Http404("Available once the survey is open.")
    progress = get_progress(survey)
    return JsonResponse(
        {
            "open": survey.is_open,
            "texts": live_texts(progress),
            "values": live_values(progress),
            "ends": bar_ends(progress),
        }
    )
