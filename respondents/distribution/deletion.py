"""Delete all reports of a survey permanently; the survey remains."""

from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from respondents.models import SealedPattern
from respondents.storage.secure_deletion import (
    Unerased,
    list_answer_rows,
    overwrite_deleted_rows,
)
from surveys.access import get_survey_for_user
from surveys.authoring.forms.action import ActionForm
from surveys.authoring.pages import render_page
from surveys.log import record
from surveys.models import Role, Survey
from surveys.sentence import make_plural_sentence


class NothingToPurgeError(Exception):
    """The survey is not closed, or its reports were deleted before."""


@transaction.atomic
def purge(survey: Survey) -> int:
    """Delete all reports of a closed survey; return the number of responses.

    All stored results that were computed from them are deleted too: a public page with
    its released counts, and anything that a later app stores about the answers. The
    files of the database are rewritten after the commit. Backups are not changed.
    """
    locked = Survey.objects.select_for_update().get(pk=survey.pk)
    if not locked.is_closed or locked.purged_on:
        raise NothingToPurgeError
    count = SealedPattern.objects.respondents(survey)
    for rows in list_answer_rows(survey.pk):
        rows.delete()
    survey.purged_on, survey.results_address = timezone.localdate(), ""
    survey.save(update_fields=["purged_on", "results_address"])
    Unerased.objects.note_deletion()
    transaction.on_commit(overwrite_deleted_rows, robust=True)
    return count


class PurgeForm(ActionForm):
    """Asks for the survey's address, so that users do not delete the wrong survey."""

    slug = forms.CharField(
        label=gettext_lazy("Address of the survey, to confirm"),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off"}),
    )

    def __init__(self, survey: Survey, *args: Any) -> None:
        super().__init__(survey, *args)
        self.fields["slug"].help_text = _("Type: %s") % survey.slug

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if slug != self.survey.slug:
            raise forms.ValidationError(_("This is not the address of this survey."))
        return slug


@require_http_methods(["GET", "HEAD", "POST"])
def purge_survey(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = get_survey_for_user(request.user, survey_id, role=Role.OWNER)
    form = PurgeForm(survey, request.POST if request.method == "POST" else None)
    if survey.purged_on:
        messages.error(request, _("The reports were deleted."))
    elif not survey.is_closed:
        messages.error(request, _("Only a closed survey has reports to delete."))
    elif not form.is_valid():
        count = SealedPattern.objects.respondents(survey)
        return render_page(
            request,
            survey,
            "respondents/distribution/deletion.html",
            subtitle=_("Delete all reports"),
            form=form,
            count=count,
        )
    else:
        purge_and_record(request, survey)
    return redirect("admin:surveys_survey_change", survey.pk)


def purge_and_record(request: HttpRequest, survey: Survey) -> None:
    try:
        count = purge(survey)
    except NothingToPurgeError:
        messages.error(request, _("The reports were deleted."))
        return
    message = make_plural_sentence(
        "Deleted the reports of %(count)s response.",
        "Deleted the reports of %(count)s responses.",
        count=count,
    )
    record(request.user, survey, message)
    messages.success(request, str(message))
