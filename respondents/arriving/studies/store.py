"""Reports that were collected by hand elsewhere become a closed survey."""

from collections import Counter
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import models, transaction

from respondents.arriving.studies.rows import count_patterns
from respondents.models import Response, close
from surveys.files.study import Study, StudyError, read_study
from surveys.models import Question, Survey


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
    StudyError
        With one line for each problem; nothing is stored.
    """
    study = read_study(read_text(study_path))
    return store(study, count_patterns(study, read_text(reports_path)), owner)


def read_text(path: Path) -> str:
    """Return a file's text, without the mark that some programs put before it."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise StudyError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise StudyError(f"{path} must be UTF-8; byte {error.start} is not") from error


@transaction.atomic
def store(study: Study, counts: Counter[bytes], owner: User) -> Survey:
    """Return the study as a survey of mode hand, opened, filled and closed."""
    survey = Survey(owner=owner, mode=Survey.Mode.HAND, **study.texts)
    check(survey, "the study")
    survey.save()
    for number, each in enumerate(study.questions, start=1):
        fields: dict[str, Any] = {
            "text": each.text,
            "family": each.mechanism.family,
            "parameters": each.mechanism.parameters,
            "innocuous_question": each.innocuous_question,
        }
        # Before it is saved: PostgreSQL refuses a text that is too long in its own way.
        check(Question(survey=survey, position=number, **fields), f"question {number}")
        question = survey.add_question(**fields, choices=each.choices)
        for choice in question.choices.all():
            check(choice, f"question {number}")
    try:
        survey.open(was_asked=True)
    except ValidationError as error:
        raise StudyError("\n".join(error.messages)) from error
    Response.objects.store_many(survey, counts)
    close(survey)
    return survey


def check(part: models.Model, name: str) -> None:
    """Refuse what the admin's forms would refuse too."""
    try:
        part.full_clean()
    except ValidationError as error:
        problems = [
            f"{name}: {field}: {' '.join(messages)}"
            for field, messages in error.message_dict.items()
        ]
        raise StudyError("\n".join(problems)) from error
