"""A test of a draft: an opened copy that is answered like any survey and then deleted.

The copy is marked as simulated, and its `rehearsal_of` refers to the draft. It appears
in no list and has the draft's roles. The code that receives reports does not
distinguish tests, so that a test runs exactly like the survey; a mode "test" would have
to be excluded from each query. Opening the draft deletes the test, with all rows that
refer to it, in one transaction, and then rewrites the files of the database. Starting a
test again only deletes rows, so that respondents of open surveys do not wait.
"""

import secrets
from copy import copy
from typing import Any
from urllib.parse import urljoin, urlsplit

from csp.constants import SELF
from csp.decorators import csp_replace, csp_update
from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from candor.mechanisms import ParameterError
from respondents.collecting import views
from respondents.explaining.address import FORMATS, draw_code
from respondents.models import Response, SealedPattern
from respondents.storage.opening import derive_rehearsal_key
from respondents.storage.secure_deletion import (
    Unerased,
    list_rows,
    overwrite_deleted_rows,
)
from surveys.access import get_survey_for_user
from surveys.authoring.pages import render_page
from surveys.files.definition import copy_survey
from surveys.frozen import FrozenError, compute_digest
from surveys.log import record
from surveys.models import Role, Survey
from surveys.text.paths import describe_paths

SLUG_BYTES = 16
"""128 random bits, so that a test cannot be found by trying addresses."""

OVERRIDES: dict[str, Any] = {
    "access": Survey.Access.LINK,
    "closes_on": None,
    "closes_at_target": False,
    "is_simulated": True,
}
"""Fields of the test that differ from the draft: one link for all testers, no closing.

Results are updated after each answer: see `Survey.step`.
"""

NOT_COMPARED = ("slug", "access")


def find(draft: Survey) -> Survey | None:
    return Survey.objects.filter(rehearsal_of=draft).first()


def find_problems(draft: Survey) -> list[str]:
    """Return the problems that prevent a test; group sizes are not among them."""
    tried = copy(draft)
    tried.is_simulated = True
    return tried.problems()


@transaction.atomic
def start(draft: Survey) -> Survey:
    """Return a new test of the current draft, and delete an earlier test.

    The new test keeps the address of the earlier one, so that shared links still work.
    If the draft cannot be opened, the earlier test remains.
    """
    locked = lock(draft)
    if not locked.is_draft:
        raise FrozenError
    earlier = find(draft)
    if earlier:
        delete(earlier)
    test = copy_survey(
        locked,
        owner=locked.owner,
        rehearsal_of=locked,
        slug=earlier.slug if earlier else f"try-{secrets.token_hex(SLUG_BYTES)}",
        **OVERRIDES,
    )
    if holder := locked.holder:
        key = derive_rehearsal_key(test.slug)
        public = key.publish(holder=holder.holder, contact=holder.contact)
        test.holder_key = public.write().decode()
        test.save(update_fields=["holder_key"])
    test.open()
    return test


def lock(draft: Survey) -> Survey:
    """Lock and return the stored draft, so that starting and wiping wait."""
    return Survey.objects.select_for_update().get(pk=draft.pk)


@transaction.atomic
def wipe(draft: Survey) -> bool:
    """Delete the test and its answers; return whether there was a test.

    The files of the database are rewritten after the commit.
    """
    lock(draft)
    rehearsal = find(draft)
    if rehearsal is None:
        return False
    delete(rehearsal)
    Unerased.objects.note_deletion()
    transaction.on_commit(overwrite_deleted_rows, robust=True)
    return True


def delete(rehearsal: Survey) -> None:
    """Delete an opened copy with everything that belongs to it.

    The survey is deleted first, in SQL: triggers protect the questions of an opened
    survey, but not those without a survey. Foreign keys are checked at the end of the
    transaction.
    """
    with connection.cursor() as cursor:
        # Waits for a request that stores a response; the next one finds no survey.
        Survey.objects.select_for_update().get(pk=rehearsal.pk)
        cursor.execute("DELETE FROM surveys_survey WHERE id = %s", [rehearsal.pk])
    for rows in list_rows(rehearsal.pk):
        rows.delete()


@transaction.atomic
def open_survey(draft: Survey) -> None:
    """Wipe the test and open the draft in one transaction.

    Raises
    ------
    ValidationError
        From `Survey.open`: if there are problems, which it lists, or if the survey is
        not a draft.
    """
    wipe(draft)
    draft.open()


