"""The page of one survey's exports, and the files."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Self

from django import forms
from django.contrib import messages
from django.http import (
    Http404,
    HttpRequest,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from estimation.files.exports import (
    DESCRIPTIONS,
    ESTIMATES,
    EXPORTS,
    REPORTS,
    WORKBOOK,
    AnyFile,
    Export,
    Source,
    TextFile,
    all_files,
    filename,
    is_offered,
    write_in_memory,
    zip_files,
)
from estimation.files.methods import cited_in, methods_paragraphs
from estimation.files.xlsform import write_xlsform
from estimation.pages.results import (
    SIMULTANEOUS,
    ResultsForm,
    make_download_headers,
    make_ignoring_field,
    refuse,
    send_file,
    suppose,
)
from estimation.presentation.methods import LANGUAGE_OF_FILES
from estimation.presentation.survey import SurveyPanel
from estimation.rows.shares import supposed_ignoring
from respondents.collecting.pages import list_languages
from surveys.access import get_survey_for_user, has_role
from surveys.authoring.pages import render_page
from surveys.design import get_design
from surveys.log import record
from surveys.models import Role, Survey
from surveys.sentence import make_sentence


class ExportForm(ResultsForm):
    ignoring = make_ignoring_field()
    language = forms.ChoiceField(label=gettext_lazy("Labels"), required=False)

    @classmethod
    def of(cls, survey: Survey, chosen: Mapping[str, object]) -> Self:
        form = super().of(survey, {**suppose(survey), **chosen})
        languages = [] if survey.is_draft else list_languages(get_design(survey))
        if languages:
            choice: Any = form.fields["language"]
            choice.choices = languages
        else:
            del form.fields["language"]
        return form

    @property
    def chosen(self) -> dict[str, Any]:
        return {
            **self.interval,
            "ignoring": self.cleaned_data["ignoring"] or 0,
            "language": self.cleaned_data.get("language", ""),
        }


@require_safe
def export(request: HttpRequest, survey_id: int) -> HttpResponseBase:
    survey = get_survey_for_user(request.user, survey_id)
    if survey.is_draft:
        messages.info(request, _("Available once the survey is open."))
        return redirect("admin:surveys_survey_change", survey.pk)
    if survey.purged_on:
        return redirect("admin:estimation_results", survey.pk)
    form = ExportForm.of(survey, request.GET.dict())
    is_valid = form.is_valid()
    source = Source(survey, **form.chosen, with_reports=False) if is_valid else None
    return render_page(
        request,
        survey,
        "estimation/exports/export.html",
        status=200 if is_valid else 400,
        subtitle=_("Export"),
        form=form,
        **(described(request, source) if source else {}),
    )


def described(request: HttpRequest, source: Source) -> dict[str, Any]:
    sees_reports = may_read_reports(request, source.survey)
    with translation.override(LANGUAGE_OF_FILES):
        paragraphs = methods_paragraphs(source.results)
    groups = (
        (_("For your paper"), ESTIMATES),
        (_("To analyse further"), REPORTS),
        (_("For archives and programs"), DESCRIPTIONS),
    )
    return {
        "results": source.results,
        "panel": SurveyPanel(source.results),
        "sees_reports": sees_reports,
        "closed_because": _("The key holder returned counts, and no whole responses.")
        if not source.has_rows
        else _("For the owner and editors."),
        "has_rows": source.has_rows,
        "everything": with_options(source, "export_all"),
        "is_by_hand": source.survey.mode == Survey.Mode.HAND,
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
    }


def may_read_reports(request: HttpRequest, survey: Survey) -> bool:
    return has_role(request.user, survey, Role.EDITOR) and not get_design(survey).tables


def address(source: Source, export: Export, *, sees_reports: bool) -> str:
    if not is_offered(source, export, with_reports=sees_reports):
        return ""
    kind = "reports" if export.holds_reports else "file"
    return with_options(source, f"export_{kind}", export.name)


def with_options(source: Source, page: str, *arguments: str) -> str:
    path = reverse(f"admin:estimation_{page}", args=[source.survey.pk, *arguments])
    level = str(source.confidence_level)
    chosen: dict[str, Any] = {"confidence_level": level, "method": source.method}
    if source.ignoring != supposed_ignoring(source.survey):
        chosen["ignoring"] = source.ignoring
    if source.simultaneous:
        chosen["intervals"] = SIMULTANEOUS
    if source.language:
        chosen["language"] = source.language
    return f"{path}?{urlencode(chosen)}"


@require_safe
def export_file(
    request: HttpRequest, survey_id: int, name: str = "estimates.csv"
) -> HttpResponseBase:
    survey = get_survey_for_user(request.user, survey_id)
    answer = read_file(survey, name, request.GET.dict())
    if request.method == "GET" and answer.status_code == HTTPStatus.OK:
        note_export(request, survey, name)
    return answer


@require_safe
def export_reports(request: HttpRequest, survey_id: int, name: str) -> HttpResponseBase:
    survey = get_survey_for_user(request.user, survey_id, role=Role.EDITOR)
    wanted = find_export(survey, name, holds_reports=True)
    form = ExportForm.of(survey, request.GET.dict())
    if not form.is_valid():
        return refuse(form)
    source = Source(survey, **form.chosen)
    if not wanted.takes(source.cells):
        messages.error(
            request, _("Too many reports for this kind of file. Take the CSV.")
        )
        return redirect("admin:estimation_export", survey.pk)
    if request.method == "GET":
        note_export(request, survey, wanted.name)
    with translation.override(LANGUAGE_OF_FILES):
        return make_attachment(wanted, source)


def find_export(survey: Survey, name: str, *, holds_reports: bool) -> AnyFile:
    wanted = EXPORTS.get(name)
    is_over = survey.is_draft or survey.purged_on
    if is_over or wanted is None or wanted.holds_reports != holds_reports:
        raise Http404("There is no such file.")
    return wanted


def read_file(
    survey: Survey, name: str, chosen: Mapping[str, object]
) -> HttpResponseBase:
    """Return a file without reports; its bytes change only when a batch is sealed."""
    wanted = find_export(survey, name, holds_reports=False)
    form = ExportForm.of(survey, chosen)
    if not form.is_valid():
        return refuse(form)
    source = Source(survey, **form.chosen, with_reports=False)
    with translation.override(LANGUAGE_OF_FILES):
        return make_attachment(wanted, source)


@require_safe
def export_all(request: HttpRequest, survey_id: int) -> HttpResponseBase:
    survey = get_survey_for_user(request.user, survey_id)
    if survey.is_draft or survey.purged_on:
        raise Http404("There is no file yet, or none any more.")
    form = ExportForm.of(survey, request.GET.dict())
    if not form.is_valid():
        return refuse(form)
    sees_reports = may_read_reports(request, survey)
    source = Source(survey, **form.chosen, with_reports=sees_reports)
    exports = all_files(source, with_reports=sees_reports)
    if request.method == "GET":
        note_export(request, survey, "all.zip")
    return StreamingHttpResponse(
        zip_files(source, exports),
        content_type="application/zip",
        headers=make_download_headers(f"{survey.slug}-all.zip"),
    )


@require_safe
def xlsform(request: HttpRequest, survey_id: int) -> HttpResponseBase:
    survey = get_survey_for_user(request.user, survey_id)
    if survey.mode != Survey.Mode.HAND:
        raise Http404("Only what people scramble by hand can do without this site.")
    questions = survey.questions.all()
    problems = [str(text) for each in questions for text in each.problems()]
    if survey.draws:
        text = _("A form cannot draw exactly which questions it asks.")
        problems.append(text)
    if problems or not questions:
        text = _("An XLSForm needs a survey that can be opened.")
        messages.error(request, " ".join([text, *problems]))
        return redirect("admin:surveys_survey_change", survey.pk)
    if request.method == "GET":
        note_export(request, survey, "xlsform.xlsx")
    file = write_in_memory(lambda path: write_xlsform(survey, path))
    return send_file(file, f"{survey.slug}-xlsform.xlsx", WORKBOOK)


def note_export(request: HttpRequest, survey: Survey, file: str) -> None:
    record(request.user, survey, make_sentence("Exported %(file)s.", file=file))


def make_attachment(wanted: AnyFile, source: Source) -> HttpResponseBase:
    name = filename(source, wanted)
    if not isinstance(wanted, TextFile):
        body = write_in_memory(lambda path: wanted.write(source, path))
        return send_file(body, name, wanted.content_type)
    text = wanted.text(source)
    content_type = f"{wanted.content_type}; charset=utf-8"
    if isinstance(text, str):
        return send_file(text, name, content_type)
    headers = make_download_headers(name)
    if wanted.size:
        headers["Content-Length"] = str(wanted.size(source))
    return StreamingHttpResponse(text, content_type=content_type, headers=headers)
