"""Download of the sealed batch for the key holder, and upload of the result."""

from collections import Counter

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.http import require_http_methods, require_safe

from candor.keys import Batch, KeysError, Opened, PublicKey
from respondents.least_responses import TooFewResponsesError, least_responses
from respondents.models import SealedPattern, SealedTally
from respondents.storage.opening import make_batch
from respondents.storage.secure_deletion import Unerased, overwrite_deleted_rows
from respondents.storage.write_lock import open_write_transaction
from surveys.access import get_survey_for_user
from surveys.authoring.forms.action import ActionForm
from surveys.authoring.forms.fields import MemoryFile
from surveys.authoring.pages import render_page
from surveys.design import get_design
from surveys.log import record
from surveys.models import Role, Survey
from surveys.sentence import make_sentence

MAX_RESULT_BYTES = 30_000_000
"""Bytes: counts of 70,000 different patterns of 200 questions, or 600,000 of 20."""

PROBLEMS = [
    gettext_noop("The signature is not that of the key holder."),
    gettext_noop("This is the result of another batch."),
    gettext_noop("These counts cannot come from this batch."),
    gettext_noop("This result is damaged."),
    gettext_noop("This file is no 'candor result 1'."),
]
"""Messages of the library, which has no translations; looked up by their text."""


class NothingToOpenError(Exception):
    """The survey has no batch: it is not closed, or its result is already stored."""


def read_batch(survey: Survey) -> Batch:
    """Return the sealed reports of a closed survey, always as the same batch.

    Raises `NothingToOpenError` if the survey is open, or has no sealed reports, or none
    that are still to be opened. Raises `TooFewResponsesError` if there are too few to
    show results: opening them would disclose the reports of individuals.
    """
    if not (survey.is_closed and survey.awaits_opening) or survey.purged_on:
        raise NothingToOpenError
    sealed = Counter(SealedPattern.objects.counts(survey))
    if not sealed:
        raise NothingToOpenError
    if sealed.total() < least_responses(survey):
        raise TooFewResponsesError(survey, sealed.total())
    return make_batch(get_design(survey), tuple(sealed.elements()))


def store_result(survey: Survey, content: bytes) -> Opened:
    """Replace the sealed reports with the key holder's counts, once.

    This is one transaction: after an interruption, all reports are sealed or all are
    opened. The files of the database are rewritten after the commit.
    """
    with open_write_transaction():
        # One at a time: a second upload finds nothing to open.
        locked = Survey.objects.select_for_update().get(pk=survey.pk)
        batch = read_batch(locked)
        key = PublicKey.read(locked.holder_key.encode())
        opened = Opened.read(content, key=key, batch=batch)
        for model in (SealedPattern, SealedTally):
            model._default_manager.filter(survey=locked).delete()
        survey.unsealed = locked.unsealed = {
            "day": timezone.localdate().isoformat(),
            "refused": dict(opened.refused),
        }
        locked.save(update_fields=["unsealed"])
        if get_design(locked).tables:
            SealedTally.objects.store_tables(locked, opened.counts)
        else:
            SealedPattern.objects.add(locked, opened.counts[0])
        Unerased.objects.note_deletion()
        transaction.on_commit(overwrite_deleted_rows, robust=True)
    return opened


class ResultForm(ActionForm):
    result = MemoryFile(
        label=gettext_lazy("Result of the key holder"),
        help_text=gettext_lazy("JSON, at most 30 MB."),
        accept=".json,application/json",
        most_bytes=MAX_RESULT_BYTES,
        size="30 MB",
    )

    def clean_result(self) -> Opened:
        """Store the result, because only storing shows whether it is valid."""
        try:
            return store_result(self.survey, self.cleaned_data["result"])
        except KeysError as error:
            raise forms.ValidationError(_(str(error))) from error


@require_http_methods(["GET", "HEAD", "POST"])
def open_sealed(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = get_survey_for_user(request.user, survey_id, role=Role.OWNER)
    try:
        number = len(read_batch(survey).sealed)
        sent = (request.POST, request.FILES) if request.method == "POST" else ()
        form = ResultForm(survey, *sent)
        is_valid = form.is_valid()
    except NothingToOpenError:
        messages.error(request, _("This survey has no sealed reports to open."))
        return redirect("admin:estimation_results", survey.pk)
    if not is_valid:
        return render_page(
            request,
            survey,
            "respondents/distribution/open_sealed.html",
            subtitle=_("Open sealed reports"),
            form=form,
            number=number,
        )
    opened: Opened = form.cleaned_data["result"]
    message = make_sentence(
        "Opened by the key holder: %(accepted)s reports counted, %(refused)s refused.",
        accepted=opened.accepted,
        refused=sum(opened.refused.values()),
    )
    record(request.user, survey, message)
    messages.success(request, str(message))
    return redirect("admin:estimation_results", survey.pk)


@require_safe
def batch(request: HttpRequest, survey_id: int) -> HttpResponse:
    """Send the file for the key holder, with the same bytes each time."""
    survey = get_survey_for_user(request.user, survey_id, role=Role.OWNER)
    try:
        content = read_batch(survey).write()
    except NothingToOpenError as error:
        raise Http404("This survey has no sealed reports to open.") from error
    name = f"{survey.slug}.batch.json"
    if request.method == "GET":
        record(request.user, survey, make_sentence("Exported %(file)s.", file=name))
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type="application/json", headers=headers)