def is_outdated(rehearsal: Survey, draft: Survey) -> bool:
    try:
        return compute_comparable_digest(rehearsal) != compute_comparable_digest(draft)
    except ParameterError:
        # The draft has invalid parameters.
        return True


def compute_comparable_digest(survey: Survey) -> str:
    definition = survey.definition()
    # A test that an earlier release started does not promise a number of links.
    definition.get("counting", {}).pop("least_links", None)
    # A test has its own key, so only the name of the key holder is compared.
    definition["holder_key"] = survey.holder.holder if survey.holder else ""
    return compute_digest(
        {name: definition[name] for name in definition.keys() - NOT_COMPARED}
    )


def count_responses(rehearsal: Survey) -> int:
    Response.objects.seal_if_due(rehearsal)
    return SealedPattern.objects.respondents(rehearsal)


START, WIPE = "start", "wipe"

# Only for the pages in the frames: respondents' pages cannot be framed.
# The types of django-csp do not allow views with arguments, hence `type: ignore` below.
ONLY_HERE = {"frame-ancestors": [SELF]}


class StepForm(forms.Form):
    step = forms.ChoiceField(choices=[(START, START), (WIPE, WIPE)])


@csp_update({"frame-src": [SELF]})  # type: ignore[arg-type]
@require_http_methods(["GET", "HEAD", "POST"])
def try_it(request: HttpRequest, survey_id: int) -> HttpResponse:
    role = Role.EDITOR if request.method == "POST" else Role.VIEWER
    survey = get_survey_for_user(request.user, survey_id, role=role)
    if survey.is_rehearsal:
        return redirect("admin:surveys_survey_try", survey.rehearsal_of_id)
    if not survey.is_draft:
        messages.info(request, _("Only a draft can be tried."))
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
    test = find(survey)
    if test is None:
        return {"test": None, "problems": find_problems(survey)}
    return {
        "test": test,
        "responses": count_responses(test),
        "paths": describe_paths(test),
        "is_outdated": is_outdated(test, survey),
        "address": make_address(request, test),
    }


def make_address(request: HttpRequest, test: Survey) -> str:
    return request.build_absolute_uri(test.get_absolute_url())


def take_step(request: HttpRequest, survey: Survey) -> HttpResponse:
    form = StepForm(request.POST)
    step = form.cleaned_data["step"] if form.is_valid() else None
    if step == START:
        start_and_record(request, survey)
    elif step == WIPE and wipe(survey):
        message = gettext_noop("Ended the test and deleted its answers.")
        record(request.user, survey, message)
        messages.success(request, _(message))
    return redirect("admin:surveys_survey_try", survey.pk)


def start_and_record(request: HttpRequest, survey: Survey) -> None:
    try:
        start(survey)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        record(request.user, survey, gettext_noop("Started a test."))


def get_test(request: HttpRequest, survey_id: int) -> Survey:
    test = find(get_survey_for_user(request.user, survey_id))
    if test is None:
        raise Http404("This survey is not being tried.")
    return test


# Exempt, because this is the respondents' page, whose form has no token. Another site
# could only send an answer to a test, which anyone with its link may do.
@csrf_exempt
@sensitive_post_parameters()
@xframe_options_sameorigin
@csp_replace(ONLY_HERE)  # type: ignore[arg-type]
@require_http_methods(["GET", "HEAD", "POST"])
def respondents_page(request: HttpRequest, survey_id: int) -> HttpResponse:
    answer = views.survey(request, get_test(request, survey_id).slug)
    if answer.has_header("Location"):
        thanks = resolve_url("admin:surveys_survey_try_thanks", survey_id)
        return redirect(urljoin(thanks, "?" + urlsplit(answer["Location"]).query))
    return answer


@xframe_options_sameorigin
@csp_replace(ONLY_HERE)  # type: ignore[arg-type]
@require_safe
def thanks(request: HttpRequest, survey_id: int) -> HttpResponse:
    return views.thanks(request, get_test(request, survey_id).slug)


@require_safe
def code(request: HttpRequest, survey_id: int) -> HttpResponse:
    """Return the address of the test as a QR code, to open it on a phone."""
    drawn = draw_code(make_address(request, get_test(request, survey_id)), "svg")
    return HttpResponse(drawn, content_type=FORMATS["svg"])
