"""The page on which a field study is imported."""

from collections import Counter
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from candor.files.table import FileError
from estimation.pages.studies import example as import_example
from estimation.pages.studies.forms import ImportForm
from estimation.presentation.survey import SurveyPanel
from estimation.rows.shares import SurveyResults, get_results
from respondents.imports.field_studies.store import store
from surveys.authoring.pages import render_page
from surveys.files.definition import Definition
from surveys.log import record
from surveys.models import Survey, require_researcher
from surveys.sentence import make_plural_sentence


@require_http_methods(["GET", "HEAD", "POST"])
def import_study(request: HttpRequest) -> HttpResponse:
    """Check two files and show what is in them; store them when they come again."""
    owner = require_researcher(request.user)
    if request.method != "POST":
        asked = {"asked": request.GET.get("asked")}
        return show(request, ImportForm(owner, initial=asked))
    form = ImportForm(owner, request.POST, request.FILES)
    read: dict[str, Any] = {}
    if is_too_large(request):
        form.add_error(None, _("Both files together are larger than 10 MB."))
    elif form.is_valid() and form.described:
        study, counts = form.described, form.counts
        try:
            if form.is_confirmed and not form.lacks_yes:
                survey = store(study, counts, owner)
                return welcome(request, survey, sum(counts.values()))
            results = preview(study, counts, owner)
            panel = SurveyPanel(results)
            questions = zip(panel.questions, study.questions, strict=True)
            read = {"results": results, "panel": panel, "questions": questions}
        except FileError as error:
            form.refuse_study(error)
    is_refused = form.errors or (read and form.is_confirmed)
    return show(request, form, status=400 if is_refused else 200, **read)


def show(request: HttpRequest, form: ImportForm, **more: Any) -> HttpResponse:
    """Answer with the page on which the files are handed in."""
    return render_page(
        request,
        None,
        "estimation/studies/import.html",
        title=_("Import a field study"),
        example=import_example,
        form=form,
        **more,
    )


def is_too_large(request: HttpRequest) -> bool:
    """Whether the files were not even read, because they are kept in memory alone."""
    length = int(request.META.get("CONTENT_LENGTH") or 0)
    return length > settings.FILE_UPLOAD_MAX_MEMORY_SIZE


def welcome(request: HttpRequest, survey: Survey, respondents: int) -> HttpResponse:
    """Say what was stored, in the log and on the page of its results."""
    told = make_plural_sentence(
        "Imported %(count)s respondent.",
        "Imported %(count)s respondents.",
        count=respondents,
    )
    record(request.user, survey, told)
    messages.success(request, str(told))
    return redirect("admin:estimation_results", survey.pk)


@transaction.atomic
def preview(study: Definition, counts: Counter[bytes], owner: User) -> SurveyResults:
    """Return what the study's results would be; nothing of it stays.

    Raises
    ------
    FileError
        For all that `store` would refuse.
    """
    results = get_results(store(study, counts, owner))
    transaction.set_rollback(True)
    return results
