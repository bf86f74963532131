"""The page *Import a field study*."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from candor.files.table import FileError
from candor.files.workbook import read_table
from estimation.presentation.survey import SurveyPanel
from estimation.rows.shares import SurveyResults, get_results
from respondents.imports.field_studies.mapping import Columns
from respondents.imports.field_studies.rows import RowProblem, RowsError, count_patterns
from respondents.imports.field_studies.store import find_same_reports, store
from surveys.authoring.forms.fields import MemoryFile, TextFile
from surveys.authoring.pages import render_page
from surveys.files.definition import Definition, write_definition
from surveys.files.read import read_asked
from surveys.log import record
from surveys.models import Survey, require_researcher
from surveys.sentence import make_plural_sentence
from surveys.text.errors import explain_file_problem

EXAMPLE_STUDY = """\
{
  "title": "Plagiarism in term papers",
  "slug": "term-papers",
  "organiser": "Institute of Examples",
  "questions": [
    {
      "text": "Have you ever handed in a text as your own that was not yours?",
      "family": "forced_response",
      "parameters": {"forced_yes": "1/6", "forced_no": "1/6"},
      "column": "handed_in",
      "codes": {"1": "yes", "0": "no"}
    }
  ]
}
"""

EXAMPLE_REPORTS = """\
id,handed_in
1,1
2,0
3,NA
4,0
"""


MAX_STUDY_BYTES = 500_000
"""200 questions of the longest texts and choices take less."""

MAX_REPORTS_BYTES = 9_000_000
"""400,000 respondents with ten questions. With the study and the form around them they
stay below the FILE_UPLOAD_MAX_MEMORY_SIZE of the settings: no file of rows with ids
is ever written to this machine's disk."""


