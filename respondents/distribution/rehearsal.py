"""A test of a draft: an opened copy, answered like any survey, and then wiped.

A test is an opened copy of the draft, marked as simulated, whose `rehearsal_of` names
the draft. It is in no list and has the draft's roles. The code that receives reports
knows nothing of tests, so that everything is tried as it will be; a mode "test" would
have to be excluded from each query. Opening the draft deletes the test with all that
refers to it in one transaction, and rewrites the database's files after it. Starting a
test again deletes rows only, so that respondents of open surveys do not wait.
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
"""128 random bits: no one finds a test by trying addresses."""

OF_ITS_OWN: dict[str, Any] = {
    "access": Survey.Access.LINK,
    "closes_on": None,
    "closes_at_target": False,
    "is_simulated": True,
}
"""One link for everyone who helps to test; no one closes it.

Results follow each answer: see `Survey.step`.
"""

NOT_COMPARED = ("slug", "access")


def find(draft: Survey) -> Survey | None:
    return Survey.objects.filter(rehearsal_of=draft).first()


def find_problems(draft: Survey) -> list[str]:
    """Return what keeps the draft from being tried: group sizes do not."""
    tried = copy(draft)
    tried.is_simulated = True
    return tried.problems()


@transaction.atomic
def start(draft: Survey) -> Survey:
    """Return a new test of the draft as it is now; answers to an earlier one go.

    The address stays, so that a link which was passed on leads to the new one.
    Where something keeps the draft from being opened, an earlier test stays.
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
        **OF_ITS_OWN,
    )
    if holder := locked.holder:
        key = derive_rehearsal_key(test.slug)
        public = key.publish(holder=holder.holder, contact=holder.contact)
        test.holder_key = public.write().decode()
        test.save(update_fields=["holder_key"])
    test.open()
    return test


def lock(draft: Survey) -> Survey:
    """Return the draft as it is stored; others who start or wipe must wait."""
    return Survey.objects.select_for_update().get(pk=draft.pk)


@transaction.atomic
def wipe(draft: Survey) -> bool:
    """Delete the test and all that was answered; returns whether there was one.

    The database's files are rewritten once this is committed.
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

    The survey goes first, in SQL: triggers keep the questions of an opened survey, and
    spare those of none. Foreign keys are looked at when the transaction ends.
    """
    with connection.cursor() as cursor:
        # Waits for a request that is storing a response; the next finds no survey.
        Survey.objects.select_for_update().get(pk=rehearsal.pk)
        cursor.execute("DELETE FROM surveys_survey WHERE id = %s", [rehearsal.pk])
    for rows in list_rows(rehearsal.pk):
        rows.delete()


@transaction.atomic
def open_survey(draft: Survey) -> None:
    """Wipe the test and open the draft, both or neither.

    Raises
    ------
    ValidationError
        As `Survey.open`: with the list of problems, or where it is not a draft.
    """
    wipe(draft)
    draft.open()


def is_outdated(rehearsal: Survey, draft: Survey) -> bool:
    try:
        return compute_comparable_digest(rehearsal) != compute_comparable_digest(draft)
    except ParameterError:
        # A draft can be so broken that no one could ask its questions.
        return True


def compute_comparable_digest(survey: Survey) -> str:
    definition = survey.definition()
    # One that an earlier release started promises nothing.
    definition.get("counting", {}).pop("least_links", None)
    # Its key is its own.
    definition["holder_key"] = survey.holder.holder if survey.holder else ""
    return compute_digest(
        {name: definition[name] for name in definition.keys() - NOT_COMPARED}
    )


def count_responses(rehearsal: Survey) -> int:
    Response.objects.seal_if_due(rehearsal)
    return SealedPattern.objects.respondents(rehearsal)


START, WIPE = "start", "wipe"

# For the pages in the frames and no others: respondents' own addresses allow no frame.
# (The types of csp know no view with arguments; hence what mypy overlooks below.)
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


# Exempt: the page is the respondents' own, whose form has no token. What another site
# could send is one more answer to a test, which anyone with its link may do.
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
    """Draw the address of the test as a QR code, for the phone in one's pocket."""
    drawn = draw_code(make_address(request, get_test(request, survey_id)), "svg")
    return HttpResponse(drawn, content_type=FORMATS["svg"])
