"""The page *Share* of an open survey, and its poster."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from respondents.distribution import materials
from respondents.distribution.materials import SharedSurvey
from respondents.explaining.address import FORMATS, draw_code
from respondents.explaining.cards import PAPERS, has_cards
from surveys.access import get_survey_for_user
from surveys.authoring.pages import render_page
from surveys.models import Survey
from surveys.text.by_hand import list_fair_devices


@require_safe
def share(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = get_survey_for_user(request.user, survey_id)
    if not can_be_shared(survey):
        messages.info(request, _("Only an open survey allows this."))
        return redirect("admin:surveys_survey_change", survey.pk)
    shared = make_shared(request, survey)
    return render_page(
        request,
        survey,
        "respondents/distribution/share_page/share.html",
        subtitle=_("Share"),
        shared=shared,
        invitation=materials.write_invitation(shared),
        formats=list(FORMATS),
        papers=PAPERS,
        has_cards=has_cards(shared.design),
        fair=list_fair_devices(shared.design.questions),
    )


@require_safe
def code(request: HttpRequest, survey_id: int, kind: str) -> HttpResponse:
    shared = get_shared(request, survey_id)
    if kind not in FORMATS:
        raise Http404("There is no such format.")
    drawn = draw_code(shared.address, kind)
    return HttpResponse(drawn, content_type=FORMATS[kind])


@require_safe
def poster(request: HttpRequest, survey_id: int) -> HttpResponse:
    return HttpResponse(materials.render_poster(get_shared(request, survey_id)))


@require_safe
def invitation(request: HttpRequest, survey_id: int) -> HttpResponse:
    shared = get_shared(request, survey_id, with_links=True)
    name = f"{shared.survey.slug}-invitation.txt"
    return HttpResponse(
        materials.write_invitation(shared),
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def can_be_shared(survey: Survey) -> bool:
    return survey.is_open and not (survey.is_over or survey.is_rehearsal)


def get_shared(
    request: HttpRequest, survey_id: int, *, with_links: bool = False
) -> SharedSurvey:
    """Return an open survey; `with_links` also allows surveys with one-time links.

    Those cannot be answered at their plain address, so a QR code would mislead.
    """
    survey = get_survey_for_user(request.user, survey_id)
    if not can_be_shared(survey) or (survey.is_by_invitation and not with_links):
        raise Http404("There is no address to share.")
    return make_shared(request, survey)


def make_shared(request: HttpRequest, survey: Survey) -> SharedSurvey:
    return SharedSurvey(survey, request.build_absolute_uri("/").removesuffix("/"))