class ImportForm(forms.Form):
    """Reports and what was asked; which column is which; and that these are the ones.

    Nothing is kept between two steps: docs/decisions/0011-imports-are-sent-again.md.
    """

    reports = MemoryFile(
        label=gettext_lazy("Reports (CSV or XLSX)"),
        help_text=gettext_lazy(
            "One row per respondent, with column names. At most 9 MB."
        ),
        accept=".csv,.tsv,.txt,.xlsx,text/csv",
        most_bytes=MAX_REPORTS_BYTES,
        size="9 MB",
    )
    study = TextFile(
        label=gettext_lazy("Study (JSON)"),
        help_text=gettext_lazy("The file of a survey, at most 500 KB."),
        accept=".json,application/json",
        most_bytes=MAX_STUDY_BYTES,
        size="500 KB",
        required=False,
    )
    mapped = forms.CharField(required=False, widget=forms.HiddenInput)
    checked = forms.CharField(required=False, widget=forms.HiddenInput)
    again = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, user: User, sent: Any = None, files: Any = None, **options: Any
    ) -> None:
        super().__init__(sent, files, label_suffix="", **options)
        self.user = user
        surveys = Survey.objects.for_user(user).listed().filter(archived_on=None)
        self.surveys = {str(each.pk): each for each in surveys}
        # Titles may be equal, addresses never are.
        named = (
            (key, f"{each.title} ({each.get_state_display()}, {each.slug})")
            for key, each in self.surveys.items()
        )
        self.fields["asked"] = forms.ChoiceField(
            choices=[("", _("As a file says")), *named],
            label=_("What was asked"),
            help_text=_("Your survey or draft with the same questions."),
            required=False,
        )
        self.order_fields(["reports", "asked", "study"])
        self.row_problems: Sequence[RowProblem] = ()
        self.count_of_row_problems = 0
        self.columns: Columns | None = None
        self.described: Definition | None = None
        self.counts = Counter[bytes]()
        """Of the rows; none where they cannot be read or columns have to be chosen."""
        self.handed_in = ""
        """What names the files and what was asked, but for what was chosen here."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        study = self.what_was_asked(cleaned)
        if study is None or "reports" not in cleaned:
            return cleaned
        content: bytes = cleaned["reports"]
        self.handed_in = digest(self.handed_in, sha256(content).hexdigest())
        is_mapped = constant_time_compare(cleaned.get("mapped", ""), self.handed_in)
        try:
            chosen = self.data if is_mapped else None
            self.columns = Columns(study, read_table(content), chosen)
            self.read_rows(self.columns)
        except RowsError as error:
            self.row_problems = error.problems
            self.count_of_row_problems = error.count
            self.add_error("reports", _("Some rows cannot be read."))
        except FileError as error:
            self.add_error("reports", list(error.problems))
        return cleaned

    def read_rows(self, columns: Columns) -> None:
        """Count the rows where every cell has a meaning, known or confirmed.

        Raises
        ------
        FileError
            Where they cannot be read.
        """
        if not columns.is_readable:
            # A page that is not filled in yet has no errors.
            if {"read", "checked"} & self.data.keys():
                self.add_error(None, columns.problems)
            return
        study = columns.make_definition()
        self.counts = count_patterns(study, columns.table)
        self.described = study

    def refuse_study(self, error: FileError) -> None:
        texts = [explain_file_problem(problem) for problem in error.kept]
        self.add_error(self.place_of_study, texts)

    def what_was_asked(self, cleaned: dict[str, Any]) -> Definition | None:
        if not {"asked", "study"} <= cleaned.keys():
            return None
        survey, text = self.surveys.get(cleaned["asked"]), cleaned["study"]
        if survey is None and not text:
            required = self.fields["study"].error_messages["required"]
            self.add_error("study", required)
            return None
        if survey is not None:
            text = write_definition(survey)
        try:
            study = read_asked(text)
        except FileError as error:
            self.refuse_study(error)
            return None
        slug = study.fields["slug"]
        # Only a file that names columns is that of a study, which bears its address.
        is_study = survey is None and all(each.column for each in study.questions)
        if not is_study and (not slug or Survey.objects.filter(slug=slug).exists()):
            slug = Survey.objects.find_free_slug(slug or study.fields["title"])
        self.handed_in = digest(text, slug)
        return replace(study, fields={**study.fields, "slug": slug})

    @property
    def can_be_mapped(self) -> bool:
        if self.columns is None:
            return False
        try:
            return bool(self.columns.questions)
        except FileError:
            return False

    @property
    def place_of_study(self) -> str:
        return "asked" if self.cleaned_data.get("asked") else "study"

    @property
    def fingerprint(self) -> str:
        questions = self.described.questions if self.described else ()
        asked = [question.text for question in questions]
        return digest(self.handed_in, *asked, *map(str, sorted(self.counts.items())))

    @property
    def is_confirmed(self) -> bool:
        checked: str = self.cleaned_data["checked"]
        return constant_time_compare(checked, self.fingerprint)

    @cached_property
    def same_reports(self) -> list[Survey]:
        return find_same_reports(self.counts, self.user)

    @property
    def lacks_yes(self) -> bool:
        """Whether reports that are stored already came without a yes to that."""
        return bool(self.same_reports) and not self.cleaned_data["again"]

    @property
    def has_changed_since(self) -> bool:
        return bool(self.cleaned_data["checked"]) and not self.is_confirmed


def digest(*texts: str) -> str:
    found = sha256()
    for text in texts:
        found.update(sha256(text.encode()).digest())
    return found.hexdigest()


@require_http_methods(["GET", "HEAD", "POST"])
def import_study(request: HttpRequest) -> HttpResponse:
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
    return render_page(
        request,
        None,
        "estimation/studies/import.html",
        title=_("Import a field study"),
        example_study=EXAMPLE_STUDY,
        example_reports=EXAMPLE_REPORTS,
        form=form,
        **more,
    )


def is_too_large(request: HttpRequest) -> bool:
    """Whether the files were not even read, because they are kept in memory alone."""
    length = int(request.META.get("CONTENT_LENGTH") or 0)
    return length > settings.FILE_UPLOAD_MAX_MEMORY_SIZE


def welcome(request: HttpRequest, survey: Survey, respondents: int) -> HttpResponse:
    text = make_plural_sentence(
        "Imported %(count)s respondent.",
        "Imported %(count)s respondents.",
        count=respondents,
    )
    record(request.user, survey, text)
    messages.success(request, str(text))
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
