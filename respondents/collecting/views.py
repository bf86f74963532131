from collections.abc import Callable, Sequence
from functools import wraps
from http import HTTPStatus
from urllib.parse import urlencode

from django.conf import settings
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
    JsonResponse,
)
from django.shortcuts import redirect, resolve_url
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from candor.mechanisms.draws import encode_pattern
from respondents.collecting import pages, protocol
from respondents.collecting.find_survey import find_or_recall, find_survey
from respondents.collecting.forms import PlainForm
from respondents.collecting.randomise import randomise
from respondents.models import Response
from respondents.storage.exactly_once import SurveyClosedError
from respondents.storage.invitations import UnknownInvitationError
from respondents.storage.outages import (
    DATABASE_TROUBLE,
    answer_unavailable,
    outage,
)
from surveys.design import Design, get_design
from surveys.frozen import encode_definition
from surveys.models import Survey

WHERE = "Error on a respondent's page"

View = Callable[[HttpRequest, str], HttpResponse]


def answer_errors(
    make_answer: Callable[[protocol.RefusedError], HttpResponse],
) -> Callable[[View], View]:
    """Return a decorator that uses `make_answer` for refusals and outages."""

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, slug: str) -> HttpResponse:
            try:
                return view(request, slug)
            except protocol.RefusedError as refused:
                return make_answer(refused)
            except DATABASE_TROUBLE as error:
                busy = make_answer(protocol.make_busy_error())
                return answer_unavailable(busy, outage.note(error), where=WHERE)

        return answer

    return decorate


def render_error(refused: protocol.RefusedError) -> HttpResponse:
    is_busy = refused.status == HTTPStatus.SERVICE_UNAVAILABLE
    page = pages.render_busy() if is_busy else pages.render_refused()
    return HttpResponse(page, status=refused.status)


answer_with_json = answer_errors(protocol.RefusedError.to_json)
answer_with_pages = answer_errors(render_error)


# Exempt, because these requests have no cookie and no session that another site could
# misuse. A CSRF token would be the only thing that distinguishes visitors.
@csrf_exempt
@answer_with_json
def reports(request: HttpRequest, slug: str) -> HttpResponse:
    protocol.refuse_unread(request, content_type="application/json")
    if trouble := request.META.get(protocol.STORAGE_ERROR):
        raise trouble
    survey = find_survey(slug)
    if survey is None:
        raise protocol.make_unknown_error()
    submission = protocol.read_submission(request, survey)
    try:
        store(survey, [submission])
    except SurveyClosedError:
        raise protocol.make_closed_error(get_design(survey)) from None
    request.META[protocol.REPEATABLE_FOR] = survey
    return JsonResponse({"recorded": True})


def store(
    survey: Survey, submissions: Sequence[protocol.Submission]
) -> set[protocol.Submission]:
    """Store a group of submissions; return those that are recorded.

    Raises
    ------
    SurveyClosedError
        If the survey is not open at the moment of writing.
    UnknownInvitationError
        If nothing was recorded, because no link of this survey has these tokens.
    """
    outage.refuse_while_away()
    outage.refuse_while_stuck()
    is_by_link = bool(submissions[0].invitation)
    names = [each.invitation or each.identifier for each in submissions]
    patterns: dict[str, bytes] = {}
    for name, each in zip(names, submissions, strict=True):
        patterns.setdefault(name, each.pattern)  # the first one counts
    responses = Response.objects
    store_all = responses.store_all_invited if is_by_link else responses.store_all
    stored = store_all(survey, patterns)
    if not stored:
        raise UnknownInvitationError
    # Retries write nothing, so they do not show whether the disk is full.
    if any(stored.values()):
        outage.note_stored()
    else:
        outage.note_reachable()
    return {
        each for name, each in zip(names, submissions, strict=True) if name in stored
    }


@csrf_exempt  # as above
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@answer_with_pages
def survey(request: HttpRequest, slug: str) -> HttpResponse:
    language = read_language(request)
    query = f"language={language}" if language else ""
    if request.method != "POST" and request.META["QUERY_STRING"] != query:
        # A panel may add an id of the respondent. This removes it, so that no page,
        # script or browser history contains it.
        return HttpResponseRedirect(f"{request.path}?{query}".rstrip("?"))
    found = find_survey(slug) if request.method == "POST" else find_or_recall(slug)
    if found is None:
        return HttpResponse(pages.render_unknown(), status=HTTPStatus.NOT_FOUND)
    if request.method == "POST" and found.is_open:
        return receive(request, found)
    if found.has_ended:
        page = pages.render_closed(found, language)
        return HttpResponse(page, status=HTTPStatus.GONE)
    if get_design(found).mode == Survey.Mode.BROWSER:
        if query:
            # The page has all languages; the URL must not show which one is read.
            return HttpResponseRedirect(request.path)
        request.META[protocol.REPEATABLE_FOR] = found
    return send_page(request, pages.render_open_survey(found, language))


