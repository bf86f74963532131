"""The page of one survey's exports, and the files."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from estimation.exports.files import (
    DESCRIPTIONS,
    ESTIMATES,
    EXPORTS,
    REPORTS,
    AnyFile,
    Export,
    Source,
    TextFile,
)
from estimation.exports.methods import cited_in, methods_paragraphs
from estimation.exports.snippets import PANDAS, R
from estimation.results.forms import ResultsForm
from estimation.results.panels import SurveyPanel
from estimation.results.views import refuse
from surveys.access import get_survey_for_user, may
from surveys.authoring.pages import page
from surveys.log import record
from surveys.models import Role, Survey

LANGUAGE_OF_FILES = settings.LANGUAGE_CODE
"""Programs read them, and colleagues everywhere: they are the same for all."""


@require_safe
def export(request: HttpRequest, survey_id: int) -> HttpResponseBase:
    """Explain and offer every file, with a methods section to copy."""
    survey = get_survey_for_user(request.user, survey_id)
    if survey.is_draft:
        messages.info(request, _("There is nothing to export before it is open."))
        return redirect("admin:surveys_survey_change", survey.pk)
    if survey.purged_on:
        return redirect("admin:estimation_results", survey.pk)
    form = ResultsForm(request.GET.dict())
    is_valid = form.is_valid()
    source = Source(survey, **form.cleaned_data) if is_valid else None
    return page(
        request,
        survey,
        "estimation/exports/export.html",
        status=200 if is_valid else 400,
        subtitle=_("Export"),
        form=form,
        **(described(request, source) if source else {}),
    )


def described(request: HttpRequest, source: Source) -> dict[str, Any]:
    """Return what the page offers: files, methods section and programs."""
    sees_reports = may(request.user, source.survey, Role.EDITOR)
    with translation.override(LANGUAGE_OF_FILES):
        paragraphs = methods_paragraphs(source.results)
        programs = [
            ("pandas", PANDAS.snippet(source.variables)),
            ("R", R.snippet(source.variables)),
        ]
    groups = (
        (_("For your paper"), ESTIMATES),
        (_("To analyse further"), REPORTS),
        (_("For archives and programs"), DESCRIPTIONS),
    )
    return {
        "results": source.results,
        "panel": SurveyPanel(source.results),
        "sees_reports": sees_reports,
        "groups": [
            (
                name,
                [
                    (export, address(source, export, sees_reports=sees_reports))
                    for export in exports
                ],
            )
            for name, exports in groups
        ],
        "paragraphs": paragraphs,
        "references": cited_in(paragraphs),
        "snippets": programs,
    }


def address(source: Source, export: Export, *, sees_reports: bool) -> str:
    """Return where the file is; nothing where it would not be handed out."""
    is_closed_to = export.holds_reports and not sees_reports
    if is_closed_to or not export.takes(source.cells):
        return ""
    kind = "reports" if export.holds_reports else "file"
    path = reverse(
        f"admin:estimation_export_{kind}", args=[source.survey.pk, export.name]
    )
    level = str(source.confidence_level)
    return f"{path}?{urlencode({'confidence_level': level, 'method': source.method})}"


@require_safe
def estimates(request: HttpRequest, survey_id: int) -> HttpResponseBase:
    """Hand out the estimates as CSV."""
    return export_file(request, survey_id, "estimates.csv")


@require_safe
def export_file(request: HttpRequest, survey_id: int, name: str) -> HttpResponseBase:
    """Hand out a file without reports."""
    survey = get_survey_for_user(request.user, survey_id)
    return hand_out(request, survey, name, holds_reports=False)


@require_safe
def export_reports(request: HttpRequest, survey_id: int, name: str) -> HttpResponseBase:
    """Hand out a file with one row for each respondent."""
    survey = get_survey_for_user(request.user, survey_id, role=Role.EDITOR)
    return hand_out(request, survey, name, holds_reports=True)


def hand_out(
    request: HttpRequest, survey: Survey, name: str, *, holds_reports: bool
) -> HttpResponseBase:
    """Return the file, and write it down in the survey's log."""
    wanted = EXPORTS.get(name)
    has_reports = not survey.is_draft and survey.purged_on is None
    if not has_reports or wanted is None or wanted.holds_reports != holds_reports:
        raise Http404("There is no such file.")
    form = ResultsForm(request.GET.dict())
    if not form.is_valid():
        return refuse(form)
    source = Source(survey, **form.cleaned_data)
    if wanted.holds_reports and not wanted.takes(source.cells):
        messages.error(request, _("There are too many reports for this kind of file."))
        return redirect("admin:estimation_export", survey.pk)
    if request.method == "GET":
        record(request.user, survey, _("Exported %s.") % wanted.name)
    with translation.override(LANGUAGE_OF_FILES):
        return as_response(wanted, source)


def as_response(wanted: AnyFile, source: Source) -> HttpResponseBase:
    """Return the file as an attachment named after its survey."""
    filename = f"{source.survey.slug}-{wanted.name}"
    headers = {"Content-Disposition": f'attachment; filename="{filename}"'}
    if isinstance(wanted, TextFile):
        text = wanted.text(source)
        content_type = f"{wanted.content_type}; charset=utf-8"
        if isinstance(text, str):
            return HttpResponse(text, content_type=content_type, headers=headers)
        return StreamingHttpResponse(text, content_type=content_type, headers=headers)
    with TemporaryDirectory() as folder:
        path = Path(folder) / wanted.name
        wanted.write(source, path)
        # It has no name any more, and is gone when it has been sent.
        file = path.open("rb")
    return FileResponse(
        file, as_attachment=True, filename=filename, content_type=wanted.content_type
    )
