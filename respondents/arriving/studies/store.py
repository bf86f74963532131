"""Reports that were collected by hand elsewhere become a closed survey."""

from collections import Counter

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from respondents.models import Response, close
from surveys.files.definition import Definition, make_draft
from surveys.files.values import FileError
from surveys.mechanisms.parameters import shown
from surveys.models import Survey


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
        told = _("slug: a survey called %s already exists")
        raise FileError([told % shown(slug)])
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