def read_language(request: HttpRequest) -> str:
    """Return the language in the query of the URL, or "" if it is not supported.

    Only the URL decides. So a URL has the same page for all visitors, and the pages of
    a form keep their language without storing anything.
    """
    asked = request.GET.get("language", "")
    return asked if asked in dict(settings.LANGUAGES) else ""


def send_page(request: HttpRequest, page: pages.Page) -> HttpResponse:
    is_understood = "gzip" in request.headers.get("Accept-Encoding", "")
    if not (page.compressed and is_understood):
        return HttpResponse(page.body, status=page.status)
    response = HttpResponse(page.compressed)
    response["Content-Encoding"] = "gzip"
    return response


def receive(request: HttpRequest, survey: Survey) -> HttpResponse:
    language = read_language(request)
    design = get_design(survey).translate(language)
    if design.mode == Survey.Mode.BROWSER:
        return HttpResponseNotAllowed(["GET", "HEAD"])
    protocol.refuse_unread(request, content_type="application/x-www-form-urlencoded")
    try:
        invitation = protocol.read_invitation(survey, design, request.POST)
    except protocol.RefusedError as refused:
        if refused.status == HTTPStatus.FORBIDDEN:
            # A used link gets a page of the same form.
            name = "collecting/unknown_link"
            page = pages.render_survey(name, design, is_simulated=survey.is_simulated)
        else:
            form = PlainForm(design, request.POST)
            code = request.POST.get(protocol.INVITATION, "")
            page = pages.render_mistakes(
                survey, form, code, is_mistyped=True, language=language
            )
        return HttpResponse(page, status=refused.status)
    form = PlainForm(design, request.POST)
    if not form.is_valid():
        page = pages.render_mistakes(survey, form, invitation, language=language)
        return HttpResponse(page, status=HTTPStatus.BAD_REQUEST)
    if ends_survey(design, form):
        name = "collecting/screened"
        page = pages.render_survey(name, design, is_simulated=survey.is_simulated)
        return HttpResponse(page)
    identifier, pattern = form.cleaned_data["submission"], read_reports(design, form)
    try:
        store(survey, [protocol.Submission(identifier, pattern, invitation)])
    except SurveyClosedError:
        query = urlencode({"language": language} if language else {})
        return redirect_after_post("respondents:survey", survey, query)
    query = pages.write_thanks_query(design, language)
    return redirect_after_post("respondents:thanks", survey, query)


def ends_survey(design: Design, form: PlainForm) -> bool:
    picked = form.list_choices()
    if design.mode == Survey.Mode.SERVER:
        picked = design.apply_conditions(picked)
    return any(
        pick in question.ending
        for pick, question in zip(picked, design.questions, strict=True)
    )


def read_reports(design: Design, form: PlainForm) -> bytes:
    """Return the outcomes in mode hand; randomise the answers in mode server."""
    picked = form.list_choices()
    if design.mode == Survey.Mode.HAND:
        return encode_pattern(picked)
    return randomise(design, design.apply_conditions(picked))


@require_safe
@answer_with_pages
def thanks(request: HttpRequest, slug: str) -> HttpResponse:
    found, language = find_survey(slug), read_language(request)
    page = found and pages.render_thanks(found, language)
    if not found or not page:
        return HttpResponse(pages.render_unknown(), status=HTTPStatus.NOT_FOUND)
    if request.META["QUERY_STRING"] != pages.write_thanks_query(
        get_design(found), language
    ):
        # The visitor has not just sent a form.
        return HttpResponseRedirect(f"../?language={language}" if language else "../")
    return HttpResponse(page)


@require_safe
@answer_with_json
def design(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the exact bytes that the digest covers, so that anyone can verify it.

    Closed surveys are included as long as they exist.
    """
    found = find_survey(slug)
    if found is None:
        raise protocol.make_unknown_error()
    definition = Survey.objects.get(pk=found.pk).definition()
    return HttpResponse(encode_definition(definition), content_type="application/json")


def redirect_after_post(name: str, survey: Survey, query: str) -> HttpResponse:
    """Redirect so that reloading the next page posts nothing again."""
    response = redirect(f"{resolve_url(name, survey.slug)}?{query}".rstrip("?"))
    response.status_code = HTTPStatus.SEE_OTHER
    return response
