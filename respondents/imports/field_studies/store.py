"""Store reports that were collected elsewhere as a closed survey."""

from collections import Counter
from collections.abc import Iterable, Mapping

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from candor.files.table import FileError
from candor.mechanisms.parameters import shown
from respondents.models import Response, SealedPattern, SealedTally, close
from surveys.files.definition import Definition, make_draft
from surveys.models import Survey


@transaction.atomic
def store(study: Definition, counts: Counter[bytes], owner: User) -> Survey:
    """Store a field study as a closed survey; errors are those of `open_elsewhere`."""
    survey = open_elsewhere(study, owner)
    fill(survey, [counts])
    return survey


def find_same_reports(counts: Mapping[bytes, int], owner: User) -> list[Survey]:
    """Return the imported surveys of a researcher that have exactly these reports.

    They are compared by their counts, so no digest of a file needs to be stored. The
    same rows in another order or format are found too. Other surveys are not compared:
    this would confirm a guess at the reports of a few people.
    """
    imported = Survey.objects.for_user(owner).filter(is_imported=True)
    closed = imported.filter(state=Survey.State.CLOSED)
    survey_counts = SealedTally.objects.filter(
        survey__in=closed, respondents=sum(counts.values())
    )
    surveys = [each.survey for each in survey_counts.select_related("survey")]
    return [each for each in surveys if SealedPattern.objects.counts(each) == counts]


def open_elsewhere(
    study: Definition,
    owner: User,
    *,
    is_simulated: bool = False,
    plan_attested_by: str = "",
    least_responses: int | None = None,
    merged_versions: Iterable[Mapping[str, str]] = (),
) -> Survey:
    """Return a survey that is marked as imported and stays open until it is filled.

    A plan that no server attests is left out: it may be newer than the reports.
    `least_responses` is the number promised to respondents, if any. `merged_versions`
    describes the merged versions.

    Raises `FileError` if the address is taken, or if the survey cannot be opened.
    """
    slug = study.fields["slug"]
    if Survey.objects.filter(slug=slug).exists():
        message = _("slug: a survey called %s already exists")
        raise FileError([message % shown(slug)])
    survey = make_draft(study, owner)
    survey.is_imported = True
    survey.is_simulated = is_simulated
    survey.plan_attested_by = plan_attested_by
    if not plan_attested_by:
        for name in Survey.PINNED:
            setattr(survey, name, "")
    survey.least_responses = least_responses
    survey.merged_versions = list(merged_versions)
    survey.save()
    try:
        survey.open()
    except ValidationError as error:
        raise FileError(error.messages) from error
    return survey


def fill(survey: Survey, counted: Iterable[Mapping[bytes, int]]) -> None:
    for counts in counted:
        Response.objects.store_many(survey, counts)
    close(survey)
