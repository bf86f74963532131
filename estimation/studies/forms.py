"""What a researcher hands in to import a field study."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from django import forms
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from respondents.arriving.studies.rows import RowProblem, RowsError, count_patterns
from surveys.authoring.forms.text_file import TextFile
from surveys.files.definition import Definition
from surveys.files.read import read_study
from surveys.files.values import FileError

MOST_BYTES_OF_STUDY = 500_000
"""200 questions of the longest texts and choices take less."""

MOST_BYTES_OF_REPORTS = 9_000_000
"""400,000 respondents with ten questions. With the study and the form around them they
stay below the FILE_UPLOAD_MAX_MEMORY_SIZE of the settings: no file of rows with ids
is ever written to this machine's disk."""


class ImportForm(forms.Form):
    """Both files, and once they were checked, the word that these are the ones."""

    study = TextFile(
        label=gettext_lazy("Study (JSON)"),
        help_text=gettext_lazy("Questions and what the codes mean. At most 500 KB."),
        accept=".json,application/json",
        most_bytes=MOST_BYTES_OF_STUDY,
        size="500 KB",
    )
    reports = TextFile(
        label=gettext_lazy("Reports (CSV)"),
        help_text=gettext_lazy(
            "One row a respondent. At most 9 MB, some 400,000 rows of ten questions."
        ),
        accept=".csv,text/csv",
        most_bytes=MOST_BYTES_OF_REPORTS,
        size="9 MB",
    )
    checked = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, sent: Any = None, files: Any = None) -> None:
        super().__init__(sent, files, label_suffix="")
        self.row_problems: Sequence[RowProblem] = ()
        self.count_of_row_problems = 0
        self.digest = sha256()

    def clean_study(self) -> Definition:
        """Return what the first file describes."""
        try:
            return read_study(self.remembered("study"))
        except FileError as error:
            raise forms.ValidationError(list(error.problems)) from error

    def clean_reports(self) -> str:
        """Return the text of the second file."""
        return self.remembered("reports")

    def clean(self) -> dict[str, Any]:
        """Add the counts of the rows, where both files can be read."""
        cleaned = super().clean() or {}
        study, reports = cleaned.get("study"), cleaned.get("reports")
        if study is None or reports is None:
            return cleaned
        try:
            cleaned["counts"] = count_patterns(study, reports)
        except RowsError as error:
            self.row_problems = error.problems
            self.count_of_row_problems = error.count
            self.add_error("reports", _("Some rows cannot be read."))
        except FileError as error:
            self.add_error("reports", list(error.problems))
        return cleaned

    def remembered(self, name: str) -> str:
        """Return the text of a file, which becomes part of the digest."""
        text: str = self.cleaned_data[name]
        self.digest.update(sha256(text.encode()).digest())
        return text

    @property
    def fingerprint(self) -> str:
        """What names these two files: the preview hands it out, confirming needs it."""
        return self.digest.hexdigest()

    @property
    def is_confirmed(self) -> bool:
        """Whether these are the files that were checked before."""
        checked: str = self.cleaned_data["checked"]
        return constant_time_compare(checked, self.fingerprint)

    @property
    def has_changed_since(self) -> bool:
        """Whether other files were checked than came now."""
        return bool(self.cleaned_data["checked"]) and not self.is_confirmed
