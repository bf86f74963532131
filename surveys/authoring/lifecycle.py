"""Duplicate, archive, export and import a survey."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.http import require_http_methods, require_safe

from candor.files.table import FileError
from surveys.authoring.forms.fields import TextFile
from surveys.authoring.pages import find_survey, render_page
from surveys.files.definition import (
    MAX_BYTES,
    Definition,
    duplicate,
    store_definition,
    write_definition,
)
from surveys.files.read import read_definition
from surveys.log import record
from surveys.models import Role, Survey
from surveys.numbers import format_epsilon
from surveys.sentence import make_sentence
from surveys.text.errors import explain_file_problem
from surveys.text.explanations import get_total_protection


@require_http_methods(["GET", "HEAD", "POST"])
def duplicate_survey(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = find_survey(request, survey_id)
    if request.method != "POST":
        return render_page(
            request,
            survey,
            "surveys/authoring/duplicate.html",
            title=_("Duplicate “%s”?") % survey.title,
            waves=describe_second_wave(survey),
        )
    copy = duplicate(survey, request.user)
    made = make_sentence("Created as a copy of “%(title)s”.", title=survey.title)
    record(request.user, copy, made)
    messages.success(request, str(made))
    if text := describe_second_wave(survey):
        messages.info(request, text)
    return redirect("admin:surveys_survey_change", copy.pk)


def describe_second_wave(survey: Survey) -> str:
    protection = None if survey.is_draft else get_total_protection(survey)
    if protection is None or not protection.numbers.scrambled:
        return ""
    ratio = protection.numbers.ratio
    if ratio is None:
        return ""
    text = _(
        "If the same people answer both surveys, their epsilons add up to at most "
        "%(epsilon)s."
    )
    return text % {"epsilon": format_epsilon(ratio**2)}


@require_http_methods(["GET", "HEAD", "POST"])
def archive(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = find_survey(request, survey_id, role=Role.OWNER)
    if request.method != "POST":
        title = (
            _("Take “%s” out of the archive?")
            if survey.archived_on
            else _("Archive “%s”?")
        )
        return render_page(
            request,
            survey,
            "surveys/authoring/archive.html",
            title=title % survey.title,
        )
    if survey.archived_on:
        survey.archived_on = None
        done = gettext_noop("Taken out of the archive.")
    else:
        survey.archived_on = timezone.localdate()
        done = gettext_noop("Archived.")
    survey.save(update_fields=["archived_on"])
    record(request.user, survey, done)
    messages.success(request, _(done))
    return redirect("admin:surveys_survey_change", survey.pk)


@require_safe
def definition(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = find_survey(request, survey_id)
    answer = HttpResponse(write_definition(survey), content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="{survey.slug}.json"'
    return answer


class DefinitionForm(forms.Form):
    """A survey written to a file here or elsewhere: docs/reference/survey-format.md."""

    file = TextFile(
        label=gettext_lazy("Downloaded survey file"),
        help_text=gettext_lazy("JSON, at most 1 MB."),
        accept=".json,application/json",
        most_bytes=MAX_BYTES,
        size="1 MB",
    )

    def clean_file(self) -> Definition:
        try:
            return read_definition(self.cleaned_data["file"])
        except FileError as error:
            problems = [explain_file_problem(problem) for problem in error.kept]
            raise forms.ValidationError(problems) from error


@require_http_methods(["GET", "HEAD", "POST"])
def from_file(request: HttpRequest) -> HttpResponse:
    is_posted = request.method == "POST"
    form = DefinitionForm(
        request.POST if is_posted else None,
        request.FILES if is_posted else None,
        label_suffix="",
    )
    if not form.is_valid():
        return render_page(
            request,
            None,
            "surveys/authoring/from_file.html",
            title=_("New survey from a file"),
            form=form,
        )
    defined: Definition = form.cleaned_data["file"]
    survey = store_definition(defined, request.user)
    made = gettext_noop("Created from a file.")
    record(request.user, survey, made)
    text = _(made)
    if survey.slug != defined.fields["slug"]:
        text += " " + _("Its address is /s/%s/.") % survey.slug
    messages.success(request, text)
    return redirect("admin:surveys_survey_change", survey.pk)
