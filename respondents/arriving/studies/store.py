"""Reports that were collected by hand elsewhere become a closed survey."""

from collections import Counter
from pathlib import Path

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from respondents.arriving.studies.rows import count_patterns
from respondents.models import Response, close
from surveys.files.definition import Definition, make_draft
from surveys.files.read import read_study
from surveys.files.values import FileError
from surveys.mechanisms.parameters import shown
from surveys.models import Survey


def import_reports(study_path: Path, reports_path: Path, owner: User) -> Survey:
    """Return a closed survey with one response for each row of the file.

    Parameters
    ----------
    study_path, reports_path : Path
        JSON and CSV in UTF-8, as docs/import-format.md describes them.
    owner : User
        To whom the survey then belongs.

    Raises
    ------
    FileError
        With one line for each problem; nothing is stored.
    """
    study = read_study(read_text(study_path))
    return store(study, count_patterns(study, read_text(reports_path)), owner)


def read_text(path: Path) -> str:
    """Return a file's text, without the mark that some programs put before it."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FileError([f"{path} cannot be read: {error.strerror}"]) from error
    except UnicodeDecodeError as error:
        raise FileError([f"{path} must be UTF-8; byte {error.start} is not"]) from error


@transaction.atomic
def store(study: Definition, counts: Counter[bytes], owner: User) -> Survey:
    """Return the study as a survey of mode hand, opened, filled and closed.

    Raises
    ------
    FileError
        Where its address is taken, or a harmless question lacks.
    """
    slug = study.fields["slug"]
    if Survey.objects.filter(slug=slug).exists():
        raise FileError([f"slug: a survey called {shown(slug)} already exists"])
    survey = make_draft(study, owner)
    survey.is_imported = True
    survey.save(update_fields=["is_imported"])
    try:
        survey.open(was_asked=True)
    except ValidationError as error:
        raise FileError(error.messages) from error
    Response.objects.store_many(survey, counts)
    close(survey)
    return survey
